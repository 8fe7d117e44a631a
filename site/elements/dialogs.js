// Small dialogs: keys and help, history, samples, paste.

import { dialog, h } from '../dom.js';
import * as store from '../store.js';
import { paste } from '../work.js';
import { sampleList } from './samples.js';

/** The keys of the page; main.js acts on them. */
export const keys = /** @type {[string, string][]} */ ([
  ['?', 'this list'], ['Ctrl V', 'paste results, anywhere'], ['o', 'choose files'], ['e', 'export'], ['s', 'share'], ['n', 'begin anew'],
  ['Ctrl Z', 'undo'], ['Ctrl Y', 'redo'], ['h', 'history'], ['1 … 6', 'throughput, latency, percentiles, residuals, over time, heat map'], ['x', 'client axis: logarithmic or linear'], ['y', 'value axis: from zero or logarithmic'],
  ['c', 'go to the chart'], ['← →', 'on the chart: read the values at each count'], ['+ - 0', 'on the chart: zoom in, out, whole range; a drag with Shift pans'], ['Enter', 'on the chart: the runs at this count'], ['t', 'theme: automatic, light, dark'],
]);

export function help() {
  dialog('Keys and help', {},
    h('p', null, 'Drop, choose or paste the results of pgbench and others at several client counts. A box around a stretch of the chart zooms; a click on a point shows its runs, to exclude or restore them; the ⋯ of a series renames, recolours, moves or merges it. Every edit can be undone.'),
    h('dl', { class: 'keys' }, keys.map(([k, what]) => [h('dt', null, k.split(' ').map((part, i) => [i ? ' ' : '', part === '…' ? '…' : h('kbd', null, part)])), h('dd', null, what)])),
    h('p', { class: 'soft' }, 'A change shows when it leaves what noise alone would do. One run a point has no spread of its own: then the noise comes from a control series or is assumed, and the page says which. From six runs on, intervals are of the median.'));
}

export function history() {
  const { past, future } = store.get();
  const box = dialog('History', {}, h('ol', { class: 'history' },
    past.length + future.length === 0 ? h('p', { class: 'soft' }, 'Nothing was changed yet.') : null,
    past.map((step, i) => h('li', { class: i === past.length - 1 ? 'now' : '' }, h('button', { onclick: () => go(i + 1 - past.length) }, step.label))),
    future.map((step, i) => h('li', { class: 'undone' }, h('button', { onclick: () => go(i + 1) }, step.label, h('span', { class: 'tag' }, 'undone'))))),
    past.length ? h('p', { class: 'acts' }, h('button', { class: 'quiet', onclick: () => go(-past.length) }, 'Undo everything')) : null);
  function go(/** @type {number} */ steps) {
    store.travel(steps);
    box.close();
  }
}

export function chooseSample() {
  const box = dialog('Samples', { class: 'samples' }, sampleList(() => box.close()));
}

export function pasteBox() {
  const area = h('textarea', { rows: 14, 'aria-label': 'Results as text', placeholder: 'A table, the output of pgbench, a whole mail…' });
  const add = () => {
    paste(area.value);
    box.close();
  };
  const box = dialog('Paste text', { class: 'wide' }, h('div', null, area), h('div', { class: 'acts' }, h('button', { class: 'solid', onclick: add }, 'Read it')));
  area.focus();
}

/** Asks once, before everything is taken away. @param {() => void} then */
export function confirmNew(then) {
  const box = dialog('Begin anew?', {}, h('p', null, 'The inputs and edits of this page are taken away. Undo brings them back until you leave the page.'),
    h('div', { class: 'acts' }, h('button', { class: 'quiet', onclick: () => box.close() }, 'Keep them'), h('button', { class: 'solid', onclick: () => { box.close(); then(); } }, 'Begin anew')));
  const go = box.querySelector('.solid');
  if (go instanceof HTMLElement) go.focus();
}
