// The server settings that were found, side by side; those that differ first.

import { details, fill, h } from '../dom.js';
import { seriesClass } from '../palette.js';
import { count } from '../words.js';
import { Part } from './element.js';

export class SettingsPart extends Part {
  #kept = { open: false };

  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report?.settings, s.doc.colors];
  }

  /** @param {import('./element.js').State} s */
  draw({ report }) {
    const lists = (report?.settings ?? []).slice(0, 12);
    if (lists.length === 0) return fill(this);
    if (!report?.runs?.length && !report?.profiles?.length) this.#kept.open = true; // there is nothing else to see
    const names = [...new Set(lists.flatMap((l) => Object.keys(l.values)))].sort();
    const shown = (/** @type {import('../report.js').Setting | undefined} */ v) => (v === undefined ? '' : v.text ?? [v.value, v.unit].filter(Boolean).join(' '));
    const differs = new Set(lists.length > 1 ? names.filter((n) => new Set(lists.map((l) => shown(l.values[n]))).size > 1) : []);
    fill(this, h('section', { class: 'card settings', 'aria-label': 'Settings' },
      h('header', null, h('h2', null, 'Server settings'), h('p', null, `${count(names.length, 'setting')} in ${count(lists.length, 'list')}${lists.length > 1 ? `, ${differs.size === 0 ? 'no' : differs.size} of them different` : ''}.`)),
      details(this.#kept, { class: 'data' }, h('summary', { 'data-k': 'settings' }, 'The settings as a table'), () => h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Server settings' }, h('table', null,
        h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Setting'), lists.map((l) => h('th', { scope: 'col', class: l.series ? seriesClass(l.series) : '' }, l.label || l.file)))),
        h('tbody', null, [...differs, ...names.filter((n) => !differs.has(n))].map((n) => h('tr', { class: differs.has(n) ? 'changed' : '' }, h('th', { scope: 'row' }, h('code', null, n)), lists.map((l) => h('td', null, shown(l.values[n])))))))))));
  }
}
