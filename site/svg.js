// Draws an option to SVG text without a browser: for the command line (in goja), the edge worker, and the exports of the page.
import { echarts } from './drawing.js';
import { resolve } from './render.js';

/** @param {string} text */
const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** What is the same for the same text and else hardly ever. @param {string} text */
function print(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/**
 * Office programs and librsvg know neither central baselines nor the font shorthand: text stands where it is to stand, with its size by name.
 * @param {string} text of an SVG
 */
const plain = (text) => text.replace(/font: normal normal (\d+px) ([^"]*)"/g, 'font-size:$1;font-family:$2"').replace(/<text dominant-baseline="central"([^>]*)>/g, (_, more) => {
  const down = 0.35 * Number(/font-size:(\d+)/.exec(more)?.[1] ?? 12);
  return `<text y="${(Number(/ y="([^"]*)"/.exec(more)?.[1] ?? 0) + down).toFixed(2)}"${more.replace(/ y="[^"]*"/, '')}>`;
});

/**
 * @param {string} option an option of analysis/chart, as JSON
 * @param {number} width
 * @param {number} height
 * @param {string} title what the picture says, where the option has no title
 * @param {string} description conditions and source
 * @param {(option: any) => void} [change] what else the option gets
 * @returns {string} a whole SVG document, opaque, with title and description
 */
export function svg(option, width, height, title, description, change) {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    const drawn = resolve(JSON.parse(option));
    title = drawn.title?.text?.replaceAll('\n', ' ') || title;
    delete drawn.says;
    change?.(drawn);
    chart.setOption(drawn);
    // The names of clips and gradients come from the picture, not from how many were drawn before it: the same data give the same bytes,
    // and pictures do not mix up their parts in one page. Nobody points at a picture, so it has no styles for that.
    const painter = /** @type {any} */ (chart.getZr().painter);
    painter._id = `pk${print(option)}`;
    /** @type {string} */
    const text = plain(painter.renderToString({ cssEmphasis: false, cssAnimation: false }));
    const head = text.indexOf('>') + 1;
    const open = text.slice(0, head).replace(/^<svg /, '<svg role="img" ').replace(/ xml:space="preserve"/, '');
    // XML knows no control characters, nor halves of pairs.
    return `${open}\n<title>${escape(title)}</title>\n<desc>${escape(description)}</desc>\n${text.slice(head)}\n`.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
  } finally {
    chart.dispose();
  }
}
