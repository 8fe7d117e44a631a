// What the promises say, measured in one run on this machine and printed as a table: node site/bench/bench.mjs [FILE...] after a build.
// Files named are dropped on the page as one more input. Every figure is of one core; a busy machine makes them worse, never better, so
// speeds are the best of three. speedscope comes from npm and imports the same files in the same browser, turn by turn with the engine.
// Firefox Profiler and FlameGraph's scripts are in no package, so they can't stand beside it.

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, loadavg } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { built, launch, openPage, serve, top } from '../test/harness.mjs';
import * as inputs from './inputs.mjs';
import { sizes } from './sizes.mjs';

/** @param {string} what @param {string} got @param {string} promised @param {number} ratio of the measured to the promised, above 1 is better */
function row(what, got, promised, ratio) {
  console.log(`${what.padEnd(58)}${got.padStart(12)}  ${promised.padStart(14)}  ${Number.isFinite(ratio) ? ratio.toFixed(2).padStart(6) : ''}${ratio >= 1 ? '  met' : ratio < 1 ? '  MISSED' : ''}`);
}
/** @param {string} title @param {string} [against] */
const head = (title, against = 'promised') => console.log(`\n${title.padEnd(58)}${'measured'.padStart(12)}  ${against.padStart(14)}   ratio`);
const atLeast = (/** @type {string} */ what, /** @type {number} */ got, /** @type {number} */ limit, unit = 'MB/s') => row(what, `${got.toFixed(0)} ${unit}`, `≥ ${limit} ${unit}`, got / limit);
/** A browser tells of tasks over 50 ms only. */
const longest = (/** @type {string} */ what, /** @type {number} */ ms) => row(what, ms ? `${ms.toFixed(0)} ms` : 'none seen', '≤ 50 ms', ms ? 50 / ms : 1);
const atMost = (/** @type {string} */ what, /** @type {number} */ got, /** @type {number} */ limit, unit = 'ms') => row(what, `${got.toFixed(unit === 'MB' ? 2 : 0)} ${unit}`, `≤ ${limit} ${unit}`, limit / got);

function native() {
  /** @type {Map<string, number>} */
  const best = new Map();
  /** @type {(pkg: string, pattern: string) => void} */
  const measure = (pkg, pattern) => {
    const out = execFileSync('go', ['test', '-run', '^$', '-bench', pattern, '-count', '3', `./analysis/${pkg}`], { cwd: top, encoding: 'utf8' });
    for (const m of out.matchAll(/^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(\d+(?:\.\d+)?) ns\/op(?:\s+(\d+(?:\.\d+)?) MB\/s)?/gm)) {
      const key = `${pkg} ${m[1]}`;
      best.set(key, m[3] ? Math.max(best.get(key) ?? 0, Number(m[3])) : Math.min(best.get(key) ?? Infinity, Number(m[2]) / 1e6));
    }
  };
  const get = (/** @type {string} */ key) => best.get(key) ?? NaN;
  measure('format/perfscript', 'Read');
  measure('format/folded', 'Read');
  measure('format/pgbenchlog', 'Transactions|Aggregates$');
  measure('format/pgbench', 'Progress|Summaries');
  measure('format/table', 'CSV|Gocsv');
  measure('profile', 'Views');
  head('native');
  atLeast('perf script, 1,000 distinct stacks', get('format/perfscript Read/stacks=1000'), 300);
  atLeast('folded stacks, 5,000 distinct', get('format/folded Read/distinct=5000'), 150);
  atLeast('pgbench log', get('format/pgbenchlog Transactions'), 250);
  atLeast('pgbench aggregate log', get('format/pgbenchlog Aggregates'), 200);
  atLeast('pgbench output', get('format/pgbench Summaries'), 200);
  atLeast('CSV', get('format/table CSV'), 60);
  for (const [key, ms] of best) if (key.startsWith('profile Views/')) atMost(`${key.slice(14)}, tree of 1,000,000 nodes`, ms, 100);
  head('CSV against other readers, native', 'theirs');
  const ours = get('format/table CSV');
  for (const [name, key] of [['gocsv into structs', 'Gocsv'], ['encoding/csv, cells only', 'EncodingCSV']]) row(name, `${ours.toFixed(0)} MB/s`, `${get(`format/table ${key}`).toFixed(0)} MB/s`, ours / get(`format/table ${key}`));
}

/**
 * In the page: reads what a generator makes with a new engine, then lays out views of it.
 * @param {(...args: any[]) => Iterable<string>} generate @param {any[]} args @param {string} name @param {object[]} views
 */
async function firstCall(generate, args, name, views) {
  const link = (/** @type {string} */ id) => /** @type {HTMLLinkElement} */ (document.getElementById(id)).href;
  const blob = new Blob([...generate(...args)]);
  const module = await WebAssembly.compileStreaming(fetch(link('engine')));
  const worker = new Worker(link('worker'));
  let last = 0;
  const ask = (/** @type {object} */ message) => new Promise((resolve, reject) => {
    const id = ++last;
    worker.onmessage = (e) => {
      if (e.data.id !== id || e.data.progress) return;
      if (e.data.error) reject(new Error(e.data.error));
      else resolve(e.data.result);
    };
    worker.postMessage({ id, ...message });
  });
  const timed = async (/** @type {object} */ message) => {
    const begun = performance.now();
    const result = await ask(message);
    return { ms: performance.now() - begun, result };
  };
  worker.postMessage({ op: 'start', module });
  await ask({ op: 'call', name: 'options', args: ['{}'] });
  worker.postMessage({ op: 'sources', sources: [{ key: 'a', name, blob }] });
  const { ms, result } = await timed({ op: 'load', keys: ['a'], options: {} });
  const report = JSON.parse(new TextDecoder().decode(result));
  /** @type {number[]} */
  const layouts = [];
  for (const view of views) {
    let best = Infinity;
    for (let i = 0; i < 3; i++) best = Math.min(best, (await timed({ op: 'call', name: 'layout', args: [0, JSON.stringify(view)] })).ms);
    layouts.push(best);
  }
  worker.terminate();
  return { speed: blob.size / 1e3 / ms, size: blob.size, found: (report.runs?.length ?? 0) + (report.profiles?.length ?? 0), layouts };
}

/**
 * Lets speedscope import what a generator makes, in a page of its own: MB/s by the time that it says importing took.
 * @param {import('puppeteer-core').Browser} browser @param {Function} generate @param {any[]} args @param {string} name
 */
async function speedscope(browser, generate, args, name) {
  const page = await browser.newPage();
  const took = new Promise((resolve, reject) => {
    page.on('console', (m) => {
      const told = /^import: ([\d.]+) ?(ms|s)$/.exec(m.text());
      if (told) resolve(Number(told[1]) * (told[2] === 's' ? 1000 : 1));
    });
    page.on('pageerror', (e) => reject(new Error(`speedscope: ${e}`)));
    page.on('dialog', (d) => { reject(new Error(`speedscope: ${d.message()}`)); void d.dismiss(); });
  });
  await page.goto(pathToFileURL(createRequire(import.meta.url).resolve('speedscope/dist/release/index.html')).href);
  const size = await page.evaluate(`((generate, args, name) => {
    const data = new DataTransfer();
    data.items.add(new File([...generate(...args)], name));
    const input = document.querySelector('input[type=file]');
    input.files = data.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    return data.files[0].size;
  })(${generate}, ${JSON.stringify(args)}, ${JSON.stringify(name)})`);
  const ms = await took;
  await page.close();
  return size / 1e3 / ms;
}

/**
 * In the page: drops files and says when the first chart was drawn, when the report was complete, and how long the page was stuck at most.
 * @param {{name: string, text: string}[]} files
 */
async function dropped(files) {
  const data = new DataTransfer();
  for (const f of files) data.items.add(new File([f.text], f.name));
  let stuck = 0;
  const tasks = new PerformanceObserver((list) => { for (const e of list.getEntries()) stuck = Math.max(stuck, e.duration); });
  await new Promise((resolve) => setTimeout(resolve, 300));
  tasks.observe({ type: 'longtask' });
  performance.clearMarks('pgknee-drawn');
  const begun = performance.now();
  const done = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      if (document.body.dataset.phase !== 'done') return;
      observer.disconnect();
      resolve(performance.now() - begun);
    }).observe(document.body, { attributes: true, attributeFilter: ['data-phase'] });
  });
  for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
  const complete = await done;
  await new Promise((resolve) => setTimeout(resolve, 300));
  const drawn = performance.getEntriesByName('pgknee-drawn')[0];
  return { curve: drawn ? drawn.startTime - begun : NaN, complete, stuck, move: await moved() };

  /** Moves the pointer over the chart for 60 frames: the longest that the page took for one, with laying out what it shows. */
  async function moved() {
    const chart = document.querySelector('.curves .chart');
    if (!drawn || !chart) return 0;
    chart.scrollIntoView();
    const { left, top, width, height } = chart.getBoundingClientRect();
    let most = 0;
    for (let i = 0; i < 60; i++) {
      await new Promise(requestAnimationFrame);
      const begun = performance.now();
      chart.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: left + width * (0.1 + 0.75 * i / 60), clientY: top + height / 4 }));
      document.body.getBoundingClientRect();
      most = Math.max(most, performance.now() - begun);
    }
    return most;
  }
}

const views = [['flame', { kind: 'flame' }], ['icicle', { kind: 'icicle' }], ['sandwich', { kind: 'sandwich', function: 'f3_1' }], ['search', { kind: 'flame', search: 'f12_7' }]];

async function inBrowser() {
  const server = await serve();
  const browser = await launch('chromium');
  try {
    /** @type {(generate: Function, args: any[], name: string, views: any[]) => Promise<any>} */
    const once = async (generate, args, name, wanted) => {
      const { page } = await openPage(browser, server.url);
      const got = await page.evaluate(`(${firstCall})(${generate}, ${JSON.stringify(args)}, ${JSON.stringify(name)}, ${JSON.stringify(wanted)})`);
      await page.close();
      if (got.found === 0) throw new Error(`${name}: nothing was read`);
      return got;
    };
    /** @type {(generate: Function, args: any[], name: string, views?: any[]) => Promise<any>} */
    const call = async (generate, args, name, wanted = []) => {
      let best;
      for (let i = 0; i < 3; i++) {
        const got = await once(generate, args, name, wanted);
        if (!best || got.speed > best.speed) best = got;
      }
      return best;
    };
    head('the engine’s first call, headless Chromium');
    atLeast('perf script, 1,000 distinct stacks', (await call(inputs.perfScript, [65e6, 1000], 'perf.txt')).speed, 120);
    atLeast('folded stacks, 5,000 distinct', (await call(inputs.folded, [30e6, 5000], 'a.folded')).speed, 100);
    atLeast('pgbench log', (await call(inputs.transactionLog, [60e6], 'pgbench_log.1')).speed, 120);
    atLeast('pgbench aggregate log', (await call(inputs.aggregateLog, [20e6], 'pgbench_log.2')).speed, 80);
    atLeast('pgbench output, runs of 10 minutes', (await call(inputs.output, [20e6, 600], 'out.txt')).speed, 80);
    const big = await call(inputs.million, [], 'million.folded', views.map(([, v]) => v));
    views.forEach(([kind], i) => atMost(`${kind}, tree of 1,000,000 nodes: layout`, big.layouts[i], 100));

    head('the engine’s first call beside speedscope’s import', '3 × theirs');
    for (const [what, generate, args, name] of /** @type {[string, Function, any[], string][]} */ ([
      ['perf script, 1,000 distinct stacks', inputs.perfScript, [40e6, 1000], 'perf.txt'],
      ['perf script, 100,000 distinct stacks', inputs.perfScript, [40e6, 100_000], 'perf.txt'],
      ['folded stacks, 5,000 distinct', inputs.folded, [20e6, 5000], 'a.folded'],
    ])) {
      let ours = 0, theirs = 0;
      for (let i = 0; i < 3; i++) {
        ours = Math.max(ours, await once(generate, args, name, []).then((got) => got.speed));
        theirs = Math.max(theirs, await speedscope(browser, generate, args, name));
      }
      row(what, `${ours.toFixed(0)} MB/s`, `3 × ${theirs.toFixed(0)} MB/s`, ours / theirs / 3);
    }

    head('the page, from the drop on');
    const sample = 'data/samples/track-planning/select-only-2020.csv';
    for (const file of [join(top, sample), ...process.argv.slice(2)]) {
      const got = await best(async () => onPage([{ name: basename(file), text: readFileSync(file, 'utf8') }]));
      atMost(`${basename(file)}: first curve`, got.curve, 200);
      atMost(`${basename(file)}: full report`, got.complete, 1500);
    }
    const many = [...inputs.output(8e6, 0)].join('').split(/(?=^pgbench \()/m).slice(0, 5000).map((text, i) => ({ name: `series${i % 10}/run${i}.txt`, text }));
    const got = await onPage(many);
    atMost(`${many.length.toLocaleString('en')} result files: first curve`, got.curve, 5000);
    atMost(`${many.length.toLocaleString('en')} result files: full report`, got.complete, 5000);
    longest('  longest task of the page meanwhile', got.stuck);
    for (const [what, texts] of /** @type {[string, Iterable<string>][]} */ ([['20 series × 40 counts × 10 repeats', inputs.sweeps()], ['a table of 50,000 rows', inputs.csv(2.05e6)], ['a table of 500,000 rows', inputs.csv(24e6)]])) {
      const got = await onPage([{ name: 'runs.csv', text: [...texts].join('') }]);
      longest(`${what}: longest task`, got.stuck);
      if (got.move) atMost('  slowest move of the pointer over the chart', Math.max(got.move, 0.1), 16);
    }

    /** @param {{name: string, text: string}[]} files */
    async function onPage(files) {
      const { page } = await openPage(browser, server.url);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1500))); // the engine is compiled meanwhile
      const result = await page.evaluate(dropped, files);
      await page.close();
      return result;
    }
  } finally {
    await browser.close();
    await server.close();
  }
}

/** @param {() => Promise<{curve: number, complete: number}>} measure */
async function best(measure) {
  const all = [await measure(), await measure(), await measure()];
  return { curve: Math.min(...all.map((a) => a.curve)), complete: Math.min(...all.map((a) => a.complete)) };
}

/** Starts engines in Node, where they can be fed piece by piece and their memory can be seen. */
async function inNode() {
  const root = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
  createRequire(import.meta.url)(join(root, 'lib', 'wasm', 'wasm_exec.js'));
  const scope = /** @type {any} */ (globalThis);
  const code = readFileSync(join(built, readdirSync(built).find((f) => f.startsWith('engine-')) ?? ''));
  return async () => {
    const go = new scope.Go();
    const ready = new Promise((resolve) => { scope.pgkneeReady = () => resolve(scope.pgknee); });
    const { instance } = await WebAssembly.instantiate(code, go.importObject);
    void go.run(instance);
    return { api: await ready, used: () => /** @type {WebAssembly.Memory} */ (instance.exports.mem).buffer.byteLength / 1e6 };
  };
}

/** @param {any} api @param {string} name @param {Iterable<Uint8Array>} pieces */
function feed(api, name, pieces) {
  const input = api.open(name);
  for (const piece of pieces) {
    const failed = api.write(input, piece, piece.length);
    if (failed) throw failed;
  }
  api.close(input);
}

/** @param {Iterable<string>} texts */
function* encoded(texts) {
  for (const text of texts) yield new TextEncoder().encode(text);
}

/** What a table of many runs takes to read, without what is made of the runs. */
async function reading() {
  const start = await inNode();
  head('the engine’s first call, Node, reading only');
  const pieces = [...encoded(inputs.csv(8e6))];
  let best = 0;
  for (let i = 0; i < 3; i++) {
    const { api } = await start();
    const begun = performance.now();
    feed(api, 'runs.csv', pieces);
    best = Math.max(best, 8e3 / (performance.now() - begun));
  }
  atLeast('CSV', best, 25);
}

async function memory() {
  const start = await inNode();
  head('memory over the empty engine, for 1 GB');
  for (const [what, generate, limit] of /** @type {[string, () => Iterable<string>, number][]} */ ([
    ['pgbench log', () => inputs.transactionLog(1e9), 64],
    ['perf script, 100,000 distinct stacks', () => inputs.perfScript(1e9, 100_000), 400],
  ])) {
    const { api, used } = await start();
    const empty = used();
    feed(api, 'big.txt', encoded(generate()));
    api.curves();
    atMost(what, used() - empty, limit, 'MB');
  }
}

const alive = setInterval(() => {}, 1000); // Node may end while WebAssembly is compiled
console.log(`${availableParallelism()} processors, load ${loadavg().map((l) => l.toFixed(1)).join(' ')}`);
head('what is loaded, brotli');
const { each, total } = sizes();
atMost('engine.wasm', each['engine.wasm'], 1.6, 'MB');
for (const [name, size] of Object.entries(each)) if (name !== 'engine.wasm') row(`  ${name}`, `${(size * 1000).toFixed(0)} KB`, '', NaN);
atMost('in all', total, 2.2, 'MB');
native();
await inBrowser();
await reading();
await memory();
clearInterval(alive);
