// A link that carries the data itself in its fragment, which no browser sends to a server.

import { firstView } from './store.js';

export const warnAt = 8 << 10;
export const refuseAt = 32 << 10;

/**
 * @typedef {object} Shared  what a link or a project file holds
 * @property {1} v
 * @property {{name: string, text: string}[]} files
 * @property {import('./store.js').Options} options
 * @property {Record<string, number>} colors
 * @property {{clients: number, text: string}[]} marks
 * @property {Partial<import('./store.js').View>} view
 */

/** @param {ReadableStream} stream */
const collect = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} text */
function fromBase64url(text) {
  const raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(raw, (c) => c.charCodeAt(0));
}

/** @param {Shared} shared @returns {Promise<string>} the fragment, without # */
export async function encode(shared) {
  const stream = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return `d=${base64url(await collect(stream))}`;
}

const largest = 64 << 20; // bytes a link may expand to

/** @param {string} fragment @returns {Promise<Shared | null>} null when it is no link of ours */
export async function decode(fragment) {
  const data = new URLSearchParams(fragment.replace(/^#/, '')).get('d');
  if (!data) return null;
  const parts = [];
  let size = 0;
  let shared;
  try {
    const reader = new Blob([fromBase64url(data)]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > largest) break;
      parts.push(value);
    }
    if (size <= largest) shared = JSON.parse(await new Blob(parts).text());
  } catch {
    throw new Error('it is cut or damaged; copy the whole of it');
  }
  if (size > largest) throw new Error('it holds more than a link may');
  return checked(shared);
}

/** Each by an example of what it is made of. */
const texts = [''];
const optionShapes = { baseline: '', series: texts, columns: {}, format: {}, cores: 1, residuals: '', exclude: texts, rename: {}, order: texts, attach: {} };
const profileShapes = { at: 1, kind: '', steps: [{}], function: '', search: '', from: 1, self: true, samples: true };
const viewShapes = { chart: '', logX: true, logY: true, normalise: '', hidden: texts, pair: texts };

/** @param {any} v @param {any} example @returns {boolean} */
function alike(v, example) {
  if (Array.isArray(example)) return Array.isArray(v) && v.every((item) => alike(item, example[0]));
  return typeof v === typeof example && v !== null && !Array.isArray(v) && (typeof v !== 'number' || Number.isSafeInteger(v));
}

/** What of an object is as it should be. @param {any} o @param {Record<string, any>} shapes @returns {any} */
const fitting = (o, shapes) => Object.fromEntries(Object.entries(shapes).filter(([key, example]) => o && Object.hasOwn(o, key) && alike(o[key], example)).map(([key]) => [key, o[key]]));

/** What was shared comes from outside: only what has the right shape is taken. @param {any} o @returns {Shared} */
export function checked(o) {
  if (o?.v !== 1 || !Array.isArray(o.files)) throw new Error('made by another version, or cut');
  const files = o.files.filter((/** @type {any} */ f) => typeof f?.name === 'string' && typeof f?.text === 'string').map((/** @type {any} */ f) => ({ name: f.name, text: f.text }));
  if (files.length === 0) throw new Error('no data in it');
  const colors = Object.fromEntries(Object.entries(alike(o.colors, {}) ? o.colors : {}).filter(([, n]) => Number.isInteger(n) && Number(n) > 0 && Number(n) <= 8));
  const marks = (Array.isArray(o.marks) ? o.marks : []).filter((/** @type {any} */ m) => Number.isFinite(m?.clients) && typeof m?.text === 'string');
  const options = fitting(o.options, optionShapes);
  for (const key of /** @type {const} */ (['columns', 'format', 'rename', 'attach'])) if (options[key] && !alike(Object.values(options[key]), texts)) delete options[key];
  const view = fitting(o.view, viewShapes);
  if (view.pair?.length !== 2) delete view.pair;
  if (o.view?.profile) view.profile = { ...firstView.profile, ...fitting(o.view.profile, profileShapes) };
  return { v: 1, files, options, colors: /** @type {Record<string, number>} */ (colors), marks, view };
}
