// The painter: a worker that draws the charts of the page and its pictures to save, so that no chart, however large, holds up the page. It is
// handed options made by the engine as they came; a chart goes back as a bitmap, with where in it the counts are.

import { setPlatformAPI } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { echarts } from './drawing.js';
import { resolve } from './render.js';
import { svg } from './svg.js';

/**
 * @typedef {object} How
 * @property {number} width @property {number} height @property {number} ratio  pixels of the screen for each
 * @property {number[]} counts  where the pointer stops
 * @property {string} font
 * @property {[number, number] | null} [range]  of the x axes
 * @property {{clients: number, text: string}[]} [marks]  the person's
 * @property {{x?: object, y?: object}} [axes]  what all axes have instead of what the option says
 *
 * @typedef {Pick<How, 'range' | 'marks'>} Touched
 *
 * @typedef {{log: boolean, from: number, to: number}} Scale  what the first and the last pixel of a panel stand for
 *
 * @typedef {object} Drawn
 * @property {ImageBitmap} picture
 * @property {any} says  what the chart says around itself
 * @property {{x: number, y: number, width: number, height: number}} rect  of all panels
 * @property {{n: number, x: number}[]} stops
 * @property {{x: Scale, y: Scale, top: number, height: number} | null} panel  the first
 *
 * @typedef {{family: string, source: string, weight: string, style: string, unicodeRange: string}} Face
 */

echarts.use([CanvasRenderer]);
setPlatformAPI({ createCanvas: () => /** @type {any} */ (new OffscreenCanvas(1, 1)) }); // measures texts

const scope = /** @type {any} */ (globalThis);
const decoder = new TextDecoder();

/** What the person did to the chart. @param {any} option @param {Touched} how */
function touched(option, { range, marks }) {
  if (range) zoomed(option, range);
  if (marks?.length) marked(option, marks, option.textStyle.color ?? option.xAxis?.[0]?.axisLabel?.color);
}

/** @param {any} option @param {How} how @returns {Drawn} */
function draw(option, how) {
  const { says } = option;
  delete option.says;
  resolve(option);
  option.tooltip = { show: false };
  option.axisPointer = { show: false };
  option.textStyle = { ...option.textStyle, fontFamily: how.font };
  for (const g of option.graphic ?? []) Object.assign(g.style, { fontFamily: how.font });
  for (const s of option.series ?? []) s.progressive = 0; // all in one go: nobody waits for it
  for (const axis of option.xAxis ?? []) Object.assign(axis, how.axes?.x);
  for (const axis of option.yAxis ?? []) Object.assign(axis, how.axes?.y);
  touched(option, how);
  const canvas = new OffscreenCanvas(1, 1);
  const chart = echarts.init(/** @type {any} */ (canvas), null, { renderer: 'canvas', devicePixelRatio: how.ratio, width: how.width, height: how.height });
  try {
    chart.setOption(option);
    return { picture: canvas.transferToImageBitmap(), says, ...measured(chart, option, how.counts) };
  } finally {
    chart.dispose();
  }
}

/** @param {any} chart @param {any} option @param {number[]} counts */
function measured(chart, option, counts) {
  const grids = chart.getModel().queryComponents({ mainType: 'grid' }).map((/** @type {any} */ g) => g.coordinateSystem.getRect());
  if (grids.length === 0) return { rect: { x: 0, y: 0, width: 0, height: 0 }, stops: [], panel: null };
  const [first, last] = [grids[0], grids[grids.length - 1]];
  const { x, y, width } = first;
  const stops = counts.map((n) => ({ n, x: chart.convertToPixel({ xAxisIndex: 0 }, n) })).filter((s) => s.x >= x - 1 && s.x <= x + width + 1);
  const at = (/** @type {number} */ px, /** @type {number} */ py) => chart.convertFromPixel({ gridIndex: 0 }, [px, py]);
  const [[left, top], [right, bottom]] = [at(x, y), at(x + width, y + first.height)];
  const panel = { x: { log: option.xAxis[0].type === 'log', from: left, to: right }, y: { log: option.yAxis[0].type === 'log', from: top, to: bottom }, top: y, height: first.height };
  return { rect: { x, y, width, height: last.y + last.height - y }, stops, panel };
}

/**
 * Narrows the x axes of an option to a range, with every measured count of it labelled.
 * @param {any} option @param {[number, number]} range
 */
function zoomed(option, [from, to]) {
  for (const axis of option.xAxis ?? []) {
    if (axis.type !== 'log' && axis.type !== 'value') continue;
    axis.min = from;
    axis.max = to;
    const inside = (axis.axisTick?.customValues ?? []).filter((/** @type {number} */ n) => n >= from && n <= to);
    if (inside.length) axis.axisLabel = { ...axis.axisLabel, customValues: inside, hideOverlap: true };
  }
}

/**
 * Draws the person's markers into an option: on the first line of each panel.
 * @param {any} option @param {{clients: number, text: string}[]} marks @param {string} color
 */
function marked(option, marks, color) {
  const first = (option.series ?? []).find((/** @type {any} */ s) => s.type === 'line');
  if (!first) return;
  const line = (first.markLine ??= { silent: true, symbol: 'none', data: [] });
  for (const m of marks) {
    // A label of a mark is text: a name that a formatter function returns, so that braces in it mean nothing.
    line.data.push({ xAxis: m.clients, lineStyle: { color, type: [4, 3], width: 1 }, label: { formatter: () => m.text, color, position: 'start', align: 'left', distance: [0, -38], padding: [1, 5] } });
  }
}

/** A chart that nobody sees, a little more of it each time: a browser compiles what draws the first chart, which takes longer than to draw a later one. */
function* rehearsal() {
  const counts = [1, 2, 4, 8, 16];
  const axis = (/** @type {number} */ gridIndex) => ({ type: 'log', logBase: 2, min: 1, max: 16, gridIndex, name: 'clients', nameLocation: 'middle', axisTick: { customValues: counts }, axisLabel: { customValues: counts, formatter: '@integer', hideOverlap: true }, splitLine: { show: false } });
  const line = (/** @type {string} */ name, /** @type {number} */ at, /** @type {object} */ more) => ({ type: 'line', name, xAxisIndex: at, yAxisIndex: at, symbol: 'circle', data: counts.map((n) => [n, n]), itemStyle: { borderColor: '#888', borderWidth: 2 }, endLabel: { show: true, fontWeight: 600, formatter: '@series' }, ...more });
  const custom = (/** @type {string} */ renderItem, /** @type {number[][]} */ points) => ({ type: 'custom', renderItem, coordinateSystem: 'cartesian2d', xAxisIndex: 0, yAxisIndex: 0, data: points, itemPayload: { points } });
  const series = [
    line('a', 0, { markLine: { silent: true, symbol: 'none', data: [{ xAxis: 4 }] }, markArea: { silent: true, data: [[{ xAxis: 2 }, { xAxis: 8 }]] } }), line('b', 0, {}), line('c', 1, {}),
    custom('band', counts.map((n) => [n, n * 0.9, n * 1.1])), custom('dots', counts.map((n) => [n, n])), custom('errorBar', counts.map((n) => [n, n * 0.9, n * 1.1])),
  ];
  for (const drawn of [0, 1, 3, 6, 6, 6]) {
    yield {
      animation: false, grid: [{ top: 20, height: 200, outerBoundsMode: 'none' }, { top: 260, height: 90, outerBoundsMode: 'none' }],
      xAxis: [axis(0), axis(1)], yAxis: [{ gridIndex: 0, name: 'TPS', min: 0, max: 20, axisLabel: { formatter: '@kilo' } }, { gridIndex: 1, axisLabel: { formatter: '@percent' } }],
      series: structuredClone(series.slice(0, drawn)),
    };
  }
}

/** The page's fonts are there before anything is measured with them. A font that can't be had is told by the page, which has the same. @param {Face[]} faces */
async function load(faces) {
  await Promise.allSettled(faces.map(async ({ family, source, ...more }) => scope.fonts.add(await new FontFace(family, source, more).load())));
}

/** Requests that are not answered yet. */
let waiting = 0;
/** Requests are answered one after the other. @type {Promise<void>} */
let queue = Promise.resolve();

scope.onmessage = (/** @type {MessageEvent} */ { data: m }) => {
  if (m.op === 'start') {
    queue = load(m.faces);
    return void queue.then(() => rehearse(m.font));
  }
  waiting++;
  queue = queue.then(() => {
    waiting--;
    try {
      const option = decoder.decode(m.option);
      const result = m.op === 'svg' ? svg(option, m.width, m.height, m.title, m.description, (o) => touched(o, m.touched)) : draw(JSON.parse(option), m.how);
      scope.postMessage({ id: m.id, result }, m.op === 'svg' ? [] : [/** @type {Drawn} */ (result).picture]);
    } catch (e) {
      scope.postMessage({ id: m.id, error: /** @type {Error} */ (e).message });
    }
  });
};

/** Rehearses until there is something to draw. @param {string} font */
async function rehearse(font) {
  for (const option of rehearsal()) {
    await new Promise((resolve) => setTimeout(resolve));
    if (waiting) break;
    draw(option, { width: 600, height: 400, ratio: 1, counts: [1], font }).picture.close();
  }
}
