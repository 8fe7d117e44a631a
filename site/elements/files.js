// What was read, file by file: what it was taken for, what came out of it, what was skipped, and every problem with its line.

import { details, fill, h, inParts } from '../dom.js';
import { get } from '../store.js';
import { bytes, count, formatName, number } from '../words.js';
import { assets, cancel, remove } from '../work.js';
import { Part } from './element.js';

/** @typedef {import('../report.js').File} File */

const chipsShown = () => (innerWidth < 640 ? 3 : 8);

export class Files extends Part {
  #read = { open: false };
  /** @type {File[] | undefined} */
  #seen;

  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report?.files, s.doc.inputs, s.phase, s.progress];
  }

  /** @param {import('./element.js').State} s */
  draw({ report, doc, phase, progress }) {
    if (doc.inputs.length === 0) return fill(this);
    const files = outcomes(report?.files ?? []);
    const known = doc.inputs.map((input) => ({ input, files: files.get(input.name) ?? [] }));
    const many = known.length > chipsShown();
    const chips = many ? [this.#group(known)] : known.map(({ input, files: fs }) => chip(input, fs));
    const all = report?.files ?? [];
    // Files that could not be read open their reasons, once.
    if (report?.files !== this.#seen && all.some(unread)) this.#read.open = true;
    this.#seen = report?.files;
    const problems = all.reduce((n, f) => n + (f.problems?.length ?? 0), 0);
    const skipped = all.reduce((n, f) => n + (f.skippedLines ?? 0), 0);
    const told = [many && summary(all) ? '' : summary(all) || 'nothing', problems && count(problems, 'problem'), skipped && `${count(skipped, 'line')} skipped`].filter(Boolean); // of many the sum stands above
    fill(this, h('section', { class: 'files', 'aria-label': 'Files' },
      h('ul', null, chips, h('li', { class: 'chip plain add' }, h('button', { class: 'link', 'data-act': 'choose', 'data-k': 'add' }, 'Add more'), ' by dropping, choosing or pasting')),
      phase === 'reading' && (progress || !report) ? reading(progress) : null,
      all.length > 0 ? details(this.#read, {},
        h('summary', { 'data-k': 'read' }, `What was read${told.length ? `: ${told.join(', ')}` : ''}`),
        () => h('div', null, many || all.length > doc.inputs.length ? table(all, known) : null, stated(all), report?.passedOver ? h('p', { class: 'soft' }, `Passed over, being scripts: ${report.passedOver.join(', ')}`) : null, listed([...all.filter(unread), ...all.filter((f) => !unread(f) && (f.problems?.length || f.skippedLines))], troubles))) : null));
  }

  /** @param {{input: import('../store.js').Input, files: File[]}[]} known */
  #group(known) {
    const files = known.flatMap((k) => k.files);
    const bad = files.filter(unread).length;
    return h('li', { class: `chip plain${bad ? ' bad' : ''}` }, h('b', null, count(known.length, 'file')),
      h('span', { class: 'what' }, [files.length ? summary(files) : bytes(known.reduce((n, k) => n + k.input.size, 0)), bad ? `${number(bad)} not read` : ''].filter(Boolean).join(' · ')));
  }
}

/** The files of the report by the input they came out of: itself, or the members of an archive. @param {File[]} all */
function outcomes(all) {
  /** @type {Map<string, File[]>} */
  const by = new Map();
  const members = all.filter((f) => f.name.includes('!'));
  for (const f of members) {
    for (let at = f.name.indexOf('!'); at >= 0; at = f.name.indexOf('!', at + 1)) {
      const name = f.name.slice(0, at);
      const of = by.get(name);
      if (of) of.push(f);
      else by.set(name, [f]);
    }
  }
  for (const f of all) by.set(f.name, [f]);
  return by;
}

/** Whether nothing could be read out of a file. @param {File} f */
export const unread = (f) => !f.format || failed(f);

/** @param {File} f */
const failed = (f) => f.runs + f.profiles + f.settings === 0 && !f.questions?.length && (f.problems ?? []).some((p) => p.severity === 'error');

/** @param {import('../store.js').Input} input @param {File[]} files */
function chip(input, files) {
  const bad = files.some(unread);
  const what = bad && files.length === 1 ? (files[0].format ? `${formatName(files[0].format)} · not read` : 'not recognised')
    : files.length === 0 ? bytes(input.size)
    : files.length === 1 ? [formatName(files[0].format), outcome(files[0])].filter(Boolean).join(' · ')
    : `${count(files.length, 'member')} · ${summary(files)}`;
  return h('li', { class: `chip${bad ? ' bad' : ''}` }, h('b', null, input.name), h('span', { class: 'what' }, what), removeButton(input));
}

/** @param {import('../store.js').Input} input */
const removeButton = (input) => h('button', { class: 'icon', 'aria-label': `Remove ${input.name}`, title: 'Remove', 'data-k': `remove ${input.key}`, onclick: () => remove([input.key], `Remove ${input.name}`) }, '×');

/** @param {File} f */
function outcome(f) {
  if (f.duplicateOf) return `same as ${f.duplicateOf}`;
  const parts = [];
  if (f.runs) parts.push(count(f.runs, 'run'));
  if (f.profiles) parts.push(count(f.profiles, 'profile'));
  if (f.settings) parts.push(count(f.settings, 'list of settings', 'lists of settings'));
  if (parts.length === 0 && !f.questions?.length) parts.push(f.problems?.find((p) => p.severity === 'error')?.message ?? 'nothing found in it');
  if (f.questions?.length) parts.push('a question');
  return parts.join(', ');
}

/** Whether lines say anything of a file: of pictures and binary files they don't. @param {File} f */
const hasLines = (f) => f.lines > 0;

/** @param {File[]} files */
function summary(files) {
  const sum = (/** @type {(f: File) => number} */ of) => files.reduce((n, f) => n + (f.duplicateOf ? 0 : of(f)), 0);
  const [runs, profiles, settings] = [sum((f) => f.runs), sum((f) => f.profiles), sum((f) => f.settings)];
  const lines = sum((f) => (hasLines(f) ? f.lines : 0));
  return [lines && count(lines, 'line'), runs && count(runs, 'run'), profiles && count(profiles, 'profile'), settings && count(settings, 'list of settings', 'lists of settings')].filter(Boolean).join(', ');
}

/** @param {File[]} files @param {(f: File) => import('../dom.js').Child} make */
function listed(files, make) {
  const list = h('div');
  return [list, inParts(files, list, make)];
}

/** @param {File[]} files @param {{input: import('../store.js').Input}[]} known */
function table(files, known) {
  const inputs = new Map(known.map((k) => [k.input.name, k.input]));
  const body = h('tbody');
  const more = inParts([...files.filter(unread), ...files.filter((f) => !unread(f))], body, (f) => {
    const input = inputs.get(f.name);
    return h('tr', null, h('td', null, f.name), h('td', null, formatName(f.format)), h('td', null, outcome(f)), h('td', { class: 'n' }, hasLines(f) ? number(f.lines, 9) : '–'), h('td', { class: 'n' }, bytes(f.bytes)), h('td', null, input && removeButton(input)));
  });
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Every file' }, h('table', null,
    h('thead', null, h('tr', null, ['File', 'Read as', 'Found'].map((t) => h('th', null, t)), h('th', { class: 'n' }, 'Lines'), h('th', { class: 'n' }, 'Size'), h('th', null, h('span', { class: 'visually-hidden' }, 'Remove')))),
    body), more);
}

/** What the text around the results says of the server and the work. @param {File[]} files */
function stated(files) {
  const told = files.filter((f) => f.stated && Object.keys(f.stated).length);
  return listed(told, (f) => h('p', { class: 'problem soft' }, h('span', null, h('code', null, f.name), ` states: ${Object.entries(f.stated ?? {}).map(([k, v]) => `${k} ${v}`).join(', ')}`)));
}

/** @param {File} f */
function troubles(f) {
  return h('div', { class: 'file' }, (f.problems ?? []).map((p) => h('div', { class: `problem ${p.severity}` },
    h('span', null, h('code', null, [f.name, p.line, p.column].filter(Boolean).join(':')), ` ${p.severity === 'error' ? 'error: ' : ''}${p.message}`),
    p.text ? h('pre', null, p.text) : null)),
    f.skippedLines ? h('p', { class: 'problem soft' }, `${f.name}: ${count(f.skippedLines, 'line')} belonged to nothing known${f.skippedAt?.length ? `, the first at ${f.skippedAt.join(', ')}` : ''}.`) : null);
}

/** @param {import('../store.js').Progress | null} p */
function reading(p) {
  const stop = h('button', { class: 'quiet', 'data-k': 'cancel', onclick: () => cancel() }, 'Cancel');
  if (!p) return h('div', { class: 'progress' }, h('span', { class: 'dots' }, assets.loaded ? 'Reading' : 'Loading the engine'), h('progress', { 'aria-label': 'Begins' }), stop);
  const seconds = Math.max((performance.now() - p.since) / 1000, 0.001);
  const text = `${p.files > 1 ? `${number(p.done, 9)} of ${count(p.files, 'file')} · ` : ''}${bytes(p.read)} of ${bytes(p.bytes)} · ${bytes(p.read / seconds)}/s`;
  return h('div', { class: 'progress' }, h('span', null, `Reading ${p.name} · ${text}`),
    h('progress', { max: Math.max(p.bytes, 1), value: p.read, 'aria-label': 'Read so far' }), stop);
}

/** Whether anything of the report came out of an input of this name. @param {string} name */
export const inputOf = (name) => get().doc.inputs.find((i) => i.name === name || name.startsWith(`${i.name}!`));
