// What the browser tests share: a server for the built page, the two browsers, and how a person's acts are done.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';

export const built = fileURLToPath(new URL('../out/', import.meta.url));
export const top = fileURLToPath(new URL('../../', import.meta.url));

/** Serves the built page as people do: pgknee serve, on a free port. */
export async function serve() {
  const child = spawn(join(top, 'bin', 'pgknee'), ['serve', '-addr', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`pgknee serve ended with ${code}`)));
    child.stdout.on('data', (d) => { const m = /http:\S+/.exec(String(d)); if (m) resolve(m[0]); });
  });
  return { url, close: () => child.exitCode === null && new Promise((resolve) => { child.once('exit', resolve); child.kill(); }) };
}

const types = /** @type {Record<string, string>} */ ({ html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm', svg: 'image/svg+xml', json: 'application/json', webmanifest: 'application/manifest+json', woff2: 'font/woff2' });

/** Serves a folder until it goes; it can come back at the same address. @param {string} folder */
export async function host(folder) {
  let gone = false;
  const server = createServer(async (request, response) => {
    if (gone) return void request.socket.destroy();
    const path = new URL(request.url ?? '', 'http://host').pathname.replace(/\/$/, '/index.html');
    const body = await readFile(join(folder, path)).catch(() => null);
    response.writeHead(body ? 200 : 404, { 'content-type': types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream', 'cache-control': 'no-cache' }).end(body);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(undefined)); });
  return {
    url: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`,
    go: () => { gone = true; server.closeAllConnections(); },
    comeBack: () => { gone = false; },
    close: () => { server.closeAllConnections(); server.close(); },
  };
}

const chromium = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-extensions', '--force-color-profile=srgb', '--font-render-hinting=none'];

/** Starts a browser with a profile of its own. @param {'chromium' | 'firefox'} name */
export async function launch(name) {
  const profile = await mkdtemp(join(tmpdir(), 'pgknee-test-'));
  const browser = await puppeteer.launch(name === 'firefox'
    ? { browser: 'firefox', executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr', headless: true, userDataDir: profile }
    : { browser: 'chrome', executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', headless: true, userDataDir: profile, args: chromium });
  const close = browser.close.bind(browser);
  browser.close = async () => {
    const stuck = setTimeout(() => browser.process()?.kill('SIGKILL'), 8000);
    await close().catch(() => {}); // a browser that had to be killed
    clearTimeout(stuck);
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return browser;
}

/**
 * Opens the page, collecting what goes wrong on it.
 * @param {import('puppeteer-core').Browser} browser @param {string} url
 */
export async function openPage(browser, url, { width = 1440, height = 1000, dark = false, first = null } = {}) {
  const page = await browser.newPage();
  const errors = [];
  page.on('pageerror', (e) => errors.push(String(e?.stack ?? e)));
  page.on('console', (m) => { if (m.type() === 'error') errors.push(m.text()); });
  await page.setViewport({ width, height });
  if (dark) await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]).catch(() => page.evaluateOnNewDocument(() => { if (/^(http|file):/.test(location.protocol)) localStorage.setItem('pgknee.theme', 'dark'); }));
  if (first) await page.evaluateOnNewDocument(first);
  await page.goto(url, { waitUntil: 'load' });
  return { page, errors };
}

/**
 * Drops files on the window.
 * @param {import('puppeteer-core').Page} page @param {{name: string, text: string}[]} files
 */
export async function drop(page, files) {
  await page.evaluate((list) => {
    const data = new DataTransfer();
    for (const f of list) data.items.add(new File([f.text], f.name));
    for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
  }, files);
}

/** Pastes text. @param {import('puppeteer-core').Page} page @param {string} text */
export async function paste(page, text) {
  await page.evaluate((t) => {
    const data = new DataTransfer();
    data.setData('text/plain', t);
    document.body.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data, dataType: 'text/plain', data: t }));
  }, text);
}

/** Waits until the report is complete. @param {import('puppeteer-core').Page} page */
export const settled = (page) => page.waitForSelector('body[data-phase="done"]', { timeout: 20_000 });

/** Waits until a chart is drawn. @param {import('puppeteer-core').Page} page */
export const drawn = (page) => page.waitForFunction(() => performance.getEntriesByName('pgknee-drawn').length > 0 && document.querySelector('.chart canvas'), { timeout: 20_000 });

/** Waits until the browser keeps the page's document for a reload, with something in its text. @param {import('puppeteer-core').Page} page @param {string} what */
export const kept = (page, what) => page.waitForFunction(async (what) => {
  const answer = (/** @type {IDBRequest} */ request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
  const db = await answer(indexedDB.open('pgknee', 1));
  const doc = await answer(db.transaction('docs').objectStore('docs').get(sessionStorage.getItem('pgknee.tab') ?? ''));
  db.close();
  return JSON.stringify(doc ?? '').includes(what);
}, { polling: 100, timeout: 20_000 }, what);
