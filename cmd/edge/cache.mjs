// What the Cache API of the worker talks to when it runs on this machine, where no data centre has one: a cache in memory.

const most = 1000;
/** @type {Map<string, {headers: [string, string][], body: Uint8Array}>} */
const held = new Map();
const end = new TextEncoder().encode('\r\n\r\n');

export default {
  /** @param {Request} request */
  async fetch(request) {
    if (request.method === 'PUT') {
      // The body is a whole answer, as HTTP writes it.
      const bytes = new Uint8Array(await request.arrayBuffer());
      const split = bytes.findIndex((_, i) => end.every((b, j) => bytes[i + j] === b));
      const lines = new TextDecoder().decode(bytes.subarray(0, split)).split('\r\n').slice(1);
      const headers = lines.map((line) => /** @type {[string, string]} */ ([line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
      held.set(request.url, { headers: headers.filter(([name]) => !/^(?:transfer-encoding|content-length)$/i.test(name)), body: bytes.slice(split + end.length) });
      if (held.size > most) held.delete(/** @type {string} */ (held.keys().next().value));
      return new Response(null, { status: 204 });
    }
    if (request.method === 'PURGE') return new Response(null, { status: held.delete(request.url) ? 200 : 404 });
    const found = held.get(request.url);
    if (!found) return new Response(null, { status: 504, headers: { 'CF-Cache-Status': 'MISS' } });
    const headers = new Headers([...found.headers, ['CF-Cache-Status', 'HIT']]);
    const tags = request.headers.get('If-None-Match');
    if (tags?.split(',').some((t) => t.trim() === headers.get('ETag'))) return new Response(null, { status: 304, headers });
    return new Response(found.body, { headers });
  },
};
