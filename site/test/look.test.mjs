// How the page looks, held against small pictures of its main states: light, dark and narrow, in Chromium.
//
// Pictures are kept at a quarter of the size and compared by the mean colour of blocks of 16 pixels, tile by tile: how a machine draws
// letters makes no difference, a chart that is missing or a part that has moved does. The fonts are the page's own.
//
// ./build.sh pictures makes anew those that differ; UPDATE=1 node --test site/test/look.test.mjs does so from what is built.

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { drawn, drop, launch, openPage, serve, settled, top } from './harness.mjs';

const goldens = fileURLToPath(new URL('goldens/', import.meta.url));
const reduction = 4; // of the pictures that are kept
const block = 4; // of their pixels that are compared by their mean
const tile = 8; // blocks of which a few may differ
const off = 12; // levels of a colour by which blocks differ
const few = 0.16; // of a tile's blocks

/** Stacks that fit the sample: without and with a lock that is waited for. @param {number} waiting */
const stacks = (waiting) => [['ExecutorRun;ExecScan;IndexNext;index_getnext_slot;heap_hot_search_buffer', 210], ['ExecutorRun;ExecScan;IndexNext;index_getnext_tid;btgettuple;_bt_search;_bt_compare', 260],
  ['ExecutorStart;InitPlan;ExecInitNode', 120], ['pg_plan_query;planner;standard_planner;grouping_planner', 180], ['pg_plan_query;planner;pgss_planner;pgss_store;s_lock', waiting], ['ExecutorEnd;pgss_ExecutorEnd;pgss_store;s_lock', waiting / 2],
  ['pg_parse_query;base_yyparse', 90], ['finish_xact_command;CommitTransaction;ProcArrayEndTransaction', 80]].map(([of, n]) => `postgres;main;PostmasterMain;PostgresMain;exec_simple_query;${of} ${n}\n`).join('');

/** The page in its states, one after the other. @type {Record<string, {act: (page: import('puppeteer-core').Page) => Promise<void>, of: string}>} */
const states = {
  empty: { of: 'body', act: async () => {} },
  failed: { of: 'body', act: async (page) => {
    await drop(page, [{ name: 'notes.txt', text: 'nothing of the kind\n'.repeat(3) }, { name: 'plan.txt', text: 'Seq Scan on t  (cost=0.00..35.50 rows=2550 width=4)\n' }]);
    await settled(page);
  } },
  question: { of: 'body', act: async (page) => {
    await drop(page, [{ name: 'numbers.csv', text: '1,1,9012\n2,1,17800\n4,1,33100\n8,1,60500\n16,1,98000\n32,1,120500\n' }]);
    await settled(page);
    await page.waitForSelector('.question select');
  } },
  report: { of: 'body', act: async (page) => {
    const folder = join(top, 'data/samples/track-planning');
    const [table] = await readdir(folder);
    await drop(page, [{ name: table, text: await readFile(join(folder, table), 'utf8') }, { name: 'v12.3.folded', text: stacks(6) }, { name: 'v13Beta1.folded', text: stacks(300) }]);
    await settled(page);
    await drawn(page);
    await page.waitForFunction(() => performance.getEntriesByName('pgknee-flame').length > 0);
  } },
  table: { of: 'pk-curves', act: async (page) => {
    await page.click('.curves .data summary');
    await page.waitForSelector('.curves .data tbody tr');
  } },
  stacks: { of: 'pk-flame', act: async () => {} },
};

/** A picture of a part of the page, reduced, when nothing changes any more. @param {import('puppeteer-core').Page} page @param {import('puppeteer-core').Page} desk @param {string} of */
async function picture(page, desk, of) {
  await page.mouse.move(0, 0);
  await page.evaluate(() => {
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    scrollTo(0, 0);
    return document.fonts.ready;
  });
  await page.waitForFunction(() => !document.querySelector('.status.shown'), { timeout: 10_000 });
  let before = '';
  for (let tries = 0; tries < 20; tries++) {
    const now = await shot(page, desk, of);
    if (now === before) return now;
    before = now;
    await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 150); }));
  }
  throw new Error(`${of} does not come to rest`);
}

/** @param {import('puppeteer-core').Page} page @param {import('puppeteer-core').Page} desk @param {string} of */
async function shot(page, desk, of) {
  const clip = await page.$eval(of, (el) => { const r = el.getBoundingClientRect(); return { x: Math.round(r.x), y: Math.round(r.y + scrollY), width: Math.round(r.width), height: Math.min(Math.round(r.height), 6000) }; });
  const png = await page.screenshot({ clip, captureBeyondViewport: true, encoding: 'base64' });
  return desk.evaluate((data, by) => window.reduced(data, by), png, reduction);
}

/** Works on pictures: runs on a page of its own. */
function tools() {
  const load = async (/** @type {string} */ url) => { const image = new Image(); image.src = url; await image.decode(); return image; };
  const draw = (/** @type {CanvasImageSource} */ image, /** @type {number} */ w, /** @type {number} */ h) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { willReadFrequently: true }));
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, w, h);
    return { canvas, context };
  };
  window.reduced = async (/** @type {string} */ png, /** @type {number} */ by) => {
    const image = await load(`data:image/png;base64,${png}`);
    const { canvas } = draw(image, Math.round(image.width / by), Math.round(image.height / by));
    return canvas.toDataURL('image/webp', 0.8);
  };
  window.compared = async (/** @type {string} */ a, /** @type {string} */ b, /** @type {Record<string, number>} */ { block, tile, off, few }) => {
    const [left, right] = [await load(a), await load(b)];
    if (Math.abs(left.width - right.width) > 1 || Math.abs(left.height - right.height) > block) return [`it is ${right.width} × ${right.height}, not ${left.width} × ${left.height}`];
    const [w, h] = [Math.floor(Math.min(left.width, right.width) / block), Math.floor(Math.min(left.height, right.height) / block)];
    const means = [left, right].map((image) => draw(draw(image, image.width, image.height).canvas, image.width, image.height).context.getImageData(0, 0, w * block, h * block).data)
      .map((data) => { const sum = new Float64Array(w * h * 3); for (let y = 0; y < h * block; y++) for (let x = 0; x < w * block; x++) for (let c = 0; c < 3; c++) sum[(Math.floor(y / block) * w + Math.floor(x / block)) * 3 + c] += data[(y * w * block + x) * 4 + c] / block ** 2; return sum; });
    const found = [];
    for (let ty = 0; ty < h; ty += tile) {
      for (let tx = 0; tx < w; tx += tile) {
        let [bad, all] = [0, 0];
        for (let y = ty; y < Math.min(ty + tile, h); y++) {
          for (let x = tx; x < Math.min(tx + tile, w); x++) {
            all++;
            const at = (y * w + x) * 3;
            if ([0, 1, 2].some((c) => Math.abs(means[0][at + c] - means[1][at + c]) > off)) bad++;
          }
        }
        if (bad / all > few) found.push({ x: tx, y: ty, bad: Math.round(bad / all * 100) });
      }
    }
    return found.map((f) => `${f.bad} % of the tile at ${f.x * block}, ${f.y * block}`);
  };
}

describe('look', { timeout: 180_000 }, () => {
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let server;
  /** @type {import('puppeteer-core').Browser} */
  let browser;
  /** @type {import('puppeteer-core').Page} */
  let desk;
  before(async () => {
    server = await serve();
    browser = await launch('chromium');
    desk = await browser.newPage();
    await desk.evaluate(tools);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  for (const [mode, how] of Object.entries({ light: { width: 1280 }, dark: { width: 1280, dark: true }, narrow: { width: 400, height: 800 } })) {
    test(mode, async () => {
      const { page, errors } = await openPage(browser, server.url, how);
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: mode === 'dark' ? 'dark' : 'light' }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
      await page.evaluate(() => {
        document.documentElement.style.setProperty('--mono', 'Inter'); // the one font that is the machine's
        document.documentElement.style.setProperty('scrollbar-width', 'none');
      });
      const differ = [];
      for (const [state, { act, of }] of Object.entries(states)) {
        if (['failed', 'question', 'report'].includes(state) && await page.$eval('body', (b) => b.dataset.phase !== 'empty')) {
          await page.click('[data-act="undo"]');
          await page.waitForSelector('body[data-phase="empty"]');
        }
        await act(page);
        const now = await picture(page, desk, of);
        const file = join(goldens, `${state}-${mode}.webp`);
        const golden = await readFile(file).then((bytes) => `data:image/webp;base64,${bytes.toString('base64')}`, () => '');
        const found = golden ? await desk.evaluate((a, b, how) => window.compared(a, b, how), golden, now, { block, tile, off, few }) : ['there is no picture of it'];
        if (found.length === 0) continue;
        const to = process.env.UPDATE ? file : join(tmpdir(), 'pgknee-look', `${state}-${mode}.webp`);
        await mkdir(join(to, '..'), { recursive: true });
        await writeFile(to, Buffer.from(now.slice(now.indexOf(',') + 1), 'base64'));
        if (!process.env.UPDATE) differ.push(`${state} does not look as ${file} but as ${to}: ${found.slice(0, 6).join(', ')}${found.length > 6 ? ` and ${found.length - 6} more` : ''}`);
      }
      await page.close();
      assert.deepEqual(errors, []);
      assert.deepEqual(differ, [], 'make the pictures anew (see above) if the page is to look so');
    });
  }

  test('the pictures are small', async () => {
    const sizes = await Promise.all((await readdir(goldens)).map(async (name) => (await stat(join(goldens, name))).size));
    assert.ok(sizes.reduce((a, b) => a + b, 0) < 1 << 20, `${sizes.length} pictures of ${sizes.reduce((a, b) => a + b, 0)} bytes`);
  });
});
