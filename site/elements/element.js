// What the page's elements share: they are light DOM, follow the store, and redraw when something they show has changed.

import { get, subscribe } from '../store.js';

/** @typedef {import('../store.js').State} State */

export class Part extends HTMLElement {
  /** @type {(() => void) | undefined} */
  #leave;
  /** @type {unknown[]} */
  #last = [];

  connectedCallback() {
    this.#leave = subscribe((state) => this.#follow(state));
    this.#follow(get());
  }

  disconnectedCallback() {
    this.#leave?.();
  }

  /** @param {State} state */
  #follow(state) {
    const now = this.shows(state);
    if (now.length === this.#last.length && now.every((v, i) => v === this.#last[i])) return;
    this.#last = now;
    this.draw(state);
  }

  /** What of the state this element shows: it is drawn again when one of them is another. @param {State} state @returns {unknown[]} */
  shows(state) {
    return [state.report, state.doc];
  }

  /** @param {State} _state */
  draw(_state) {}
}
