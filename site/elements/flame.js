// Stacks as a flame graph, an icicle, merged from the leaves, or around one function. The engine lays out and prunes; this draws.

import { alarm, dialog, download, fill, h } from '../dom.js';
import { theme, token } from '../palette.js';
import * as store from '../store.js';
import { count, percent, weight } from '../words.js';
import { engine } from '../work.js';
import { Part } from './element.js';
import { raster } from './export.js';

/**
 * @typedef {{selfFrom: number, selfTo: number, totalFrom: number, totalTo: number, change: number, only?: string}} Sides  what a frame of a difference has
 * @typedef {{x: number, w: number, row: number, node: number, frame: number, self: number, total: number, match?: boolean} & Partial<Sides>} Rect
 * @typedef {{name: string, module?: string, flags?: string}} Label
 * @typedef {{kind: string, unit: string, width: number, rows: number, above?: number, partial?: boolean, total: number, shown: number, rects: Rect[], frames: Label[], hidden?: number, matched?: number, matches?: number, from?: string, to?: string, largest?: number}} Layout
 */

const kinds = /** @type {[string, string][]} */ ([['flame', 'Flame graph'], ['icicle', 'Icicle'], ['inverted', 'By leaf'], ['sandwich', 'Sandwich'], ['difference', 'Difference']]);
const rowHeight = 18;
const charWidth = 7.25; // of the 12 px monospace font

const stepWords = /** @type {Record<string, string>} */ ({
  focus: 'only stacks with', reroot: 'from', hide: 'without the frame', drop: 'without stacks with', 'hide-module': 'without frames of', 'hide-kernel': 'without the kernel', unknown: 'unknown functions joined', clones: 'copies by the compiler joined', recursion: 'recursion joined', thread: 'only thread', 'not-thread': 'without thread',
});
const folds = /** @type {[string, string, string][]} */ ([
  ['hide-kernel', 'without kernel', 'The time of kernel code counts as that of the function that called it'],
  ['unknown', 'join unknown', 'Functions without a name that call each other become one'],
  ['recursion', 'join recursion', 'A function that calls itself becomes one frame'],
  ['clones', 'join copies', 'Copies that the compiler made of a function (.part.0, .isra.0, .constprop.0, .cold) count as the function'],
]);

/** The function that takes the most time itself, which the callers and callees are first shown of: no module, command or address. @param {import('../report.js').Profile} p */
function busiest(p) {
  const commands = new Set(p.commands?.map((c) => c.command));
  const named = (p.top ?? []).filter((f) => !/^\[|^\(|^0x|\.so(\.|$)|^unknown$/i.test(f.function) && !commands.has(f.function));
  return (named.length ? named : p.top ?? []).reduce((most, f) => ((f.self ?? 0) > most.self ? { function: f.function, self: f.self ?? 0 } : most), { function: '', self: -1 }).function;
}

/** @param {Partial<import('../store.js').ProfileView>} patch */
const look = (patch) => store.setView({ profile: { ...store.get().view.profile, ...patch } });

export class FlamePart extends Part {
  #canvas = h('canvas', { 'aria-hidden': 'true' });
  #scroll = h('div', { class: 'flames', tabindex: 0 }, this.#canvas);
  #says = h('div', { class: 'frame-says', 'aria-live': 'polite' });
  #matched = h('span', { class: 'soft' });
  #tip = h('div', { class: 'hover', hidden: true });
  /** @type {Layout | null} */
  #layout = null;
  #node = 0;
  #at = -1;
  #width = 0;
  #asked = 0;
  #of = '';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #typing;

  constructor() {
    super();
    new ResizeObserver(() => {
      const width = this.#scroll.clientWidth; // costs nothing here; elsewhere it lays the page out
      if (!width || width === this.#width) return;
      this.#width = width;
      void this.#lay();
    }).observe(this.#scroll);
    addEventListener('themechange', () => this.#paint());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#paint());
    this.#canvas.addEventListener('pointermove', (e) => this.#hover(e));
    this.#canvas.addEventListener('pointerleave', () => { this.#tip.hidden = true; });
    this.#canvas.addEventListener('click', (e) => {
      const at = this.#find(e);
      this.#choose(at);
      if (at >= 0) this.#zoom(at);
    });
    this.#scroll.addEventListener('keydown', (e) => this.#key(e));
  }

  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report?.profiles, s.view.profile];
  }

  /** @param {import('./element.js').State} s */
  draw({ report, view: { profile: v } }) {
    const list = (report?.profiles ?? []).map((p, i) => ({ p, i })).filter(({ p }) => p.stacks > 0);
    if (list.length === 0) return fill(this);
    const candidate = report?.profileComparisons?.[0]?.candidate;
    const now = list.find(({ i }) => i === v.at) ?? list.find(({ p }) => p.label === candidate) ?? list[0];
    const pair = report?.profileComparisons?.find((c) => c.candidate === now.p.label) ?? report?.profileComparisons?.find((c) => c.baseline === now.p.label);
    const chosen = list.find(({ i }) => i === v.from && i !== now.i);
    const other = chosen ?? list.find(({ p }) => p.label === (pair?.candidate === now.p.label ? pair?.baseline : pair?.candidate)) ?? list.find(({ i }) => i !== now.i);
    this.#pair = other ? (!chosen && pair?.baseline === now.p.label ? [now.i, other.i] : [other.i, now.i]) : null;
    const known = busiest(now.p);
    const kind = v.kind === 'difference' && !other ? 'flame' : v.kind;
    const of = JSON.stringify([now.i, v.from, v.kind, v.steps, v.function]);
    if (of !== this.#of) this.#node = 0;
    this.#of = of;
    const search = h('input', { type: 'text', value: v.search, placeholder: 'Search functions', 'aria-label': 'Search functions, as a regular expression', 'data-k': 'search' });
    search.addEventListener('keydown', (e) => { if (e.key === 'Escape' || e.key === 'Enter') look({ search: e.key === 'Enter' ? search.value : '' }); });
    search.addEventListener('input', () => { // matches show while one types; a change would be told of when the field is drawn anew
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => { if (search.isConnected) look({ search: search.value }); }, 150);
    });
    const old = document.activeElement;
    const caret = old instanceof HTMLInputElement && old.dataset.k === 'search' && this.contains(old) ? old.selectionStart : null;
    const has = (/** @type {string} */ op) => v.steps.some((s) => s.op === op);
    const focused = document.activeElement === this.#scroll; // it is moved before fill could know
    fill(this, h('section', { class: 'card flame', 'aria-label': 'Stacks' },
      h('header', null, h('div', null, h('h2', null, kinds.find(([k]) => k === kind)?.[1] ?? 'Stacks', v.kind === 'sandwich' && v.function ? [' of ', h('code', null, v.function)] : null),
        kind === 'difference' && other && this.#pair ? h('p', null, `From ${report?.profiles?.[this.#pair[0]].label} to ${report?.profiles?.[this.#pair[1]].label}: `, h('span', { class: 'more' }, 'more'), ' and ', h('span', { class: 'less' }, 'less'), ' time, in shares of each; a frame is as wide as the larger side.') : h('p', null, `${now.p.label || now.p.file}: ${v.samples && now.p.samples ? count(now.p.samples, 'sample') : weight(now.p.total, now.p.unit)} in ${count(now.p.stacks, 'stack')}${now.p.partial ? ', a part of the whole' : ''}${kind === 'sandwich' ? '; its callers stand below it, what it calls above' : ''}`)),
        h('div', { class: 'tools' },
          list.length > 1 && kind !== 'difference' ? choose('Profile', list, now.i, (at) => look({ at, steps: [] })) : null,
          list.length > 2 && kind === 'difference' && this.#pair ? [choose('From', list, this.#pair[0], (at) => look({ from: at, at: this.#pair?.[1] === at ? this.#pair[0] : this.#pair?.[1] ?? -1 })), ' → ', choose('To', list, this.#pair[1], (at) => look({ from: this.#pair?.[0] === at ? this.#pair[1] : this.#pair?.[0], at }))] : null,
          h('div', { class: 'switch', role: 'group', 'aria-label': 'Kind of picture' }, kinds.filter(([k]) => k !== 'difference' || other).map(([k, label]) => h('button', { 'aria-pressed': String(k === kind), 'data-k': `kind ${k}`, disabled: k === 'sandwich' && !v.function && !known, onclick: () => look({ kind: k, function: k === 'sandwich' ? v.function || known : v.function }) }, label))))),
      h('div', { class: 'flame-bar' }, search, this.#matched,
        kind === 'difference' ? h('span', { class: 'switch', role: 'group', 'aria-label': 'Coloured by' }, [['by total', false], ['by self', true]].map(([label, self]) => h('button', { 'aria-pressed': String(Boolean(v.self) === self), 'data-k': String(label), onclick: () => look({ self: Boolean(self) }) }, String(label)))) : null,
        kind !== 'difference' && (now.p.commands?.length ?? 0) > 1 ? h('select', { 'aria-label': 'Command', 'data-k': 'command', onchange: (/** @type {Event} */ e) => look({ steps: [...v.steps.filter((s) => s.op !== 'thread'), ...(/** @type {HTMLSelectElement} */ (e.currentTarget).value ? [{ op: 'thread', command: /** @type {HTMLSelectElement} */ (e.currentTarget).value }] : [])] }) },
          h('option', { value: '' }, 'all commands'), now.p.commands?.map((c) => h('option', { value: c.command, selected: v.steps.some((s) => s.op === 'thread' && s.command === c.command) }, `${c.command} ${percent(c.share)}`))) : null,
        kind !== 'difference' && now.p.samples && now.p.unit !== 'samples' ? h('span', { class: 'switch' }, h('button', { 'aria-pressed': String(Boolean(v.samples)), 'data-k': 'samples', title: 'Each sample counts as one, whatever its period', onclick: () => look({ samples: !v.samples }) }, 'count samples')) : null,
        kind === 'difference' ? null : h('span', { class: 'switch', role: 'group', 'aria-label': 'Simplify' }, folds.map(([op, label, title]) => h('button', { 'aria-pressed': String(has(op)), 'data-k': `fold ${op}`, title, onclick: () => look({ steps: has(op) ? v.steps.filter((s) => s.op !== op) : [...v.steps, { op }] }) }, label))),
        h('button', { class: 'link', 'data-k': 'save profile', onclick: () => (kind === 'difference' && this.#pair ? saving(differenceKinds, 'Save the difference', 'difference', (how) => engine.bytes('difference', ...(this.#pair ?? [0, 0]), how, JSON.stringify({ search: v.search, self: v.self }))) : saving(profileKinds, 'Save the profile as shown', now.p.label, (how) => engine.bytes('profile', now.i, how, JSON.stringify(asked(v))))) }, 'Save as…')),
      v.steps.length || this.#node ? h('ol', { class: 'crumbs', 'aria-label': 'What was done to the profile' },
        h('li', null, h('button', { class: 'link', 'data-k': 'all steps', onclick: () => { this.#node = 0; look({ steps: [] }); } }, 'whole profile')),
        v.steps.map((s, i) => h('li', null, `${stepWords[String(s.op)] ?? s.op} `, h('code', null, String(s.function ?? s.module ?? s.command ?? '')), h('button', { class: 'icon', 'aria-label': `Undo ${stepWords[String(s.op)] ?? s.op} ${s.function ?? ''}`, onclick: () => look({ steps: v.steps.filter((_, k) => k !== i) }) }, '×'))),
        this.#node ? h('li', null, 'zoomed in ', h('button', { class: 'icon', 'aria-label': 'Zoom out', onclick: () => { this.#node = 0; this.draw(store.get()); } }, '×')) : null) : null,
      h('div', { class: 'flame-box' }, this.#scroll, this.#tip), this.#says));
    if (focused) this.#scroll.focus({ preventScroll: true });
    if (caret !== null) search.setSelectionRange(caret, caret);
    this.#number = now.i;
    void this.#lay();
  }
  #number = 0;
  /** @type {[number, number] | null} profiles of the difference, from and to */
  #pair = null;

  async #lay() {
    const v = store.get().view.profile;
    const width = this.#width;
    if (!width || !this.isConnected) return;
    const mine = ++this.#asked;
    try {
      /** @type {Layout} */
      const layout = v.kind === 'difference' && this.#pair ? asLayout(await engine.json('difference', ...this.#pair, '', JSON.stringify({ node: this.#node, search: v.search, self: v.self, width }))) : await engine.json('layout', this.#number, JSON.stringify({ ...asked(v), node: v.kind === 'flame' || v.kind === 'icicle' ? this.#node : 0, width }));
      if (mine !== this.#asked) return;
      this.#layout = layout;
      this.#tip.hidden = true;
      this.#matched.textContent = v.search ? `${count(layout.matches ?? 0, 'function')}, ${percent((layout.matched ?? 0) / (layout.total || 1))} of the whole` : layout.hidden ? `${count(layout.hidden, 'frame')} too narrow to be drawn` : '';
      this.#scroll.setAttribute('role', 'img');
      this.#scroll.setAttribute('aria-label', `${v.kind} of ${layout.rects.length} frames. Arrow keys go from frame to frame, Enter zooms, Escape zooms out; the functions are in the table of Profiles.`);
      this.#at = -1;
      this.#paint();
      this.#choose(this.#node ? layout.rects.findIndex((r) => r.node === this.#node) : -1);
      performance.mark('pgknee-flame');
    } catch (e) {
      if (!(e instanceof Error) || e.name === 'AbortError' || mine !== this.#asked) return;
      this.#matched.textContent = e.message;
      if (!v.search && v.steps.length === 0) alarm(`The stacks could not be drawn: ${e.message}`);
    }
  }

  /** From the row of a rect to its place from the top. @param {Rect} r */
  #y(r) {
    const l = /** @type {Layout} */ (this.#layout);
    const row = r.row + (l.above ?? 0);
    return (l.kind === 'icicle' ? row : l.rows + (l.above ?? 0) - 1 - row) * rowHeight;
  }

  #paint() {
    const l = this.#layout;
    if (!l || !this.isConnected) return;
    const height = Math.max(l.rows + (l.above ?? 0), 1) * rowHeight;
    const ratio = devicePixelRatio;
    const canvas = this.#canvas;
    canvas.width = Math.round(l.width * ratio);
    canvas.height = Math.min(Math.round(height * ratio), 32_000);
    canvas.style.width = `${l.width}px`;
    canvas.style.height = `${height}px`;
    const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    c.scale(ratio, ratio);
    c.textBaseline = 'middle';
    c.font = `12px ${getComputedStyle(canvas).fontFamily}`;
    const dark = theme() === 'dark';
    const ink = '#101418';
    const searching = l.matches !== undefined && store.get().view.profile.search !== '';
    for (const r of l.rects) {
      const f = l.frames[r.frame];
      const y = this.#y(r);
      c.fillStyle = r.change === undefined ? tint(f, r.match ?? false, searching, dark) : shift(r, l.largest ?? 1, dark);
      c.fillRect(r.x, y, Math.max(r.w - (r.w > 3 ? 0.6 : 0), 0.5), rowHeight - 1);
      if (l.kind === 'sandwich' && r.row === 0) {
        c.fillStyle = token('--ink');
        c.fillRect(r.x, y, Math.max(r.w, 1), rowHeight - 1);
      }
      const chars = Math.floor((r.w - 8) / charWidth);
      if (chars >= 3) {
        c.fillStyle = l.kind === 'sandwich' && r.row === 0 ? token('--card') : r.match ? '#ffffff' : ink;
        c.fillText(f.name.length > chars ? `${f.name.slice(0, chars - 1)}…` : f.name, r.x + 4, y + rowHeight / 2);
      }
    }
    if (this.#at >= 0) {
      const r = l.rects[this.#at];
      c.strokeStyle = token('--ink');
      c.lineWidth = 2;
      c.strokeRect(r.x + 1, this.#y(r) + 1, Math.max(r.w - 2, 2), rowHeight - 3);
    }
    if (l.kind === 'flame' && this.#scroll.scrollTop === 0) this.#scroll.scrollTop = height;
  }

  /** @param {PointerEvent | MouseEvent} e */
  #find(e) {
    const l = this.#layout;
    if (!l) return -1;
    const box = this.#canvas.getBoundingClientRect();
    const [x, y] = [e.clientX - box.left, e.clientY - box.top];
    const top = Math.floor(y / rowHeight) * rowHeight;
    return l.rects.findIndex((r) => this.#y(r) === top && x >= r.x && x < r.x + Math.max(r.w, 0.5));
  }

  /** @param {PointerEvent} e */
  #hover(e) {
    const at = this.#find(e);
    const l = this.#layout;
    this.#tip.hidden = at < 0;
    if (at < 0 || !l) return;
    const r = l.rects[at];
    const f = l.frames[r.frame];
    this.#tip.replaceChildren(h('h4', null, h('code', null, f.name)), h('p', { class: 'soft' }, `${shares(r, l)}${r.change === undefined ? ` · ${weight(r.total, l.unit)}` : ''}${f.module ? ` · ${f.module}` : ''}`));
    const box = /** @type {HTMLElement} */ (this.#tip.parentElement).getBoundingClientRect();
    const x = Math.min(e.clientX - box.left + 14, box.width - this.#tip.offsetWidth - 4);
    this.#tip.style.left = `${Math.max(0, x)}px`;
    this.#tip.style.top = `${e.clientY - box.top + 18}px`;
  }

  /** Tells of a frame, with what can be done about it. @param {number} at */
  #choose(at) {
    this.#at = at;
    const l = this.#layout;
    if (!l) return;
    const v = store.get().view.profile;
    if (at < 0) return fill(this.#says, h('p', { class: 'soft' }, v.kind === 'difference' ? 'A click zooms in; frames of one side only say so.' : l.kind === 'sandwich' ? 'A click goes to the callers and callees of another function.' : 'A click zooms in; then the frame can be followed, hidden or looked at from all sides.'));
    const r = l.rects[at];
    const f = l.frames[r.frame];
    const step = (/** @type {string} */ op) => look({ steps: [...v.steps, op === 'hide-module' ? { op, module: f.module } : { op, function: f.name }], kind: v.kind === 'sandwich' ? 'flame' : v.kind });
    fill(this.#says, h('p', null, h('code', null, f.name), h('span', { class: 'soft' }, ` ${shares(r, l)}${f.module ? `, ${f.module}` : ''}`)),
      r.row === 0 && v.kind !== 'sandwich' && f.name === 'all' || v.kind === 'difference' ? null : h('div', { class: 'acts' },
        [['focus', 'Only stacks with it'], ['reroot', 'Start from it'], ['hide', 'Hide the frame'], ['drop', 'Leave its stacks out']].map(([op, label]) => h('button', { class: 'quiet', onclick: () => step(op) }, label)),
        f.module ? h('button', { class: 'quiet', onclick: () => step('hide-module') }, 'Hide its module') : null,
        h('button', { class: 'quiet', onclick: () => look({ kind: 'sandwich', function: f.name }) }, 'Callers and callees')));
    this.#paint();
  }

  /** @param {number} at */
  #zoom(at) {
    const l = this.#layout;
    if (!l) return;
    const { node, frame } = l.rects[at];
    if (l.kind === 'sandwich') {
      if (l.frames[frame].name !== store.get().view.profile.function) look({ function: l.frames[frame].name });
      return;
    }
    if (node < 0 || l.kind === 'inverted') return;
    this.#node = node;
    this.draw(store.get());
  }

  /** @param {KeyboardEvent} e */
  #key(e) {
    const l = this.#layout;
    if (!l || e.ctrlKey || e.altKey || e.metaKey) return;
    if (e.key === 'Enter' && this.#at >= 0) this.#zoom(this.#at);
    else if (e.key === '/') /** @type {HTMLElement} */ (this.querySelector('[data-k="search"]')).focus();
    else if (e.key === 'Escape' && this.#node) {
      this.#node = 0;
      this.draw(store.get());
    } else if (e.key.startsWith('Arrow')) {
      const now = l.rects[this.#at];
      const up = l.kind === 'icicle' ? -1 : 1;
      /** @type {number} */
      let next = 0;
      if (now) {
        const row = now.row + (e.key === 'ArrowUp' ? up : e.key === 'ArrowDown' ? -up : 0);
        const along = l.rects.map((r, i) => ({ r, i })).filter(({ r }) => r.row === row).sort((a, b) => a.r.x - b.r.x);
        const mid = now.x + now.w / 2;
        if (row === now.row) {
          const at = along.findIndex(({ i }) => i === this.#at);
          next = along[Math.max(0, Math.min(along.length - 1, at + (e.key === 'ArrowRight' ? 1 : -1)))].i;
        } else {
          const best = along.find(({ r }) => r.x <= mid && r.x + r.w >= mid) ?? along.filter(({ r }) => r.x + r.w > now.x && r.x < now.x + now.w).sort((a, b) => b.r.w - a.r.w)[0];
          next = best?.i ?? this.#at;
        }
      }
      this.#choose(next);
    } else return;
    e.preventDefault();
    e.stopPropagation();
  }
}

/** The shares of a frame in words; of a part of a profile, its self share only where there is one. @param {Rect} r @param {Layout} l */
const shares = (r, l) => (r.change === undefined ? `${percent(r.total / (l.total || 1))} total${l.partial && !r.self ? '' : `, ${percent(r.self / (l.total || 1))} self`}`
  : `${percent(r.totalFrom ?? 0)} → ${percent(r.totalTo ?? 0)} total${l.partial && !(r.selfFrom && r.selfTo) ? '' : `, ${percent(r.selfFrom ?? 0)} → ${percent(r.selfTo ?? 0)} self`}${r.only === 'to' ? ', new' : r.only === 'from' ? ', gone' : ''}`);

/** A difference as a layout. @param {any} o @returns {Layout} */
const asLayout = (o) => ({ ...o, unit: '', total: 1, shown: 1, rects: o.rects.map((/** @type {any} */ r) => ({ ...r, self: r.selfTo, total: r.totalTo })) });

/** The colour of a change: orange for more, blue for less. @param {Rect} r @param {number} largest @param {boolean} dark */
function shift(r, largest, dark) {
  if (r.match) return '#a21caf';
  const t = Math.min(1, Math.abs(r.change ?? 0) / (largest || 1)) ** 0.6;
  const [hue, saturation] = (r.change ?? 0) >= 0 ? [22, 92] : [205, 80];
  return `hsl(${hue} ${saturation * (0.15 + 0.85 * t)}% ${(dark ? 78 : 91) - 30 * t}%)`;
}

/** The colour of a frame: by what it is, varied by its name, as in our SVG. @param {Label} f @param {boolean} match @param {boolean} searching @param {boolean} dark */
function tint(f, match, searching, dark) {
  if (match) return '#a21caf';
  let hash = 2166136261;
  for (let i = 0; i < f.name.length; i++) hash = Math.imul(hash ^ f.name.charCodeAt(i), 16777619);
  const vary = ((hash >>> 0) % 1000) / 1000;
  const has = (/** @type {string} */ letter) => f.flags?.includes(letter) ?? false;
  const [hue, saturation, light] = has('u') ? [210, 6, 70 + 10 * vary] : has('k') ? [205 + 15 * vary, 60, 66 + 10 * vary] : has('j') ? [140 + 20 * vary, 40, 62 + 12 * vary] : [18 + 30 * vary, 85, 64 + 10 * vary];
  return `hsl(${hue} ${searching ? saturation / 3 : saturation}% ${dark ? light - 8 : light}%)`;
}

/** What is asked of the engine for a view. @param {import('../store.js').ProfileView} v */
const asked = (v) => ({ kind: v.kind === 'difference' ? 'flame' : v.kind, steps: v.steps, function: v.kind === 'sandwich' ? v.function : '', search: v.search, samples: v.samples });

/** A choice among profiles. @param {string} name @param {{p: import('../report.js').Profile, i: number}[]} list @param {number} now @param {(at: number) => void} then */
const choose = (name, list, now, then) => h('select', { 'aria-label': name, 'data-k': `profile ${name}`, onchange: (/** @type {Event} */ e) => then(Number(/** @type {HTMLSelectElement} */ (e.currentTarget).value)) }, list.map(({ p, i }) => h('option', { value: String(i), selected: i === now }, p.label || p.file)));

/** @typedef {[string, string, string]} Kind  for the engine, in words, the extension */
const differenceKinds = /** @type {Kind[]} */ ([['svg', 'SVG picture', 'svg'], ['png', 'PNG picture', 'png'], ['markdown', 'Markdown table', 'md']]);
const profileKinds = /** @type {Kind[]} */ ([['svg', 'SVG picture', 'svg'], ['png', 'PNG picture', 'png'], ['folded', 'Folded stacks', 'folded'], ['pprof', 'pprof', 'pb.gz'], ['speedscope', 'speedscope', 'speedscope.json'], ['markdown', 'Markdown table', 'md']]);

/** @param {Kind[]} kinds @param {string} title @param {string} label @param {(kind: string) => Promise<Uint8Array>} make */
function saving(kinds, title, label, make) {
  const box = dialog(title, {}, h('div', { class: 'fields' }, kinds.map(([kind, name, ext]) => h('button', { class: 'quiet', onclick: async () => {
    try {
      const content = await make(kind === 'png' ? 'svg' : kind);
      const blob = new Blob([/** @type {BlobPart} */ (content)], kind === 'svg' ? { type: 'image/svg+xml' } : {});
      download(kind === 'png' ? await raster(pictureOf(new TextDecoder().decode(content)), 2) : kind === 'pprof' ? await gzipped(blob) : blob, `${label.replace(/[^\w.-]+/g, '-') || 'profile'}.${ext}`);
      box.close();
    } catch (e) {
      alarm(`It could not be saved: ${/** @type {Error} */ (e).message}`);
    }
  } }, name))));
}

/** @param {Blob} blob */
const gzipped = (blob) => new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();

/** A picture with the size that it gives itself. @param {string} text */
function pictureOf(text) {
  const [width, height] = ['width', 'height'].map((name) => Number(new RegExp(`<svg[^>]* ${name}="([\\d.]+)"`).exec(text)?.[1] ?? 1000));
  return { text, width, height };
}
