// Which law describes the curves: the fits of each series, best first, with what they say and what speaks against them.

import { fill, h } from '../dom.js';
import { seriesClass } from '../palette.js';
import { lawName, number, parameterName, percent } from '../words.js';
import { Part } from './element.js';

/** @typedef {import('../report.js').Series} Series */
/** @typedef {import('../report.js').Model} Model */

const shownAtOnce = 5;

export class Models extends Part {
  /** @type {Set<string>} */
  #all = new Set();
  #label = '';

  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report, s.phase, s.doc.colors];
  }

  /** @param {import('./element.js').State} state */
  draw(state) {
    const { report, phase } = state;
    const fitted = (report?.series ?? []).filter((s) => s.models?.length || s.unexplained);
    if (fitted.length === 0) {
      const waits = phase === 'fitting' && report?.series?.some((s) => s.points?.length);
      return fill(this, waits ? h('section', { class: 'card laws', 'aria-label': 'Models' }, h('header', null, h('h2', null, 'Which law describes the curves')), h('p', { class: 'waiting dots' }, 'Fitting')) : null);
    }
    const now = fitted.find((s) => s.label === this.#label) ?? fitted.find((s) => s.label === report?.comparisons?.[0]?.candidate) ?? fitted[0];
    fill(this, h('section', { class: 'card laws', 'aria-label': 'Models' },
      h('header', null, h('h2', null, 'Which law describes the curves'), h('p', null, 'Laws of contention, best first. RMS is how far a law misses the points; a smaller AICc is better, for as many parameters as the law has.')),
      fitted.length > 1 ? h('div', { class: 'switch tabs', role: 'group', 'aria-label': 'Series' }, fitted.slice(0, 12).map((s) => h('button', { class: seriesClass(s.label), 'aria-pressed': String(s === now), 'data-k': `law ${s.label}`, onclick: () => { this.#label = s.label; this.draw(state); } }, s.label || 'all runs'))) : null,
      this.#table(now, state)));
  }

  /** @param {Series} s @param {import('./element.js').State} state */
  #table(s, state) {
    const models = s.models ?? [];
    if (models.length === 0) return h('p', { class: 'soft' }, s.unexplained);
    const best = models.find((m) => m.aicc !== undefined)?.aicc;
    const all = this.#all.has(s.label);
    return h('div', null,
      s.explained === false ? h('p', null, s.unexplained || 'No law describes this curve.') : null,
      h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `Laws of ${s.label || 'all runs'}` }, h('table', null,
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Law'), h('th', { class: 'n', scope: 'col' }, 'RMS'), h('th', { class: 'n', scope: 'col' }, 'Δ AICc'), h('th', { class: 'n', scope: 'col' }, 'Weight'), h('th', { scope: 'col' }, 'Says'))),
        h('tbody', null, models.slice(0, all ? undefined : shownAtOnce).map((m, i) => h('tr', { class: i === 0 && s.explained !== false ? 'best' : '' },
          h('td', null, lawName(m.name)), h('td', { class: 'n' }, percent(m.rmsLog)), h('td', { class: 'n' }, m.aicc === undefined || best === undefined ? '–' : number(m.aicc - best, 2)), h('td', { class: 'n' }, m.weight === undefined ? '–' : percent(m.weight)),
          h('td', { class: 'says' }, says(m), i === 0 || all ? h('span', { class: 'params' }, m.parameters.map((p, k) => [k ? ', ' : '', parameter(p)])) : null, m.warnings?.map((w) => h('span', { class: 'warn' }, w)))))))),
      models.length > shownAtOnce ? h('button', { class: 'link', 'data-k': 'all laws', onclick: () => { if (all) this.#all.delete(s.label); else this.#all.add(s.label); this.draw(state); } }, all ? 'Fewer laws' : `All ${models.length} laws with their parameters`) : null);
  }
}

/** @param {Model} m */
function says(m) {
  if (m.says) return m.says;
  const peak = m.peakClients === undefined ? 'no peak' : `peak at ${number(m.peakClients)}`;
  return m.floorTps === undefined ? peak : `${peak}, floor ${number(m.floorTps)}`;
}

/** Times are in the unit in which they are no tiny fractions. @param {import('../report.js').Parameter} p */
function parameter(p) {
  const [by, unit] = p.unit !== 's' || !p.value ? [1, p.unit] : p.value < 1e-6 ? [1e9, 'ns'] : p.value < 1e-3 ? [1e6, 'µs'] : p.value < 1 ? [1e3, 'ms'] : [1, 's'];
  const interval = p.lo !== undefined && p.hi !== undefined ? ` (${number(p.lo * by)} to ${number(p.hi * by)})` : '';
  return `${parameterName(p.name)} ${number(p.value * by)}${unit ? ` ${unit}` : ''}${interval}`;
}
