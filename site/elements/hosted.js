// Pictures by address, where the page's host draws them (cmd/edge): it says so in the page it hands out, so nothing is asked.

import { h } from '../dom.js';
import * as store from '../store.js';
import { bytes } from '../words.js';

/** Where the host draws, relative to the page; '' where none does, as a static host. */
const at = document.querySelector('meta[name="pgknee-charts"]')?.getAttribute('content') ?? '';

/** How long a fragment may be to fit an address that a host takes, which is 16 kB with all around it. */
export const longest = 15 << 10;

/** @param {string} text */
const escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * The part of the Share panel for pictures by address; null where the host draws none.
 * @param {(text: string, what: string) => void} copy
 * @returns {{part: HTMLElement, offer: (fragment: string) => void} | null}  offer takes the link's fragment, '' for none
 */
export function hosted(copy) {
  if (!at) return null;
  let fragment = '';
  const address = (/** @type {string} */ path) => new URL(path + fragment.slice(2), location.href).href;
  const image = () => `${address(at)}.svg`;
  const embed = () => {
    const title = store.get().report?.summary?.headline.map((s) => s.text).join('') || 'Throughput over clients';
    return `<a href="${address('embed/')}"><img src="${image()}" alt="${escape(title)}" width="1200" height="675"></a>`;
  };
  const button = (/** @type {string} */ label, /** @type {() => string} */ text, /** @type {string} */ what) => h('button', { class: 'quiet', disabled: true, onclick: () => copy(text(), what) }, label);
  const buttons = [button('Copy image link', image, 'The address of the picture'), button('Copy embed', embed, 'The picture as HTML, which opens this page')];
  const note = h('p', { class: 'soft' });
  return {
    part: h('div', { class: 'hosted' }, note, h('div', { class: 'acts' }, buttons)),
    offer(now) {
      fragment = now;
      const fits = now !== '' && now.length <= longest;
      for (const b of buttons) b.disabled = !fits;
      note.textContent = now !== '' && !fits ? `For a picture by address the data are too long: ${bytes(now.length)}, of at most ${bytes(longest)}.`
        : 'For issues and mail archives this host draws the picture itself. Its address holds the data, and whoever looks at it sends that to the host, which stores nothing.';
    },
  };
}
