// The colours of series: the tokens of css/tokens.css, by place. analysis/chart has the same ones.

import { get } from './store.js';

export const colors = 8;

/** The theme in force. @returns {'light' | 'dark'} */
export function theme() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** The value of a token. @param {string} name */
export function token(name) {
  probe ??= document.body.appendChild(document.createElement('i'));
  probe.hidden = true;
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}
/** @type {HTMLElement | undefined} */
let probe;

/** The place in the palette of a series, from 1. @param {string} label */
export function place(label) {
  const { doc, report } = get();
  const chosen = doc.colors[label];
  if (chosen) return chosen;
  const at = (report?.series ?? []).findIndex((s) => s.label === label);
  return at < 0 ? 0 : (at % colors) + 1;
}

/** The CSS class that colours a text or mark as the series. @param {string} label */
export const seriesClass = (label) => (place(label) ? `s${place(label)}` : '');

/** Colours that the person chose, as chart options take them. */
export function chosenColors() {
  return Object.fromEntries(Object.entries(get().doc.colors).map(([label, at]) => [label, token(`--s${at}`)]));
}
