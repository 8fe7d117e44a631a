// What can't be settled safely from the input alone is asked in place, with a preview; the answer reads the file again, and can be undone.

import { fill, h } from '../dom.js';
import * as store from '../store.js';
import { asSentence } from '../words.js';
import { inputOf } from './files.js';
import { Part } from './element.js';

/** @typedef {import('../report.js').Question} Question */

/** What a column of a table can be; "-" is left out. */
const roles = [
  ['-', 'leave out'], ['clients', 'clients'], ['tps', 'throughput'], ['series', 'series'], ['run', 'repeat'], ['latency', 'latency, ms'], ['stddev', 'latency stddev'], ['scale', 'scale'], ['threads', 'threads'], ['duration', 'duration'],
];

export class Questions extends Part {
  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report?.files, s.doc.options];
  }

  /** @param {import('./element.js').State} s */
  draw({ report, doc }) {
    if (!report) return fill(this);
    const asked = report.files.flatMap((f) => (f.questions ?? []).map((q) => ({ file: f.name, q }))).slice(0, 6);
    // A table whose columns were answered stays correctable.
    const answered = Object.keys(doc.options.columns ?? {}).filter((name) => name && !asked.some((a) => a.file === name) && inputOf(name));
    if (asked.length === 0 && answered.length === 0) return fill(this);
    fill(this, asked.map(({ file, q }) => one(file, q)), answered.map((name) => h('p', { class: 'soft' }, `${name} is read with the columns ${doc.options.columns?.[name]}. `, h('button', { class: 'link', onclick: () => forget(name) }, 'Read it as pgknee would'))));
  }
}

/** A message as a sentence, with roles of columns in words. @param {string} text */
const said = (text) => asSentence(text).replace(/(?<=read as )[a-z,-]+(?=[.;]|$)/, (list) => list.split(',').map((v) => roles.find(([r]) => r === v)?.[1] ?? v).join(', '));

/** @param {string} name */
function forget(name) {
  const { [name]: _, ...columns } = store.get().doc.options.columns ?? {};
  store.editOptions(`Read ${name} with guessed columns`, { columns });
}

/** @param {string} file @param {string} columns */
const answer = (file, columns) => store.editOptions(`Columns of ${file}`, { columns: { ...store.get().doc.options.columns, [file]: columns } });

/** @param {string} file @param {Question} q */
function one(file, q) {
  const at = `${file}${q.line ? `:${q.line}` : ''}`;
  if (q.kind !== 'columns' || !q.preview?.length) {
    return h('section', { class: 'card question', 'aria-label': 'Question' }, h('h2', null, 'A question about ', h('code', null, at)), h('p', null, said(q.message)),
      q.candidates?.length ? h('div', { class: 'acts' }, q.candidates.map((c) => h('button', { class: 'quiet', onclick: () => answer(file, c) }, c))) : null);
  }
  const width = Math.max(...q.preview.map((r) => r.length), q.columns?.length ?? 0);
  const guess = (store.get().doc.options.columns?.[file] ?? q.candidates?.[0] ?? '').split(',');
  const names = [...roles.map(([value]) => value), ...guess.filter((g) => g && !roles.some(([value]) => value === g))];
  const wide = width > 2 && guess.includes('clients') && !guess.includes('tps'); // a series in each column is what such a table holds most often
  const preset = (/** @type {number} */ i) => (wide && guess[i] !== 'clients' ? 'tps' : (guess[i] ?? '-').trim());
  const selects = Array.from({ length: width }, (_, i) => h('select', { 'aria-label': `Column ${i + 1}${q.columns?.[i] ? `, ${q.columns[i]}` : ''}` },
    names.map((value) => h('option', { value, selected: value === preset(i) }, roles.find(([v]) => v === value)?.[1] ?? value))));
  return h('section', { class: 'card question', 'aria-label': 'Question' },
    h('h2', null, 'What are the columns of ', h('code', null, at), '?'), h('p', null, said(q.message)),
    h('div', { class: 'scroll roles', tabindex: 0, role: 'region', 'aria-label': 'Preview' }, h('table', null,
      h('thead', null, h('tr', null, selects.map((s) => h('th', null, s))), q.columns?.some(Boolean) ? h('tr', null, Array.from({ length: width }, (_, i) => h('th', { scope: 'col' }, q.columns?.[i] ?? ''))) : null),
      h('tbody', null, q.preview.slice(0, 5).map((row) => h('tr', null, Array.from({ length: width }, (_, i) => h('td', null, row[i] ?? ''))))))),
    h('div', { class: 'acts' }, h('button', { class: 'solid', 'data-k': `answer ${file}`, onclick: () => answer(file, selects.map((s) => s.value).join(',')) }, 'Read it so'),
      wide ? h('span', { class: 'soft' }, 'The other columns are taken for throughput, a series each.') : (q.candidates ?? []).slice(1, 4).map((c) => h('button', { class: 'quiet', onclick: () => answer(file, c) }, `Or as: ${inWords(c)}`))));
}

/** Roles of columns in words; neighbours that are alike are counted. @param {string} columns */
function inWords(columns) {
  /** @type {[string, number][]} */
  const out = [];
  for (const role of columns.split(',').map((v) => roles.find(([r]) => r === v.trim())?.[1] ?? v)) {
    const last = out.at(-1);
    if (last?.[0] === role) last[1]++;
    else out.push([role, 1]);
  }
  return out.map(([role, n]) => (n > 1 ? `${role} × ${n}` : role)).join(', ');
}
