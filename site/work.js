// What the page does: adds and removes inputs, keeps the engine and the report in step with the document, remembers it all.

import { alarm, say } from './dom.js';
import { unread } from './elements/files.js';
import { Assets, Engine, superseded } from './engine.js';
import * as keeper from './keep.js';
import { Painter } from './paint.js';
import * as store from './store.js';
import { asSentence, count, runsIn } from './words.js';

/** @typedef {import('./store.js').Doc} Doc */

export const assets = new Assets();
export const engine = new Engine(assets);
export const painter = new Painter(assets);

/** The bytes of every input that the document or its history names. @type {Map<string, Blob>} */
export const blobs = new Map();

/** @type {AbortController | null} */
let running = null;

const newKey = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;

/**
 * Adds files to the page. A file with the same name and size replaces the one that is there.
 * @param {(File | {name: string, blob: Blob})[]} files @param {string} [label]
 */
export function add(files, label) {
  if (files.length === 0) return;
  const inputs = files.map((f) => {
    const blob = f instanceof File ? f : f.blob;
    const name = (f instanceof File && f.webkitRelativePath) || f.name;
    const key = newKey();
    blobs.set(key, blob);
    return { key, name, size: blob.size };
  });
  const names = new Set(inputs.map((i) => i.name));
  store.edit(label ?? `Add ${inputs.length === 1 ? inputs[0].name : count(inputs.length, 'file')}`, (doc) => ({
    ...doc, inputs: [...doc.inputs.filter((i) => !names.has(i.name)), ...inputs],
  }));
}

/** @param {string[]} keys @param {string} label */
export function remove(keys, label) {
  store.edit(label, (doc) => ({ ...doc, inputs: doc.inputs.filter((i) => !keys.includes(i.key)) }));
}

/** Text that was pasted becomes a file. @param {string} text */
export function paste(text) {
  if (!text.trim()) return;
  const taken = new Set(store.get().doc.inputs.map((i) => i.name));
  let n = 1;
  while (taken.has(`pasted-${n}.txt`)) n++;
  add([{ name: `pasted-${n}.txt`, blob: new Blob([text], { type: 'text/plain' }) }], 'Paste');
}

/** @param {string} name of the sample's folder @param {string} title */
export async function sample(name, title) {
  try {
    const files = await assets.sample(name);
    add(files.map((f) => ({ name: f.name, blob: new Blob([f.text]) })), `Open the sample “${title}”`);
  } catch (e) {
    alarm(`The sample could not be opened: ${message(e)}`);
  }
}

/** Begins anew. What was there can be had back by undo until the page is left. */
export function clear() {
  store.edit('New', () => store.emptyDoc());
  store.setView({ hidden: [], pair: null, chart: 'tps', normalise: '' });
}

/** Gives up what is being read, and goes back to before it. */
export function cancel() {
  running?.abort();
}

/** @param {unknown} e */
const message = (e) => (e instanceof Error ? e.message : String(e));

/** What of the document the engine's answer depends on. @param {Doc} doc */
const relevant = (doc) => JSON.stringify([doc.inputs.map((i) => i.key), doc.options]);

let analysed = '';
let loadedBytes = 0;
const returnBytes = 64 << 20;
const patience = 900; // milliseconds
const emptyTitle = document.title;

/** Brings the report in step with the document. */
async function analyse() {
  const { doc } = store.get();
  const now = relevant(doc);
  if (now === analysed) return;
  analysed = now;
  running?.abort(superseded);
  if (doc.inputs.length === 0) {
    running = null;
    engine.stop(); // gives its memory back
    engine.warm().catch(() => {}); // told when it is needed
    document.title = emptyTitle;
    store.set({ phase: 'empty', report: null, progress: null, failure: '' });
    return;
  }
  // The engine's memory only grows: after much was taken away it begins anew with what is left.
  const size = doc.inputs.reduce((n, i) => n + i.size, 0);
  if (loadedBytes - size > returnBytes) engine.stop();
  loadedBytes = size;
  document.querySelector('.alerts')?.replaceChildren();
  const mine = (running = new AbortController());
  const sources = doc.inputs.map((i) => ({ key: i.key, name: i.name, blob: /** @type {Blob} */ (blobs.get(i.key)) }));
  store.set({ phase: 'reading', progress: null, failure: '' });
  try {
    const { signal } = mine;
    const curves = await engine.load(sources, doc.options, { signal, onProgress: (progress) => { if (running === mine) store.set({ progress }); } });
    if (running !== mine) return;
    // At first the curves show at once. After an edit what is there stays until the new report is in, unless that takes long.
    const show = () => { if (running === mine) store.set({ phase: 'fitting', report: curves, progress: null }); };
    const later = store.get().report ? setTimeout(show, patience) : show();
    await new Promise((resolve) => setTimeout(resolve)); // the charts of the curves are asked for first
    const report = await engine.report({ signal });
    clearTimeout(later ?? 0);
    if (running !== mine) return;
    running = null;
    store.set({ phase: 'done', report, progress: null });
    document.title = `${spoken(report)} – pgknee`;
    say(spoken(report), true);
    alarmed(report);
  } catch (e) {
    if (running !== mine) return; // another analysis took over
    running = null;
    if (e instanceof Error && e.name === 'AbortError') {
      say('Cancelled.');
      store.set({ phase: store.get().report ? 'done' : 'failed', progress: null, failure: 'Cancelled.' });
      store.undo();
      return;
    }
    analysed = '';
    store.set({ phase: 'failed', progress: null, failure: message(e) });
    alarm(asSentence(`the analysis failed: ${message(e)}`));
  }
}

/** Files that could not be read. @type {string} */
let unreadBefore = '';

/** Tells of files that could not be read, once. @param {import('./report.js').Report} report */
function alarmed(report) {
  const names = report.files.filter(unread).map((f) => f.name);
  const key = names.join('\n');
  if (names.length && key !== unreadBefore) alarm(`${names.length === 1 ? `${names[0]} was` : `${count(names.length, 'file')} (${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}) were`} not read; the reason is listed with the files.`);
  unreadBefore = key;
}

/** What a screen reader hears when the report is in. @param {import('./report.js').Report} report */
function spoken(report) {
  const headline = report.summary?.headline.map((s) => s.text).join('');
  return headline || `${count(runsIn(report), 'run')} in ${count(report.series?.length ?? 0, 'series', 'series')}.`;
}

/** Analyses once more what failed. */
export function again() {
  analysed = '';
  void analyse();
}

let saving = 0;

function save() {
  clearTimeout(saving);
  saving = window.setTimeout(async () => {
    const { doc, view, past, phase } = store.get();
    if (phase === 'reading' || phase === 'fitting') return save(); // thousands of files are not written while they are read
    try {
      if (doc.inputs.length === 0) await keeper.forget();
      else if (!(await keeper.keep({ doc, view, past: past.slice(-20) }, blobs))) say('Too large to be kept over a reload: keep the files at hand.');
    } catch {
      if (!warned) say('This browser keeps nothing for this page: a reload will lose what is here.');
      warned = true;
    }
  }, 250);
}
let warned = false;

/**
 * Starts: restores what a reload left, then follows the document.
 * @param {() => Promise<boolean>} fromLink  true when a link filled the page
 * @param {() => void} otherwise  when there is nothing to restore
 */
export async function begin(fromLink, otherwise) {
  store.subscribe((state, before) => {
    if (state.doc !== before.doc) void analyse();
    if (state.doc !== before.doc || state.view !== before.view) save();
  });
  assets.samples().catch(() => {}); // told when a sample is asked for
  void engine.warm().catch((e) => { if (store.get().phase === 'empty') alarm(asSentence(message(e))); }); // or what waits for it tells
  painter.warm().catch(() => {});
  if (await fromLink()) return;
  try {
    const found = await keeper.restore();
    if (found && store.get().doc.inputs.length === 0) {
      for (const [key, blob] of found.blobs) blobs.set(key, blob);
      const past = found.kept.past.filter((p) => p.doc.inputs.every((i) => blobs.has(i.key)));
      store.set({ doc: found.kept.doc, view: { ...store.firstView, ...found.kept.view }, past });
    }
    await keeper.sweep();
  } catch {
    // A browser that keeps nothing restores nothing.
  }
  if (store.get().doc.inputs.length === 0) otherwise();
}
