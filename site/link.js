// A link that carries the data itself in its fragment, which no browser sends to a server.

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
  const stream = new Blob([fromBase64url(data)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  const parts = [];
  for (let size = 0; ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > largest) throw new Error('the link holds more than a link may');
    parts.push(value);
  }
  return checked(JSON.parse(await new Blob(parts).text()));
}

/** What was shared comes from outside: only what has the right shape is taken. @param {any} o @returns {Shared} */
export function checked(o) {
  if (o?.v !== 1 || !Array.isArray(o.files)) throw new Error('made by another version, or cut');
  const files = o.files.filter((/** @type {any} */ f) => typeof f?.name === 'string' && typeof f?.text === 'string').map((/** @type {any} */ f) => ({ name: f.name, text: f.text }));
  if (files.length === 0) throw new Error('no data in it');
  const plain = (/** @type {any} */ v) => (v && typeof v === 'object' && !Array.isArray(v) ? v : {});
  const colors = Object.fromEntries(Object.entries(plain(o.colors)).filter(([, n]) => Number.isInteger(n) && Number(n) > 0 && Number(n) <= 8));
  const marks = (Array.isArray(o.marks) ? o.marks : []).filter((/** @type {any} */ m) => Number.isFinite(m?.clients) && typeof m?.text === 'string');
  return { v: 1, files, options: plain(o.options), colors: /** @type {Record<string, number>} */ (colors), marks, view: plain(o.view) };
}
