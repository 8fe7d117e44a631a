// Where the time went: the functions and locks that changed most between two profiles, or the largest of one.

import { details, fill, h, inParts } from '../dom.js';
import { seriesClass, place } from '../palette.js';
import * as store from '../store.js';
import { number, parameterName, percent } from '../words.js';
import { Part } from './element.js';
import { firstTable, functions } from './functions.js';

/** @typedef {import('../report.js').Profile} Profile */

const rows = 8;
const least = 0.005; // smaller shares of locks stand nowhere: they are rounding

export class Profiles extends Part {
  #rows = {};

  #at = 0;
  #table = firstTable();

  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report?.profiles, s.report?.profileComparisons, s.report?.series, s.doc.colors, s.doc.options.attach];
  }

  /** @param {import('./element.js').State} state */
  draw(state) {
    const profiles = state.report?.profiles ?? [];
    if (profiles.length === 0) return fill(this);
    const pairs = state.report?.profileComparisons ?? [];
    const pair = pairs[0];
    const now = profiles[this.#at] ?? profiles[0];
    fill(this, h('section', { class: 'card profiles', 'aria-label': 'Profiles' },
      h('header', null, h('h2', null, 'Where the time went'), h('p', null, 'Shares of samples, recursion counted once. Sleeping waits are not in CPU samples.')),
      h('div', { class: 'columns' }, h('div', null,
        pair ? changes(pair, profiles) : null,
        pair ? null : profiles.length > 1 ? h('div', { class: 'switch tabs', role: 'group', 'aria-label': 'Profile' }, profiles.map((p, i) => h('button', { 'aria-pressed': String(p === now), 'data-k': `profile ${i}`, onclick: () => { this.#at = i; this.draw(state); } }, p.label || p.file))) : null,
        pair ? null : top(now)),
      locks(pair ? profiles.filter((p) => p.label === pair.baseline || p.label === pair.candidate) : [now])),
      beside(profiles, state.report?.series ?? [], state.doc.options.attach ?? {}, this.#rows),
      details(this.#table, { class: 'data' }, h('summary', { 'data-k': 'functions' }, 'All functions: sort, filter, callers and callees'), () => functions(/** @type {import('../report.js').Report} */ (state.report), this.#table))));
  }
}

/** The colour of a profile: that of its series, or of its place. @param {Profile | undefined} p @param {number} at */
const tint = (p, at) => (p?.series && place(p.series) ? seriesClass(p.series) : `s${at + 1}`);

/** A share of one in points, with the digits that the finding gives it. @param {number} share */
const points = (share) => (share * 100).toFixed(1);

/** @param {import('../report.js').ProfileComparison} c @param {Profile[]} profiles */
function changes(c, profiles) {
  const from = profiles.find((p) => p.label === c.baseline);
  const to = profiles.find((p) => p.label === c.candidate);
  const list = (c.changes ?? []).filter((x) => Math.max(x.selfFrom, x.selfTo) >= 0.0005 || !c.changes?.some((y) => y.selfTo > 0)).sort((a, b) => Math.abs(b.selfTo - b.selfFrom) - Math.abs(a.selfTo - a.selfFrom)).slice(0, rows);
  const self = list.some((x) => x.selfFrom || x.selfTo);
  const value = (/** @type {import('../report.js').Change} */ x) => (self ? [x.selfFrom, x.selfTo] : [x.totalFrom, x.totalTo]);
  const most = Math.max(...list.flatMap(value), 0.001);
  return [
    h('ul', { class: 'bars', 'aria-label': `Largest changes of ${self ? 'self' : 'total'} time` }, list.map((x) => {
      const [a, b] = value(x);
      return h('li', null, h('span', { class: 'fn' }, x.function), h('span', { class: 'two-bars', 'aria-hidden': 'true' }, h('i', { class: tint(from, 0), style: { '--share': a / most } }), h('i', { class: tint(to, 1), style: { '--share': b / most } })),
        h('b', null, h('span', { class: 'soft' }, `${points(a)} → `), `${points(b)} %`));
    })),
    h('p', { class: 'soft keys-of' }, h('span', { class: tint(from, 0) }, '■ '), c.baseline, ' ', h('span', { class: tint(to, 1) }, '■ '), c.candidate, ` · ${self ? 'self' : 'total'} time`),
    c.notes?.length ? h('details', { class: 'data' }, h('summary', null, 'How the two were compared'), h('ul', null, c.notes.map((n) => h('li', { class: 'soft' }, n)))) : null,
  ];
}

/** @param {Profile} p */
function top(p) {
  const self = (p.top ?? []).some((f) => f.self);
  const value = (/** @type {import('../report.js').Function} */ f) => (self ? f.self ?? 0 : f.total); // a few inclusive shares may be all there is
  const large = (p.top ?? []).filter((f) => value(f) >= 0.0005);
  const list = (large.length ? large : p.top ?? []).slice(0, rows);
  const most = Math.max(...list.map(value), 0.001);
  return h('ul', { class: 'bars single', 'aria-label': `Largest ${self ? 'self' : 'total'} times of ${p.label}` }, list.map((f) => h('li', null, h('span', { class: 'fn' }, f.function), h('span', { class: 'two-bars', 'aria-hidden': 'true' }, h('i', { class: tint(p, 0), style: { '--share': value(f) / most } })), h('b', null, percent(value(f))))));
}

/** @param {Profile[]} profiles */
function locks(profiles) {
  const some = profiles.map((p) => ({ p, large: (p.locks ?? []).filter((l) => l.share >= least) })).filter(({ large }) => large.length);
  if (some.length === 0) return null;
  return h('div', null, h('h3', null, 'Locks'), h('ul', null, some.map(({ p, large }) => large.map((l) => h('li', { class: 'problem' }, h('span', null, h('b', null, p.label || p.file), `: ${l.class} ${percent(l.share)}`,
    l.callers?.some((c) => c.share >= least) ? [' under ', l.callers.filter((c) => c.share >= least).slice(0, 3).map((c, i) => [i ? ', ' : '', h('code', null, c.function), ` ${percent(c.share)}`, c.via?.length ? h('span', { class: 'soft' }, ` via ${c.via.slice(0, 3).join(', ')}`) : null])] : null))))));
}

const collapseTerms = ['delta', 'beta', 'drop'];

/**
 * Profiles beside the curves of their series: what the model says of collapse, and what the processor spends on locks. Which series a
 * profile belongs to can be said by hand.
 * @param {Profile[]} profiles @param {import('../report.js').Series[]} series @param {Record<string, string>} attach @param {object} kept
 */
function beside(profiles, series, attach, kept) {
  const curves = series.filter((s) => s.points?.length);
  if (curves.length === 0) return null;
  const labels = /** @type {[string, string][]} */ (curves.map((c) => [c.label, c.label || 'all runs']));
  const to = (/** @type {Profile} */ p, /** @type {string} */ label) => store.editOptions(label ? `${p.label} belongs to ${label}` : `${p.label} belongs to no series`, { attach: { ...attach, [p.label]: label } });
  const body = h('tbody');
  const more = inParts(profiles, body, (p, i) => {
    const s = curves.find((c) => c.label === p.series);
    const model = s?.models?.[0];
    const term = (/** @type {string[]} */ names) => model?.parameters?.find((x) => names.includes(x.name));
    const told = (/** @type {string[]} */ names) => { const t = term(names); return t ? `${parameterName(t.name)} ${number(t.value)}` : ''; };
    const lock = [...p.locks ?? []].sort((a, b) => b.share - a.share)[0];
    return h('tr', null, h('th', { scope: 'row' }, p.label || p.file),
      h('td', null, choice({ 'aria-label': `Series of ${p.label}`, 'data-k': `series of ${i}`, onchange: (/** @type {Event} */ e) => to(p, /** @type {HTMLSelectElement} */ (e.currentTarget).value) }, [['', 'none'], ...labels], s ? curves.indexOf(s) + 1 : 0)),
      h('td', { class: 'n' }, s?.peak ? `${number(s.peak.clients, 9)} clients` : ''), h('td', { class: 'n' }, told(['alpha'])), h('td', { class: 'n' }, told(collapseTerms)),
      h('td', { class: 'n' }, percent(p.lockShare ?? 0)), h('td', null, lock ? [`${lock.class} ${percent(lock.share)}`, lock.callers?.length ? [' under ', h('code', null, lock.callers[0].function)] : null] : ''));
  }, kept);
  return h('div', { class: 'beside' }, h('h3', null, 'Beside the curves'), h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Profiles beside the curves' }, h('table', null,
    h('thead', null, h('tr', null, ['Profile', 'Series'].map((t) => h('th', { scope: 'col' }, t)), ['Peak', 'Contention', 'Collapse', 'In locks'].map((t) => h('th', { class: 'n', scope: 'col' }, t)), h('th', { scope: 'col' }, 'Largest lock'))),
    body), more));
}

/**
 * A choice among many, in each row of a long table: all but the one in force are made when somebody comes to choose.
 * @param {Record<string, any>} props @param {[string, string][]} options  values and texts @param {number} now  the place of the one in force
 */
function choice(props, options, now) {
  const option = (/** @type {number} */ at) => h('option', { value: options[at][0], selected: at === now }, options[at][1]);
  const el = h('select', props, option(now));
  const all = () => { if (el.options.length < options.length) el.replaceChildren(...options.map((_, at) => option(at))); };
  for (const event of ['pointerdown', 'focus']) el.addEventListener(event, all);
  return el;
}
