// What is loaded stays small. The promise is 1.6 MB for the engine, which bench/bench.mjs measures too, and 2.2 for all, of which the size
// reached is held, with a little room: a library that comes in by accident costs more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sizes } from '../bench/sizes.mjs';

test('the page is small to load', () => {
  const { each, total } = sizes();
  assert.ok(each['engine.wasm'] <= 1.6, `engine.wasm is ${each['engine.wasm']} MB after brotli`);
  assert.ok(total <= 1.96, `all that is loaded is ${total} MB after brotli: ${JSON.stringify(each)}`);
});
