// The page in real browsers, used as a person uses it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { built, drawn, drop, host, kept, launch, openPage, paste, serve, settled, top } from './harness.mjs';

const run = promisify(execFile);

/** A pgbench output of our own making. */
const output = (clients, tps, mode = 'simple') => `pgbench (17.2)
transaction type: <builtin: select only>
scaling factor: 100
query mode: ${mode}
number of clients: ${clients}
number of threads: ${Math.min(clients, 8)}
maximum number of tries: 1
duration: 60 s
number of transactions actually processed: ${Math.round(tps * 60)}
number of failed transactions: 0 (0.000%)
latency average = ${((clients / tps) * 1000).toFixed(3)} ms
initial connection time = 12.345 ms
tps = ${tps.toFixed(6)} (without initial connection time)
`;

const sweep = [1, 2, 4, 8, 16, 32, 64, 128].map((n, i) => ({ name: `sweep/c${n}.txt`, text: output(n, ((9000 * n) / (1 + 0.02 * (n - 1) + 0.0004 * n * (n - 1))) * (1 + 0.02 * Math.sin(7 * i))) }));

const browsers = (process.env.PGKNEE_BROWSERS ?? 'chromium,firefox').split(',');

for (const name of browsers) {
  describe(name, { timeout: 240_000 }, () => {
    /** @type {Awaited<ReturnType<typeof serve>>} */
    let server;
    /** @type {import('puppeteer-core').Browser} */
    let browser;
    before(async () => {
      server = await serve();
      browser = await launch(/** @type {'chromium'} */ (name));
    });
    after(async () => {
      await browser?.close();
      await server?.close();
    });

    /** Opens the page for one test. @param {(page: import('puppeteer-core').Page) => Promise<void>} act @param {object} [how] */
    async function onPage(act, how) {
      const { page, errors } = await openPage(browser, server.url, how);
      try {
        await act(page);
        assert.deepEqual(errors, [], 'errors on the page');
      } finally {
        await page.close();
      }
    }

    const text = (page, selector) => page.$eval(selector, (e) => e.textContent);
    const region = (name) => `section[aria-label="${name}"]`;

    test('an empty page explains itself', () => onPage(async (page) => {
      assert.match(await text(page, 'h1'), /throughput bends/);
      assert.equal((await page.$$('[data-sample]')).length, 3);
      assert.ok(await page.$('main'));
      assert.equal(await page.$eval('#choose', (e) => e.type), 'file');
    }));

    test('dropped files become a curve, with every file accounted for', () => onPage(async (page) => {
      await drop(page, sweep);
      await settled(page);
      await drawn(page);
      assert.match(await text(page, region('Files')), /8 runs|8 files/);
      await page.click('.curves .data summary');
      await page.waitForFunction((n) => document.querySelectorAll('.curves .data tbody tr').length === n, {}, sweep.length);
    }));

    test('files are chosen through the labelled input', () => onPage(async (page) => {
      const folder = await mkdtemp(join(tmpdir(), 'pgknee-choose-'));
      const file = join(folder, 'c8.txt');
      await writeFile(file, output(8, 61000));
      await (await page.$('input[type=file][aria-label="Choose files"]')).uploadFile(file);
      await settled(page);
      assert.match(await text(page, region('Files')), /c8\.txt/);
      await rm(folder, { recursive: true });
    }));

    test('pasted text is read', () => onPage(async (page) => {
      await paste(page, sweep.map((f) => f.text).join('\n'));
      await settled(page);
      assert.match(await text(page, region('Files')), /pasted-1\.txt.*8 runs/);
    }));

    test('what is no result is refused with a reason, as text', () => onPage(async (page) => {
      await drop(page, [{ name: '<img src=x onerror=alert(1)>.txt', text: 'nothing of the kind\n'.repeat(3) }]);
      await settled(page);
      assert.match(await text(page, region('Files')), /<img src=x onerror=alert\(1\)>\.txt/);
      assert.equal(await page.$('main img'), null);
    }));

    test('a reload restores inputs, edits and view; undo still works', () => onPage(async (page) => {
      await drop(page, sweep);
      await settled(page);
      await page.keyboard.press('x');
      await kept(page, '"logX":false');
      await page.reload({ waitUntil: 'load' });
      await settled(page);
      assert.match(await text(page, region('Files')), /8 files|8 runs/);
      assert.equal(await page.$eval('[data-k="view linear x"]', (e) => e.getAttribute('aria-pressed')), 'true');
      await page.click('[data-act="undo"]');
      await page.waitForSelector('body[data-phase="empty"]');
    }));

    test('edits can be undone and redone by keyboard', () => onPage(async (page) => {
      await drop(page, sweep);
      await settled(page);
      await drop(page, [{ name: 'more/c256.txt', text: output(256, 80000) }]);
      await page.waitForFunction(() => /9 (files|runs)/.test(document.querySelector('pk-files')?.textContent ?? ''));
      const press = async (key) => { await page.keyboard.down('Control'); await page.keyboard.press(key); await page.keyboard.up('Control'); };
      await press('z');
      await page.waitForFunction(() => /8 (files|runs)/.test(document.querySelector('pk-files')?.textContent ?? ''));
      await press('y');
      await page.waitForFunction(() => /9 (files|runs)/.test(document.querySelector('pk-files')?.textContent ?? ''));
    }));

    test('a key lists the keys, and Escape gives the focus back', () => onPage(async (page) => {
      await page.focus('[data-act="theme"]');
      await page.keyboard.press('?');
      await page.waitForSelector('dialog[open] .keys');
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('dialog'));
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-act')), 'theme');
    }));

    test('the chart is read with the arrow keys, and a run excluded', () => onPage(async (page) => {
      await drop(page, sweep);
      await settled(page);
      await drawn(page);
      await page.waitForFunction(() => { const n = performance.getEntriesByName('pgknee-drawn').length; const same = n === window.drawings; window.drawings = n; return same; }, { polling: 400 }); // the curves came first, then the whole report, which is read
      await page.click('.curves .data summary');
      await page.focus('.chart[tabindex]');
      await page.keyboard.press('ArrowRight');
      assert.match(await text(page, '.chart .hover'), /1 client/);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      await page.waitForSelector('.pop');
      await page.evaluate(() => [...document.querySelectorAll('.pop button')].find((b) => b.textContent === 'Exclude')?.click());
      await page.waitForFunction(() => document.querySelectorAll('.curves .data tbody tr').length === 7);
    }));

    test('everything is done by keyboard alone', () => onPage(async (page) => {
      const tabTo = async (selector) => {
        for (let i = 0; i < 60; i++) {
          await page.keyboard.press('Tab');
          if (await page.evaluate((s) => document.activeElement?.matches(s) && document.activeElement.matches(':focus-visible'), selector)) return;
        }
        assert.fail(`${selector} is not reached`);
      };
      const control = async (key) => { await page.keyboard.down('Control'); await page.keyboard.press(key); await page.keyboard.up('Control'); };
      await tabTo('[data-act="paste"]');
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog textarea');
      await page.keyboard.type('clients,v12,v13\n1,9000,9100\n4,35000,35500\n16,120000,119000\n64,240000,180000\n256,200000,90000\n');
      await tabTo('dialog .solid');
      await page.keyboard.press('Enter');
      await settled(page);
      await drawn(page);
      await page.keyboard.press('c');
      for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight');
      assert.match(await text(page, '.chart .hover'), /^64 clients/);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.pop');
      const drawings = await page.evaluate(() => performance.getEntriesByName('pgknee-drawn').length);
      await page.keyboard.press('Enter'); // the first run is excluded
      await page.waitForFunction(() => /Exclude/.test(document.querySelector('[data-act="undo"]')?.title ?? '') && document.body.dataset.phase === 'done' && !document.querySelector('.pop'));
      await page.waitForFunction((before) => performance.getEntriesByName('pgknee-drawn').length > before, {}, drawings); // the chart without it
      assert.equal(await page.evaluate(() => document.activeElement?.classList.contains('chart')), true, 'the focus is where it was');
      await page.keyboard.press('ArrowLeft');
      assert.match(await text(page, '.chart .hover'), /^16 clients/, 'reading goes on where it was');
      await tabTo('[aria-label="Baseline"]');
      await page.keyboard.press('ArrowDown');
      await page.waitForFunction(() => document.body.dataset.phase === 'done' && document.querySelector('.legend .tag')?.closest('li')?.textContent.includes('v13'));
      await control('z');
      await page.waitForFunction(() => document.body.dataset.phase === 'done' && document.querySelector('.legend .tag')?.closest('li')?.textContent.includes('v12'));
      await page.evaluate(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.saved = blob; return make.call(URL, blob); }; });
      await page.keyboard.press('Escape');
      await page.focus('[data-act="export"]');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.querySelector('dialog img')?.naturalWidth > 0);
      await tabTo('dialog .acts .quiet');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => window.saved?.type === 'image/png');
      await page.keyboard.press('Escape');
      await page.keyboard.press('s');
      await page.waitForFunction(() => document.querySelector('dialog input[readonly]')?.value.includes('#d='));
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('dialog'));
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-act')), 'export');
    }));

    test('of very many runs the page holds an excerpt, with runs of every point', () => onPage(async (page) => {
      const rows = Array.from({ length: 12_000 }, (_, i) => `${i < 6000 ? 'old' : 'new'},${2 ** (i % 3)},${1000 * 2 ** (i % 3) + (i % 7)}`);
      await drop(page, [{ name: 'many.csv', text: `build,clients,tps\n${rows.join('\n')}\n` }]);
      await settled(page);
      await drawn(page);
      await page.click('.curves .data summary');
      await page.focus('.chart[tabindex]');
      await page.keyboard.press('ArrowRight');
      assert.match(await text(page, '.chart .hover'), /2[\s\u202f]?000/);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.pop');
      assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('.pop table')].map((t) => t.querySelectorAll('tr').length)), [40, 40]);
      assert.match(await text(page, '.pop'), /and 1[\s\u202f]?960 more/);
      await page.evaluate(() => [...document.querySelectorAll('.pop button')].filter((b) => b.textContent === 'Exclude').at(-1)?.click());
      await page.waitForFunction(() => /n 1999/.test(document.querySelector('.curves .data')?.textContent ?? ''));
    }));

    test('series are renamed, merged and compared as the person wants', () => onPage(async (page) => {
      await drop(page, [{ name: 'three.csv', text: 'clients,v12,v13,v14\n1,9000,9100,9050\n4,35000,35500,36000\n16,120000,119000,121000\n64,240000,180000,239000\n256,200000,90000,201000\n' }]);
      await settled(page);
      const labels = () => page.$$eval('.legend .name', (list) => list.map((e) => e.textContent));
      assert.deepEqual(await labels(), ['v12', 'v13', 'v14']);
      await page.click('[data-k="edit v13"]');
      await page.evaluate(() => { const i = document.querySelector('.pop input'); i.value = '13 <b>beta</b>'; });
      await page.focus('.pop input');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[data-k="edit 13 <b>beta</b>"]');
      assert.equal(await page.$('main b b, .legend b'), null, 'a name is text');
      await settled(page);
      await page.select('[aria-label="Baseline"]', 'v14');
      await page.waitForFunction(() => document.body.dataset.phase === 'done' && document.querySelector('.legend .tag')?.closest('li')?.textContent.includes('v14'));
      await page.click('[data-k="edit v12"]');
      await page.select('.pop select', 'v14');
      await page.waitForFunction(() => document.body.dataset.phase === 'done' && document.querySelectorAll('.legend li').length === 2);
      for (let i = 0; i < 3; i++) await page.click('[data-act="undo"]');
      await page.waitForFunction(() => document.body.dataset.phase === 'done' && document.querySelectorAll('.legend li').length === 3);
      assert.deepEqual(await labels(), ['v12', 'v13', 'v14']);
    }));

    test('wait events are shown with their shares, the smallest in the table only', () => onPage(async (page) => {
      await drop(page, [...sweep, { name: 'waits.txt', text: ' wait_event_type |  wait_event   | samples \n-----------------+---------------+---------\n LWLock          | WALWrite      |   10714 \n                 |               |      60 \n Client          | ClientRead    |     622 \n IO              | WALSync       |       3 \n(4 rows)\n' }]);
      await settled(page);
      await page.waitForSelector('.waits .bars');
      const shown = await page.$$eval('.waits .bars li', (rows) => rows.map((r) => r.textContent.replaceAll('\u00a0', ' ')));
      assert.deepEqual(shown, ['LWLock:WALWrite94 %', 'Client:ClientRead5.5 %', 'CPU0.5 %']);
      await page.click('[data-k="events"]');
      await page.waitForSelector('.waits table');
      assert.match(await page.$eval('.waits table', (t) => t.textContent ?? ''), /IO:WALSync3/);
    }));

    test('logs have percentiles by client count and a heat map, each with the table of its data', () => onPage(async (page) => {
      const log = (clients, us) => Array.from({ length: 400 }, (_, i) => `${i % clients} ${Math.floor(i / clients) + 1} ${i % 100 === 99 ? us * 20 : us + i % 7} 0 ${1700000000 + Math.floor(i / 40)} ${i * 25 % 1000}000`).join('\n');
      await drop(page, [1, 2, 4, 8].map((n) => ({ name: `logs/pgbench_log.${4000 + n}`, text: `${log(n, 500 * n)}\n` })));
      await settled(page);
      await drawn(page);
      const table = () => page.$$eval('.curves .data tr', (rows) => rows.map((r) => [...r.children].map((c) => c.textContent).join('|')));
      await page.waitForFunction(() => document.querySelector('[data-k="view Percentiles"]'));
      await page.$eval('.curves .data', (d) => { d.open = true; });
      await page.keyboard.press('3');
      await page.waitForFunction(() => /p99/.test(document.querySelector('.curves .data thead')?.textContent ?? ''));
      const rows = await table();
      assert.equal(rows[0], 'clients|p50, ms|p90, ms|p95, ms|p99, ms|p99.9, ms');
      assert.deepEqual(rows.slice(1).map((r) => r.split('|')[0]), ['1', '2', '4', '8']);
      assert.match(rows[4], /^8\|4(\.0\d+)?\|4(\.0\d+)?\|4(\.0\d+)?\|[48]/);
      await page.keyboard.press('6');
      await page.waitForFunction(() => /^seconds/.test(document.querySelector('.curves .data th')?.textContent ?? ''));
      assert.match((await table())[0], /≤\s[\d.]+\sms/);
    }));

    test('unclear columns are asked about, and the answer reads the file again', () => onPage(async (page) => {
      await drop(page, [{ name: 'numbers.csv', text: '1,1,9012\n2,1,17800\n4,1,33100\n8,1,60500\n16,1,98000\n32,1,120500\n' }]);
      await settled(page);
      await page.waitForSelector('.question select');
      assert.equal(await page.$('.chip.bad'), null, 'a file with a question is not one that failed');
      const selects = await page.$$('.question select');
      assert.equal(selects.length, 3);
      for (const [i, role] of ['clients', '-', 'tps'].entries()) await selects[i].select(role);
      await page.click('.question .solid');
      await page.waitForFunction(() => document.body.dataset.phase === 'done' && /read with the columns clients,-,tps/.test(document.querySelector('pk-questions')?.textContent ?? ''));
      assert.equal((await page.$$('.legend li')).length, 1);
      await page.click('[data-act="undo"]');
      await page.waitForSelector('.question select');
    }));

    test('a stretch of the chart is brushed, and the whole range comes back', () => onPage(async (page) => {
      await drop(page, sweep);
      await settled(page);
      await drawn(page);
      const box = await (await page.$('.chart canvas')).boundingBox();
      await page.evaluate(() => document.querySelector('.curves').scrollIntoView());
      const at = await (await page.$('.chart canvas')).boundingBox();
      await page.mouse.move(at.x + box.width * 0.3, at.y + 100);
      await page.mouse.down();
      await page.mouse.move(at.x + box.width * 0.6, at.y + 120, { steps: 4 });
      await page.mouse.up();
      await page.waitForSelector('[data-k="unzoom"]');
      await page.click('[data-k="unzoom"]');
      await page.waitForFunction(() => !document.querySelector('[data-k="unzoom"]'));
    }));

    test('"new" asks once, and can be undone', () => onPage(async (page) => {
      await drop(page, sweep);
      await settled(page);
      await page.keyboard.press('n');
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('dialog'));
      assert.equal(await page.$eval('body', (b) => b.dataset.phase), 'done');
      await page.keyboard.press('n');
      await page.waitForSelector('dialog[open]');
      await page.keyboard.press('Enter');
      await page.waitForSelector('body[data-phase="empty"]');
      await page.keyboard.down('Control');
      await page.keyboard.press('z');
      await page.keyboard.up('Control');
      await settled(page);
    }));

    test('a worker that dies is told of, and another takes up what was loaded', async () => {
      const { page } = await openPage(browser, server.url, { first: () => {
        const Real = Worker;
        let dies = true;
        window.Worker = class extends Real {
          postMessage(m, ...rest) {
            if (dies && m.op === 'load') {
              dies = false;
              this.terminate();
              setTimeout(() => this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' })));
            } else super.postMessage(m, ...rest);
          }
        };
      } });
      try {
        await drop(page, sweep);
        await page.waitForSelector('body[data-phase="failed"]');
        assert.match(await text(page, '[role=alert]'), /out of memory/);
        await page.click('[data-k="again"]');
        await settled(page);
        assert.match(await text(page, region('Files')), /8 files|8 runs/);
      } finally {
        await page.close();
      }
    });

    test('an engine that does not come is told of, and comes with the next try', async () => {
      const { page } = await openPage(browser, server.url, { first: () => {
        const Real = Worker;
        let fails = true;
        window.Worker = class extends Real {
          postMessage(m, ...rest) {
            super.postMessage(fails && m.op === 'compile' ? { ...m, url: new URL('gone.wasm', location.href).href } : m, ...rest);
            window.comes = () => { fails = false; };
          }
        };
      } });
      try {
        await drop(page, sweep);
        await page.waitForSelector('body[data-phase="failed"]');
        assert.match(await text(page, 'pk-finding'), /The engine could not be loaded: 404/);
        await page.evaluate(() => window.comes());
        await page.click('[data-k="again"]');
        await settled(page);
        assert.match(await text(page, region('Files')), /8 files|8 runs/);
      } finally {
        await page.close();
      }
    });

    test('a link carries the data and the view', () => onPage(async (page) => {
      await drop(page, sweep.slice(0, 3));
      await settled(page);
      await page.click('[data-act="share"]');
      await page.waitForFunction(() => document.querySelector('dialog input[readonly]')?.value.includes('#d='));
      const link = await page.$eval('dialog input[readonly]', (e) => e.value);
      await page.evaluate(() => sessionStorage.clear());
      await page.goto('about:blank');
      await page.goto(link, { waitUntil: 'load' });
      await settled(page);
      assert.match(await text(page, region('Files')), /c4\.txt/);
      assert.equal(new URL(page.url()).hash, '');
    }));

    test('a project file opens as it was saved, without paths and hosts where that was asked for', () => onPage(async (page) => {
      await drop(page, [{ name: 'db1.corp/c1.csv', text: `# on db1.example.internal, data in /srv/pg/data\nclients,old,new\n${[1, 2, 4, 8, 16].map((n) => `${n},${900 * n},${800 * n}`).join('\n')}\n` }]);
      await settled(page);
      await page.keyboard.press('x');
      await page.evaluate(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { window.saved = blob; return make.call(URL, blob); }; });
      await page.click('[data-act="share"]');
      await page.waitForFunction(() => document.querySelector('dialog input[readonly]')?.value.includes('#d='));
      await page.click('dialog input[type=checkbox]');
      await page.evaluate(() => [...document.querySelectorAll('dialog button')].find((b) => /project file/.test(b.textContent)).click());
      await page.waitForFunction(() => window.saved);
      const project = await page.evaluate(() => window.saved.text());
      assert.doesNotMatch(project, /internal|corp|srv/);
      await page.keyboard.press('Escape');
      await page.click('[data-act="undo"]');
      await page.waitForSelector('body[data-phase="empty"]');
      await page.keyboard.press('x');
      await drop(page, [{ name: 'pgknee-project.json', text: project }]);
      await settled(page);
      assert.equal((await page.$$('.legend li')).length, 2);
      assert.equal(await page.$eval('[data-k="view linear x"]', (e) => e.getAttribute('aria-pressed')), 'true', 'the view is the saved one');
    }));

    test('more than six series are small multiples when asked for; the history goes back and forth', () => onPage(async (page) => {
      await drop(page, [{ name: 'seven.csv', text: `clients,${[11, 12, 13, 14, 15, 16, 17].map((v) => `pg${v}`).join(',')}\n${[1, 2, 4, 8].map((n) => [n, ...Array.from({ length: 7 }, (_, i) => (1000 - 30 * i) * n)].join(',')).join('\n')}\n` }]);
      await settled(page);
      await page.click('[data-k="view small multiples"]');
      await page.waitForFunction(() => document.querySelectorAll('.multiples canvas').length === 7);
      await page.click('[data-k="view small multiples"]');
      await page.click('[data-k="edit pg12"]');
      await page.waitForSelector('.pop');
      await page.evaluate(() => [...document.querySelectorAll('.pop button')].find((b) => b.textContent === 'Use as baseline').click());
      await page.waitForFunction(() => document.body.dataset.phase === 'done' && document.querySelector('.legend .tag')?.closest('li')?.textContent.startsWith('pg12'));
      await page.keyboard.press('h');
      await page.waitForSelector('.history');
      assert.deepEqual(await page.$$eval('.history li', (l) => l.map((x) => x.textContent)), ['Add seven.csv', 'Compare with pg12']);
      await page.click('.history li:first-child button');
      await page.waitForFunction(() => document.body.dataset.phase === 'done' && document.querySelector('.legend .tag')?.closest('li')?.textContent.startsWith('pg11'));
      await page.keyboard.press('h');
      await page.waitForSelector('.history .undone');
      await page.click('.history .undone button');
      await page.waitForFunction(() => document.body.dataset.phase === 'done' && document.querySelector('.legend .tag')?.closest('li')?.textContent.startsWith('pg12'));
    }));

    test('the exported SVG is opaque, titled, and opens', () => onPage(async (page) => {
      await drop(page, sweep);
      await settled(page);
      await page.click('[data-act="export"]');
      await page.waitForFunction(() => document.querySelector('dialog img')?.naturalWidth > 0);
      const svg = await page.$eval('dialog img', (e) => decodeURIComponent(e.src.slice(e.src.indexOf(',') + 1)));
      assert.match(svg, /^<svg [^>]*width="1200" height="675"/);
      assert.match(svg, /<title>[^<]+<\/title>/);
      assert.match(svg, /<rect[^>]*fill="#ff/i);
      assert.doesNotMatch(svg, /dominant-baseline|"font:/, 'office programs know neither');
      const blank = await browser.newPage(); // away from the page's policy, which a parser obeys
      assert.equal(await blank.evaluate((s) => new DOMParser().parseFromString(s, 'image/svg+xml').querySelector('parsererror')?.textContent ?? '', svg), '');
      await blank.close();
    }));

    test('what is exported is what is shown: the stretch and the markers, too', () => onPage(async (page) => {
      await drop(page, sweep);
      await settled(page);
      await drawn(page);
      await page.focus('.chart[tabindex]');
      for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
      await page.waitForSelector('.pop');
      await page.focus('.pop input');
      await page.keyboard.type('pool {size}');
      await page.evaluate(() => [...document.querySelectorAll('.pop button')].find((b) => b.textContent === 'Mark this count').click());
      await page.focus('.chart[tabindex]');
      await page.keyboard.press('+');
      await page.waitForSelector('[data-k="unzoom"]');
      await page.keyboard.press('e');
      await page.waitForFunction(() => document.querySelector('dialog img')?.naturalWidth > 0);
      const svg = await page.$eval('dialog img', (e) => decodeURIComponent(e.src.slice(e.src.indexOf(',') + 1)));
      const words = [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map((m) => m[1]);
      assert.ok(words.includes('pool {size}'), 'the marker');
      assert.deepEqual(words.filter((w) => /^\d+$/.test(w) && Number(w) >= 1), ['4', '8', '16', '32'], 'the counts of the stretch');
    }));

    test("the page's report is the command line's", () => onPage(async (page) => {
      const folder = await mkdtemp(join(tmpdir(), 'pgknee-cli-'));
      try {
        const files = sweep.map((f) => ({ name: f.name.split('/')[1], text: f.text }));
        for (const f of files) await writeFile(join(folder, f.name), f.text);
        const cli = await run(join(top, 'bin', 'pgknee'), ['analyze', '--json', ...files.map((f) => f.name)], { cwd: folder, maxBuffer: 64 << 20 });
        const ours = await page.evaluate((list) => window.pgknee.analyze(list.map((f) => new File([f.text], f.name))), files);
        assert.deepEqual(ours, JSON.parse(cli.stdout));
      } finally {
        await rm(folder, { recursive: true });
      }
    }));

    test('nothing is requested after the page has loaded', () => onPage(async (page) => {
      await page.waitForFunction(() => window.pgknee);
      await page.evaluate((t) => window.pgknee.analyze([new File([t], 'warm.txt')]), output(1, 9000));
      const asked = [];
      page.on('request', (r) => { if (/^(http|ws)/.test(r.url())) asked.push(r.url()); });
      await page.click('[data-sample="protocols"]');
      await settled(page);
      await drawn(page);
      await page.click('[data-act="export"]');
      await page.waitForFunction(() => document.querySelector('dialog img')?.naturalWidth > 0);
      assert.deepEqual(asked, []);
    }));

    test('the texts are those of the command line', () => onPage(async (page) => {
      const folder = await mkdtemp(join(tmpdir(), 'pgknee-text-'));
      try {
        const files = sweep.map((f) => ({ name: f.name.split('/')[1], text: f.text }));
        for (const f of files) await writeFile(join(folder, f.name), f.text);
        await drop(page, files);
        await settled(page);
        await page.keyboard.press('e');
        await page.waitForSelector('dialog[open]');
        for (const [label, flag] of [['Mail', '--mail'], ['Markdown', '--markdown'], ['JSON', '--json'], ['CSV', '--csv']]) {
          const cli = await run(join(top, 'bin', 'pgknee'), ['analyze', flag, ...files.map((f) => f.name)], { cwd: folder, maxBuffer: 64 << 20 });
          await page.evaluate((l) => { document.querySelector('dialog pre').textContent = ''; [...document.querySelectorAll('dialog button')].find((b) => b.textContent === l).click(); }, label);
          await page.waitForFunction(() => document.querySelector('dialog pre').textContent !== '');
          assert.equal(await page.$eval('dialog pre', (e) => e.textContent), cli.stdout.slice(0, 30_000), label);
        }
      } finally {
        await rm(folder, { recursive: true });
      }
    }));

    test('stacks are drawn and searched', () => onPage(async (page) => {
      await drop(page, [{ name: 'on.folded', text: 'postgres;main;ExecutorRun;heap_fetch 60\npostgres;main;pgss_store;s_lock 40\n'.replaceAll('\\n', '\n') }]);
      await settled(page);
      await page.waitForFunction(() => performance.getEntriesByName('pgknee-flame').length > 0);
      await page.focus('.flames');
      await page.keyboard.press('/');
      await page.keyboard.type('s_l');
      await page.waitForFunction(() => /1 function, 40\s%/.test(document.querySelector('.flame-bar')?.textContent ?? ''));
      await page.keyboard.type('ock');
      await page.waitForFunction(() => document.querySelector('[data-k="search"]')?.value === 's_lock');
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => /1 function, 40\s%/.test(document.querySelector('.flame-bar')?.textContent ?? ''));
      await page.focus('.flames');
      for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp']) await page.keyboard.press(key);
      assert.match(await text(page, '.frame-says'), /ExecutorRun|main/);
    }));

    test('names of functions are text in every view', () => onPage(async (page) => {
      const evil = ['<img src=x onerror=alert(1)>', '\u202egnp.exe', '</title><script>alert(1)</script>', 'x'.repeat(1 << 20)];
      let alerts = 0;
      page.on('dialog', (d) => { alerts++; void d.dismiss(); });
      const text = (n) => evil.map((name, i) => `main;${name} ${10 + i * n}\n`).join('');
      await drop(page, [{ name: 'a.folded', text: text(1) }, { name: 'b.folded', text: text(9) }]);
      await settled(page);
      for (const kind of ['icicle', 'inverted', 'sandwich', 'difference', 'flame']) {
        await page.evaluate(() => performance.clearMarks('pgknee-flame'));
        await page.click(`[data-k="kind ${kind}"]`);
        await page.waitForFunction(() => performance.getEntriesByName('pgknee-flame').length > 0);
        await page.focus('.flames');
        for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
      }
      await page.click('[data-k="functions"]');
      assert.equal(await page.evaluate(() => document.querySelectorAll('main img, main script').length + (document.documentElement.scrollWidth > innerWidth ? 100 : 0)), 0);
      const tall = await page.evaluate(() => document.documentElement.scrollHeight);
      assert.ok(tall < 10_000, `a name of a megabyte makes the page ${tall} pixels high`);
      assert.equal(alerts, 0);
    }));

    test('the name of a file widens nothing', () => onPage(async (page) => {
      await drop(page, [{ name: `${'n'.repeat(5000)}.csv`, text: 'clients,tps\n1,2\n2,4\n4,7\n8,9\n16,10\n' }]);
      await settled(page);
      await drawn(page);
      await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight < 10_000, { timeout: 5000 });
    }));

    test('a frame that was clicked can be followed, and every step undone', () => onPage(async (page) => {
      await drop(page, [{ name: 'on.folded', text: 'postgres;main;ExecutorRun;heap_fetch 60\npostgres;main;pgss_store;s_lock 40\n' }]);
      await settled(page);
      await page.waitForFunction(() => performance.getEntriesByName('pgknee-flame').length > 0);
      const press = (label) => page.evaluate((t) => [...document.querySelectorAll('pk-flame button')].find((b) => b.textContent === t || b.getAttribute('aria-label') === t).click(), label);
      await page.focus('.flames');
      for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowRight', 'Enter']) await page.keyboard.press(key); // postgres, main, ExecutorRun, pgss_store
      await page.waitForFunction(() => document.querySelector('.crumbs') && /pgss_store 40\s% total/.test(document.querySelector('.frame-says')?.textContent ?? ''));
      assert.equal(await page.evaluate(() => document.activeElement?.className), 'flames', 'the focus stays');
      await press('Only stacks with it');
      await page.waitForFunction(() => /only stacks with pgss_store/.test(document.querySelector('.crumbs')?.textContent ?? ''));
      await press('Undo only stacks with pgss_store');
      await page.waitForFunction(() => !document.querySelector('.crumbs'));
    }));

    test('functions are sorted and filtered, and lead to their callers', () => onPage(async (page) => {
      await drop(page, [{ name: 'off.folded', text: 'm;f 90\nm;g 10\n' }, { name: 'on.folded', text: 'm;f 50\nm;g 48\nm;h 2\n' }]);
      await settled(page);
      await page.click('[data-k="functions"]');
      const named = (want) => page.waitForFunction((w) => [...document.querySelectorAll('.functions tbody tr')].map((r) => r.firstChild.textContent).join(' ') === w, {}, want);
      await named('f g h'); // by how far they moved
      await page.click('[data-k="sort 2"]');
      await named('g h f'); // by points
      await page.focus('[data-k="filter functions"]');
      await page.keyboard.type('h');
      await named('h');
      await page.click('.functions tbody button');
      await page.waitForFunction(() => /Sandwich of h/.test(document.querySelector('pk-flame h2')?.textContent ?? ''));
    }));

    test('callers and callees begin with the function that takes most itself', () => onPage(async (page) => {
      await drop(page, [{ name: 'on.folded', text: 'postgres;[unknown] 50\npostgres;libc.so.6 20\npostgres;main;ExecScan 11\npostgres;main;s_lock 19\n' }]);
      await settled(page);
      await page.click('[data-k="kind sandwich"]');
      await page.waitForFunction(() => /Sandwich of s_lock/.test(document.querySelector('pk-flame h2')?.textContent ?? ''));
      assert.ok(await page.evaluate(() => [...document.querySelectorAll('[data-k^="fold "]')].every((b) => b.title)));
    }));

    test('a profile is attached to a series by hand', () => onPage(async (page) => {
      await drop(page, [...sweep, { name: 'anything.folded', text: 'm;f 90\nm;s_lock 10\n' }]);
      await settled(page);
      const series = await page.evaluate(() => { const s = document.querySelector('[data-k="series of 0"]'); s.focus(); s.value = s.options[1].value; s.dispatchEvent(new Event('change')); return s.options[1].value; });
      await page.waitForFunction((label) => document.querySelector('[data-k="series of 0"]')?.value === label && document.body.dataset.phase === 'done', {}, series);
      assert.match(await text(page, '.beside tbody tr'), /clients.*10\s%.*spinlock 10\s% under m/);
    }));

    test('the whole tool in one file works from a file', async () => {
      const { page, errors } = await openPage(browser, pathToFileURL(join(built, 'pgknee.html')).href);
      try {
        await drop(page, sweep);
        await settled(page);
        await drawn(page);
        assert.match(await text(page, region('Files')), /8 files|8 runs/);
        assert.deepEqual(errors, []);
      } finally {
        await page.close();
      }
    });

    test('an interactive report is made without a request, and opens with its data', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pgknee-report-'));
      try {
        const file = join(folder, 'report.html');
        await onPage(async (page) => {
          await drop(page, sweep);
          await settled(page);
          await page.evaluate(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { if (blob.type === 'text/html') window.saved = blob; return make.call(URL, blob); }; });
          await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated');
          const requests = [];
          page.on('request', (r) => { if (r.url().startsWith('http')) requests.push(r.url()); });
          await page.keyboard.press('e');
          await page.waitForSelector('dialog[open]');
          await page.evaluate(() => [...document.querySelectorAll('dialog button')].find((b) => b.textContent === 'Interactive page').click());
          await page.waitForFunction(() => window.saved?.type === 'text/html');
          assert.deepEqual(requests, []);
          await writeFile(file, await page.evaluate(() => window.saved.text()));
        });
        const { page, errors } = await openPage(browser, pathToFileURL(file).href);
        await settled(page);
        await drawn(page);
        assert.match(await text(page, region('Files')), /8 files|8 runs/);
        assert.deepEqual(errors, []);
        await page.close();
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    test('the page works while its host is gone, and a new version takes over when it is asked to', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'pgknee-host-'));
      await cp(built, folder, { recursive: true });
      const at = await host(folder);
      const { page } = await openPage(browser, at.url); // what can't be had from a host that is gone is an error of its own
      try {
        await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated');
        await page.click('[data-sample="protocols"]');
        await settled(page);
        await kept(page, '"inputs":[{');
        at.go();
        await page.reload({ waitUntil: 'load' });
        await settled(page);
        await drawn(page);
        await page.keyboard.press('e');
        await page.waitForFunction(() => document.querySelector('dialog img')?.naturalWidth > 0);
        await page.keyboard.press('Escape');
        at.comeBack();
        await writeFile(join(folder, 'sw.js'), (await readFile(join(folder, 'sw.js'), 'utf8')).replace(/build = '[^']*'/, "build = 'next'"));
        await writeFile(join(folder, 'index.html'), (await readFile(join(folder, 'index.html'), 'utf8')).replace('class="version">', 'class="version">next '));
        await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
        await page.waitForSelector('.bar .update:not([hidden])');
        assert.doesNotMatch(await text(page, '.version'), /next/);
        await page.click('.bar .update');
        await page.waitForFunction(() => /^next/.test(document.querySelector('.version')?.textContent ?? ''));
        await settled(page);
      } finally {
        await page.close();
        at.close();
        await rm(folder, { recursive: true });
      }
    });

    for (const [state, how] of Object.entries({ light: {}, dark: { dark: true }, narrow: { width: 400, height: 800 } })) {
      test(`axe finds nothing: ${state}`, () => onPage(async (page) => {
        const axe = await readFile(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
        const check = async (where) => {
          const found = await page.evaluate(async () => {
            const r = await window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] });
            return r.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target} ${n.failureSummary}`).join(' | ')}`);
          });
          assert.deepEqual(found, [], where);
        };
        await page.evaluate(axe);
        await check('empty');
        await page.click('[data-sample="protocols"]');
        await settled(page);
        await drawn(page);
        await page.waitForFunction(() => !document.querySelector('.status.shown'), { timeout: 10_000 });
        await page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true; });
        await page.waitForSelector('.curves .data table');
        await check('with results');
        assert.deepEqual(await page.evaluate(() => (document.documentElement.scrollWidth <= innerWidth ? [] : [document.documentElement.scrollWidth, ...[...document.querySelectorAll('body *')]
          .filter((e) => e.getBoundingClientRect().right > innerWidth && !e.closest('.scroll, pre')).map((e) => `${e.tagName}.${e.className} ${e.textContent.slice(0, 30)}`).slice(0, 5)])), [], 'wider than the window');
        await page.keyboard.press('e');
        await page.waitForSelector('dialog[open]');
        await check('export dialog');
      }, how));
    }
  });
}
