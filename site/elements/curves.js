// The chart: the largest thing on the page. Which view, which scales, which series; what stands at a count; what the person does to a point.

import { alarm, details, fill, h, inParts, say, svg, tied } from '../dom.js';
import { Plot } from '../plot.js';
import { chosenColors, colors, place, seriesClass, theme } from '../palette.js';
import * as store from '../store.js';
import { change, count, flagWords, kilo, list, number } from '../words.js';
import { engine } from '../work.js';
import { Part } from './element.js';
import { closePopover, popover } from './pop.js';

/** @typedef {import('../report.js').Report} Report */
/** @typedef {import('../report.js').Series} Series */
/** @typedef {import('../store.js').View} View */

const fewSeries = 6; // more are drawn as small multiples when asked for
const legendAbove = 10; // a longer legend stands below the chart

/** The views that this report has something for. @param {Report} r */
export function views(r) {
  const known = viewsOf.get(r) ?? allViews(r).filter((v) => v.has);
  viewsOf.set(r, known);
  return known;
}
/** @type {WeakMap<Report, ReturnType<typeof allViews>>} */
const viewsOf = new WeakMap();

/** @param {Report} r */
function allViews(r) {
  const points = (r.series ?? []).flatMap((s) => s.points ?? []);
  const units = new Set((r.series ?? []).filter((s) => s.points?.length).map((s) => s.unit ?? 'TPS'));
  const several = new Set(points.map((p) => p.clients)).size > 1; // one count is no curve
  return [
    { name: 'tps', label: units.size > 1 ? 'Throughput' : [...units][0] ?? 'TPS', has: several },
    { name: 'latency', label: 'Latency', has: several && points.some((p) => p.latencyMs !== undefined) },
    { name: 'percentiles', label: 'Percentiles', has: points.some((p) => p.latencyPercentilesMs) },
    { name: 'residuals', label: 'Residuals', has: (r.series ?? []).some((s) => s.models?.some((m) => m.residuals?.length)) },
    { name: 'progress', label: 'Over time', has: (r.runs ?? []).some((x) => x.progress) },
    { name: 'heatmap', label: 'Heat map', has: (r.runs ?? []).some((x) => x.progress?.heat) },
  ];
}

/** The name of the engine's view, and its options. @param {View} view @param {Report} r */
export function chartRequest(view, r) {
  const has = views(r);
  const wanted = has.find((v) => v.name === view.chart) ?? has[0];
  const options = {
    theme: theme(), linearX: !view.logX, logY: view.logY, normalise: view.normalise || undefined,
    hidden: view.hidden.length ? view.hidden : undefined, colors: chosenColors(),
  };
  return { name: wanted?.name === 'tps' ? (view.normalise ? 'tps' : 'curves') : wanted?.name ?? '', options };
}

/** Client counts at which something visible was measured. @param {Report} r @param {string[]} hidden */
function counts(r, hidden) {
  const all = (r.series ?? []).filter((s) => !hidden.includes(s.label)).flatMap((s) => (s.points ?? []).map((p) => p.clients));
  return [...new Set(all)].sort((a, b) => a - b);
}

/** What a chart says around itself, as analysis/chart words it. @typedef {{title: string, what: string, conditions?: string, note?: string}} Says */

const normalisations = [['', 'as measured'], ['one', 'relative to 1 client'], ['clients', 'per client'], ['cores', 'per core']];

export class Curves extends Part {
  /** @type {Plot | null} */
  #plot = null;
  #host = h('div', { class: 'chart' });
  #multiples = h('div', { class: 'multiples', hidden: true });
  /** @type {[number, number] | null} */
  #range = null;
  /** What the range is of: clients, or seconds. */
  #rangeOf = '';
  /** The run whose course is drawn; -1 for the most telling of each series. */
  #run = -1;
  #asked = 0;
  #width = 0;
  #drawn = '';
  #numbers = { open: false };
  #entries = {}; // of the legend
  #title = h('h2', null, 'Throughput over clients');
  #conditions = h('p', null, '');
  #note = h('p', { class: 'note' }, '');
  #many = false;

  constructor() {
    super();
    new ResizeObserver(() => {
      const width = this.#host.clientWidth;
      if (width && width !== this.#width) {
        this.#width = width;
        void this.#chart();
      }
    }).observe(this.#host);
    for (const q of ['(prefers-color-scheme: dark)', '(forced-colors: active)', 'print']) matchMedia(q).addEventListener('change', () => {
      this.#width = 0; // of the page or of paper
      void this.#chart();
    });
    addEventListener('themechange', () => this.#chart());
  }

  /** What of the chart is shown: the range of its x axes, the run whose course it is. */
  get shown() {
    return { range: this.#range, runs: this.#run >= 0 ? [this.#run] : undefined };
  }

  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report, s.view, s.doc];
  }

  /** @param {import('./element.js').State} s */
  draw({ report, view, doc }) {
    const has = report ? views(report) : [];
    if (!report || has.length === 0) {
      this.#range = null;
      return fill(this);
    }
    const at = (has.find((v) => v.name === view.chart) ?? has[0]).name;
    const series = (report.series ?? []).filter((s) => s.points?.length || s.leftOut?.length);
    const overTime = at === 'progress' || at === 'heatmap';
    if (this.#rangeOf !== String(overTime)) this.#range = null;
    this.#rangeOf = String(overTime);
    const courses = overTime ? (report.runs ?? []).map((run, i) => ({ run, i })).filter(({ run }) => (at === 'heatmap' ? run.progress?.heat : run.progress) && !view.hidden.includes(run.series ?? '')) : [];
    if (!courses.some(({ i }) => i === this.#run)) this.#run = -1;
    const few = series.length <= (phone() ? 4 : legendAbove);
    if (at === 'tps') this.#conditions.textContent = tied((report.conditions ?? []).map((c) => `${c.name} ${c.value}`).join(', '));
    const canMany = at === 'tps' && series.length > fewSeries;
    const focused = document.activeElement === this.#host;
    fill(this, h('section', { class: 'card curves', 'aria-label': 'Curves' },
      h('header', null,
        h('div', null, this.#title, this.#conditions),
        h('div', { class: 'tools' },
          has.length > 1 ? h('div', { class: 'switch', role: 'group', 'aria-label': 'View' }, has.map((v) => button(v.label, v.name === at, () => store.setView({ chart: v.name })))) : null,
          courses.length > 1 ? h('select', { 'aria-label': 'Run', 'data-k': 'run', onchange: (/** @type {Event} */ e) => { this.#run = Number(/** @type {HTMLSelectElement} */ (e.currentTarget).value); this.draw(store.get()); } },
            h('option', { value: '-1' }, 'most clients of each'), courses.slice(0, 300).map(({ run, i }) => h('option', { value: String(i), selected: i === this.#run }, [run.series, run.clients === undefined ? '' : count(run.clients, 'client'), run.file].filter(Boolean).join(', ')))) : null,
          !overTime && phone() ? axis('x', view.logX ? logarithm() : 'linear', 'Client axis', () => store.setView({ logX: !view.logX })) : !overTime ? h('div', { class: 'switch', role: 'group', 'aria-label': 'Client axis' }, h('span', { class: 'axis', 'aria-hidden': 'true' }, 'x'),
            button(logarithm(), view.logX, () => store.setView({ logX: true }), 'log x'), button('linear', !view.logX, () => store.setView({ logX: false }), 'linear x')) : null,
          !['tps', 'latency', 'progress'].includes(at) ? null : phone() ? axis('y', view.logY ? 'log' : 'from 0', 'Value axis', () => store.setView({ logY: !view.logY })) : h('div', { class: 'switch', role: 'group', 'aria-label': 'Value axis' }, h('span', { class: 'axis', 'aria-hidden': 'true' }, 'y'),
            button('from 0', !view.logY, () => store.setView({ logY: false }), 'y from 0'), button('log', view.logY, () => store.setView({ logY: true }), 'log y')),
          at === 'tps' ? h('label', null, h('span', { class: 'visually-hidden' }, 'Normalise'), h('select', { 'data-k': 'normalise', onchange: (/** @type {Event} */ e) => store.setView({ normalise: /** @type {HTMLSelectElement} */ (e.currentTarget).value }) },
            normalisations.filter(([v]) => v !== 'cores' || series.some((s) => s.cores)).map(([v, t]) => h('option', { value: v, selected: v === view.normalise }, t)))) : null,
          canMany ? button('small multiples', this.#many, () => { this.#many = !this.#many; this.draw(store.get()); }) : null,
          this.#range ? h('button', { class: 'quiet', 'data-k': 'unzoom', onclick: () => this.#zoom(null) }, 'Whole range') : null)),
      few ? legend(series, view, this.#entries) : null, this.#host, this.#multiples, few ? null : legend(series, view, this.#entries), this.#note,
      h('footer', null, h('span', null, source(report)), h('span', null, this.#cores(doc.options.cores ?? 0, report.series?.find((s) => s.cores)?.cores), splitter(report))),
      details(this.#numbers, { class: 'data' }, h('summary', { 'data-k': 'data' }, 'The numbers as a table'), () => (overTime ? courseTable(report, at, this.#run) : dataTable(report, at, view.hidden)))));
    this.#multiples.hidden = !(canMany && this.#many);
    this.#host.hidden = canMany && this.#many;
    if (focused) this.#host.focus({ preventScroll: true });
    void this.#chart();
  }

  /** @param {number} now @param {number} [known] */
  #cores(now, known) {
    return h('label', { class: 'soft' }, 'CPUs of the server ', h('input', {
      type: 'number', min: 1, max: 100000, step: 1, value: now ? String(now) : '', placeholder: known ? String(known) : '?', 'data-k': 'cores', style: { width: '5.2rem' },
      onchange: (/** @type {Event} */ e) => {
        const cores = Math.floor(/** @type {HTMLInputElement} */ (e.currentTarget).valueAsNumber);
        store.editOptions(cores > 0 ? `Server with ${cores} CPUs` : 'Number of CPUs unknown', { cores: cores > 0 ? cores : undefined });
      },
    }));
  }

  /** @param {[number, number] | null} range */
  #zoom(range) {
    const { report, view } = store.get();
    if (!report || (range === null && this.#range === null)) return;
    closePopover(); // that the first of two clicks opened
    if (range) {
      const all = this.#rangeOf === 'true' ? seconds(report) : counts(report, view.hidden);
      const [first, last] = [view.logX || this.#rangeOf === 'true' ? all[0] : 0, all[all.length - 1]];
      range = [Math.max(first, range[0]), Math.min(last, range[1])];
      if (all.filter((n) => range && n >= range[0] && n <= range[1]).length < 2) return;
      if (range[0] <= first && range[1] >= last) range = null;
    }
    this.#range = range;
    this.draw(store.get());
  }

  /** Draws the chart again if anything about it is another. */
  async #chart() {
    const { report, view, doc } = store.get();
    if (!report || !this.isConnected || !this.#host.isConnected) return;
    if (!this.#multiples.hidden) return this.#small(report, view);
    const width = (this.#width ||= this.#host.clientWidth); // the observer knows of another; to ask lays the page out
    if (!width) return;
    const request = chartRequest(view, report);
    const height = request.name === 'curves' && report.comparisons?.some((c) => c.points?.length) ? (width < 640 ? 560 : Math.min(760, Math.max(620, innerHeight * 0.78))) : width < 640 ? 380 : 500;
    const options = JSON.stringify({ ...request.options, runs: this.shown.runs, width, height: Math.round(height) });
    const key = JSON.stringify([request.name, options, this.#range, doc.marks, devicePixelRatio]);
    if (key === this.#drawn && this.#report === report) return;
    const mine = ++this.#asked;
    this.#host.style.minHeight = `${Math.round(height)}px`;
    try {
      const option = await engine.bytes('chart', request.name, options);
      if (mine !== this.#asked) return;
      this.#plot ??= new Plot(this.#host, { readout: (n) => (this.#rangeOf === 'true' ? course(n, this.#run) : readout(n)), pick: (n, y, p) => { if (this.#rangeOf === 'false') pick(n, y, p); }, zoom: (a, b) => this.#zoom([a, b]), whole: () => this.#zoom(null) });
      const told = await this.#plot.draw(option, { width, height: Math.round(height), counts: this.#rangeOf === 'true' ? (view.chart === 'progress' ? seconds(report, this.#run) : []) : counts(report, view.hidden), range: this.#range, marks: doc.marks, font: getComputedStyle(document.body).fontFamily });
      if (mine !== this.#asked) return;
      this.#plot.describe(describe(report, this.#say(told, request.name)));
      this.#drawn = key;
      this.#host.dataset.drawn = request.options.theme;
      this.#report = report;
      performance.mark('pgknee-drawn');
    } catch (e) {
      if (e instanceof Error && e.name !== 'AbortError' && mine === this.#asked) alarm(`The chart could not be drawn: ${e.message}`);
    }
  }
  /** @type {Report | null} */
  #report = null;

  /** Says around the chart what it shows; the finding of the page is not said twice. @param {Says} says @param {string} name */
  #say(says, name) {
    const repeats = name === 'curves' || name === 'tps' || says.title === says.what;
    this.#title.textContent = tied(repeats ? says.what : says.title);
    this.#conditions.textContent = tied([repeats ? '' : says.what, says.conditions].filter(Boolean).join(' · '));
    this.#note.textContent = tied(says.note ?? '');
    return repeats ? says.what : says.title;
  }

  /** One small chart for each series, on the same scales. @param {Report} report @param {View} view */
  async #small(report, view) {
    const series = (report.series ?? []).filter((s) => s.points?.length && !view.hidden.includes(s.label));
    const mine = ++this.#asked;
    const most = Math.max(...series.flatMap((s) => (s.points ?? []).map((p) => p.tps)));
    const power = 10 ** Math.floor(Math.log10(most / 4 || 1));
    const step = power * ([1, 2, 5, 10].find((m) => m * power * 4 >= most) ?? 10);
    const all = counts(report, view.hidden);
    const boxes = series.map((s) => h('figure', null, h('figcaption', { class: seriesClass(s.label) }, h('h3', null, s.label))));
    this.#multiples.replaceChildren(...boxes);
    this.#drawn = '';
    for (const [i, s] of series.entries()) {
      const hidden = (report.series ?? []).map((x) => x.label).filter((l) => l !== s.label);
      const box = boxes[i].appendChild(h('div', { class: 'chart' }));
      const { options } = chartRequest({ ...view, chart: 'tps', hidden }, report);
      const option = await engine.bytes('chart', 'tps', JSON.stringify({ ...options, width: box.clientWidth || 300, height: 210 }));
      if (mine !== this.#asked) return;
      const plot = new Plot(box, { readout: (n) => readout(n), pick, zoom: () => {}, whole: () => {} });
      const says = await plot.draw(option, {
        width: box.clientWidth || 300, height: 210, counts: (s.points ?? []).map((p) => p.clients), font: getComputedStyle(document.body).fontFamily,
        axes: { x: { min: view.logX ? all[0] : 0, max: all[all.length - 1], name: '' }, y: { ...(view.normalise || view.logY ? {} : { max: Math.ceil(most / step) * step, interval: step }), ...(i > 0 ? { name: '' } : {}) } },
      });
      if (mine !== this.#asked) return;
      if (i === 0) this.#say({ ...says, what: 'Throughput over clients, each series by itself', note: '' }, 'tps');
      plot.describe(`${s.label}: ${describe({ ...report, series: [s] }, 'Throughput over clients')}`);
    }
  }
}

/** @param {import('../dom.js').Child} label @param {boolean} pressed @param {() => void} act @param {string} [key] */
const button = (label, pressed, act, key) => h('button', { 'aria-pressed': String(pressed), 'data-k': `view ${key ?? label}`, onclick: act }, label);

/** Whether there is room for one thing beside another only. */
const phone = () => innerWidth < 640;

const logarithm = () => h('span', null, 'log', h('sub', null, '2'));

/** The scale of an axis as one button, which changes it: two take twice the room. @param {string} name @param {import('../dom.js').Child} now @param {string} of @param {() => void} act */
const axis = (name, now, of, act) => h('button', { class: 'quiet', 'data-k': `scale ${name}`, title: `${of}: change the scale`, onclick: act }, h('span', { class: 'soft' }, name), now);

/** What the chart says in words, for those who don't see it. @param {Report} r @param {string} title */
export function describe(r, title) {
  const headline = r.summary?.headline.map((s) => s.text).join('') ?? r.comparisons?.[0]?.why ?? '';
  const peaks = (r.series ?? []).filter((s) => s.peak).slice(0, 8).map((s) => `${s.label || 'The series'} is highest at ${s.peak?.clients} clients with ${kilo(s.peak?.tps ?? 0)}.`);
  return [`${title}.`, headline, ...peaks, 'Arrow keys read the values; the table below has them all.'].filter(Boolean).join(' ');
}

/** @param {Report} r */
function source(r) {
  const names = (r.files ?? []).filter((f) => f.runs + f.profiles > 0).map((f) => f.name);
  return `Source: ${names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${number(names.length - 2, 9)} more files` : list(names)}${r.tool ? ` · ${r.tool}` : ''}`;
}

/** The symbol and dash of a series, as in the chart. @param {string} label */
function keySymbol(label) {
  const at = (store.get().report?.series ?? []).findIndex((s) => s.label === label);
  const round = Math.floor(at / colors); // of the same colours: with other symbols and dashes, as analysis/chart has them
  const dash = ['', '', '6 4', '2 3', '9 3 2 3', '', '6 4', '2 3'][(at + round) % colors] ?? '';
  const shape = [
    svg('circle', { cx: 13, cy: 6, r: 4 }), svg('rect', { x: 9.2, y: 2.2, width: 7.6, height: 7.6 }), svg('path', { d: 'M13 1.2 17.6 9.8H8.4z' }), svg('path', { d: 'M13 .8 18 6 13 11.2 8 6z' }),
    svg('rect', { x: 9.2, y: 2.2, width: 7.6, height: 7.6, rx: 2.2 }), svg('path', { d: 'M13 11 17.8 2.2H8.2z' }), svg('path', { d: 'M11.2 1.2h3.6v3h3v3.6h-3v3h-3.6v-3h-3V4.2h3z' }), svg('path', { d: 'M13 1l4.8 3.5-1.8 5.6h-6L8.2 4.5z' }),
  ][Math.max(at + 3 * round, 0) % colors];
  return svg('svg', { class: `symbol ${seriesClass(label)}`, viewBox: '0 0 26 12', 'aria-hidden': 'true' }, svg('path', { d: 'M0 6H26', 'stroke-dasharray': dash, fill: 'none' }), shape);
}

/** @param {Series[]} series @param {View} view @param {object} kept */
function legend(series, view, kept) {
  if (series.length === 0) return null;
  const baseline = store.get().report?.comparisons?.[0]?.baseline;
  const entries = h('ul', { class: 'legend', 'aria-label': 'Series' });
  const more = inParts(series, entries, (s) => {
    const shown = !view.hidden.includes(s.label);
    const name = s.label || 'all runs';
    return h('li', { class: 'key' },
      h('button', { class: `toggle ${seriesClass(s.label)}`, 'aria-pressed': String(shown), title: shown ? 'Hide' : 'Show', 'data-k': `show ${s.label}`, onclick: () => store.setView({ hidden: shown ? [...view.hidden, s.label] : view.hidden.filter((l) => l !== s.label) }) },
        keySymbol(s.label), h('span', { class: 'name' }, name), s.label === baseline && series.length > 1 ? h('span', { class: 'tag' }, 'baseline') : null),
      h('button', { class: 'icon', 'aria-label': `Edit ${name}`, 'aria-haspopup': 'dialog', title: 'Rename, colour, order, merge, baseline', 'data-k': `edit ${s.label}`, onclick: (/** @type {Event} */ e) => seriesMenu(s, series, /** @type {HTMLElement} */ (e.currentTarget)) }, '⋯'));
  }, kept);
  return [entries, more];
}

/** @param {string} label the label that is shown @param {string} to */
function renamed(label, to) {
  const { rename = {} } = store.get().doc.options;
  // A label that was given by renaming is renamed at its sources.
  const sources = Object.keys(rename).filter((from) => rename[from] === label);
  return { ...rename, ...Object.fromEntries((sources.length ? sources : [label]).map((from) => [from, to])) };
}

/** @param {Series} s @param {Series[]} all @param {HTMLElement} at */
function seriesMenu(s, all, at) {
  const labels = all.map((x) => x.label);
  const i = labels.indexOf(s.label);
  const rename = () => {
    const to = input.value.trim();
    if (to && to !== s.label) store.edit(`Rename ${s.label} to ${to}`, (doc) => ({ ...doc, options: { ...doc.options, rename: renamed(s.label, to), baseline: doc.options.baseline === s.label ? to : doc.options.baseline }, colors: moved(doc.colors, s.label, to) }));
    pop.close();
  };
  const move = (/** @type {number} */ by) => {
    const order = [...labels];
    order.splice(i, 1);
    order.splice(i + by, 0, s.label);
    // Who moves keeps the colour, and so does who makes room.
    store.edit(`Move ${s.label} ${by < 0 ? 'up' : 'down'}`, (doc) => ({ ...doc, options: { ...doc.options, order }, colors: { ...doc.colors, ...Object.fromEntries(labels.map((l) => [l, place(l)])) } }));
    pop.close();
  };
  const input = h('input', { type: 'text', value: s.label, 'aria-label': 'Name of the series', style: { width: '18rem', 'max-width': '100%' }, onkeydown: (/** @type {KeyboardEvent} */ e) => { if (e.key === 'Enter') rename(); } });
  const others = labels.filter((l) => l !== s.label);
  const pop = popover(at, s.label || 'Series', h('div', { class: 'rows' },
    h('div', { class: 'row' }, input, h('button', { class: 'quiet', onclick: rename }, 'Rename')),
    h('div', { class: 'row swatches', role: 'group', 'aria-label': 'Colour' }, Array.from({ length: colors }, (_, k) => h('button', { class: `s${k + 1}`, 'aria-label': `Colour ${k + 1}`, 'aria-pressed': String(place(s.label) === k + 1), onclick: () => { store.edit(`Recolour ${s.label}`, (doc) => ({ ...doc, colors: { ...doc.colors, [s.label]: k + 1 } })); pop.close(); } }))),
    others.length ? h('div', { class: 'row' },
      h('button', { class: 'quiet', onclick: () => { store.editOptions(`Compare with ${s.label}`, { baseline: s.label }); pop.close(); } }, 'Use as baseline'),
      h('button', { class: 'quiet', disabled: i === 0, onclick: () => move(-1) }, 'Move up'), h('button', { class: 'quiet', disabled: i === labels.length - 1, onclick: () => move(1) }, 'Move down'),
      h('button', { class: 'quiet', onclick: () => { store.setView({ hidden: others }); pop.close(); } }, 'Show only this')) : null,
    others.length ? h('label', { class: 'row' }, 'Merge into ', h('select', { onchange: (/** @type {Event} */ e) => { const to = /** @type {HTMLSelectElement} */ (e.currentTarget).value; if (to) store.editOptions(`Merge ${s.label} into ${to}`, { rename: renamed(s.label, to) }); pop.close(); } }, h('option', { value: '' }, 'choose a series'), others.map((l) => h('option', { value: l }, l)))) : null,
    s.attributes && Object.keys(s.attributes).length ? h('p', { class: 'soft' }, Object.entries(s.attributes).map(([k, v]) => `${k} = ${v}`).join(', ')) : null));
  input.select();
}

/** @param {Record<string, number>} map @param {string} from @param {string} to */
function moved(map, from, to) {
  if (!(from in map)) return map;
  const { [from]: value, ...rest } = map;
  return { ...rest, [to]: value };
}

const ownAttributes = /** @type {const} */ (['version', 'serverVersion', 'script', 'queryMode', 'scale', 'threads']);
const fewValues = 6; // are named

/** Some of the values of what runs may differ in, one more than are named. @param {Report} r @returns {Map<string, Set<string>>} */
function attributes(r) {
  const known = attributesOf.get(r);
  if (known) return known;
  /** @type {Map<string, Set<string>>} */
  const values = new Map();
  const add = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    if (value === undefined) return;
    const some = values.get(name);
    if (!some) values.set(name, new Set([String(value)]));
    else if (some.size <= fewValues) some.add(String(value));
  };
  for (const run of r.runs ?? []) {
    for (const name in run.attributes) add(name, run.attributes[name]);
    for (const name of ownAttributes) add(name, run[name]);
  }
  attributesOf.set(r, values);
  return values;
}
/** @type {WeakMap<Report, Map<string, Set<string>>>} */
const attributesOf = new WeakMap();

/** Chooses which attributes tell series apart. @param {Report} r */
function splitter(r) {
  const values = attributes(r);
  const varying = [...values].filter(([, v]) => v.size > 1).map(([k]) => k);
  const { series: chosen } = store.get().doc.options;
  if (varying.length === 0 && !chosen?.length) return null;
  return h('button', { class: 'link', 'data-k': 'split', 'aria-haspopup': 'dialog', onclick: (/** @type {Event} */ e) => {
    const names = [...new Set([...varying, ...(chosen ?? [])])];
    const boxes = names.map((k) => h('input', { type: 'checkbox', checked: chosen?.includes(k) ?? false, value: k }));
    const pop = popover(/** @type {HTMLElement} */ (e.currentTarget), 'What tells series apart', h('div', { class: 'rows' },
      h('p', { class: 'soft' }, 'Runs that agree in what is ticked are repeats or counts of one series. With nothing ticked pgknee finds out.'),
      names.map((k, i) => h('label', null, boxes[i], h('span', null, h('code', null, k), ' ', h('span', { class: 'soft' }, [...(values.get(k) ?? [])].slice(0, fewValues).join(', ')))) ),
      h('div', { class: 'row' }, h('button', { class: 'solid', onclick: () => { const series = boxes.filter((b) => b.checked).map((b) => b.value); store.editOptions(series.length ? `Split series by ${list(series)}` : 'Split series automatically', { series: series.length ? series : undefined }); pop.close(); } }, 'Apply'))));
  } }, chosen?.length ? `series told apart by ${list(chosen)}` : 'tell series apart');
}

/** The runs whose course is drawn: one, or of each series the one with the most clients, as analysis/chart has it. @param {Report} r @param {number} [only] */
function telling(r, only = -1) {
  const runs = (r.runs ?? []).filter((x) => (x.progress?.endS.length ?? 0) > 1);
  if (only >= 0) return runs.filter((x) => x === r.runs?.[only]);
  /** @type {Map<string, import('../report.js').Run>} */
  const best = new Map();
  for (const run of runs) {
    const now = best.get(run.series ?? '');
    if (!now || (run.clients ?? 0) > (now.clients ?? 0)) best.set(run.series ?? '', run);
  }
  return [...best.values()].filter((x) => !store.get().view.hidden.includes(x.series ?? ''));
}

/** The times at which an interval of a course ends, from 0. @param {Report} r @param {number} [only] */
const seconds = (r, only) => [0, ...new Set(telling(r, only).flatMap((x) => x.progress?.endS ?? []))].sort((a, b) => a - b);

/** Every course at a time. @param {number} at @param {number} only */
function course(at, only) {
  const { report } = store.get();
  if (!report || at === 0) return null;
  const rows = telling(report, only).map((run) => {
    const p = /** @type {import('../report.js').Progress} */ (run.progress);
    const i = p.endS.indexOf(at);
    if (i < 0) return null;
    const ms = p.latencyMs?.[i] ?? -1;
    return h('tr', null, h('td', { class: seriesClass(run.series ?? '') }, '● ', h('span', { class: 'name' }, run.series || 'all runs')), h('td', { class: 'n' }, number(p.tps[i], 5)), h('td', { class: 'n soft' }, ms >= 0 ? `${number(ms)} ms` : ''));
  }).filter(Boolean);
  return rows.length ? h('div', null, h('h4', null, `${number(at, 5)} s`), h('table', null, h('tbody', null, rows.slice(0, 24)))) : null;
}

/** Every series at a count, with interval and number of runs. @param {number} n */
function readout(n) {
  const { report, view } = store.get();
  if (!report) return null;
  const ratio = new Map((report.comparisons ?? []).map((c) => [c.candidate, c.points?.find((p) => p.clients === n)]));
  const rows = (report.series ?? []).filter((s) => !view.hidden.includes(s.label)).map((s) => {
    const p = s.points?.find((q) => q.clients === n);
    if (!p) return null;
    const r = ratio.get(s.label);
    const model = s.models?.[0];
    const residual = model?.residuals?.find((x) => x.clients === n);
    const tail = view.chart === 'percentiles' ? ranks([s]).map((rank) => (p.latencyPercentilesMs?.[rank] === undefined ? '' : `p${rank} ${number(p.latencyPercentilesMs[rank])}`)).filter(Boolean) : [];
    if (tail.length) return h('tr', null, h('td', { class: seriesClass(s.label) }, '● ', h('span', { class: 'name' }, s.label || 'all runs')), h('td', { class: 'n' }, `${tail.join(' · ')} ms`), h('td', { class: 'n soft' }, p.n > 1 ? `n = ${p.n}` : ''));
    const value = view.chart === 'latency' ? (p.latencyMs === undefined ? '–' : `${number(p.latencyMs)} ms`) : view.chart === 'residuals' ? (residual ? change(Math.exp(residual.log)) : '–') : number(p.tps, 4);
    return h('tr', null, h('td', { class: seriesClass(s.label) }, '● ', h('span', { class: 'name' }, s.label || 'all runs')), h('td', { class: 'n' }, value),
      h('td', { class: 'n soft' }, p.lo !== undefined && p.hi !== undefined ? `${kilo(p.lo)}–${kilo(p.hi)}` : ''), h('td', { class: 'n soft' }, p.n > 1 ? `n = ${p.n}` : ''), h('td', { class: 'n' }, r ? change(r.ratio) : ''));
  }).filter(Boolean);
  if (rows.length === 0) return null;
  return h('div', null, h('h4', null, count(n, 'client')), h('table', null, h('tbody', null, rows.slice(0, 24))), rows.length > 24 ? h('p', { class: 'soft' }, `and ${rows.length - 24} more series`) : null);
}

const shown = 40; // runs of a point

/** A point was chosen: its runs, to exclude or restore. @param {number} n @param {number | null} y @param {{x: number, y: number}} at */
function pick(n, y, at) {
  const { report, view, doc } = store.get();
  if (!report) return;
  const near = (report.series ?? []).filter((s) => !view.hidden.includes(s.label) && (s.points?.some((p) => p.clients === n) || s.leftOut?.some((l) => l.clients === n)));
  if (y !== null && view.chart === 'tps' && !view.normalise) {
    const off = (/** @type {Series} */ s) => Math.min(...(s.points ?? []).filter((p) => p.clients === n).flatMap((p) => [p.tps, ...p.samples]).map((v) => Math.abs(Math.log(v / y))), Infinity);
    near.sort((a, b) => off(a) - off(b));
  }
  const excluded = new Set(doc.options.exclude ?? []);
  const toggle = (/** @type {string[]} */ which, /** @type {boolean} */ out, /** @type {string} */ label) => {
    const exclude = out ? [...new Set([...excluded, ...which])] : [...excluded].filter((r) => !which.includes(r));
    store.editOptions(label, { exclude: exclude.length ? exclude : undefined });
    pop.close();
    say(`${label}. Undo with Ctrl Z.`);
  };
  const runs = report.runs ?? [];
  const names = refs(runs);
  const group = (/** @type {Series} */ s) => {
    const point = s.points?.find((p) => p.clients === n);
    const ids = [...(point?.runs ?? []), ...(s.leftOut ?? []).filter((l) => l.clients === n).map((l) => l.run)];
    const why = new Map((s.leftOut ?? []).map((l) => [l.run, l.why]));
    const all = (point?.runs ?? []).map((i) => names[i]);
    const more = Math.max(ids.length, point?.n ?? 0) - Math.min(ids.length, shown);
    return h('div', null, h('h3', null, keySymbol(s.label), ' ', s.label || 'all runs'), h('div', { class: 'scroll', tabindex: 0 }, h('table', null, h('tbody', null, ids.slice(0, shown).map((i) => {
      const run = runs[i];
      if (!run) return null;
      const out = excluded.has(names[i]);
      const flags = (run.flags ?? []).filter((f) => f !== 'excluded').map((f) => flagWords[f] ?? f);
      return h('tr', null, h('td', null, run.file, run.line ? h('span', { class: 'soft' }, `:${run.line}`) : null), h('td', { class: 'n' }, run.tps === undefined ? '–' : number(run.tps, 4)), h('td', { class: 'soft' }, [run.latencyMs === undefined ? '' : `${number(run.latencyMs)} ms`, why.get(i) ?? '', ...flags].filter(Boolean).join(', ')),
        h('td', { class: 'n' }, h('button', { class: 'quiet', onclick: () => toggle([names[i]], !out, `${out ? 'Restore' : 'Exclude'} a run of ${s.label || 'the series'} at ${n}`) }, out ? 'Restore' : 'Exclude')));
    })))), more ? h('p', { class: 'soft' }, `and ${number(more, 9)} more, which the CSV export has`) : null, all.length > 1 && all.length >= (point?.n ?? 0) ? h('button', { class: 'link', onclick: () => toggle(all, true, `Exclude ${s.label || 'the series'} at ${n}`) }, 'Exclude all of them') : null);
  };
  const text = h('input', { type: 'text', placeholder: 'e.g. pool size', 'aria-label': 'Text of the marker' });
  const mark = doc.marks.find((m) => m.clients === n);
  const pop = popover(at, count(n, 'client'), h('div', { class: 'rows' }, near.slice(0, 6).map(group), near.length > 6 ? h('p', { class: 'soft' }, `and ${near.length - 6} more series here`) : null,
    h('div', { class: 'row' }, mark ? h('button', { class: 'quiet', onclick: () => { store.edit(`Remove the marker at ${n}`, (d) => ({ ...d, marks: d.marks.filter((m) => m !== mark) })); pop.close(); } }, `Remove the marker “${mark.text}”`)
      : [text, h('button', { class: 'quiet', onclick: () => { store.edit(`Mark ${n}`, (d) => ({ ...d, marks: [...d.marks, { clients: n, text: text.value.trim() || String(n) }] })); pop.close(); } }, 'Mark this count')])));
}

/** Runs as Options.Exclude names them: by file and line, and by the place in the line where a line holds several. @param {import('../report.js').Run[]} runs */
function refs(runs) {
  /** @type {Map<string, number>} */
  const inLine = new Map();
  return runs.map((run) => {
    const at = `${run.file}:${run.line ?? 0}`;
    const n = (inLine.get(at) ?? 0) + 1;
    inLine.set(at, n);
    return n > 1 ? `${at}:${n}` : at;
  });
}

/** The percentiles that series have, rising. @param {Series[]} list */
function ranks(list) {
  const all = new Set(list.flatMap((s) => (s.points ?? []).flatMap((p) => Object.keys(p.latencyPercentilesMs ?? {}))));
  return [...all].sort((a, b) => Number(a) - Number(b));
}

/**
 * What a chart shows as a table: a row for each client count, columns for each series.
 * @param {Report} r @param {string} view @param {string[]} hidden
 */
function dataTable(r, view, hidden) {
  const series = (r.series ?? []).filter((s) => s.points?.length && !hidden.includes(s.label));
  const point = new Map(series.map((s) => [s, new Map((s.points ?? []).map((p) => [p.clients, p]))]));
  const ratio = new Map((r.comparisons ?? []).map((c) => [c.candidate, new Map((c.points ?? []).map((p) => [p.clients, p]))]));
  const ms = (/** @type {number | undefined} */ v) => (v === undefined ? '–' : number(v, 4));
  /** @typedef {{of: string, head: string, cell: (n: number) => import('../dom.js').Child}} Column */
  const columns = series.flatMap((s) => {
    const at = (/** @type {number} */ n) => point.get(s)?.get(n);
    const name = s.label || 'all runs';
    const of = series.length > 1 ? `${name} ` : '';
    if (view === 'latency') return [{ of: '', head: series.length > 1 ? `${name}, ms` : 'mean latency, ms', cell: (/** @type {number} */ n) => ms(at(n)?.latencyMs) }];
    if (view === 'percentiles') return ranks([s]).map((rank) => ({ of: '', head: `${of}p${rank}, ms`, cell: (/** @type {number} */ n) => ms(at(n)?.latencyPercentilesMs?.[rank]) }));
    if (view === 'residuals') {
      const left = new Map((s.models?.[0]?.residuals ?? []).map((x) => [x.clients, x.log]));
      return left.size ? [{ of: '', head: name, cell: (/** @type {number} */ n) => (left.has(n) ? change(Math.exp(/** @type {number} */ (left.get(n)))) : '–') }] : [];
    }
    /** @type {Column[]} */
    const both = [{ of: '', head: name, cell: (n) => { const p = at(n); return p ? [number(p.tps, 4), p.n > 1 ? h('small', null, ` n ${p.n}`) : null] : '–'; } }];
    const changes = ratio.get(s.label);
    if (changes) both.push({ of: `${s.label} `, head: 'change', cell: (n) => { const q = changes.get(n); return q ? (q.changed ? h('b', null, change(q.ratio)) : [change(q.ratio), h('span', { class: 'soft' }, ' ~')]) : '–'; } });
    return both;
  });
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'The numbers' }, h('table', null,
    h('thead', null, h('tr', null, h('th', { class: 'n', scope: 'col' }, 'clients'), columns.map((c) => h('th', { class: 'n', scope: 'col' }, c.of ? h('span', { class: 'visually-hidden' }, c.of) : null, c.head)))),
    h('tbody', null, counts(r, hidden).map((n) => h('tr', null, h('th', { class: 'n', scope: 'row' }, number(n, 9)), columns.map((c) => h('td', { class: 'n' }, c.cell(n))))))));
}

/** The courses of the runs that are drawn, as a table: a row for each moment. @param {Report} r @param {string} view @param {number} only */
function courseTable(r, view, only) {
  const runs = telling(r, only).slice(0, view === 'heatmap' ? 1 : 12);
  const name = (/** @type {import('../report.js').Run} */ run) => [run.series, run.clients === undefined ? '' : count(run.clients, 'client')].filter(Boolean).join(', ') || 'all runs';
  const heat = view === 'heatmap' ? runs[0]?.progress?.heat : undefined;
  const used = heat ? heat.upToMs.map((to, b) => ({ to, b })).filter(({ b }) => heat.counts.some((c) => c[b])) : [];
  const heads = heat ? used.map(({ to }) => `≤ ${number(to)} ms`) : runs.map(name);
  const at = heat ? runs[0]?.progress?.endS ?? [] : seconds(r, only).slice(1);
  const cells = heat ? (/** @type {number} */ t) => used.map(({ b }) => heat.counts[at.indexOf(t)]?.[b] || '') : (/** @type {number} */ t) => runs.map((run) => {
    const i = run.progress?.endS.indexOf(t) ?? -1;
    return i < 0 ? '–' : number(run.progress?.tps[i] ?? 0, 4);
  });
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': heat ? `Transactions of ${name(runs[0])} by latency` : 'Throughput' }, h('table', null,
    h('thead', null, h('tr', null, h('th', { class: 'n', scope: 'col' }, 'seconds'), heads.map((t) => h('th', { class: 'n', scope: 'col' }, t)))),
    h('tbody', null, at.slice(0, 600).map((t) => h('tr', null, h('th', { class: 'n', scope: 'row' }, number(t, 5)), cells(t).map((c) => h('td', { class: 'n' }, c)))))));
}
