// What a reload restores: the inputs' bytes and the document, in IndexedDB, one record for each tab.

/**
 * @typedef {object} Kept
 * @property {string} tab
 * @property {number} at  when it was last written
 * @property {import('./store.js').Doc} doc
 * @property {import('./store.js').View} view
 * @property {{label: string, doc: import('./store.js').Doc}[]} past
 */

const tabsKept = 6;
const most = 512 << 20; // bytes of inputs kept for a reload

/** @type {Promise<IDBDatabase> | null} */
let database = null;

function open() {
  return (database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('pgknee', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('docs', { keyPath: 'tab' });
      request.result.createObjectStore('blobs');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  }));
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const answer = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @param {IDBTransaction} t */
const finished = (t) => new Promise((resolve, reject) => {
  t.oncomplete = () => resolve(undefined);
  t.onabort = t.onerror = () => reject(t.error);
});

/** This tab, over reloads. */
export function tab() {
  let id = sessionStorage.getItem('pgknee.tab');
  if (!id) {
    id = crypto.randomUUID?.() ?? String(Math.random());
    sessionStorage.setItem('pgknee.tab', id);
  }
  return id;
}

/** @type {Set<string>} blobs known to be in the database */
const written = new Set();

/**
 * Writes the document, and the blobs that are not there yet.
 * @param {Omit<Kept, 'tab' | 'at'>} what @param {Map<string, Blob>} blobs
 * @returns {Promise<boolean>} false when it is more than is kept
 */
export async function keep(what, blobs) {
  const db = await open();
  const total = what.doc.inputs.reduce((n, i) => n + i.size, 0);
  if (total <= most) {
    const fresh = what.doc.inputs.map((i) => i.key).filter((key) => blobs.has(key) && !written.has(key));
    for (let at = 0; at < fresh.length; at += 100) { // in portions: the page stays responsive
      const t = db.transaction('blobs', 'readwrite');
      for (const key of fresh.slice(at, at + 100)) t.objectStore('blobs').put(blobs.get(key), key);
      await finished(t);
      for (const key of fresh.slice(at, at + 100)) written.add(key);
    }
  }
  const t = db.transaction('docs', 'readwrite');
  t.objectStore('docs').put({ tab: tab(), at: Date.now(), ...what });
  await finished(t);
  return total <= most;
}

/** Forgets what this tab kept. */
export async function forget() {
  const db = await open();
  const t = db.transaction(['docs', 'blobs'], 'readwrite');
  t.objectStore('docs').delete(tab());
  await finished(t);
  written.clear();
  await sweep();
}

/** What this tab kept, with its blobs; null when there is nothing, or not all of it. @returns {Promise<{kept: Kept, blobs: Map<string, Blob>} | null>} */
export async function restore() {
  const db = await open();
  const t = db.transaction(['docs', 'blobs']);
  /** @type {Kept | undefined} */
  const kept = await answer(t.objectStore('docs').get(tab()));
  if (!kept || kept.doc.inputs.length === 0) return null;
  const blobs = new Map();
  const store = t.objectStore('blobs');
  const found = await Promise.all(kept.doc.inputs.map((i) => answer(store.get(i.key))));
  for (const [at, blob] of found.entries()) {
    const { key } = kept.doc.inputs[at];
    if (!(blob instanceof Blob)) return null;
    blobs.set(key, blob);
    written.add(key);
  }
  return { kept, blobs };
}

/** Drops the oldest tabs, and blobs that no document names. */
export async function sweep() {
  const db = await open();
  const t = db.transaction(['docs', 'blobs'], 'readwrite');
  /** @type {Kept[]} */
  const docs = await answer(t.objectStore('docs').getAll());
  docs.sort((a, b) => b.at - a.at);
  for (const d of docs.slice(tabsKept)) t.objectStore('docs').delete(d.tab);
  const named = new Set(docs.slice(0, tabsKept).flatMap((d) => [d.doc, ...d.past.map((p) => p.doc)]).flatMap((d) => d.inputs.map((i) => i.key)));
  for (const key of await answer(t.objectStore('blobs').getAllKeys())) if (!named.has(String(key))) t.objectStore('blobs').delete(key);
  await finished(t);
}
