// The page: registers its elements, and turns drops, pastes, keys and clicks into work.

import { alarm, say } from './dom.js';
import { Advice } from './elements/advice.js';
import { ComparisonPart } from './elements/comparison.js';
import { Curves, views } from './elements/curves.js';
import * as dialogs from './elements/dialogs.js';
import { exporting } from './elements/export.js';
import { Files } from './elements/files.js';
import { Finding } from './elements/finding.js';
import { FlamePart } from './elements/flame.js';
import { Models } from './elements/models.js';
import { Profiles } from './elements/profiles.js';
import { Questions } from './elements/questions.js';
import { Runs } from './elements/runs.js';
import { Samples } from './elements/samples.js';
import { SettingsPart } from './elements/settings.js';
import { share } from './elements/share.js';
import { WaitsPart } from './elements/waits.js';
import { Engine } from './engine.js';
import { checked, decode } from './link.js';
import * as store from './store.js';
import { add, assets, begin, blobs, clear, paste } from './work.js';

/** @typedef {import('./report.js').Report} Report */

// The document's state shows in the page's shell.
store.subscribe((state) => {
  const before = document.body.dataset.phase;
  document.body.dataset.phase = state.phase === 'empty' && state.doc.inputs.length ? 'reading' : state.phase;
  // What had the focus may be gone with the empty page, or with the last file: reading goes on in what came instead.
  if (before !== document.body.dataset.phase) setTimeout(() => { if (document.activeElement === document.body || !document.activeElement?.checkVisibility()) document.getElementById('main')?.focus({ preventScroll: true }); });
  for (const [act, steps] of /** @type {const} */ ([['undo', state.past], ['redo', state.future]])) {
    for (const b of document.querySelectorAll(`[data-act="${act}"]`)) {
      /** @type {HTMLButtonElement} */ (b).disabled = steps.length === 0;
      const label = act === 'undo' ? steps.at(-1)?.label : steps[0]?.label;
      b.setAttribute('title', label ? `${act === 'undo' ? 'Undo' : 'Redo'}: ${label}` : '');
    }
  }
  document.body.classList.toggle('can-undo', state.past.length > 0);
});

for (const [name, part] of /** @type {[string, CustomElementConstructor][]} */ ([
  ['pk-samples', Samples], ['pk-files', Files], ['pk-questions', Questions], ['pk-finding', Finding], ['pk-curves', Curves], ['pk-runs', Runs],
  ['pk-comparison', ComparisonPart], ['pk-models', Models], ['pk-profiles', Profiles], ['pk-waits', WaitsPart], ['pk-flame', FlamePart], ['pk-settings', SettingsPart], ['pk-advice', Advice],
])) customElements.define(name, part);

// Theme: automatic, light, dark.

const themes = /** @type {const} */ (['auto', 'light', 'dark']);

/** @param {string} name */
function setTheme(name) {
  if (name === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
  for (const b of document.querySelectorAll('[data-act="theme"]')) b.setAttribute('aria-label', `Theme: ${name === 'auto' ? 'automatic' : name}`);
  try {
    localStorage.setItem('pgknee.theme', name);
  } catch {
    // Not remembered then.
  }
  dispatchEvent(new Event('themechange'));
}

function nextTheme() {
  const now = document.documentElement.dataset.theme ?? 'auto';
  const name = themes[(themes.findIndex((t) => t === now) + 1) % themes.length];
  setTheme(name);
  say(`Theme: ${name === 'auto' ? 'as the system has it' : name}`);
}

// What can be done, by name: buttons say data-act, keys are below.

/** @type {Record<string, () => void>} */
const acts = {
  undo: () => { const label = store.undo(); if (label) say(`Undone: ${label}`); },
  redo: () => { const label = store.redo(); if (label) say(`Redone: ${label}`); },
  history: dialogs.history,
  new: () => { if (store.get().doc.inputs.length) dialogs.confirmNew(clear); },
  home: () => acts.new(),
  samples: dialogs.chooseSample,
  paste: dialogs.pasteBox,
  share: () => { if (store.get().doc.inputs.length) share(); },
  export: exporting,
  theme: nextTheme,
  keys: dialogs.help,
  choose: () => document.getElementById('choose')?.click(),
  folder: () => document.getElementById('folder')?.click(),
  chart: () => {
    const chart = document.querySelector('.chart[tabindex]');
    if (chart instanceof HTMLElement) chart.focus();
  },
  x: () => store.setView({ logX: !store.get().view.logX }),
  y: () => store.setView({ logY: !store.get().view.logY }),
  update: () => waiting?.postMessage('take over'),
};

document.addEventListener('click', (e) => {
  const at = e.target instanceof Element ? e.target.closest('[data-act]') : null;
  if (!at) return;
  e.preventDefault();
  acts[at.getAttribute('data-act') ?? '']?.();
});

const keyActs = /** @type {Record<string, string>} */ ({ '?': 'keys', o: 'choose', e: 'export', s: 'share', n: 'new', h: 'history', c: 'chart', t: 'theme', x: 'x', y: 'y' });

document.addEventListener('keydown', (e) => {
  const typing = e.target instanceof HTMLElement && (e.target.matches('input:not([type=checkbox]), textarea, select') || e.target.isContentEditable);
  if (document.querySelector('dialog[open]')) return;
  if ((e.ctrlKey || e.metaKey) && !e.altKey && !(typing && !e.target.matches('select'))) { // a text has an undo of its own
    const key = e.key.toLowerCase();
    if (key === 'z' || key === 'y') {
      e.preventDefault();
      acts[key === 'y' || e.shiftKey ? 'redo' : 'undo']();
    }
    return;
  }
  if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
  const { report } = store.get();
  if (/^[1-6]$/.test(e.key) && report) {
    const name = ['tps', 'latency', 'percentiles', 'residuals', 'progress', 'heatmap'][Number(e.key) - 1];
    if (views(report).some((v) => v.name === name)) store.setView({ chart: name });
    return;
  }
  const act = keyActs[e.key];
  if (act) {
    e.preventDefault();
    acts[act]();
  }
});

// Files: chosen, dropped, pasted.

/** A project file opens what it holds instead of being read. @param {File[]} files */
async function take(files) {
  if (files.length === 1 && files[0].size < 64 << 20 && /\.json$/i.test(files[0].name) && (await files[0].slice(0, 64).text()).startsWith('{"v":1,"files":[')) {
    try {
      open(checked(JSON.parse(await files[0].text())), `Open ${files[0].name}`);
      return;
    } catch (e) {
      alarm(`${files[0].name} is no project of pgknee: ${/** @type {Error} */ (e).message}`);
      return;
    }
  }
  add(files);
}

/** @param {import('./link.js').Shared} s @param {string} label */
function open(s, label) {
  const inputs = s.files.map((f) => {
    const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    const blob = new Blob([f.text]);
    blobs.set(key, blob);
    return { key, name: f.name, size: blob.size };
  });
  store.set({ view: { ...store.firstView, ...s.view } });
  store.edit(label, () => ({ inputs, options: s.options, colors: s.colors, marks: s.marks }));
}

for (const id of ['choose', 'folder']) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById(id));
  input.addEventListener('change', () => {
    void take([...(input.files ?? [])]);
    input.value = '';
  });
}

const overlay = /** @type {HTMLElement} */ (document.querySelector('.overlay'));
let depth = 0;

/** @param {DragEvent} e */
const carriesFiles = (e) => [...(e.dataTransfer?.types ?? [])].some((t) => t === 'Files' || t === 'text/plain');

addEventListener('dragenter', (e) => {
  if (!carriesFiles(e)) return;
  e.preventDefault();
  depth++;
  overlay.hidden = false;
});
addEventListener('dragover', (e) => {
  if (carriesFiles(e)) e.preventDefault();
});
addEventListener('dragleave', () => {
  depth = Math.max(0, depth - 1);
  if (depth === 0) overlay.hidden = true;
});
addEventListener('drop', (e) => {
  depth = 0;
  overlay.hidden = true;
  if (!e.dataTransfer || !carriesFiles(e)) return;
  e.preventDefault();
  const { files, items } = e.dataTransfer;
  const text = e.dataTransfer.getData('text/plain');
  // Folders have no type. Entries are dear: of thousands of files they are not asked for.
  const entry = (/** @type {DataTransferItem} */ i) => i.webkitGetAsEntry?.() ?? null;
  if ([...items].some((i) => i.type === '' && entry(i)?.isDirectory)) void walk([...items].map(entry).filter((x) => x !== null)).then(take, (err) => alarm(`The folder could not be read: ${err.message}`));
  else if (files.length) void take([...files]);
  else if (text) paste(text);
});

/** The files below dropped folders, with their paths as names. @param {FileSystemEntry[]} entries @returns {Promise<File[]>} */
async function walk(entries) {
  /** @type {File[]} */
  const out = [];
  for (const entry of entries) {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
      out.push(entry.fullPath.slice(1) === file.name ? file : new File([file], entry.fullPath.slice(1), { type: file.type }));
      continue;
    }
    const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      /** @type {FileSystemEntry[]} */
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) break;
      out.push(...await walk(some));
    }
  }
  return out.sort((a, b) => (a.name < b.name ? -1 : 1));
}

document.addEventListener('paste', (e) => {
  if (e.target instanceof HTMLElement && e.target.closest('input, textarea, [contenteditable]')) return;
  const { clipboardData: data } = e;
  if (!data) return;
  e.preventDefault();
  if (data.files.length) void take([...data.files]);
  else paste(data.getData('text/plain'));
});

// Links.

/** @param {string} fragment */
async function fromLink(fragment) {
  try {
    const shared = await decode(fragment);
    if (!shared) return false;
    open(shared, 'Open a link');
    history.replaceState(null, '', location.pathname + location.search);
    return true;
  } catch (e) {
    alarm(`The link can't be opened: ${/** @type {Error} */ (e).message}`);
    return false;
  }
}
addEventListener('hashchange', () => void fromLink(location.hash));

/**
 * Analyses files as the command line does, on an engine of its own; the page is not changed.
 * @param {Iterable<File>} files
 * @param {import('./store.js').Options & {why?: boolean}} [options] as the command line's flags; columns and format may be one text for all files
 * @returns {Promise<Report>}
 */
async function analyze(files, options = {}) {
  const own = new Engine(assets);
  const all = (/** @type {any} */ v) => (typeof v === 'string' ? { '': v } : v);
  try {
    const sources = [...files].map((f, i) => ({ key: String(i), name: f.webkitRelativePath || f.name, blob: f }));
    await own.load(sources, { ...options, columns: all(options.columns), format: all(options.format) });
    const { nearlyFired, ...report } = await own.report();
    return options.why && nearlyFired ? { ...report, nearlyFired } : report;
  } finally {
    own.stop();
  }
}

/** @type {any} */ (window).pgknee = { analyze };

// Offline: the service worker keeps what the page is made of. A new version waits until the person asks for it.

/** @type {ServiceWorker | null} */
let waiting = null;

async function keepOffline() {
  if (!('serviceWorker' in navigator) || !/^https?:$/.test(location.protocol) || !(document.getElementById('worker') instanceof HTMLLinkElement)) return;
  const ready = (/** @type {ServiceWorker | null} */ sw) => {
    if (!sw || !navigator.serviceWorker.controller) return;
    waiting = sw;
    for (const el of document.querySelectorAll('.update')) /** @type {HTMLElement} */ (el).hidden = false;
  };
  const first = !navigator.serviceWorker.controller;
  navigator.serviceWorker.addEventListener('controllerchange', () => { if (!first || waiting) location.reload(); });
  const registration = await navigator.serviceWorker.register('sw.js');
  ready(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const sw = registration.installing;
    sw?.addEventListener('statechange', () => { if (sw.state === 'installed') ready(sw); });
  });
}
void keepOffline().catch(() => {}); // a browser without it works online
for (const el of document.querySelectorAll('.single')) /** @type {HTMLElement} */ (el).hidden = !(document.getElementById('worker') instanceof HTMLLinkElement);

try {
  setTheme(localStorage.getItem('pgknee.theme') ?? 'auto');
} catch {
  setTheme('auto');
}
void begin(() => fromLink(location.hash), () => {
  const project = document.getElementById('project'); // an interactive report brings its data
  if (project) open(checked(JSON.parse(project.textContent ?? '')), 'Open the report');
});
