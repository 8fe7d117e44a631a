// Samples, one click away.

import { h, svg, fill } from '../dom.js';
import { sample } from '../work.js';
import { Part } from './element.js';

/** The folders of data/samples; the lines are the medians of their runs over log2 of the clients. */
export const samples = [
  {
    name: 'track-planning', title: 'A default that cost half the throughput',
    text: 'The table of June 2020: PostgreSQL 12.3 and 13beta1 from 1 to 2048 connections.',
    lines: ['0 50 9 49 17 48 26 45 35 41 44 33 52 22 61 11 70 4 79 9 84 14 87 15 90 15 92 16 94 16 96 16', '0 50 9 49 17 48 26 45 35 41 44 34 52 23 61 24 70 32 79 35 84 34 87 34 90 34 92 34 94 33 96 33'],
  },
  {
    name: 'protocols', title: 'Simple against prepared',
    text: '48 pgbench outputs with three repeats: how much does the prepared protocol bring?',
    lines: ['0 33 14 24 27 29 41 27 55 24 69 28 82 30 96 35', '0 24 14 19 27 10 41 18 55 4 69 14 82 14 96 24'],
  },
  {
    name: 'no-difference', title: 'Is there a difference at all?',
    text: '54 pgbench outputs of a noisy machine and two CPU profiles: how an honest answer sounds when data can’t tell.',
    lines: ['0 32 12 19 24 15 36 14 48 4 60 19 72 27 84 26 96 33', '0 34 12 28 24 22 36 19 48 12 60 21 72 25 84 28 96 31'],
  },
];

/** @param {() => void} [then] */
export function sampleList(then) {
  return h('ul', null, samples.map((s) => h('li', null, h('button', { class: 'quiet', 'data-sample': s.name, onclick: () => { void sample(s.name, s.title); then?.(); } },
    h('b', null, s.title), h('small', null, s.text), picture(s.lines)))));
}

/** @param {string[]} lines */
function picture(lines) {
  return svg('svg', { viewBox: '0 0 96 52', 'aria-hidden': 'true' }, ...lines.map((points, i) => svg('polyline', { points, class: `s${i + 1}`, stroke: 'currentColor' })));
}

export class Samples extends Part {
  shows() {
    return [1];
  }

  draw() {
    fill(this, h('section', { class: 'samples', 'aria-label': 'Samples' }, h('h2', null, 'Or look at a sample'), sampleList()));
  }
}
