// Building DOM: text from inputs is always text, never markup.

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * Makes an element. A prop that begins with "on" is a listener; "class", "data-…" and "aria-…" are attributes; "style" takes custom
 * properties; what the element has as a property is set as one.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
    else if (name === 'style') for (const [k, v] of Object.entries(value)) el.style.setProperty(k, String(v));
    else if (name in el && name !== 'list' && typeof value !== 'string') /** @type {any} */ (el)[name] = value;
    else el.setAttribute(name, value === true ? '' : String(value));
  }
  append(el, children);
  return el;
}

/** A number and its unit stay in one line, and so do an arrow and what it leads to. @param {string} text */
export const tied = (text) => text.replace(/(\d) (?=(?:%|(?:ms|s|µs|k|M|TPS)(?![\p{L}\d])))/gu, '$1\u00a0').replace(/ → (?=\S)/g, ' →\u00a0');

/** @param {Element} el @param {Child} child */
function append(el, child) {
  if (Array.isArray(child)) for (const c of child) append(el, c);
  else if (child !== null && child !== undefined && child !== false) el.append(child instanceof Node ? child : tied(String(child)));
}

/**
 * Replaces what is in an element and gives the focus back to the control with the same data-k, or else to the one at the same place.
 * @param {Element} el
 * @param {...Child} children
 */
export function fill(el, ...children) {
  const active = document.activeElement;
  const had = active instanceof HTMLElement && active !== el && el.contains(active) ? active : null;
  const key = had?.getAttribute('data-k');
  const at = had ? controls(el).indexOf(had) : -1;
  el.replaceChildren();
  append(el, children);
  if (!had) return;
  const now = key ? el.querySelector(`[data-k="${CSS.escape(key)}"]`) : had.isConnected ? had : null;
  const next = now ?? controls(el)[Math.min(at, controls(el).length - 1)];
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

/** What of an element can have the focus now. @param {Element} el @returns {HTMLElement[]} */
const controls = (el) => [.../** @type {NodeListOf<HTMLElement>} */ (el.querySelectorAll('button:not([disabled]), a[href], input, select, textarea, summary, [tabindex="0"]'))].filter((e) => e.checkVisibility());

/**
 * A disclosure whose content is made when it is first opened; kept says whether it is open over redraws.
 * @param {{open: boolean, el?: HTMLDetailsElement}} kept @param {Record<string, any>} props @param {Child} summary @param {() => Child} content
 */
export function details(kept, props, summary, content) {
  let made = false;
  const make = () => {
    if (!made) append(el, [content()]);
    made = true;
  };
  const el = h('details', { ...props, open: kept.open, ontoggle: () => {
    if (kept.el !== el && kept.el) return void (kept.el.open = el.open); // it was opened just before another took its place
    kept.open = el.open;
    if (el.open) make();
  } }, summary);
  kept.el = el;
  if (kept.open) make();
  return el;
}

const some = 50; // entries of a list at a time

/**
 * Puts the first entries of a long list into a host, and returns a button for some more of them; null where all are there. What is kept
 * says how many are there over redraws.
 * @template T
 * @param {T[]} list @param {Element} host @param {(one: T, at: number) => Child} make @param {{entries?: number}} [kept]
 */
export function inParts(list, host, make, kept = {}) {
  let at = 0;
  const left = () => `Show ${Math.min(some, list.length - at)} more of ${list.length - at}`;
  const upTo = (/** @type {number} */ end) => {
    append(host, list.slice(at, end).map((one, i) => make(one, at + i)));
    kept.entries = at = end;
  };
  upTo(Math.max(kept.entries ?? 0, some));
  if (at >= list.length) return null;
  const button = h('button', { class: 'link', onclick: () => {
    upTo(at + some);
    button.textContent = left();
    if (at >= list.length) button.remove();
  } }, left());
  return button;
}

const svgNames = 'http://www.w3.org/2000/svg';

/**
 * Makes an SVG element.
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...SVGElement} children
 */
export function svg(tag, attributes, ...children) {
  const el = document.createElementNS(svgNames, tag);
  for (const [name, value] of Object.entries(attributes ?? {})) el.setAttribute(name, String(value));
  el.append(...children);
  return /** @type {SVGElement} */ (el);
}

/**
 * A dialog with a heading and a close button; it is removed when it closes and gives the focus back.
 * @param {string} title
 * @param {Record<string, any>} props
 * @param {...Child} children
 */
export function dialog(title, props, ...children) {
  const before = document.activeElement;
  const el = h('dialog', { ...props, 'aria-label': title, tabindex: -1 },
    h('header', null, h('h2', null, title), h('button', { class: 'quiet icon', 'aria-label': 'Close', onclick: () => el.close() }, '×')),
    h('div', { class: 'alerts', role: 'alert' }), children, h('div', { class: 'status', role: 'status' })); // what is outside is neither seen nor read out
  el.addEventListener('close', () => {
    el.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  });
  el.addEventListener('click', (e) => {
    if (e.target === el) el.close();
  });
  document.body.append(el);
  el.showModal();
  const first = el.querySelector(':is(input, select, textarea, summary, button):not(header *, [disabled])');
  (first instanceof HTMLElement ? first : el).focus();
  return el;
}

/** Says something to the status line: to screen readers, and to eyes too unless it can be seen elsewhere. @param {string} text @param {boolean} [seen] */
export function say(text, seen = false) {
  const el = [...document.querySelectorAll('.status')].at(-1); // that of the open dialog, where there is one
  if (!el) return;
  el.textContent = text;
  el.classList.toggle('shown', !seen);
  clearTimeout(sayTimer);
  sayTimer = window.setTimeout(() => el.classList.remove('shown'), 4000);
}
let sayTimer = 0;

/** Puts an error where it is seen and read out. @param {string} text */
export function alarm(text) {
  const el = [...document.querySelectorAll('.alerts')].at(-1);
  el?.append(h('p', null, text, h('button', { class: 'quiet icon', 'aria-label': 'Dismiss', onclick: (/** @type {Event} */ e) => /** @type {Element} */ (e.currentTarget).parentElement?.remove() }, '×')));
}

/** Hands a file to the person. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
