// Draws an option to SVG text without a browser: for the command line (in goja), the edge worker, and the exports of the page.
import { echarts } from './echarts.js';
import { resolve } from './render.js';

/** @param {string} text */
const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/**
 * @param {string} option an option of analysis/chart, as JSON
 * @param {number} width
 * @param {number} height
 * @param {string} title what the picture says
 * @param {string} description conditions and source
 * @returns {string} a whole SVG document, opaque, with title and description
 */
export function svg(option, width, height, title, description) {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(resolve(JSON.parse(option)));
    const text = chart.renderToSVGString();
    const head = text.indexOf('>') + 1;
    const open = text.slice(0, head).replace(/^<svg /, '<svg role="img" ').replace(/ xml:space="preserve"/, '');
    return `${open}\n<title>${escape(title)}</title>\n<desc>${escape(description)}</desc>\n${text.slice(head)}\n`;
  } finally {
    chart.dispose();
  }
}
