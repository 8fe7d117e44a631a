// A chart on the page: an ECharts on canvas that is handed options made by the engine, with our own pointer: a guide line that snaps to
// measured counts, a readout, a brush for zooming. ECharts' own tooltip is not used, so that hovering costs no redraw.

import { CanvasRenderer } from 'echarts/renderers';
import { h } from './dom.js';
import { echarts } from './drawing.js';
import { resolve } from './render.js';

echarts.use([CanvasRenderer]);

/**
 * @typedef {object} Pointer  what the host of a plot does with the pointer
 * @property {(clients: number) => Node | null} readout  what to show at a count
 * @property {(clients: number, y: number | null, at: {x: number, y: number}) => void} pick  a count was clicked, at this height of the upper panel's axis
 * @property {(from: number, to: number) => void} zoom  a range was brushed, or the view moved to it
 * @property {() => void} whole  the whole range is wanted
 */

export class Plot {
  /** @type {any} */
  #chart = null;
  #box = h('div', { class: 'canvas' });
  #guide = h('div', { class: 'guide', hidden: true });
  #hover = h('div', { class: 'hover', hidden: true });
  #brush = h('div', { class: 'brush', hidden: true });
  /** @type {number[]} */
  #counts = [];
  /** @type {{x: number, n: number}[]} */
  #stops = [];
  #rect = { x: 0, y: 0, width: 0, height: 0 };
  #at = -1;
  #dragging = -1;
  #panning = false;
  #pointer;
  #ratio = 0;

  /** @param {HTMLElement} host @param {Pointer} pointer */
  constructor(host, pointer) {
    this.host = host;
    this.#pointer = pointer;
    host.append(this.#box, this.#guide, this.#brush, this.#hover);
    host.tabIndex = 0;
    host.addEventListener('pointermove', (e) => this.#move(e));
    host.addEventListener('pointerleave', () => this.#leave());
    host.addEventListener('pointerdown', (e) => this.#down(e));
    host.addEventListener('pointerup', (e) => this.#up(e));
    host.addEventListener('keydown', (e) => this.#key(e));
    host.addEventListener('blur', () => this.#leave());
    host.addEventListener('dblclick', () => this.#pointer.whole());
  }

  /**
   * Draws an option of the engine: takes it over at once and draws it with the next frame, so that neither takes long at a stretch.
   * @param {any} option @param {{width: number, height: number, counts: number[], range?: [number, number] | null, marks?: {clients: number, text: string}[], font: string}} how
   */
  async draw(option, how) {
    this.#box.style.height = `${how.height}px`;
    if (this.#ratio !== devicePixelRatio) {
      this.#chart?.dispose();
      this.#chart = null;
      this.#ratio = devicePixelRatio;
    }
    this.#chart ??= echarts.init(this.#box, null, { renderer: 'canvas', width: how.width, height: how.height });
    if (this.#chart.getWidth() !== how.width || this.#chart.getHeight() !== how.height) {
      this.#chart.clear(); // or the old option is laid out once more
      this.#chart.resize({ width: how.width, height: how.height, silent: true });
    }
    resolve(option);
    delete option.says;
    option.tooltip = { show: false };
    option.axisPointer = { show: false };
    option.textStyle = { ...option.textStyle, fontFamily: how.font };
    if (how.range) zoomed(option, how.range);
    if (how.marks?.length) marked(option, how.marks, option.textStyle.color ?? option.xAxis?.[0]?.axisLabel?.color);
    this.#chart.setOption(option, { notMerge: true, lazyUpdate: true });
    const chart = this.#chart;
    await new Promise((done) => {
      const drawn = () => { chart.off('updated', drawn); done(undefined); };
      chart.on('updated', drawn);
    });
    if (chart === this.#chart) this.#measure(how.counts);
  }

  /** What the chart says, for those who don't see it. @param {string} text */
  describe(text) {
    this.host.setAttribute('role', 'img');
    this.host.setAttribute('aria-roledescription', 'chart');
    this.host.setAttribute('aria-label', text);
  }

  dispose() {
    this.#chart?.dispose();
    this.#chart = null;
  }

  /** @param {number[]} counts */
  #measure(counts) {
    const grids = this.#chart.getModel().queryComponents({ mainType: 'grid' }).map((/** @type {any} */ g) => g.coordinateSystem.getRect());
    if (grids.length === 0) return void (this.#stops = []);
    const [first, last] = [grids[0], grids[grids.length - 1]];
    this.#rect = { x: first.x, y: first.y, width: first.width, height: last.y + last.height - first.y };
    this.#counts = counts;
    this.#stops = counts.map((n) => ({ n, x: this.#chart.convertToPixel({ xAxisIndex: 0 }, n) }))
      .filter(({ x }) => x >= this.#rect.x - 1 && x <= this.#rect.x + this.#rect.width + 1);
    this.#leave();
  }

  /** @param {PointerEvent | MouseEvent} e */
  #local(e) {
    const box = this.host.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  /** @param {{x: number, y: number}} p */
  #inside(p) {
    const r = this.#rect;
    return p.x >= r.x - 12 && p.x <= r.x + r.width + 12 && p.y >= r.y - 12 && p.y <= r.y + r.height + 12;
  }

  /** @param {PointerEvent} e */
  #move(e) {
    const p = this.#local(e);
    if (this.#dragging >= 0) {
      if (this.#panning) return this.#hide();
      const [a, b] = [Math.min(this.#dragging, p.x), Math.max(this.#dragging, p.x)];
      this.#brush.hidden = b - a < 6;
      Object.assign(this.#brush.style, { left: `${a}px`, width: `${b - a}px`, top: `${this.#rect.y}px`, height: `${this.#rect.height}px` });
      return this.#hide();
    }
    if (!this.#inside(p) || this.#stops.length === 0) return this.#hide();
    let best = 0;
    for (const [i, s] of this.#stops.entries()) if (Math.abs(s.x - p.x) < Math.abs(this.#stops[best].x - p.x)) best = i;
    this.#show(best, p.y);
  }

  /** @param {number} at @param {number} [y] */
  #show(at, y = this.#rect.y + 20) {
    const stop = this.#stops[at];
    if (this.#at !== at || this.#hover.hidden) {
      const readout = this.#pointer.readout(stop.n);
      if (!readout) return this.#hide();
      this.#hover.replaceChildren(readout);
      this.#at = at;
    }
    this.#guide.hidden = this.#hover.hidden = false;
    Object.assign(this.#guide.style, { left: `${stop.x}px`, top: `${this.#rect.y}px`, height: `${this.#rect.height}px` });
    const width = this.#hover.offsetWidth;
    const room = this.host.clientWidth;
    const right = stop.x + 16 + width <= room;
    this.#hover.style.left = `${right ? stop.x + 16 : Math.max(0, stop.x - 16 - width)}px`;
    this.#hover.style.top = `${Math.max(4, Math.min(y - this.#hover.offsetHeight / 2, this.host.clientHeight - this.#hover.offsetHeight - 4))}px`;
  }

  #hide() {
    this.#guide.hidden = this.#hover.hidden = true;
    this.#at = -1;
  }

  #leave() {
    if (this.#dragging < 0) this.#hide();
  }

  /** @param {PointerEvent} e */
  #down(e) {
    const p = this.#local(e);
    if (e.button !== 0 || !this.#inside(p) || e.pointerType === 'touch') return;
    this.#dragging = p.x;
    this.#panning = e.shiftKey;
    this.host.setPointerCapture(e.pointerId);
  }

  /** @param {PointerEvent} e */
  #up(e) {
    const p = this.#local(e);
    const from = this.#dragging;
    this.#dragging = -1;
    this.#brush.hidden = true;
    if (from >= 0 && Math.abs(p.x - from) >= 6) {
      const { x, width } = this.#rect;
      if (this.#panning) return this.#to(x + from - p.x, x + width + from - p.x);
      return this.#to(Math.max(x, Math.min(from, p.x)), Math.min(x + width, Math.max(from, p.x)));
    }
    if (e.button !== 0 || !this.#inside(p) || this.#stops.length === 0) return;
    const stop = this.#stops.reduce((a, b) => (Math.abs(b.x - p.x) < Math.abs(a.x - p.x) ? b : a));
    const [, y] = this.#chart.convertFromPixel({ gridIndex: 0 }, [p.x, p.y]) ?? [0, null];
    this.#pointer.pick(stop.n, y, { x: e.pageX, y: e.pageY });
  }

  /** Shows what lies between two places from the left. @param {number} a @param {number} b */
  #to(a, b) {
    const value = (/** @type {number} */ x) => this.#chart.convertFromPixel({ xAxisIndex: 0 }, x);
    this.#pointer.zoom(value(a), value(b));
  }

  /** @param {KeyboardEvent} e */
  #key(e) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (step && this.#stops.length && !e.altKey && !e.ctrlKey && !e.metaKey) {
      e.preventDefault();
      this.#show(Math.max(0, Math.min(this.#stops.length - 1, (this.#at < 0 ? (step > 0 ? -1 : this.#stops.length) : this.#at) + step)));
    } else if ((e.key === '+' || e.key === '-') && !e.ctrlKey && !e.metaKey) {
      e.preventDefault();
      const { x, width } = this.#rect;
      const middle = this.#stops[this.#at]?.x ?? x + width / 2;
      const half = width * (e.key === '+' ? 0.25 : 1);
      this.#to(middle - half, middle + half);
    } else if (e.key === '0') {
      this.#pointer.whole();
    } else if ((e.key === 'Enter' || e.key === ' ') && this.#at >= 0 && e.target === this.host) {
      e.preventDefault();
      const box = this.host.getBoundingClientRect();
      this.#pointer.pick(this.#stops[this.#at].n, null, { x: box.left + scrollX + this.#stops[this.#at].x, y: box.top + scrollY + this.#rect.y + 30 });
    } else if (e.key === 'Escape' && this.#at >= 0) {
      e.stopPropagation();
      this.#hide();
    }
  }
}

/**
 * Draws a small chart that nobody sees, while nothing else is to be done: a browser compiles what draws the first chart, which takes longer
 * than to draw a later one.
 * @param {() => boolean} idle  whether there still is nothing else
 */
export async function rehearse(idle) {
  const counts = [1, 2, 4, 8, 16];
  const axis = (/** @type {number} */ gridIndex) => ({ type: 'log', logBase: 2, min: 1, max: 16, gridIndex, name: 'clients', nameLocation: 'middle', axisTick: { customValues: counts }, axisLabel: { customValues: counts, formatter: '@integer', hideOverlap: true }, splitLine: { show: false } });
  const line = (/** @type {string} */ name, /** @type {number} */ at, /** @type {object} */ more) => ({ type: 'line', name, xAxisIndex: at, yAxisIndex: at, symbol: 'circle', data: counts.map((n) => [n, n]), itemStyle: { borderColor: '#888', borderWidth: 2 }, endLabel: { show: true, fontWeight: 600, formatter: '@series' }, ...more });
  const custom = (/** @type {string} */ renderItem, /** @type {number[][]} */ points) => ({ type: 'custom', renderItem, coordinateSystem: 'cartesian2d', xAxisIndex: 0, yAxisIndex: 0, data: points, itemPayload: { points } });
  const series = [
    line('a', 0, { markLine: { silent: true, symbol: 'none', data: [{ xAxis: 4 }] }, markArea: { silent: true, data: [[{ xAxis: 2 }, { xAxis: 8 }]] } }), line('b', 0, {}), line('c', 1, {}),
    custom('band', counts.map((n) => [n, n * 0.9, n * 1.1])), custom('dots', counts.map((n) => [n, n])), custom('errorBar', counts.map((n) => [n, n * 0.9, n * 1.1])),
  ];
  const free = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 }));
  const chart = echarts.init(h('div'), null, { renderer: 'canvas', width: 600, height: 400 });
  for (const drawn of [0, 1, 3, 6, 6, 6]) { // a little more each time: no moment is a long one
    await free();
    if (!idle()) break;
    chart.setOption(resolve({
      animation: false, textStyle: { fontFamily: getComputedStyle(document.body).fontFamily }, grid: [{ top: 20, height: 200, outerBoundsMode: 'none' }, { top: 260, height: 90, outerBoundsMode: 'none' }],
      xAxis: [axis(0), axis(1)], yAxis: [{ gridIndex: 0, name: 'TPS', min: 0, max: 20, axisLabel: { formatter: '@kilo' } }, { gridIndex: 1, axisLabel: { formatter: '@percent' } }],
      series: series.slice(0, drawn).map((one) => structuredClone(one)),
    }), { notMerge: true });
  }
  chart.dispose();
}

/**
 * Narrows the x axes of an option to a range, with every measured count of it labelled.
 * @param {any} option @param {[number, number]} range
 */
export function zoomed(option, [from, to]) {
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
export function marked(option, marks, color) {
  const first = (option.series ?? []).find((/** @type {any} */ s) => s.type === 'line');
  if (!first) return;
  const line = (first.markLine ??= { silent: true, symbol: 'none', data: [] });
  for (const m of marks) {
    // A label of a mark is text: a name that a formatter function returns, so that braces in it mean nothing.
    line.data.push({ xAxis: m.clients, lineStyle: { color, type: [4, 3], width: 1 }, label: { formatter: () => m.text, color, position: 'start', distance: [0, -38], backgroundColor: option.backgroundColor, padding: [1, 3] } });
  }
}
