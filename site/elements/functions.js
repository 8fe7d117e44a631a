// The functions of profiles as a table: sorted by any column, filtered by a part of the name. A function leads to its callers and
// callees among the stacks.

import { fill, h } from '../dom.js';
import * as store from '../store.js';
import { count, minus, percent } from '../words.js';

/**
 * @typedef {{open: boolean, of: string, by: number, rising: boolean, filter: string, all: boolean}} Kept  what is shown, over redraws
 * @typedef {{name: string, values: (number | null)[], text: string[], soft?: boolean}} Row
 */

/** @returns {Kept} */
export const firstTable = () => ({ open: false, of: '', by: -1, rising: false, filter: '', all: false });

const few = 40;

/** Points of a percentage, with their sign. @param {number} change */
function points(change) {
  const text = Math.abs(change * 100).toFixed(1);
  return text === '0.0' ? text : `${change > 0 ? '+' : minus}${text}`;
}

/** @param {import('../report.js').Profile} p @returns {{heads: string[], rows: Row[]}} */
function ofProfile(p) {
  return { heads: ['Self', 'Total'], rows: (p.top ?? []).map((f) => {
    const [self, total] = [f.self ?? null, f.unknown === 'total' ? null : f.total];
    return { name: f.function, values: [self, total], text: [self === null ? '' : `${f.selfAtMost ? '≤ ' : ''}${percent(self)}`, total === null ? '' : percent(total)] };
  }) };
}

/** @param {import('../report.js').ProfileComparison} c @returns {{heads: string[], rows: Row[]}} */
function ofPair(c) {
  return { heads: ['Self before', 'after', 'points', 'Total before', 'after', 'points'], rows: (c.changes ?? []).map((f) => {
    const side = (/** @type {number} */ from, /** @type {number} */ to, /** @type {boolean} */ known) => ({ values: known ? [from, to, to - from] : [null, null, null], text: known ? [percent(from), percent(to), points(to - from)] : ['', '', ''] });
    const [self, total] = [side(f.selfFrom, f.selfTo, f.unknown !== 'self'), side(f.totalFrom, f.totalTo, f.unknown !== 'total')];
    return { name: f.function, values: [...self.values, ...total.values], text: [...self.text, ...total.text], soft: f.withinNoise };
  }) };
}

/** @param {import('../report.js').Report} report @param {Kept} kept */
export function functions(report, kept) {
  const profiles = report.profiles ?? [];
  const pairs = report.profileComparisons ?? [];
  const choices = [...pairs.map((c, i) => ({ key: `pair ${i}`, label: `${c.baseline} → ${c.candidate}`, table: () => ofPair(c), at: profiles.findIndex((p) => p.label === c.candidate), notes: /** @type {string[] | undefined} */ (undefined) })), // those of a pair stand above
    ...profiles.map((p, i) => ({ key: `profile ${i}`, label: p.label || p.file, table: () => ofProfile(p), at: i, notes: p.notes }))];
  const box = h('div', null);
  const draw = () => {
    const now = choices.find((c) => c.key === kept.of) ?? choices[0];
    const { heads, rows } = now.table();
    const by = kept.by >= 0 && kept.by < heads.length ? kept.by : heads.length > 2 ? 2 : 0;
    const size = (/** @type {Row} */ r) => (heads[by] === 'points' && kept.by < 0 ? Math.abs(r.values[by] ?? 0) : r.values[by] ?? -Infinity); // at first, how far it moved
    const wanted = kept.filter.toLowerCase();
    const found = rows.filter((r) => r.name.toLowerCase().includes(wanted)).sort((a, b) => (kept.rising ? -1 : 1) * (size(b) - size(a)) || 0);
    const stacks = (profiles[now.at]?.stacks ?? 0) > 0 && !profiles[now.at]?.partial;
    const sides = (/** @type {string} */ name) => {
      store.setView({ profile: { ...store.get().view.profile, at: now.at, kind: 'sandwich', function: name, steps: [] } });
      document.querySelector('pk-flame')?.scrollIntoView({ block: 'start' });
    };
    fill(box, h('div', { class: 'flame-bar' },
      choices.length > 1 ? h('select', { 'aria-label': 'Functions of', 'data-k': 'functions of', onchange: (/** @type {Event} */ e) => { Object.assign(kept, { of: /** @type {HTMLSelectElement} */ (e.currentTarget).value, by: -1, rising: false }); draw(); } }, choices.map((c) => h('option', { value: c.key, selected: c === now }, c.label))) : null,
      h('input', { type: 'text', value: kept.filter, placeholder: 'Filter functions', 'aria-label': 'Filter functions', 'data-k': 'filter functions', oninput: (/** @type {Event} */ e) => { kept.filter = /** @type {HTMLInputElement} */ (e.currentTarget).value; draw(); } }),
      h('span', { class: 'soft', role: 'status' }, wanted ? `${count(found.length, 'function')} of ${rows.length}` : count(rows.length, 'function'))),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Functions' }, h('table', { class: 'functions' },
      h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'Function'), heads.map((head, i) => h('th', { class: 'n', scope: 'col', 'aria-sort': i === by ? (kept.rising ? 'ascending' : 'descending') : 'none' },
        h('button', { class: 'link', 'data-k': `sort ${i}`, onclick: () => { Object.assign(kept, { by: i, rising: i === by && kept.by >= 0 && !kept.rising }); draw(); } }, head, i === by ? h('span', { 'aria-hidden': 'true' }, kept.rising ? ' ↑' : ' ↓') : null))))),
      h('tbody', null, found.slice(0, kept.all ? found.length : few).map((r) => h('tr', { class: r.soft ? 'soft' : '' },
        h('td', null, stacks ? h('button', { class: 'link', title: 'Its callers and callees', onclick: () => sides(r.name) }, h('code', null, r.name)) : h('code', null, r.name)), r.text.map((t) => h('td', { class: 'n' }, t))))))),
    found.length > few ? h('button', { class: 'link keys-of', 'data-k': 'all functions', onclick: () => { kept.all = !kept.all; draw(); } }, kept.all ? 'fewer' : `all ${found.length}`) : null,
    found.some((r) => r.soft) ? h('p', { class: 'soft keys-of' }, 'Grey rows: sampling alone makes such a change often.') : null,
    now.notes?.length ? h('ul', null, now.notes.map((n) => h('li', { class: 'soft' }, n))) : null);
  };
  draw();
  return box;
}
