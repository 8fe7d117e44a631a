// The engine from the main thread: promises, progress, cancel, and a new worker from the compiled module when one dies.

import { parse } from './parts.js';

/**
 * @typedef {import('./report.js').Report} Report
 * @typedef {{key: string, name: string, blob: Blob}} Source
 * @typedef {import('./store.js').Options} Options
 * @typedef {import('./store.js').Progress} Progress
 * @typedef {{onProgress?: (p: Progress) => void, signal?: AbortSignal}} Watch
 * @typedef {{resolve: (value: any) => void, reject: (reason: Error) => void, watch?: Watch}} Open
 */

/** How the page's assets are reached; in the single file they are inside it. */
export class Assets {
  /** @type {Promise<WebAssembly.Module> | undefined} */
  #module;
  /** @type {Map<string, Promise<string>>} */
  #scripts = new Map();

  /** @type {Promise<string> | undefined} */
  #samples;

  /** Whether the engine is there and compiled. */
  loaded = false;

  /** The text of all samples. */
  samples() {
    const text = (this.#samples ??= samples());
    text.catch(() => { this.#samples = undefined; });
    return text;
  }

  /** The compiled engine, kept for a fast restart. */
  module() {
    const module = (this.#module ??= compile(this.script('worker')));
    module.then(() => { this.loaded = true; }, () => { this.#module = undefined; }); // the next try loads it again
    return module;
  }

  /** The address of a worker's script. @param {'worker' | 'painter'} name */
  async script(name) {
    const address = this.#scripts.get(name) ?? scriptAddress(name);
    this.#scripts.set(name, address);
    return address;
  }

  /** The files of a sample. @param {string} name @returns {Promise<{name: string, text: string}[]>} */
  async sample(name) {
    return JSON.parse(await this.samples())[name];
  }
}

/** A worker compiles the engine: the part of it that goes on while its 11 MB arrive would hold up the page. @param {Promise<string>} script */
async function compile(script) {
  if (typeof WebAssembly === 'undefined') throw new Error('this browser has no WebAssembly, in which the engine is written');
  const worker = new Worker(await script);
  const at = document.getElementById('engine');
  const from = at instanceof HTMLLinkElement ? { url: at.href } : at instanceof HTMLScriptElement ? { packed: at.text } : null;
  if (!from) throw new Error('the page has no engine');
  try {
    return await /** @type {Promise<WebAssembly.Module>} */ (new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => (data.module ? resolve(data.module) : reject(new Error(`the engine could not be loaded: ${data.error}`)));
      worker.onerror = (e) => reject(new Error(`the engine could not be loaded: ${e.message || 'its worker stopped'}`));
      worker.postMessage({ op: 'compile', ...from });
    }));
  } finally {
    worker.terminate();
  }
}

/** The page is seen before what it needs later is loaded; a page in the background need not wait. */
const seen = () => new Promise((resolve) => {
  if (document.hidden) resolve(undefined);
  else requestAnimationFrame(() => setTimeout(resolve));
});

/** @param {string} name */
async function scriptAddress(name) {
  await seen();
  const at = document.getElementById(name);
  if (at instanceof HTMLLinkElement) return at.href;
  if (at instanceof HTMLScriptElement) return URL.createObjectURL(new Blob([at.text], { type: 'text/javascript' }));
  throw new Error(`the page has no ${name}`);
}

async function samples() {
  const at = document.getElementById('samples');
  if (at instanceof HTMLScriptElement) return at.text;
  if (!(at instanceof HTMLLinkElement)) throw new Error('the page has no samples');
  await seen();
  const response = await fetch(at.href, { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`the samples could not be loaded: ${response.status} ${response.statusText}`);
  return response.text();
}

/** The error of a request that was cancelled. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
    this.name = 'AbortError';
  }
}

/** Why a request is aborted that another one has taken the place of: its worker is left to finish what it is at. */
export const superseded = 'superseded';

/** What comes of something, unless it is cancelled before. @template T @param {Promise<T>} promise @param {AbortSignal} [signal] @returns {Promise<T>} */
const unlessCancelled = (promise, signal) => new Promise((resolve, reject) => {
  signal?.addEventListener('abort', () => reject(new Cancelled()));
  promise.then(resolve, reject);
});

const portion = 200; // inputs that are handed over in one message
const grace = 500; // milliseconds a worker has to answer a cancel before it is ended

export class Engine {
  /** @type {Promise<Worker> | null} */
  #worker = null;
  /** @type {Map<number, Open>} */
  #open = new Map();
  #last = 0;
  #assets;
  /** @type {Set<string>} keys of the inputs that the worker has */
  #sent = new Set();
  /** @type {{inputs: Source[], options: Options} | null} what a new worker must be given before anything else */
  #loaded = null;

  /** @param {Assets} assets */
  constructor(assets) {
    this.#assets = assets;
  }

  /** Starts the worker ahead of need. */
  warm() {
    return this.#start();
  }

  /**
   * Makes the engine hold these inputs; the answer is the part of the report that is there at once.
   * @param {Source[]} inputs
   * @param {Options} options
   * @param {Watch} [watch]
   * @returns {Promise<Report>}
   */
  async load(inputs, options, watch = {}) {
    this.#loaded = { inputs, options };
    return parse(await this.#load(watch));
  }

  /** @param {Watch} watch */
  async #load(watch) {
    const { inputs, options } = /** @type {{inputs: Source[], options: Options}} */ (this.#loaded);
    const worker = await unlessCancelled(this.#start(), watch.signal);
    // What the worker has not seen is handed over in portions, so that the page stays responsive with thousands of files.
    const fresh = inputs.filter((i) => !this.#sent.has(i.key));
    for (let at = 0; at < fresh.length; at += portion) {
      if (at > 0) await new Promise((resolve) => setTimeout(resolve));
      watch.signal?.throwIfAborted();
      const some = fresh.slice(at, at + portion);
      worker.postMessage({ op: 'sources', sources: some });
      for (const { key } of some) this.#sent.add(key);
    }
    return this.#ask({ op: 'load', keys: inputs.map((i) => i.key), options }, watch);
  }

  /** The whole report on what is loaded. @param {Watch} [watch] @returns {Promise<Report>} */
  async report(watch) {
    return parse(await this.#ask({ op: 'call', name: 'report', args: [] }, watch));
  }

  /**
   * Asks for something that is made of what is loaded. The answer is parsed JSON.
   * @param {string} name @param {...unknown} args
   */
  async json(name, ...args) {
    return parse(await this.bytes(name, ...args));
  }

  /**
   * @param {string} name @param {...unknown} args
   * @returns {Promise<Uint8Array<ArrayBuffer>>}
   */
  async bytes(name, ...args) {
    if (!this.#worker && this.#loaded) await this.#load({});
    return this.#ask({ op: 'call', name, args });
  }

  /** Ends the worker; what was asked is rejected. A later request starts another. @param {Error} [why] */
  stop(why = new Cancelled()) {
    const worker = this.#worker;
    this.#worker = null;
    this.#sent.clear();
    worker?.then((w) => w.terminate(), () => {});
    for (const open of this.#open.values()) open.reject(why);
    this.#open.clear();
  }

  #start() {
    this.#worker ??= (async () => {
      const worker = new Worker(await this.#assets.script('worker'));
      worker.onmessage = (e) => this.#answer(e.data);
      worker.onerror = (e) => this.#died(worker, e.message || 'the engine stopped');
      worker.postMessage({ op: 'start', module: await this.#assets.module() });
      return worker;
    })();
    this.#worker.catch(() => { this.#worker = null; });
    return this.#worker;
  }

  /**
   * @param {Record<string, unknown>} message @param {Watch} [watch]
   * @returns {Promise<any>}
   */
  async #ask(message, watch) {
    watch?.signal?.throwIfAborted();
    const id = ++this.#last;
    const worker = await this.#start();
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject, watch });
      worker.postMessage({ id, ...message });
      watch?.signal?.addEventListener('abort', () => {
        if (!this.#open.has(id)) return;
        worker.postMessage({ op: 'cancel', target: id });
        if (watch.signal?.reason !== superseded) setTimeout(() => { if (this.#open.has(id)) this.stop(); }, grace);
      });
    });
  }

  /** @param {any} data */
  #answer(data) {
    const open = this.#open.get(data.id);
    if (data.crashed) return this.stop(new Error(data.crashed));
    if (!open) return;
    if (data.progress) return open.watch?.onProgress?.(data.progress);
    this.#open.delete(data.id);
    if (data.cancelled) open.reject(new Cancelled());
    else if (data.error) open.reject(new Error(data.error));
    else open.resolve(data.result);
  }

  /** @param {Worker} worker @param {string} message */
  async #died(worker, message) {
    if ((await this.#worker) === worker) this.stop(new Error(message));
  }
}
