// The worker's JavaScript: starts the engine, keeps it between requests, and remembers what depends on its address alone. cmd/build
// bundles it with ECharts (site/svg.js), wasm_exec.js and runtime.mjs of the workers library.

import '../../site/svg-global.js';
import './out/library/wasm_exec.js';
import { loadModule } from './out/library/runtime.mjs';

const module = await loadModule();

/** Memory of WebAssembly never shrinks: an engine that grew beyond this is replaced when it has nothing to do. */
const largest = 72 << 20;

/** What the library's Go side expects. */
globalThis.tryCatch = (act) => {
  try {
    return { result: act() };
  } catch (error) {
    return { error };
  }
};

class Engine {
  #binding = {};
  #memory;
  /** @type {Set<(reason: Error) => void>} */
  #waiting = new Set();
  ended = false;

  // Starting is synchronous, so requests that come together share an engine and none waits for a promise of another.
  constructor() {
    const go = new globalThis.Go();
    go.exit = (code) => this.#end(new Error(`the engine ended with ${code}`));
    const instance = new WebAssembly.Instance(module, { ...go.importObject, workers: { ready: () => {} } });
    this.#memory = instance.exports.mem;
    go.run(instance, { binding: this.#binding }).catch((e) => this.#end(e));
  }

  /** @param {Error} why */
  #end(why) {
    this.ended = true;
    for (const reject of this.#waiting) reject(why);
  }

  get spent() {
    return this.ended || (this.#waiting.size === 0 && this.#memory.buffer.byteLength > largest);
  }

  /** @param {Request} request @returns {Promise<Response>} */
  async answer(request) {
    let give = (/** @type {Error} */ _) => {};
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.add((give = reject));
        this.#binding.handleRequest(request).then(resolve, reject);
      });
    } catch (e) {
      if (e instanceof WebAssembly.RuntimeError) this.#end(e);
      throw e;
    } finally {
      this.#waiting.delete(give);
    }
  }
}

/** @type {Engine | undefined} */
let engine;

/** @param {Request} request */
async function answer(request) {
  if (!engine || engine.spent) engine = new Engine();
  try {
    return await engine.answer(request);
  } catch (e) {
    console.error(e);
    return Response.json({ type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'the engine failed on this: try again' },
      { status: 503, headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', 'Access-Control-Allow-Origin': '*' } });
  }
}

/** A file of the page. The host compresses all but the largest well enough by itself; of that one there is a better packed copy. */
async function file(request, env) {
  const url = new URL(request.url);
  const accepts = request.cf?.clientAcceptEncoding ?? request.headers.get('Accept-Encoding') ?? '';
  if (request.method === 'GET' && /^\/engine-[0-9a-f]+\.wasm$/.test(url.pathname) && /\bbr\b/.test(accepts)) {
    const packed = await env.ASSETS.fetch(new URL(`${url.pathname}.br`, url));
    if (packed.ok) {
      const headers = new Headers(packed.headers);
      headers.set('Content-Type', 'application/wasm');
      headers.set('Content-Encoding', 'br');
      headers.append('Vary', 'Accept-Encoding');
      return new Response(packed.body, { headers, encodeBody: 'manual' });
    }
  }
  return env.ASSETS.fetch(request);
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (!/^\/(?:chart|embed|api)\//.test(pathname)) return file(request, env);
    if (request.method !== 'GET' || pathname.startsWith('/api/')) return answer(request);
    const known = await caches.default.match(request);
    if (known) return known;
    const response = await answer(request);
    if (response.status === 200) ctx.waitUntil(caches.default.put(request, response.clone()));
    return response;
  },
};
