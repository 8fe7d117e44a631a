// Makes the pictures of the README from the samples: the page as it opens them, light, 1440 pixels wide, down to how the chart is read.

import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawn, drop, launch, openPage, serve, settled, top } from './harness.mjs';

const pictures = join(top, 'site', 'pictures');
const sample = join(top, 'data', 'samples', 'track-planning');

await mkdir(pictures, { recursive: true });
const server = await serve();
const browser = await launch('chromium');
try {
  const { page, errors } = await openPage(browser, server.url, { height: 1400 });
  await drop(page, await Promise.all((await readdir(sample)).map(async (name) => ({ name, text: await readFile(join(sample, name), 'utf8') }))));
  await settled(page);
  await drawn(page);
  await page.evaluate(() => Promise.all([document.fonts.ready, ...document.getAnimations().map((a) => a.finished)]));
  const end = await page.$eval('pk-curves .note', (note) => Math.ceil(note.getBoundingClientRect().bottom + scrollY) + 10);
  await page.screenshot({ path: join(pictures, 'planning.png'), clip: { x: 0, y: 0, width: 1440, height: end }, captureBeyondViewport: true });
  if (errors.length) throw new Error(errors.join('\n'));
} finally {
  await browser.close();
  await server.close();
}
