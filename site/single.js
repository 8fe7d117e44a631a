// The whole tool as one file, made of what the page has loaded. Where the browser keeps the page for use offline, it takes no request.

/** The page as it came, where it is one file already. */
const asItCame = document.getElementById('engine') instanceof HTMLScriptElement ? `<!doctype html>\n${document.documentElement.outerHTML}` : '';

/** How the files of the page stand in the one file, by the names that cmd/build gives these forms. @type {Record<string, (file: Response) => Promise<string>>} */
const forms = {
  text: (file) => file.text(),
  packed: async (file) => base64(await new Response(/** @type {ReadableStream} */ (file.body).pipeThrough(new CompressionStream('gzip'))).blob()),
  style: async (file) => {
    const [sheet, ...rest] = (await file.text()).split(/(?<=url\()([\w.-]+\.woff2)/);
    const parts = [sheet];
    for (let i = 0; i < rest.length; i += 2) parts.push(`data:font/woff2;base64,${await base64(await (await kept(rest[i])).blob())}`, rest[i + 1]);
    return parts.join('');
  },
};

/** @returns {Promise<string>} */
export async function single() {
  if (asItCame) return asItCame;
  const frame = await kept(/** @type {HTMLLinkElement} */ (document.getElementById('single')).href);
  const [start, ...rest] = (await frame.text()).split(/\{\{(\w+):([\w.-]+)\}\}/);
  const parts = [start];
  for (let i = 0; i < rest.length; i += 3) parts.push(await forms[rest[i]](await kept(rest[i + 1])), rest[i + 2]);
  return parts.join('');
}

/** A file of the page: the copy that the service worker keeps; of a browser that keeps none, the host's. @param {string} address @returns {Promise<Response>} */
async function kept(address) {
  const file = (await globalThis.caches?.match(address)) ?? (await fetch(address, { cache: 'force-cache' }).catch(() => null));
  if (!file?.ok) throw new Error('the whole tool as one file is made of files of this host, which can’t be reached now');
  return file;
}

/** @param {Blob} blob @returns {Promise<string>} */
const base64 = (blob) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(/** @type {string} */ (reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
});
