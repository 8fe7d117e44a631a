// The state of the page: one value, listeners, and undo for the part of it that is the person's work.

/**
 * @typedef {object} Input  a file on the page; its bytes are in the worker, and in blobs for a restart
 * @property {string} key  unique on this page
 * @property {string} name  as in the report
 * @property {number} size
 *
 * @typedef {object} Options  as analysis.Options
 * @property {string} [baseline]
 * @property {string[]} [series]
 * @property {Record<string, string>} [columns]
 * @property {Record<string, string>} [format]
 * @property {number} [cores]
 * @property {string} [residuals]
 * @property {string[]} [exclude]
 * @property {Record<string, string>} [rename]
 * @property {string[]} [order]
 * @property {Record<string, string>} [attach]
 *
 * @typedef {object} Doc  what undo covers and a reload restores
 * @property {Input[]} inputs
 * @property {Options} options
 * @property {Record<string, number>} colors  place in the palette by label of the series
 * @property {{clients: number, text: string}[]} marks  the person's annotations
 *
 * @typedef {object} View  what is shown and how; kept over a reload, not undone
 * @property {string} chart
 * @property {boolean} logX
 * @property {boolean} logY
 * @property {string} normalise
 * @property {string[]} hidden
 * @property {[string, string] | null} pair
 * @property {ProfileView} profile
 *
 * @typedef {object} ProfileView  what profile.View takes, of which profile
 * @property {number} at  the number of the profile in the report; -1 for the most telling
 * @property {string} kind
 * @property {Record<string, unknown>[]} steps
 * @property {string} function  of the sandwich
 * @property {string} search
 * @property {number} [from]  of a difference: the number of the profile it is from; that of the report by default
 * @property {boolean} [self]  a difference is coloured by self shares
 * @property {boolean} [samples]  samples count, not their weights
 *
 * @typedef {object} Progress
 * @property {number} files
 * @property {number} done  files read
 * @property {number} bytes  in all
 * @property {number} read
 * @property {string} name  of the file being read
 * @property {number} since  when reading began, as performance.now() tells
 *
 * @typedef {object} State
 * @property {'empty' | 'reading' | 'fitting' | 'done' | 'failed'} phase
 * @property {Doc} doc
 * @property {View} view
 * @property {import('./report.js').Report | null} report
 * @property {Progress | null} progress
 * @property {string} failure
 * @property {Step[]} past
 * @property {Step[]} future
 *
 * @typedef {{label: string, doc: Doc}} Step  what was done, and the document before (past) or after (future) it
 */

/** @type {View} */
export const firstView = { chart: 'tps', logX: true, logY: false, normalise: '', hidden: [], pair: null, profile: { at: -1, kind: 'flame', steps: [], function: '', search: '' } };

/** @returns {Doc} */
export const emptyDoc = () => ({ inputs: [], options: {}, colors: {}, marks: [] });

/** @type {State} */
let state = { phase: 'empty', doc: emptyDoc(), view: firstView, report: null, progress: null, failure: '', past: [], future: [] };

/** @type {Set<(state: State, before: State) => void>} */
const listeners = new Set();

export const get = () => state;

/** @param {Partial<State>} patch */
export function set(patch) {
  const before = state;
  state = { ...state, ...patch };
  for (const f of listeners) f(state, before);
}

/** @param {(state: State, before: State) => void} f */
export function subscribe(f) {
  listeners.add(f);
  return () => listeners.delete(f);
}

/** @param {Partial<View>} patch */
export const setView = (patch) => set({ view: { ...state.view, ...patch } });

const deepest = 200;

/**
 * Changes the document in a way that can be undone.
 * @param {string} label  what was done, as the history names it
 * @param {(doc: Doc) => Doc} change
 */
export function edit(label, change) {
  const doc = change(state.doc);
  if (doc !== state.doc) set({ doc, past: [...state.past, { label, doc: state.doc }].slice(-deepest), future: [] });
}

/** @param {Partial<Options>} patch @param {string} label */
export const editOptions = (label, patch) => edit(label, (doc) => ({ ...doc, options: { ...doc.options, ...patch } }));

export function undo() {
  const last = state.past.at(-1);
  if (last) set({ doc: last.doc, past: state.past.slice(0, -1), future: [{ label: last.label, doc: state.doc }, ...state.future] });
  return last?.label;
}

export function redo() {
  const [next, ...future] = state.future;
  if (next) set({ doc: next.doc, past: [...state.past, { label: next.label, doc: state.doc }], future });
  return next?.label;
}

/** Goes to a step of the history. @param {number} steps  back when negative */
export function travel(steps) {
  for (; steps < 0; steps++) undo();
  for (; steps > 0; steps--) redo();
}
