// What a browser loads, packed as a host packs it best.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { built } from '../test/harness.mjs';

/** The sizes of what a browser loads, in megabytes after brotli. */
export function sizes() {
  const page = readFileSync(join(built, 'index.html'), 'utf8');
  const size = (/** @type {string} */ file) => {
    const content = readFileSync(join(built, file));
    return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }).length / 1e6;
  };
  const files = readdirSync(built).filter((f) => page.includes(`"${f}"`) && f !== 'pgknee.html'); // which is for saving
  const each = Object.fromEntries(['index.html', ...files].map((f) => [f.replace(/-[0-9a-f]{10}/, ''), size(f)]));
  return { each, total: Object.values(each).reduce((a, b) => a + b) };
}
