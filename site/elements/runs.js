// The runs one by one, where they form no curve: one client count, or latencies alone.

import { fill, h } from '../dom.js';
import { seriesClass } from '../palette.js';
import { number } from '../words.js';
import { views } from './curves.js';
import { Part } from './element.js';

/** @typedef {import('../report.js').Run} Run */

const most = 100;

/** What runs may differ in. @type {[string, (r: Run) => string | number | undefined][]} */
const columns = [['Series', (r) => r.series], ['Script', (r) => r.script], ['Protocol', (r) => r.queryMode], ['Clients', (r) => r.clients], ['Scale', (r) => r.scale], ['Threads', (r) => r.threads], ['Seconds', (r) => r.durationS]];

export class Runs extends Part {
  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report?.runs, s.report?.series, s.doc.colors];
  }

  /** @param {import('./element.js').State} s */
  draw({ report }) {
    const runs = (report?.runs ?? []).filter((r) => r.tps !== undefined || r.latencyMs !== undefined);
    if (!report || runs.length === 0 || views(report).length) return fill(this);
    const total = report.runsInAll ?? runs.length;
    const measured = runs.some((r) => r.tps !== undefined);
    const value = (/** @type {Run} */ r) => (measured ? r.tps : r.latencyMs) ?? 0;
    const largest = Math.max(...runs.map(value), 1e-9);
    const shown = columns.filter(([name, of]) => name === 'Clients' || new Set(runs.map(of)).size > 1);
    const units = new Set(runs.filter((r) => r.tps !== undefined).map((r) => r.unit ?? 'TPS'));
    const latency = runs.some((r) => r.latencyMs !== undefined);
    // In a column of numbers the points stand below one another.
    const decimals = Math.min(3, Math.max(...runs.map((r) => /\.(\d+)$/.exec(number(r.latencyMs ?? 0))?.[1].length ?? 0)));
    const many = new Set(runs.map((r) => r.file)).size > 1;
    fill(this, h('section', { class: 'card runs', 'aria-label': 'Runs' },
      h('header', null, h('h2', null, measured ? 'Throughput, run by run' : 'Latency, run by run'),
        h('p', null, measured ? 'A curve needs several client counts.' : 'These runs state no throughput, and a curve needs one.')),
      h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'The runs' }, h('table', null,
        h('thead', null, h('tr', null, shown.map(([name, of]) => h('th', { scope: 'col', class: numeric(runs, of) ? 'n' : '' }, name)), measured ? h('th', { class: 'n', scope: 'col' }, units.size > 1 ? 'Throughput' : [...units]) : null, latency ? h('th', { class: 'n', scope: 'col' }, 'Latency, ms') : null, h('td', { class: 'bar-of' }), h('th', { scope: 'col' }, many ? 'Where' : 'Line'))),
        h('tbody', null, runs.slice(0, most).map((r) => h('tr', null,
          shown.map(([name, of]) => h('td', { class: [numeric(runs, of) ? 'n' : '', name === 'Series' ? seriesClass(r.series ?? '') : ''].join(' ') }, of(r) ?? '–')),
          measured ? h('td', { class: 'n' }, r.tps === undefined ? '–' : number(r.tps, 4)) : null, latency ? h('td', { class: 'n' }, r.latencyMs === undefined ? '–' : r.latencyMs.toFixed(decimals)) : null,
          h('td', { class: 'bar-of', 'aria-hidden': 'true' }, h('i', { class: seriesClass(r.series ?? '') || 's1', style: { '--share': value(r) / largest } })),
          h('td', { class: 'soft' }, many ? [r.file, r.line].filter(Boolean).join(':') : r.line ?? '–')))))),
      total > most ? h('p', { class: 'soft' }, `and ${number(total - most, 9)} more, which the CSV export has`) : null));
  }
}

/** Whether a column holds numbers. @param {Run[]} runs @param {(r: Run) => string | number | undefined} of */
const numeric = (runs, of) => runs.every((r) => typeof (of(r) ?? 0) === 'number');
