// A popover beside what it is about; Escape and a click elsewhere close it, and the focus goes back.

import { h } from '../dom.js';

/** Closes what is open. */
export const closePopover = () => document.querySelector('.pop')?.dispatchEvent(new Event('close'));

/**
 * @param {HTMLElement | {x: number, y: number}} at  an element, or a place on the page
 * @param {string} title @param {...import('../dom.js').Child} children
 */
export function popover(at, title, ...children) {
  closePopover();
  const before = document.activeElement;
  const box = h('div', { class: 'pop', role: 'dialog', 'aria-label': title, tabindex: -1 },
    h('div', { class: 'head' }, h('h3', null, title), h('button', { class: 'quiet icon', 'aria-label': 'Close', onclick: () => close() }, '×')), children);
  document.body.append(box);
  const place = at instanceof HTMLElement ? (({ left, bottom }) => ({ x: left + scrollX, y: bottom + scrollY + 6 }))(at.getBoundingClientRect()) : { x: at.x + 12, y: at.y + 12 };
  const width = box.offsetWidth;
  box.style.left = `${Math.max(8, Math.min(place.x, document.body.clientWidth - width - 8))}px`;
  const below = place.y - scrollY + box.offsetHeight <= innerHeight - 8;
  box.style.top = `${below ? place.y : Math.max(scrollY + 8, scrollY + innerHeight - box.offsetHeight - 8)}px`;
  const outside = (/** @type {Event} */ e) => {
    if (e.target instanceof Node && !box.contains(e.target)) close();
  };
  const key = (/** @type {KeyboardEvent} */ e) => {
    if (e.key === 'Escape') {
      e.stopPropagation();
      close();
    }
  };
  function close() {
    if (!box.isConnected) return;
    box.remove();
    document.removeEventListener('pointerdown', outside, true);
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    else {
      const again = key0 && document.querySelector(`[data-k="${CSS.escape(key0)}"]`);
      if (again instanceof HTMLElement) again.focus({ preventScroll: true });
    }
  }
  const key0 = before?.getAttribute('data-k');
  box.addEventListener('close', close);
  box.addEventListener('keydown', key);
  document.addEventListener('pointerdown', outside, true);
  const first = box.querySelector('input, select, .quiet:not(.head .quiet)');
  (first instanceof HTMLElement ? first : box).focus({ preventScroll: true });
  return { close, box };
}
