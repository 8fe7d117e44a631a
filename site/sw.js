// The service worker: keeps everything the page is made of, so that it works offline. cmd/build fills in the two constants.

const build = '';
/** @type {string[]} */
const assets = [];
const worker = /** @type {any} */ (self); // types of service workers and of pages exclude each other
const cacheName = `pgknee-${build}`;

worker.addEventListener('install', (/** @type {any} */ e) => {
  e.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(assets)));
});

worker.addEventListener('activate', (/** @type {any} */ e) => {
  e.waitUntil((async () => {
    for (const name of await caches.keys()) if (name.startsWith('pgknee-') && name !== cacheName) await caches.delete(name);
    await worker.clients.claim();
  })());
});

worker.addEventListener('message', (/** @type {MessageEvent} */ e) => {
  if (e.data === 'take over') worker.skipWaiting();
});

worker.addEventListener('fetch', (/** @type {any} */ e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== 'GET' || url.origin !== location.origin) return;
  const scope = new URL(worker.registration.scope);
  const page = e.request.mode === 'navigate' && (url.pathname === scope.pathname || url.pathname === `${scope.pathname}index.html`);
  e.respondWith((async () => {
    const cache = await caches.open(cacheName);
    return (await cache.match(page ? './' : e.request, { ignoreSearch: page })) ?? fetch(e.request);
  })());
});
