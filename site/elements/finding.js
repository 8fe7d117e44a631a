// The answer in words, then the facts in one row.

import { fill, h } from '../dom.js';
import { seriesClass } from '../palette.js';
import { asSentence, count, kilo, number, runsIn } from '../words.js';
import { again, assets } from '../work.js';
import { Part } from './element.js';

/** @typedef {import('../report.js').Span} Span */
/** @typedef {import('../report.js').Report} Report */

/** A short label is not broken at a hyphen of it. @param {string} text */
const whole = (text) => (text.length <= 20 && !text.includes(' ') ? ' whole' : '');

/** A name that is no name to read out. @param {string} text */
const cut = (text) => (text.length > 200 ? `${text.slice(0, 120)}…` : text);

/** A sentence of spans: series in their colours, names of functions and settings as code. @param {Span[]} spans */
export const sentence = (spans) => spans.map((s) => (s.series ? h('span', { class: `${seriesClass(s.series)}${whole(s.text)}` }, s.text) : s.code ? h('code', null, cut(s.text)) : s.text.replaceAll(' →', '\u00a0→')));

/** Colours the labels of series in a plain sentence. @param {string} text @param {string[]} labels @returns {Span[]} */
export function spans(text, labels) {
  /** @type {Span[]} */
  const out = [];
  const byLength = [...labels].filter(Boolean).sort((a, b) => b.length - a.length);
  let plain = '';
  for (let i = 0; i < text.length;) {
    const label = byLength.find((l) => text.startsWith(l, i) && !/[\p{L}\p{N}]/u.test(text[i - 1] ?? ' ') && !/[\p{L}\p{N}]/u.test(text[i + l.length] ?? ' '));
    if (!label) {
      plain += text[i++];
      continue;
    }
    if (plain) out.push({ text: plain });
    plain = '';
    out.push({ text: label, series: label });
    i += label.length;
  }
  if (plain) out.push({ text: plain });
  return out;
}

export class Finding extends Part {
  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report, s.phase, s.failure, s.doc.colors];
  }

  /** @param {import('./element.js').State} s */
  draw({ report, phase, failure }) {
    if (phase === 'failed') {
      return fill(this, h('section', { class: 'finding', 'aria-label': 'Finding' }, h('h1', null, 'The analysis stopped before its end.'),
        h('p', { class: 'lede' }, asSentence(failure), ' The inputs are still here.'), h('p', { class: 'acts retry' }, h('button', { class: 'solid', 'data-k': 'again', onclick: () => again() }, 'Try again'), h('button', { class: 'quiet', 'data-act': 'undo' }, 'Undo the last step'))));
    }
    if (!report && phase === 'reading') {
      return fill(this, h('section', { class: 'finding later', 'aria-label': 'Finding', 'aria-busy': true }, h('h1', { class: 'soft' }, assets.loaded ? 'Reading…' : 'The engine is on its way.'),
        assets.loaded ? null : h('p', { class: 'lede' }, 'It is 1.6 MB and comes once: from then on the page opens without a network, too.')));
    }
    if (!report || phase === 'empty') return fill(this);
    if (phase === 'done' && asked(report)) {
      return fill(this, h('section', { class: 'finding', 'aria-label': 'Finding' }, h('h1', null, 'An answer above is needed before anything can be found.')));
    }
    const { headline, details, facts } = answer(report, phase === 'fitting');
    const length = headline.reduce((n, s) => n + s.text.length, 0);
    fill(this, h('section', { class: 'finding', 'aria-label': 'Finding', 'aria-busy': phase === 'fitting' },
      h('h1', { class: length > 130 ? 'long' : '' }, sentence(headline)),
      details.length ? h('p', { class: 'lede' }, details.map((d, i) => [i ? ' ' : '', sentence(d)])) : null,
      report.notes?.length ? h('ul', { class: 'notes soft' }, report.notes.map((n) => h('li', null, n))) : null,
      nothing(report) ? instead() : null,
      facts.length ? h('dl', { class: 'facts' }, facts.map((f) => h('div', null, h('dt', null, f.label), h('dd', null, f.label === 'Advice' ? h('button', { class: 'link goto', 'data-k': 'advice', onclick: toAdvice }, sentence(f.value)) : sentence(f.value), f.note ? h('small', null, f.note) : null)))) : null));
  }
}

function toAdvice() {
  const part = document.querySelector('pk-advice section');
  if (!(part instanceof HTMLElement)) return;
  part.tabIndex = -1;
  part.focus({ preventScroll: true });
  part.scrollIntoView({ block: 'start' });
}

/** Whether the files hold nothing that can be shown. @param {Report} r */
const nothing = (r) => !r.runs?.length && !r.profiles?.length && !r.settings?.length && !r.waits?.length;

/** What to do when nothing was found. */
const instead = () => [
  h('p', { class: 'lede' }, 'pgknee reads the output and logs of pgbench, the output of sysbench, HammerDB and BenchBase, tables as CSV, Markdown or text, perf profiles, flame graphs and settings; whole mails and archives too.'),
  h('p', { class: 'acts retry' }, h('button', { class: 'solid', 'data-act': 'choose' }, 'Choose files'), h('button', { class: 'quiet', 'data-act': 'paste' }, 'Paste text'), h('button', { class: 'quiet', 'data-act': 'samples' }, 'Look at a sample')),
];

/** Whether all depends on a question. @param {Report} r */
const asked = (r) => nothing(r) && r.files.some((f) => f.questions?.length);

/** @param {Report} report @param {boolean} waiting */
function answer(report, waiting) {
  const s = report.summary;
  if (s) return { headline: s.headline, details: s.details ?? [], facts: s.facts ?? [] };
  const series = (report.series ?? []).filter((c) => c.points?.length);
  const labels = series.map((c) => c.label);
  /** @type {Span[]} */
  let headline;
  /** @type {Span[][]} */
  let details = [];
  if (waiting && series.length) {
    headline = [{ text: `${count(runsIn(report), 'run')} in ${count(series.length, 'series', 'series')}. ` }, { text: 'Fitting and comparing…' }];
  } else if (report.comparisons?.length) {
    const [first, ...rest] = report.comparisons;
    headline = spans(first.why, labels);
    details = rest.slice(0, 3).map((c) => spans(c.why, labels));
  } else if (series.length) {
    const peaks = series.filter((c) => c.peak);
    headline = peaks.length === 1 ? [{ text: peaks[0].label || 'Throughput', series: peaks[0].label }, { text: ` peaks at ${number(peaks[0].peak?.clients ?? 0, 9)} clients with ${kilo(peaks[0].peak?.tps ?? 0)} ${peaks[0].unit ?? 'TPS'}.` }]
      : [{ text: `${count(runsIn(report), 'run')} in ${count(series.length, 'series', 'series')}.` }];
  } else if (report.profiles?.length) {
    const top = report.profiles[0].top?.[0];
    headline = [{ text: `${count(report.profiles.length, 'profile')}${top ? ': ' : '.'}` }, ...(top ? [{ text: top.function, code: true }, { text: ` has the largest ${top.self ? 'self' : 'total'} time.` }] : [])];
  } else {
    headline = [{ text: 'Nothing was found in these files that pgknee knows.' }];
    details = [[{ text: 'Why they were not understood is listed with the files.' }]];
  }
  return { headline, details, facts: facts(report) };
}

/** Facts for a report that brings none. @param {Report} report */
function facts(report) {
  /** @type {{label: string, value: Span[], note?: string}[]} */
  const out = [];
  for (const c of (report.series ?? []).filter((x) => x.peak).slice(0, 4)) {
    const p = /** @type {import('../report.js').Peak} */ (c.peak);
    out.push({ label: 'Peak', value: [{ text: c.label, series: c.label }, { text: ` at ${number(p.clients, 9)}` }], note: `${kilo(p.tps)} ${c.unit ?? 'TPS'}; true peak ${p.bracketClients[1] === p.clients ? `at ${number(p.bracketClients[0], 9)} or more` : `within ${p.bracketClients.map((n) => number(n, 9)).join('–')}`} clients` });
  }
  return out;
}
