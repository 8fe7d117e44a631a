// JSON that is parsed in parts is what it is parsed at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../parts.js';

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
