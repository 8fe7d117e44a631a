// JSON that is parsed in parts is what it is parsed at once; what links bring is looked at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checked, decode, encode } from '../link.js';
import { parse } from '../parts.js';
import { firstView } from '../store.js';

const report = {
  tool: { name: 'pgknee "x" \\', version: '1' }, empty: [], none: {}, 'a "key\\': [], n: -1.5e-7, yes: true, nothing: null, text: '', 'µ': '±,]}{[“\\\\"',
  files: Array.from({ length: 40 }, (_, i) => ({ name: `a/${i}\\`, lines: i, problems: i % 3 ? [] : [{ message: '"]}', text: '\\"' }] })),
  lists: [[1, [2, []]], [], [[], {}]], numbers: Array.from({ length: 50 }, (_, i) => i / 7), words: ['', '\\', '"', '[', 'é'], last: [{}],
};

test('in parts of any size', async () => {
  const bytes = new TextEncoder().encode(JSON.stringify(report));
  for (let part = 1; part < bytes.length + 10; part += part < 40 ? 1 : 97) assert.deepEqual(await parse(bytes, part), report, `parts of ${part}`);
  for (const whole of [{}, { a: [] }, { a: 1 }, { a: [1] }, { a: {}, b: [[]] }]) assert.deepEqual(await parse(new TextEncoder().encode(JSON.stringify(whole)), 1), whole);
  assert.deepEqual(await parse(new TextEncoder().encode('[1, 2]\n')), [1, 2]);
});

test('of a link made by hand, what is not as it should be is left out, and a damaged one says so', async () => {
  const files = [{ name: 'a.csv', text: 'clients,tps\n1,2\n' }];
  const { options, view, colors } = checked({
    v: 1, files, colors: [3],
    options: { cores: 'many', series: 'x', exclude: 7, rename: { a: 1 }, columns: { 'a.csv': 'clients,tps' }, baseline: 'a' },
    view: { chart: {}, hidden: null, pair: ['a'], logX: false, profile: { at: 'x', steps: 7, kind: 'icicle' } },
  });
  assert.deepEqual(options, { columns: { 'a.csv': 'clients,tps' }, baseline: 'a' });
  assert.deepEqual(view, { logX: false, profile: { ...firstView.profile, kind: 'icicle' } });
  assert.deepEqual(colors, {});
  assert.deepEqual(checked({ v: 1, files, options: null, view: 5 }).view, {});
  for (const fragment of ['#d=!!!!', '#d=%E0%A4%A', `#d=${'A'.repeat(100_000)}`, `#${(await encode(checked({ v: 1, files }))).slice(0, -9)}`]) {
    await assert.rejects(decode(fragment), /cut or damaged/);
  }
});
