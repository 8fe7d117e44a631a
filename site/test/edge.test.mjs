// The edge worker under workerd, the runtime of its host, beside pgknee serve, which has the same handler natively.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { encode } from '../link.js';
import { drop, launch, openPage, serve, settled, top } from './harness.mjs';

const run = promisify(execFile);

/** Runs the worker on a free port. */
async function edge() {
  const port = await new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject).listen(0, '127.0.0.1', () => {
      const { port: free } = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(free));
    });
  });
  const { default: workerd } = createRequire(import.meta.url)('workerd');
  const child = spawn(workerd, ['serve', '--experimental', '--socket-addr', `http=127.0.0.1:${port}`, 'config.capnp'], { cwd: join(top, 'cmd/edge/out'), stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${port}/`;
  for (let tries = 0; ; tries++) {
    try {
      await (await fetch(`${url}icon.svg`)).text();
      break;
    } catch (e) {
      if (tries === 200 || child.exitCode !== null) throw e;
      await Promise.race([ended, new Promise((resolve) => { setTimeout(resolve, 50); })]);
    }
  }
  return { url, close: () => { child.kill(); return ended; } };
}

/** The files of a sample. @param {string} name */
async function sample(name) {
  const dir = join(top, 'data/samples', name);
  return Promise.all((await readdir(dir)).sort().map(async (file) => ({ name: file, text: await readFile(join(dir, file), 'utf8') })));
}

/** What a link of the page holds, without d=. @param {{name: string, text: string}[]} files @param {object} [rest] */
const payload = async (files, rest) => (await encode({ v: 1, files, options: {}, colors: {}, marks: [], view: {}, ...rest })).slice(2);

/** A table of two series, of which one collapses; each has numbers of its own. @param {number} n */
const table = (n) => ({ name: `t${n}.csv`, text: `series,clients,tps\n${[1, 2, 4, 8, 16, 32].flatMap((c) => [`old${n},${c},${900 * c + n}`, `new${n},${c},${c < 16 ? 890 * c + n : 9000 - 100 * c + n}`]).join('\n')}\n` });

/** A request with a Host of our choosing, so that two hosts can give equal answers. @returns {Promise<{status: number, headers: Record<string, any>, body: Buffer}>} */
const ask = (base, path, { method = 'GET', headers = {}, body } = {}) => new Promise((resolve, reject) => {
  const r = request(new URL(path, base), { method, headers: { Host: 'pgknee.test', ...headers } }, (answer) => {
    const parts = [];
    answer.on('data', (d) => parts.push(d)).on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }));
  });
  r.on('error', reject);
  r.end(body);
});

describe('edge', { timeout: 300_000 }, () => {
  /** @type {Awaited<ReturnType<typeof edge>>} */
  let worker;
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let native;
  before(async () => { [worker, native] = await Promise.all([edge(), serve()]); });
  after(async () => { await Promise.all([worker?.close(), native?.close()]); });

  test('files have the right headers, and never those of another', async () => {
    const index = await ask(worker.url, '/');
    const html = String(index.body);
    const [engine] = /** @type {RegExpExecArray} */ (/engine-[0-9a-f]{10}\.wasm/.exec(html));
    const [script] = /** @type {RegExpExecArray} */ (/main-[0-9a-f]{10}\.js/.exec(html));
    assert.match(html, /<meta name="pgknee-charts" content="chart\/">/);
    for (const [path, type, caching] of [['/', 'text/html', 'no-cache'], ['/sw.js', 'text/javascript', 'no-cache'], ['/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
      [`/${script}`, 'text/javascript', 'public, max-age=31536000, immutable'], [`/${engine}`, 'application/wasm', 'public, max-age=31536000, immutable']]) {
      const r = await ask(worker.url, path);
      assert.equal(r.status, 200, path);
      assert.ok(r.headers['content-type'].startsWith(type), `${path}: ${r.headers['content-type']}`);
      assert.equal(r.headers['cache-control'], caching, path);
      assert.match(r.headers['content-security-policy'], /default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/, path);
      assert.equal(r.headers['x-content-type-options'], 'nosniff', path);
      assert.equal(r.headers['referrer-policy'], 'no-referrer', path);
      assert.match(r.headers['permissions-policy'], /camera=\(\)/, path);
    }
    const plain = await ask(worker.url, `/${engine}`);
    const packed = await ask(worker.url, `/${engine}`, { headers: { 'Accept-Encoding': 'gzip, br' } });
    assert.equal(packed.headers['content-encoding'], 'br');
    assert.equal(packed.headers['content-type'], 'application/wasm');
    assert.equal(packed.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(packed.headers['content-security-policy'], /default-src/);
    assert.ok(packed.body.length < plain.body.length / 4);
    assert.ok(brotliDecompressSync(packed.body).equals(plain.body));
    for (const path of ['/nothing', '/_headers', '/svg.js']) assert.equal((await ask(worker.url, path)).status, 404, path);
  });

  test('a chart is the command line’s, byte for byte, in every view, and is remembered', async () => {
    for (const [name, view] of [['track-planning', 'curves'], ['track-planning', 'ratio'], ['track-planning', 'residuals'], ['protocols', 'curves'], ['protocols', 'latency']]) {
      const files = await sample(name);
      const path = `/chart/${await payload(files)}.svg?view=${view}&w=1000&h=600&theme=dark`;
      const { stdout } = await run(join(top, 'bin/pgknee'), ['chart', '-view', view, '-size', '1000x600', '-theme', 'dark', ...files.map((f) => f.name)], { cwd: join(top, 'data/samples', name), maxBuffer: 64 << 20 });
      const first = await ask(worker.url, path);
      assert.equal(first.status, 200, String(first.body));
      assert.equal(String(first.body), stdout, `${name} ${view}`);
      assert.equal(first.headers['content-type'], 'image/svg+xml');
      const again = await ask(worker.url, path);
      assert.ok(again.body.equals(first.body));
      assert.equal(again.headers['cf-cache-status'], 'HIT');
      assert.equal(again.headers.etag, first.headers.etag);
      assert.equal((await ask(worker.url, path, { headers: { 'If-None-Match': first.headers.etag } })).status, 304);
    }
  });

  test('natively and at the edge the answers are the same', async () => {
    const planning = await payload(await sample('track-planning'));
    const protocols = await payload(await sample('protocols'));
    const shown = await payload([table(1)], { view: { chart: 'tps', normalise: 'one', hidden: ['old1'], logX: false }, colors: { new1: 5 }, options: { baseline: 'new1' } });
    const folded = await payload([{ name: 'a.folded', text: 'postgres;main;exec 10\npostgres;main;s_lock 30\n' }]);
    const csv = await readFile(join(top, 'data/samples/track-planning/select-only-2020.csv'));
    const form = '--b\r\nContent-Disposition: form-data; name="f"; filename="x/a.csv"\r\n\r\nclients,tps\n1,100\n2,190\n4,300\n\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="x/b.csv"\r\n\r\nclients,tps\n1,90\n2,150\n4,200\n\r\n--b--\r\n';
    const post = (body, headers = {}, query = '') => [`/api/analyze${query}`, { method: 'POST', body, headers }];
    /** @type {[string, object?][]} */
    const requests = [
      ['/api/health'], [`/chart/${planning}.svg`], [`/chart/${planning}.svg?theme=dark&w=700&h=500&view=tps`], [`/chart/${protocols}.svg?view=latency`], [`/chart/${shown}.svg`], [`/chart/${folded}.svg`], [`/chart/${folded}.svg?view=icicle&theme=dark`],
      [`/chart/${planning}.svg`, { method: 'HEAD' }], [`/embed/${planning}`], [`/embed/${shown}?view=ratio`], ['/embed/xx'], ['/chart/xx.svg'], ['/chart/xx'], ['/chart/xx.svg', { headers: { Accept: 'application/json' } }],
      [`/chart/${planning}.svg?view=x`], [`/chart/${planning}.svg?view=progress`], [`/chart/${deflateRawSync('{"v":2}').toString('base64url')}.svg`], [`/chart/${deflateRawSync(Buffer.alloc(5 << 20, ' ')).toString('base64url')}.svg`],
      post(csv), post(csv, { Accept: 'text/plain' }), post(csv, { Accept: 'text/markdown, text/plain;q=0.5' }), post(csv, { Accept: 'text/csv' }), post(csv, {}, '?name=my%20file.csv&why=1'), post(gzipSync(csv)),
      post(form, { 'Content-Type': 'multipart/form-data; boundary=b' }), post(form.slice(0, 100), { 'Content-Type': 'multipart/form-data; boundary=b' }), post('nothing known'), post(''), post('x', { 'Content-Type': 'image/png' }),
      post(csv, { Accept: 'image/png' }), post(csv, {}, '?cores=x'), post(csv, {}, '?baseline=x'), post(gzipSync(Buffer.alloc(70 << 20, 'clients tps\n'))), ['/api/analyze'], ['/api/analyze', { method: 'OPTIONS' }], ['/api/nothing'], ['/chart/x.svg', { method: 'DELETE' }],
    ];
    for (const [path, how] of requests) {
      const [there, here] = await Promise.all([ask(worker.url, path, how), ask(native.url, path, how)]);
      const what = `${how?.method ?? 'GET'} ${path.slice(0, 60)} ${JSON.stringify(how?.headers ?? {})}`;
      assert.equal(there.status, here.status, what);
      assert.equal(String(there.body), String(here.body), what);
      for (const name of ['content-type', 'etag', 'cache-control', 'vary', 'allow', 'content-security-policy', 'access-control-allow-origin', 'access-control-allow-methods', 'x-content-type-options']) assert.equal(there.headers[name], here.headers[name], `${what}: ${name}`);
      assert.notEqual(there.status, 500, what);
    }
  });

  test('the report is the command line’s', async () => {
    const dir = join(top, 'data/samples/track-planning');
    const { stdout } = await run(join(top, 'bin/pgknee'), ['analyze', '-json', 'select-only-2020.csv'], { cwd: dir, maxBuffer: 64 << 20 });
    const r = await ask(worker.url, '/api/analyze?name=select-only-2020.csv', { method: 'POST', body: await readFile(join(dir, 'select-only-2020.csv')) });
    assert.equal(String(r.body), stdout);
  });

  test('oversize bodies are refused, said and unsaid, and the worker lives on', async () => {
    const much = Buffer.alloc((16 << 20) + 1, 'clients tps\n');
    assert.equal((await ask(worker.url, '/api/analyze', { method: 'POST', body: much })).status, 413);
    const unsaid = await fetch(`${worker.url}api/analyze`, { method: 'POST', duplex: 'half', body: new ReadableStream({
      start(c) { for (let i = 0; i < 17; i++) c.enqueue(much.subarray(0, 1 << 20)); c.close(); },
    }) });
    assert.equal(unsaid.status, 413);
    assert.equal((await unsaid.json()).status, 413);
    assert.equal((await ask(worker.url, `/chart/${'A'.repeat(17 << 10)}.svg`)).status, 414);
    assert.equal((await ask(worker.url, '/api/health')).status, 200);
  });

  test('200 requests at once, and none gets the answer of another', async () => {
    const all = await Promise.all(Array.from({ length: 200 }, async (_, n) => {
      if (n % 4 === 3) {
        const r = await ask(worker.url, `/api/analyze?name=t${n}.csv`, { method: 'POST', body: table(n).text });
        const report = JSON.parse(String(r.body));
        return r.status === 200 && report.files[0].name === `t${n}.csv` && report.series.every((s) => s.label === `old${n}` || s.label === `new${n}`);
      }
      if (n % 4 === 2) {
        const r = await ask(worker.url, `/chart/${'x'.repeat(n)}.svg`, { headers: { Accept: 'application/json' } });
        return r.status === 400;
      }
      const r = await ask(worker.url, `/chart/${await payload([table(n)])}.svg?w=${300 + n}`);
      const text = String(r.body);
      return r.status === 200 && text.includes(`width="${300 + n}"`) && text.includes(`t${n}.csv`) && [...text.matchAll(/(?:old|new)(\d+)/g)].every(([, of]) => Number(of) === n);
    }));
    assert.deepEqual(all.flatMap((right, n) => (right ? [] : [n])), []);
  });

  test('a link preview opens the explorer on its data, and the page offers pictures by address', async () => {
    const browser = await launch('chromium');
    try {
      const { page, errors } = await openPage(browser, worker.url);
      await drop(page, [table(7)]);
      await settled(page);
      const requests = [];
      page.on('request', (r) => requests.push(r.url()));
      await page.evaluate(() => { navigator.clipboard.writeText = async (t) => { /** @type {any} */ (globalThis).copied = t; }; });
      await page.click('[data-act="share"]');
      await page.waitForSelector('dialog .hosted button:not([disabled])');
      const copied = async (n) => {
        await (await page.$$('dialog .hosted button'))[n].click();
        return page.evaluate(() => /** @type {any} */ (globalThis).copied);
      };
      const image = await copied(0);
      const embed = await copied(1);
      assert.deepEqual(requests, [], 'requests for making links');
      assert.deepEqual(errors, []);
      const picture = await fetch(image);
      assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
      assert.match(await picture.text(), /<title>new7 is slower than old7/);
      assert.ok(embed.includes(`<img src="${image}" alt="new7 is slower`), embed);
      const [, preview] = /** @type {RegExpExecArray} */ (/<a href="([^"]+)">/.exec(embed));
      const html = await (await fetch(preview)).text();
      assert.match(html, /<title>new7 is slower than old7/);
      assert.ok(html.includes(`<meta property="og:image" content="${image}">`));
      const other = await browser.createBrowserContext();
      const opened = await other.newPage();
      await opened.goto(preview);
      await opened.waitForSelector('body[data-phase="done"]', { timeout: 20_000 });
      assert.match(await opened.$eval('section[aria-label="Files"]', (e) => e.textContent ?? ''), /t7\.csv/);
      // In a mail archive: a page of another origin that shows the picture.
      const archive = await other.newPage();
      await archive.setContent(embed);
      await archive.waitForFunction(() => (document.querySelector('img')?.naturalWidth ?? 0) > 0, { timeout: 20_000 });
    } finally {
      await browser.close();
    }
  });
});
