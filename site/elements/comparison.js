// Curve against curve: the verdict, why, how sure, and the ratios it rests on. Any two can be compared.

import { details, fill, h, inParts } from '../dom.js';
import { seriesClass } from '../palette.js';
import * as store from '../store.js';
import { change, count, number, parameterName, percent } from '../words.js';
import { Part } from './element.js';
import { sentence, spans } from './finding.js';

/** @typedef {import('../report.js').Comparison} Comparison */

const verdicts = /** @type {Record<string, string>} */ ({ regression: 'slower', improvement: 'faster', mixed: 'slower in places, faster in others', 'no-difference': 'no difference', inconclusive: 'inconclusive', 'not-comparable': 'not comparable' });
const noises = /** @type {Record<string, string>} */ ({ repeats: 'from the repeats', 'control-series': 'from a control series', 'joint-fit': 'from the joint fit', intervals: 'from the progress intervals', assumed: 'assumed' });
const attributions = /** @type {Record<string, [string, string]>} */ ({ uniform: ['everything alike', 'the work of each transaction'], contention: ['contention', 'clients wait for one another'], collapse: ['collapse', 'throughput falls as clients are added'], unexplained: ['no single part', 'of the model'] });

const fewPairs = 3; // more are a table, and one of them is told in full

export class ComparisonPart extends Part {
  /** @type {Map<string, {open: boolean}>} */
  #open = new Map();
  #rows = {};

  /** @param {string} key */
  #kept(key) {
    const kept = this.#open.get(key) ?? { open: false };
    this.#open.set(key, kept);
    return kept;
  }

  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report, s.view.pair, s.doc.colors, s.phase];
  }

  /** @param {import('./element.js').State} s */
  draw({ report, view, phase }) {
    const all = report?.comparisons ?? [];
    const series = (report?.series ?? []).filter((s) => s.points?.length);
    if (all.length === 0) {
      return fill(this, phase === 'fitting' && series.length > 1 ? h('section', { class: 'card', 'aria-label': 'Comparison' }, h('header', null, h('h2', null, 'Comparison')), h('p', { class: 'waiting dots' }, 'Fitting the laws and comparing the curves')) : null);
    }
    const ordered = [...all].sort((a, b) => Number(isPair(b, view.pair)) - Number(isPair(a, view.pair)));
    const labels = series.map((s) => s.label);
    fill(this, h('section', { class: 'card', 'aria-label': 'Comparison' },
      h('header', null, h('h2', null, all.length === 1 ? 'Comparison' : 'Comparisons'), h('p', null, 'A point counts as changed when it leaves the range that noise alone would reach.')),
      labels.length > 1 ? pair(labels, all[0].baseline, ordered[0].candidate) : null,
      ordered.length > fewPairs ? [overview(all, ordered[0], this.#rows), this.#one(ordered[0], labels)] : ordered.map((c) => this.#one(c, labels))));
  }

  /** @param {Comparison} c @param {string[]} labels */
  #one(c, labels) {
    const key = `${c.baseline}\n${c.candidate}`;
    const facts = /** @type {[string, string, string][]} */ ([
      c.mean && ['Mean', change(c.mean.ratio), `90 % interval ${change(c.mean.lo)} to ${change(c.mean.hi)}`],
      c.worst && ['Farthest', change(c.worst.ratio), `at ${count(c.worst.clients, 'client')}`],
      c.onset && ['Onset', `${number(c.onset.after, 9)}–${number(c.onset.at, 9)}`, `not yet at ${number(c.onset.after, 9)}, but at ${count(c.onset.at, 'client')}`],
      c.noise && ['Noise', percent(Math.exp(c.noise.sigmaLog) - 1), `standard deviation of a ratio, ${noises[c.noise.source] ?? c.noise.source}${c.noise.control ? ` ${c.noise.control}` : ''}`],
      c.attribution && ['What moved', attributions[c.attribution]?.[0] ?? c.attribution, attributions[c.attribution]?.[1] ?? ''],
    ].filter(Boolean));
    return h('article', { class: 'verdict' },
      h('h3', null, h('span', null, h('span', { class: seriesClass(c.candidate) }, c.candidate), ' against ', h('span', { class: seriesClass(c.baseline) }, c.baseline)), h('span', { class: 'word' }, verdicts[c.verdict] ?? c.verdict)),
      h('p', null, sentence(spans(c.why, labels))),
      facts.length ? h('dl', { class: 'facts' }, facts.map(([name, value, note]) => h('div', null, h('dt', null, name), h('dd', null, value, h('small', null, note))))) : null,
      c.differs?.length ? h('p', { class: 'soft' }, 'They also differ in ', c.differs.map((d, i) => [i ? ', ' : '', h('code', null, d.name), ` (${d.baseline ?? 'unset'} → ${d.candidate ?? 'unset'})`])) : null,
      c.caveats?.length ? h('ul', { class: 'caveats' }, c.caveats.map((t) => h('li', null, t))) : null,
      c.points?.length ? details(this.#kept(key), {},
        h('summary', { 'data-k': `rows ${key}` }, `Point by point${c.jointFits?.length ? ', and what the attribution rests on' : ''}`), () => [points(c), joint(c)]) : null);
  }
}

/** All comparisons in a table; a row is chosen to be told in full. @param {Comparison[]} all @param {Comparison} now @param {object} kept */
function overview(all, now, kept) {
  const body = h('tbody');
  const more = inParts(all, body, (c) => h('tr', { class: c === now ? 'changed' : '' },
      h('td', null, h('button', { class: `link ${seriesClass(c.candidate)}`, 'data-k': `told ${c.candidate}`, 'aria-pressed': String(c === now), onclick: () => store.setView({ pair: [c.baseline, c.candidate] }) }, c.candidate || 'all runs')),
      h('td', null, verdicts[c.verdict] ?? c.verdict), h('td', { class: 'n' }, c.mean ? change(c.mean.ratio) : ''), h('td', { class: 'n' }, c.onset ? `${number(c.onset.after, 9)}–${number(c.onset.at, 9)}` : ''),
      h('td', { class: 'n' }, c.worst ? `${change(c.worst.ratio)} at ${number(c.worst.clients, 9)}` : ''), h('td', { class: 'n' }, c.noise ? percent(Math.exp(c.noise.sigmaLog) - 1) : ''), h('td', null, c.attribution ? attributions[c.attribution]?.[0] ?? c.attribution : '')), kept);
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'All comparisons' }, h('table', null,
    h('thead', null, h('tr', null, ['Series', `Against ${all[0].baseline}`].map((t) => h('th', { scope: 'col' }, t)), ['Mean', 'Onset', 'Farthest', 'Noise'].map((t) => h('th', { class: 'n', scope: 'col' }, t)), h('th', { scope: 'col' }, 'What moved'))),
    body), more);
}

/** @param {Comparison} c @param {[string, string] | null} p */
const isPair = (c, p) => p !== null && c.baseline === p[0] && c.candidate === p[1];

/** @param {string[]} labels @param {string} baseline @param {string} candidate */
function pair(labels, baseline, candidate) {
  const choose = (/** @type {string} */ b, /** @type {string} */ c) => {
    store.setView({ pair: [b, c] });
    if (b !== baseline) store.editOptions(`Compare with ${b}`, { baseline: b });
  };
  const select = (/** @type {string} */ name, /** @type {string} */ now, /** @type {(v: string) => void} */ then) => h('select', { 'aria-label': name, 'data-k': name, onchange: (/** @type {Event} */ e) => then(/** @type {HTMLSelectElement} */ (e.currentTarget).value) },
    labels.map((l) => h('option', { value: l, selected: l === now }, l || 'all runs')));
  return h('div', { class: 'pair' }, 'Compare ', select('Candidate', candidate, (v) => choose(v === baseline ? candidate : baseline, v)), ' with ', select('Baseline', baseline, (v) => choose(v, v === candidate ? baseline : candidate)));
}

/** @param {Comparison} c */
function points(c) {
  const intervals = c.points?.some((p) => p.lo !== undefined);
  const tests = c.points?.some((p) => p.p !== undefined);
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': `${c.candidate} against ${c.baseline}, point by point` }, h('table', null,
    h('thead', null, h('tr', null, ['clients', 'ratio', 'change', intervals && 'interval', tests && 'p'].map((t) => t && h('th', { class: 'n', scope: 'col' }, t)), h('th', { scope: 'col' }, h('span', { class: 'visually-hidden' }, 'changed')))),
    h('tbody', null, c.points?.map((p) => h('tr', { class: p.changed ? 'changed' : '' }, h('th', { class: 'n', scope: 'row' }, number(p.clients, 9)), h('td', { class: 'n' }, p.ratio.toFixed(3)), h('td', { class: 'n' }, change(p.ratio)),
      intervals ? h('td', { class: 'n' }, p.lo !== undefined && p.hi !== undefined ? `${change(p.lo)} to ${change(p.hi)}` : '') : null, tests ? h('td', { class: 'n' }, p.p === undefined ? '' : number(p.p, 2)) : null, h('td', null, p.changed ? 'changed' : h('span', { class: 'soft' }, '~')))))));
}

/** @param {Comparison} c */
function joint(c) {
  if (!c.jointFits?.length) return null;
  const best = c.jointFits[0].aicc;
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Joint fits' }, h('table', null,
    h('thead', null, h('tr', null, h('th', { scope: 'col' }, 'The two curves share'), h('th', { class: 'n', scope: 'col' }, 'parameters'), h('th', { class: 'n', scope: 'col' }, 'RMS'), h('th', { class: 'n', scope: 'col' }, 'Δ AICc'), h('th', { scope: 'col' }, 'What moves, at best'))),
    h('tbody', null, c.jointFits.map((f, i) => h('tr', { class: i === 0 ? 'changed' : '' }, h('td', null, shared[f.name] ?? f.name), h('td', { class: 'n' }, f.parameters), h('td', { class: 'n' }, percent(f.rmsLog)), h('td', { class: 'n' }, number(f.aicc - best)), h('td', null, moves(f)))))));
}
const shared = /** @type {Record<string, string>} */ ({ equal: 'everything', uniform: 'all but a factor', contention: 'all but contention', collapse: 'all but collapse', separate: 'nothing' });

/** @param {import('../report.js').JointFit} f */
function moves(f) {
  const before = new Map((f.baseline ?? []).map((p) => [p.name, p.value]));
  return (f.candidate ?? []).filter((p) => before.has(p.name) && before.get(p.name) !== p.value).map((p) => {
    const m = f.moved?.find((m) => m.name === p.name);
    return `${parameterName(p.name)} × ${number(p.value / /** @type {number} */ (before.get(p.name)), 2)}${m ? ` (95 %: ${m.lo === undefined ? 'open' : number(m.lo, 2)} to ${m.hi === undefined ? 'open' : number(m.hi, 2)})` : ''}`;
  }).join(', ');
}
