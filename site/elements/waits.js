// What sessions waited for: counts of sessions by wait event. They include who sleeps, which profiles of the CPU do not.

import { details, fill, h } from '../dom.js';
import { seriesClass, place } from '../palette.js';
import { number, percent } from '../words.js';
import { Part } from './element.js';

/** @typedef {import('../report.js').Waits} Waits */

const rows = 8;
const least = 0.005; // smaller shares stand in the table only

export class WaitsPart extends Part {
  #at = 0;
  #table = { open: false };

  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report?.waits, s.doc.colors];
  }

  /** @param {import('./element.js').State} state */
  draw(state) {
    const all = state.report?.waits ?? [];
    if (all.length === 0) return fill(this);
    const now = all[this.#at] ?? all[0];
    const name = (/** @type {Waits} */ w) => w.label || w.file;
    fill(this, h('section', { class: 'card waits', 'aria-label': 'Wait events' },
      h('header', null, h('h2', null, 'What sessions waited for'), h('p', null, all.length > 1 ? '' : `${name(now)}: `, `${number(now.total, 9)} ${now.unit} by wait event, asleep included.`)),
      all.length > 1 ? h('div', { class: 'switch tabs', role: 'group', 'aria-label': 'Wait events of' }, all.map((w, i) => h('button', { 'aria-pressed': String(w === now), 'data-k': `waits ${i}`, onclick: () => { this.#at = i; this.draw(state); } }, name(w)))) : null,
      bars(now),
      details(this.#table, { class: 'data' }, h('summary', { 'data-k': 'events' }, 'The wait events as a table'), () => h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Wait events' }, all.map(table)))));
  }
}

/** @param {Waits} w */
function bars(w) {
  const list = w.events.filter((e) => e.share >= least).slice(0, rows);
  const most = Math.max(...list.map((e) => e.share), 0.001);
  const tint = w.series && place(w.series) ? seriesClass(w.series) : 's1';
  return h('ul', { class: 'bars single', 'aria-label': `Largest wait events of ${w.label || w.file}` }, list.map((e) => h('li', null, h('span', { class: 'fn' }, e.event),
    h('span', { class: 'two-bars', 'aria-hidden': 'true' }, h('i', { class: tint, style: { '--share': e.share / most } })), h('b', null, percent(e.share)))));
}

/** @param {Waits} w */
function table(w) {
  return [h('h3', null, w.label || w.file, ' ', h('small', null, [w.file, w.line].filter(Boolean).join(':'))),
    h('table', null, h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Wait event'), h('th', { class: 'n', scope: 'col' }, w.unit), h('th', { class: 'n', scope: 'col' }, 'Share'))),
      h('tbody', null, w.events.slice(0, 60).map((e) => h('tr', null, h('td', null, h('code', null, e.event)), h('td', { class: 'n' }, number(e.count, 9)), h('td', { class: 'n' }, percent(e.share))))))];
}
