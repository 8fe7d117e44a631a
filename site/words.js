// Numbers and words as people read them: sane digits, the unit beside the number, a real minus sign.

const thin = '\u202f';
export const minus = '\u2212';

/** @param {number} n @param {number} [digits] */
export function number(n, digits = 3) {
  if (!Number.isFinite(n)) return '–';
  const abs = Math.abs(n);
  let text;
  if (abs !== 0 && abs < 1e-4) text = n.toExponential(Math.max(0, digits - 1)).replace(/e([+-]\d+)/, (_, e) => `e${Number(e)}`);
  else if (abs >= 10 ** digits) text = String(Math.round(n));
  else text = String(Number(n.toPrecision(digits)));
  return text.replace('-', minus).replace(/^\D?\d{5,}/, (d) => d.replace(/\B(?=(\d{3})+$)/g, thin));
}

/** 371782 → "372 k". @param {number} n */
export function kilo(n) {
  const abs = Math.abs(n);
  if (abs >= 1e6) return `${number(n / 1e6)} M`;
  if (abs >= 1e4) return `${number(n / 1e3)} k`;
  return number(n);
}

/** A weight of a profile with its unit; clocks tick in nanoseconds. @param {number} n @param {string} unit */
export function weight(n, unit) {
  if (unit === 'cpu-clock' || unit === 'task-clock') return `${number(n / 1e9, 4)} s of ${unit}`;
  if (unit === 'percent') return `${number(n, 4)} %`;
  const [by, prefix] = n >= 1e12 ? [1e12, ' T'] : n >= 1e9 ? [1e9, ' G'] : n >= 1e7 ? [1e6, ' M'] : [1, ''];
  return `${number(n / by, by === 1 ? 9 : 4)}${prefix} ${unit}`;
}

/** A ratio as a change: 0.371 → "−63 %", from five on how many times. @param {number} ratio */
export function change(ratio) {
  if (ratio >= 4.95) return `× ${ratio.toFixed(1)}`;
  const p = (ratio - 1) * 100;
  const text = Math.abs(p) < 9.95 ? p.toFixed(1) : p.toFixed(0);
  return Number(text) ? `${p > 0 ? '+' : ''}${text.replace('-', minus)} %` : '0.0 %';
}

/** A share of one. @param {number} share */
export function percent(share) {
  const p = share * 100;
  return `${(Math.abs(p) < 9.95 ? p.toFixed(1) : p.toFixed(0)).replace('-', minus)} %`;
}

/** A message of the engine or the browser as a sentence. @param {string} text */
export const asSentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[^.?!:]$/, '$&.')}`;

/** @param {number} n */
export function bytes(n) {
  if (n < 1e3) return `${n} B`;
  if (n < 1e6) return `${number(n / 1e3)} kB`;
  if (n < 1e9) return `${number(n / 1e6)} MB`;
  return `${number(n / 1e9)} GB`;
}

/** How many runs a report is of; it holds an excerpt where they are very many. @param {import('./report.js').Report} r */
export const runsIn = (r) => r.runsInAll ?? r.runs?.length ?? 0;

/** count(2, "run") → "2 runs". @param {number} n @param {string} one @param {string} [many] */
export function count(n, one, many = `${one}s`) {
  return `${number(n, 9)} ${n === 1 ? one : many}`;
}

/** @param {string[]} names */
export function list(names) {
  return names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

const lawNames = /** @type {Record<string, string>} */ ({
  linear: 'linear', amdahl: 'Amdahl', gustafson: 'Gustafson', usl: 'USL', 'log-usl': 'log-USL', aissl: 'AISSL',
  repairman: 'machine repairman', 'repairman-m': 'machine repairman, m servers',
  'ticket-lock': 'ticket lock', 'ticket-lock-cap': 'ticket lock, capped',
  'plateau-usl': 'plateau-USL', 'plateau-usl-nowake': 'plateau-USL, no wake-up', 'plateau-usl-h1': 'plateau-USL, h = 1',
  'plateau-usl-h1-wake': 'plateau-USL, h = 1, wake-up', 'plateau-usl-free': 'plateau-USL, free h',
  'knee-collapse': 'knee and collapse', 'knee-collapse-wake': 'knee and collapse, wake-up', segments: 'straight segments',
});

/** @param {string} name */
export const lawName = (name) => lawNames[name] ?? name;

const symbols = /** @type {Record<string, string>} */ ({ gamma: 'γ', alpha: 'α', beta: 'β', delta: 'δ', thinkS: 'think', serviceS: 'service', outsideS: 'outside', criticalS: 'critical', transferS: 'transfer' });

/** @param {string} name */
export const parameterName = (name) => symbols[name] ?? name;

const formatNames = /** @type {Record<string, string>} */ ({
  'pgbench-output': 'pgbench output', 'pgbench-log': 'pgbench transaction log', 'pgbench-aggregate-log': 'pgbench aggregate log',
  'sysbench-output': 'sysbench output', 'benchbase-summary': 'BenchBase summary', 'hammerdb-output': 'HammerDB output',
  table: 'table', document: 'text', 'perf-script': 'perf script', 'perf-report': 'perf report', folded: 'folded stacks',
  'flamegraph-svg': 'flame graph', 'pg-settings': 'pg_settings', 'postgresql-conf': 'postgresql.conf',
  'perf-data': 'perf.data', explain: 'EXPLAIN plan', 'pgbench-init': 'pgbench initialisation', 'perf-stat': 'perf stat', image: 'picture', binary: 'binary file',
});

/** @param {string | undefined} name */
export const formatName = (name) => (name ? formatNames[name] ?? name : 'not recognised');

/** What a flag of a run means, for the point's details. */
export const flagWords = /** @type {Record<string, string>} */ ({
  aborted: 'ended early', short: 'shorter than 60 s', 'rate-limited': 'the load was throttled', 'no-transactions': 'no transactions',
  'interval-gap': 'progress lines missing', 'clients-unknown': 'clients unknown', reconnect: 'a connection per transaction',
  'excluding-absurd': 'including connection time', 'clients-over-scale': 'more clients than branches', 'one-thread': 'one pgbench thread',
  'uneven-threads': 'clients no multiple of threads', failures: 'transactions failed', 'warm-up': 'warm-up', 'latency-only': 'latency only', excluded: 'excluded by you',
});
