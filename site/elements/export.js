// Pictures and texts to take away. What is exported is what is shown, framed with the finding, the conditions and the source.

import { alarm, dialog, download, h, say } from '../dom.js';
import { chosenColors, theme } from '../palette.js';
import * as store from '../store.js';
import { engine, painter } from '../work.js';
import { chartRequest, describe, views } from './curves.js';
import { copyText, interactive } from './share.js';
import { zip } from '../zip.js';

/** Sizes in pixels, and how large type and lines are: a slide is read from afar. */
const sizes = [['1200x675', 'mail, 1200 × 675'], ['1600x900x1.6', 'slide, 1600 × 900'], ['1000x1000', 'page, 1000 × 1000']];

/** @typedef {{view: string, size: string, dark: boolean}} Picture */
/** @typedef {{text: string, width: number, height: number, png: (scale: number) => Promise<Blob>}} Made  a picture as SVG, and as pixels */

/** @param {Picture} p @returns {Promise<Made>} */
export async function picture({ view, size, dark }) {
  const { report, view: now, doc } = store.get();
  if (!report) throw new Error('nothing to draw');
  const [width, height, zoom = 1] = size.split('x').map(Number);
  const [inner, outer] = [[Math.round(width / zoom), Math.round(height / zoom)], [width, height]];
  const { name, options } = chartRequest({ ...now, chart: view }, report);
  const wanted = dark ? 'dark' : 'light';
  const colors = wanted === theme() ? chosenColors() : {};
  const { range, runs } = /** @type {import('./curves.js').Curves} */ (document.querySelector('pk-curves')).shown;
  const touched = { marks: doc.marks, range: view === now.chart ? range : null };
  const option = () => engine.bytes('chart', name, JSON.stringify({ ...options, runs, colors, theme: wanted, width: inner[0], height: inner[1], frame: true }));
  const title = report.summary?.headline.map((s) => s.text).join('') || report.comparisons?.[0]?.why || 'Throughput over clients';
  let text = await painter.svg(await option(), inner[0], inner[1], title, describe(report, 'Chart'), touched);
  for (const [i, name] of ['width', 'height'].entries()) text = text.replace(`${name}="${inner[i]}"`, `${name}="${outer[i]}"`);
  const font = getComputedStyle(document.body).fontFamily; // pixels have the page's font; a drawing has that of who looks at it
  return { text, width, height, png: async (scale) => pixels((await painter.draw(await option(), { ...touched, width: inner[0], height: inner[1], ratio: scale * zoom, counts: [], font })).picture) };
}

/** @param {ImageBitmap} bitmap */
function pixels(bitmap) {
  const canvas = h('canvas', { width: bitmap.width, height: bitmap.height });
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
  return encoded(canvas);
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
const encoded = (canvas) => new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error('the picture is too large'))), 'image/png'));

/** An SVG as pixels. @param {{text: string, width: number, height: number}} p @param {number} scale @returns {Promise<Blob>} */
export async function raster({ text, width, height }, scale) {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const canvas = h('canvas', { width: width * scale, height: height * scale });
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await encoded(canvas);
  } finally {
    URL.revokeObjectURL(url);
  }
}

const texts = /** @type {[string, string, string, string][]} */ ([
  ['mail', 'Mail', 'pgknee.txt', 'text/plain'], ['mail-ascii', 'Mail, ASCII', 'pgknee.txt', 'text/plain'], ['markdown', 'Markdown', 'pgknee.md', 'text/markdown'], ['release-note', 'Release note', 'release-note.md', 'text/markdown'],
  ['config', 'ALTER SYSTEM', 'pgknee.sql', 'text/plain'], ['csv', 'CSV', 'pgknee.csv', 'text/csv'], ['json', 'JSON', 'pgknee.json', 'application/json'],
]);

const decoder = new TextDecoder();

/** A text of the report. @param {string} kind */
export const text = async (kind) => decoder.decode(await engine.bytes('export', kind));

/** The report as one page that needs nothing else, with the charts as they are shown. */
async function htmlPage() {
  const { report } = store.get();
  const pictures = [];
  for (const v of report ? views(report).filter((x) => x.name !== 'heatmap') : []) pictures.push({ Title: v.label, SVG: (await picture({ view: v.name, size: '1200x675', dark: false })).text });
  return decoder.decode(await engine.bytes('html', JSON.stringify(pictures)));
}

/** Everything that goes with a release note: the chart, the table, the text, the data. @param {Picture} p */
async function bundle(p) {
  const drawn = await picture(p);
  /** @type {[string, string | Blob][]} */
  const files = [['pgknee.svg', drawn.text], ['pgknee.png', await drawn.png(2)]];
  for (const kind of ['release-note', 'mail', 'markdown', 'csv', 'json', 'config']) {
    const t = texts.find(([k]) => k === kind);
    const content = t && await text(kind);
    if (t && content) files.push([t[2], content]);
  }
  return zip(await Promise.all(files.map(async ([name, content]) => ({ name, bytes: new Uint8Array(await new Blob([content]).arrayBuffer()) }))));
}

/** An act whose failure is told. @param {() => Promise<void>} act */
const saved = (act) => () => act().catch((e) => alarm(`It could not be saved: ${e.message}`));

export function exporting() {
  const { report, view } = store.get();
  if (!report) return;
  const has = views(report);
  const what = h('select', { 'aria-label': 'Chart' }, has.map((v) => h('option', { value: v.name, selected: v.name === view.chart }, v.label)));
  const size = h('select', { 'aria-label': 'Size' }, sizes.map(([v, t]) => h('option', { value: v }, t)));
  const dark = h('input', { type: 'checkbox' });
  const image = h('img', { alt: 'The picture as it will be', width: 1200, height: 675 });
  /** @type {Made | null} */
  let made = null;
  const make = async () => {
    try {
      made = await picture({ view: what.value, size: size.value, dark: dark.checked });
      Object.assign(image, { width: made.width, height: made.height, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(made.text)}` });
    } catch (e) {
      alarm(`The picture could not be drawn: ${/** @type {Error} */ (e).message}`);
    }
  };
  for (const control of [what, size, dark]) control.addEventListener('change', make);
  const name = () => `pgknee-${what.value}`;
  const png = (/** @type {number} */ scale) => h('button', { class: 'quiet', onclick: async () => made && download(await made.png(scale), `${name()}${scale > 1 ? `@${scale}x` : ''}.png`) }, `PNG ${scale}×`);
  const copyPicture = async () => {
    if (!made) return;
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': made.png(2) })]);
      say('The picture is on the clipboard.');
    } catch {
      alarm('This browser does not let a page copy pictures: save it instead.');
    }
  };
  /** @type {{kind: string, file: string, type: string, label: string} | null} */
  let current = null;
  const preview = h('pre');
  const shown = h('div', { hidden: true }, h('div', { class: 'preview', tabindex: 0, role: 'region', 'aria-label': 'The text' }, preview), h('div', { class: 'acts' },
    h('button', { class: 'solid', onclick: async () => current && copyText(await text(current.kind), current.label) }, 'Copy'),
    h('button', { class: 'quiet', onclick: async () => current && download(new Blob([await text(current.kind)], { type: current.type }), current.file) }, 'Save')));
  const show = async (/** @type {NonNullable<typeof current>} */ which) => {
    try {
      preview.textContent = (await text(which.kind)).slice(0, 30_000);
      shown.hidden = false;
      current = which;
    } catch (e) {
      alarm(`The text could not be made: ${/** @type {Error} */ (e).message}`);
    }
  };
  dialog('Export', { class: 'wide' },
    has.length ? [
      h('div', { class: 'fields' }, h('label', null, 'Chart ', what), h('label', null, 'Size ', size), h('label', null, dark, 'dark')),
      h('div', { class: 'preview picture' }, image),
      h('div', { class: 'acts' }, h('button', { class: 'solid', onclick: () => made && download(new Blob([made.text], { type: 'image/svg+xml' }), `${name()}.svg`) }, 'SVG'), png(1), png(2), png(3), h('button', { class: 'quiet', onclick: copyPicture }, 'Copy picture')),
    ] : null,
    h('h3', null, 'Text and data'),
    h('div', { class: 'row-of' }, texts.map(([kind, label, file, type]) => h('button', { class: 'quiet', onclick: () => show({ kind, label, file, type }) }, label)),
      h('button', { class: 'quiet', onclick: saved(async () => download(new Blob([await htmlPage()], { type: 'text/html' }), 'pgknee-report.html')) }, 'HTML page'),
      h('button', { class: 'quiet', title: 'The whole tool with these inputs in it', onclick: saved(async () => download(new Blob([await interactive(false)], { type: 'text/html' }), 'pgknee-interactive.html')) }, 'Interactive page'),
      h('button', { class: 'quiet', onclick: saved(async () => download(await bundle({ view: what.value, size: size.value, dark: dark.checked }), 'pgknee.zip')) }, 'All in a zip')),
    shown);
  void make();
}
