// A chart on the page: the painter's picture of an option made by the engine, with our own pointer: a guide line that snaps to measured
// counts, a readout, a brush for zooming. Hovering draws nothing anew.

import { h } from './dom.js';
import { painter } from './work.js';

/**
 * @typedef {object} Pointer  what the host of a plot does with the pointer
 * @property {(clients: number) => Node | null} readout  what to show at a count
 * @property {(clients: number, y: number | null, at: {x: number, y: number}) => void} pick  a count was clicked, at this height of the upper panel's axis
 * @property {(from: number, to: number) => void} zoom  a range was brushed, or the view moved to it
 * @property {() => void} whole  the whole range is wanted
 */

export class Plot {
  #canvas = h('canvas', { 'aria-hidden': 'true' });
  /** @type {Promise<unknown>} */
  #painting = Promise.resolve();
  #asked = 0;
  #guide = h('div', { class: 'guide', hidden: true });
  #hover = h('div', { class: 'hover', hidden: true });
  #brush = h('div', { class: 'brush', hidden: true });
  /** @type {import('./painter.js').Drawn['stops']} */
  #stops = [];
  /** @type {import('./painter.js').Drawn['panel']} */
  #panel = null;
  #rect = { x: 0, y: 0, width: 0, height: 0 };
  #at = -1;
  /** The count that was last read: from there the arrows go on. @type {number | undefined} */
  #last;
  #dragging = -1;
  #panning = false;
  #pointer;

  /** @param {HTMLElement} host @param {Pointer} pointer */
  constructor(host, pointer) {
    this.host = host;
    this.#pointer = pointer;
    host.append(this.#canvas, this.#guide, this.#brush, this.#hover);
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
   * Draws an option of the engine, one picture after the other: of those that wait only the last is drawn.
   * @param {Uint8Array<ArrayBuffer>} option @param {Omit<import('./painter.js').How, 'ratio'>} how
   * @returns {Promise<any>} what the chart says around itself; null where a later one has taken its place
   */
  async draw(option, how) {
    const mine = ++this.#asked;
    await this.#painting.catch(() => {}); // was told
    if (mine !== this.#asked) return null;
    const painting = painter.draw(option, { ...how, ratio: devicePixelRatio });
    this.#painting = painting;
    const { picture, says, ...places } = await painting;
    Object.assign(this.#canvas, { width: picture.width, height: picture.height });
    Object.assign(this.#canvas.style, { width: `${how.width}px`, height: `${how.height}px` });
    this.#canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(picture);
    this.#rect = places.rect;
    this.#stops = places.stops;
    this.#panel = places.panel;
    this.#leave();
    return says;
  }

  /** What the chart says, for those who don't see it. @param {string} text */
  describe(text) {
    this.host.setAttribute('role', 'img');
    this.host.setAttribute('aria-roledescription', 'chart');
    this.host.setAttribute('aria-label', text);
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
      this.#last = stop.n;
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
    const y = this.#panel && along(this.#panel.y, (p.y - this.#panel.top) / this.#panel.height);
    this.#pointer.pick(stop.n, y, { x: e.pageX, y: e.pageY });
  }

  /** Shows what lies between two places from the left. @param {number} a @param {number} b */
  #to(a, b) {
    const { x, width } = this.#rect;
    if (this.#panel) this.#pointer.zoom(along(this.#panel.x, (a - x) / width), along(this.#panel.x, (b - x) / width));
  }

  /** @param {KeyboardEvent} e */
  #key(e) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[e.key];
    if (step && this.#stops.length && !e.altKey && !e.ctrlKey && !e.metaKey) {
      e.preventDefault();
      const last = this.#stops.findIndex(({ n }) => n === this.#last);
      const from = this.#at >= 0 ? this.#at : last >= 0 ? last : step > 0 ? -1 : this.#stops.length;
      this.#show(Math.max(0, Math.min(this.#stops.length - 1, from + step)));
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

/** The value at a share of a scale. @param {import('./painter.js').Scale} scale @param {number} share */
const along = ({ log, from, to }, share) => (log ? from * (to / from) ** share : from + (to - from) * share);
