// What every host of a chart shares: the series and formatters that options name (see analysis/chart). The page, the edge worker and
// the command line all register this one file, so a chart looks the same everywhere.

/** @typedef {{coord: (v: number[]) => number[], value: (d: number) => number, style: (o?: object) => any, visual: (k: string) => any, size: (v: number[]) => number[], font: (o: object) => string}} Api */

/**
 * A band between two curves: all points of itemPayload as one polygon, drawn with the first item.
 * @param {any} params
 * @param {Api} api
 */
function band(params, api) {
  if (params.dataIndex !== 0) return undefined;
  /** @type {Float64Array} x, low, high */
  const points = params.itemPayload.points;
  const low = [];
  const high = [];
  for (let i = 0; i < points.length; i += 3) {
    low.push(api.coord([points[i], points[i + 1]]));
    high.unshift(api.coord([points[i], points[i + 2]]));
  }
  return { type: 'polygon', shape: { points: [...low, ...high] }, style: { fill: api.visual('color'), opacity: api.visual('opacity') ?? 0.14 } };
}

/**
 * Small dots at all points of itemPayload, as one shape: points of a round pen, which costs a tenth of circles. Of thousands of repeats
 * many lie on one another; half a pixel is not seen.
 * @param {any} params
 * @param {Api} api
 */
function dots(params, api) {
  if (params.dataIndex !== 0) return undefined;
  /** @type {Float64Array} x, y */
  const points = params.itemPayload.points;
  const { x, y, width, height } = params.coordSys;
  const seen = new Set();
  for (let i = 0; i < points.length; i += 2) {
    const [px, py] = api.coord([points[i], points[i + 1]]);
    if (px >= x - 1 && px <= x + width + 1 && py >= y - 1 && py <= y + height + 1) seen.add(`M${px.toFixed(1)} ${Math.round(py * 2) / 2}h.01`);
  }
  return { type: 'path', shape: { pathData: [...seen].join('') }, style: { stroke: api.visual('color'), lineWidth: 4, lineCap: 'round', fill: 'none', opacity: api.visual('opacity') ?? 0.45 } };
}

/**
 * An interval: a vertical line with short ends, as far as it lies in the panel.
 * @param {any} params
 * @param {Api} api
 */
function errorBar(params, api) {
  const { x: left, y: top, width, height } = params.coordSys;
  const [x, ...ends] = [...api.coord([api.value(0), api.value(1)]), api.coord([api.value(0), api.value(2)])[1]];
  if (x < left - 1 || x > left + width + 1) return undefined;
  const [low, high] = ends.map((y) => Math.max(top, Math.min(top + height, y)));
  const style = { stroke: api.visual('color'), lineWidth: 1.2, opacity: 0.6, fill: 'none' };
  return { type: 'path', shape: { pathData: `M${x - 3} ${low}h6M${x} ${low}V${high}M${x - 3} ${high}h6` }, style };
}

/**
 * A bracket above the panel: from a client count to another, named.
 * @param {any} params
 * @param {Api} api
 */
function bracket(params, api) {
  const { x, y, width } = params.coordSys;
  const [from, to] = [0, 1].map((i) => Math.max(x, Math.min(x + width, api.coord([api.value(i), 1])[0])));
  if (to - from < 2) return undefined; // zoomed out of sight
  const { text, row } = params.itemPayload;
  const at = y - 6 - 22 * row;
  const color = api.visual('color');
  return { type: 'group', children: [
    { type: 'path', shape: { pathData: `M${from + 1} ${at}v-4H${to - 1}v4` }, style: { stroke: color, lineWidth: 1.2, fill: 'none' } },
    { type: 'text', x: (from + to) / 2, y: at - 13, style: { text, fill: color, font: api.font({ fontSize: 11 }), align: 'center', verticalAlign: 'middle' } },
  ] };
}

/**
 * A cell of a latency heat map: from s, to s, from ms, to ms, count.
 * @param {any} params
 * @param {Api} api
 */
function heat(params, api) {
  const [x0, y0] = api.coord([api.value(0), api.value(2)]);
  const [x1, y1] = api.coord([api.value(1), api.value(3)]);
  const opacity = 0.12 + 0.88 * Math.sqrt(api.value(4) / params.itemPayload.most);
  return { type: 'rect', shape: { x: x0, y: y1, width: Math.max(x1 - x0, 1), height: Math.max(y0 - y1, 1) }, style: { fill: api.visual('color'), opacity } };
}

/**
 * A number with a thin space between thousands.
 * @param {number} v
 * @param {number} [digits]
 */
export function number(v, digits = 4) {
  if (v === 0) return '0';
  const size = Math.floor(Math.log10(Math.abs(v)));
  const [whole, fraction] = Math.abs(v).toFixed(Math.max(0, Math.min(digits - 1 - size, 8))).split('.');
  const part = fraction?.replace(/0+$/, '');
  return (v < 0 ? '−' : '') + whole.replace(/\B(?=(\d{3})+$)/g, whole.length > 4 ? '\u202f' : '') + (part ? '.' + part : '');
}

/** @param {number} v */
const percent = (v) => (v > 0 ? '+' : '') + number(v, 3) + '\u202f%';

/** @param {number} v */
const kilo = (v) => (Math.abs(v) >= 1e6 ? number(v / 1e6, 3) + '\u202fM' : Math.abs(v) >= 1e3 ? number(v / 1e3, 3) + '\u202fk' : number(v, 3));

/**
 * The tooltip of a count: every series with its value there. Returns an element, so that text from inputs stays text.
 * @param {any[]} items
 */
function points(items) {
  const box = document.createElement('div');
  const list = Array.isArray(items) ? items : [items];
  const head = box.appendChild(document.createElement('b'));
  const x = list[0]?.axisValue ?? list[0]?.value?.[0];
  head.textContent = x === undefined ? '' : number(x);
  const seen = new Set();
  for (const item of list) {
    if (item.componentSubType === 'custom' || item.data?.point === undefined && item.data?.changed === undefined && item.componentSubType !== 'line') continue;
    const key = item.seriesName + '/' + item.axisId + '/' + item.componentSubType;
    if (seen.has(key)) continue;
    seen.add(key);
    const row = box.appendChild(document.createElement('div'));
    const mark = row.appendChild(document.createElement('span'));
    mark.style.cssText = 'display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.5em';
    mark.style.background = item.borderColor ?? item.color;
    const value = Array.isArray(item.value) ? item.value[1] : item.value;
    row.append(`${item.seriesName}: ${item.data?.changed === undefined ? number(value) : percent(value)}`);
  }
  return box;
}

/**
 * The name of a series at the end of its line: at most two lines of 22 characters, broken before a bracket where there is one.
 * @param {string} name
 */
function endLabel(name) {
  const cut = (/** @type {string} */ s) => (s.length > 22 ? s.slice(0, 21) + '…' : s);
  const at = name.length <= 22 ? -1 : [' (', ', ', ' '].map((s) => name.lastIndexOf(s, 22)).find((i) => i > 0) ?? -1;
  return at < 0 ? cut(name) : cut(name.slice(0, at)) + '\n' + cut(name.slice(at + 1));
}

/** Formatters that an option may name with a leading @. */
const formatters = {
  integer: (/** @type {number} */ v) => String(Math.round(v)),
  kilo,
  number: (/** @type {number} */ v) => number(v, 3),
  percent,
  points,
  series: (/** @type {any} */ item) => endLabel(item.seriesName),
};

/**
 * Registers the named series with an ECharts.
 * @param {{registerCustomSeries: (name: string, draw: any) => void}} echarts
 */
export function register(echarts) {
  echarts.registerCustomSeries('band', band);
  echarts.registerCustomSeries('bracket', bracket);
  echarts.registerCustomSeries('dots', dots);
  echarts.registerCustomSeries('errorBar', errorBar);
  echarts.registerCustomSeries('heat', heat);
}

/**
 * Puts the named formatters into an option, in place, and the points of our own series into one array: ECharts copies an option
 * several times, thousands of small arrays for a long time.
 * @template T
 * @param {T} option
 * @returns {T}
 */
export function resolve(option) {
  /** @type {any[]} */
  const todo = [option];
  while (todo.length > 0) {
    const o = todo.pop();
    for (const [key, value] of Object.entries(o)) {
      if (key === 'formatter' && typeof value === 'string' && value.startsWith('@')) {
        o[key] = formatters[/** @type {keyof typeof formatters} */ (value.slice(1))];
      } else if (key === 'itemPayload' && value.points) {
        o[key] = { ...value, points: Float64Array.from(value.points.flat()) };
      } else if (key !== 'data' && key !== 'itemPayload' && value !== null && typeof value === 'object') {
        todo.push(value);
      }
    }
  }
  return option;
}
