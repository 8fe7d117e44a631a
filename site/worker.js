// The worker: feeds the engine slices of files, and answers with its bytes. It holds no state of its own but which inputs are open.

import 'wasm_exec';
import { yielded } from './parts.js';

/**
 * @typedef {object} Api  what wasm/main.go offers; an Error is returned, not thrown
 * @property {(name: string) => number | Error} open
 * @property {(input: number) => number | Error} reopen
 * @property {(input: number, bytes: Uint8Array, length: number) => void | Error} write
 * @property {(input: number) => void | Error} close
 * @property {(input: number) => void | Error} remove
 * @property {(json: string) => void | Error} options
 * @property {() => Uint8Array | Error} curves
 * @property {() => Uint8Array | Error} report
 *
 * @typedef {{key: string, name: string, blob: Blob}} Source
 * @typedef {{columns?: Record<string, string>, format?: Record<string, string>}} Reading  the options that reading depends on
 */

const scope = /** @type {any} */ (globalThis);
const sliceBytes = 1 << 20;
const filesTogether = 256;
const readAhead = 4; // steps on their way at once: a read takes about as long as the engine takes for what was read

/** What the engine is given stands in here: it holds on to every object that it is given until Go collects garbage, and reading makes hardly any. */
const piece = new Uint8Array(sliceBytes);

/**
 * What to read at once: a piece of a large file, or many small files, because each read costs a round trip to the browser.
 * @typedef {{file: number, from: number, to: number}} Part
 * @param {Blob[]} blobs @returns {Part[][]}
 */
function plan(blobs) {
  /** @type {Part[][]} */
  const steps = [];
  let room = 0;
  for (const [file, { size }] of blobs.entries()) {
    if (size <= room && steps[steps.length - 1].length < filesTogether) steps[steps.length - 1].push({ file, from: 0, to: size });
    else {
      for (let from = 0; from < size || from === 0; from += sliceBytes) steps.push([{ file, from, to: Math.min(from + sliceBytes, size) }]);
      room = sliceBytes;
    }
    room -= size > sliceBytes ? room : size;
  }
  return steps;
}

/** The bytes of a step, one part after the other, on their way. @param {Part[]} step @param {Source[]} sources */
function read(step, sources) {
  const bytes = together(step, sources);
  bytes.catch(() => {}); // who awaits it is told
  return bytes;
}

/** @param {Part[]} step @param {Source[]} sources */
async function together(step, sources) {
  const parts = step.map(({ file, from, to }) => sources[file].blob.slice(from, to));
  try {
    return await (parts.length === 1 ? parts[0] : new Blob(parts)).arrayBuffer();
  } catch (e) {
    const names = step.map(({ file }) => sources[file].name);
    throw new Error(`${names.length === 1 ? names[0] : `one of ${names[0]} to ${names[names.length - 1]}`} can't be read: ${/** @type {Error} */ (e).message}`);
  }
}

/**
 * Compiles the engine, for all workers that are started later.
 * @param {{url?: string, packed?: string}} from  its address, or its bytes packed with gzip, in base64
 */
async function compile({ url, packed }) {
  if (packed) {
    const raw = atob(packed.trim());
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return WebAssembly.compile(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
  }
  const response = await fetch(url ?? '', { credentials: 'same-origin' });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  if (response.headers.get('content-type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** @type {(module: WebAssembly.Module) => void} */
let start;
/** @type {Promise<Api>} */
const engine = new Promise((resolve, reject) => {
  start = async (module) => {
    try {
      const go = new scope.Go();
      scope.pgkneeReady = () => resolve(scope.pgknee);
      const instance = await WebAssembly.instantiate(module, go.importObject);
      await go.run(instance);
      scope.postMessage({ crashed: 'the engine ended, most likely because its 4 GB of memory are used up' });
    } catch (e) {
      reject(e);
      scope.postMessage({ crashed: `the engine failed: ${/** @type {Error} */ (e).message}` });
    }
  };
});

/** @type {Map<string, {number: number, reading: string, complete: boolean}>} in the order of the session */
const held = new Map();
/** What was handed over, by key. @type {Map<string, Source>} */
const sources = new Map();
/** @type {Set<number>} requests to give up */
const cancelled = new Set();
/** Requests are answered one after the other. @type {Promise<void>} */
let queue = Promise.resolve();

scope.onmessage = (/** @type {MessageEvent} */ e) => {
  const m = e.data;
  if (m.op === 'compile') return void compile(m).then((module) => scope.postMessage({ module }), (/** @type {Error} */ e) => scope.postMessage({ error: e.message }));
  if (m.op === 'start') return start(m.module);
  if (m.op === 'cancel') return void cancelled.add(m.target);
  if (m.op === 'sources') {
    for (const s of m.sources) sources.set(s.key, s);
    return;
  }
  queue = queue.then(() => answer(m));
};

/** @param {any} m */
async function answer(m) {
  try {
    const api = await engine;
    await yielded(); // a cancel that came meanwhile counts
    if (cancelled.has(m.id)) throw stop;
    const result = m.op === 'load' ? await load(api, m.id, m.keys.map((/** @type {string} */ key) => /** @type {Source} */ (sources.get(key))), m.options) : check(/** @type {any} */ (api)[m.name](...m.args));
    scope.postMessage({ id: m.id, result }, result instanceof Uint8Array ? [result.buffer] : []);
  } catch (e) {
    if (e === stop) scope.postMessage({ id: m.id, cancelled: true });
    else scope.postMessage({ id: m.id, error: e instanceof Error ? e.message : String(e) });
  }
  cancelled.delete(m.id);
}

const stop = Symbol('cancelled');

/** @template T @param {T | Error} value @returns {T} */
function check(value) {
  if (value instanceof Error) throw value;
  return value;
}

/**
 * Makes the session hold exactly these inputs, in this order; what it holds already is not read again.
 * @param {Api} api @param {number} id @param {Source[]} inputs @param {Reading} options
 */
async function load(api, id, inputs, options) {
  check(api.options(JSON.stringify(options)));
  const wanted = new Set(inputs.map((i) => i.key));
  for (const [key, h] of held) if (!wanted.has(key) || !h.complete) drop(api, key, h);
  // From where the order differs, everything is read again: a session adds at its end.
  const order = [...held.keys()];
  const same = order.findIndex((key, i) => inputs[i]?.key !== key);
  if (same >= 0) for (const key of order.slice(same)) drop(api, key, /** @type {{number: number}} */ (held.get(key)));

  const todo = inputs.filter((i) => held.get(i.key)?.reading !== reading(options, i.name));
  const progress = { files: todo.length, done: 0, bytes: todo.reduce((n, i) => n + i.blob.size, 0), read: 0, name: '', since: performance.now() };
  let told = progress.since;
  const tell = () => {
    const now = performance.now();
    if (now - told < 60) return;
    told = now;
    scope.postMessage({ id, progress });
  };
  /** @type {Map<number, number>} numbers of the inputs being read, by place in todo */
  const numbers = new Map();
  const steps = plan(todo.map((i) => i.blob));
  /** @type {Promise<ArrayBuffer>[]} */
  const ahead = [];
  for (const [at, step] of steps.entries()) {
    while (ahead.length < readAhead && at + ahead.length < steps.length) ahead.push(read(steps[at + ahead.length], todo));
    const bytes = await /** @type {Promise<ArrayBuffer>} */ (ahead.shift());
    let offset = 0;
    for (const { file, from, to } of step) {
      if (cancelled.has(id)) throw stop;
      const { key, name, blob } = todo[file];
      if (from === 0) {
        const before = held.get(key);
        const number = check(before ? api.reopen(before.number) : api.open(name));
        numbers.set(file, number);
        held.set(key, { number, reading: reading(options, name), complete: false });
        progress.name = name;
      }
      const number = /** @type {number} */ (numbers.get(file));
      piece.set(new Uint8Array(bytes, offset, to - from));
      check(api.write(number, piece, to - from));
      offset += to - from;
      progress.read += to - from;
      if (to === blob.size) {
        check(api.close(number));
        /** @type {{complete: boolean}} */ (held.get(key)).complete = true;
        progress.done++;
      }
      tell();
    }
    await yielded(); // a cancel is heard between two pieces
  }
  return check(api.curves());
}

/** @param {Api} api @param {string} key @param {{number: number}} h */
function drop(api, key, h) {
  check(api.remove(h.number));
  held.delete(key);
}

/** @param {Reading} options @param {string} name */
function reading(options, name) {
  const of = (/** @type {Record<string, string> | undefined} */ map) => map?.[name] ?? map?.[''] ?? '';
  return JSON.stringify([of(options.columns), of(options.format)]);
}
