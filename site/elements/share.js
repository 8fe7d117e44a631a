// Sharing without a server: a link that carries the data in its fragment, or a project file.

import { alarm, dialog, download, h, say } from '../dom.js';
import { encode, refuseAt, warnAt } from '../link.js';
import { single } from '../single.js';
import * as store from '../store.js';
import { bytes, count } from '../words.js';
import { blobs } from '../work.js';
import { hosted, longest } from './hosted.js';

/** @param {string} text @param {string} what */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} is on the clipboard.`);
  } catch {
    const area = h('textarea', { rows: 12, readOnly: true });
    area.value = text;
    dialog(`${what}: copy it from here`, {}, h('div', null, area));
    area.select();
  }
}

/** Words that tell where something was measured rather than what: paths, and names that look like hosts. */
const telling = /(?:\/(?:home|Users|root|srv|mnt|data)\/[^\s"',;:]+)|\b(?:[a-z0-9-]+\.){1,}(?:internal|local|lan|corp|compute|amazonaws\.com|example|net|com|org|io)\b|\b\d{1,3}(?:\.\d{1,3}){3}\b/gi;

/** @param {string} text */
const redacted = (text) => text.replace(telling, (m) => (m.startsWith('/') ? '/…' : 'host'));

/** @param {boolean} redact @returns {Promise<import('../link.js').Shared>} */
export async function shared(redact) {
  const { doc, view } = store.get();
  const clean = redact ? redacted : (/** @type {string} */ t) => t;
  const files = await Promise.all(doc.inputs.map(async (i) => ({ name: clean(i.name), text: clean(await /** @type {Blob} */ (blobs.get(i.key)).text()) })));
  return { v: 1, files, options: doc.options, colors: doc.colors, marks: doc.marks, view };
}

/** Whether there are runs, and all are at hand. */
const fits = () => Boolean(store.get().report?.runs?.length) && !store.get().report?.runsInAll;

/** The runs as a table, for a link that can't hold the inputs themselves. @param {boolean} redact @returns {Promise<import('../link.js').Shared>} */
async function normalised(redact) {
  const { doc, view, report } = store.get();
  const cell = (/** @type {string | number | undefined} */ v) => (v === undefined ? '' : /[",\n]/.test(String(v)) ? `"${String(v).replaceAll('"', '""')}"` : String(v));
  const runs = (report?.runs ?? []).filter((r) => r.tps !== undefined && r.clients !== undefined && !r.flags?.includes('excluded'));
  const [unit, another] = new Set((report?.series ?? []).filter((s) => s.points?.length).map((s) => s.unit));
  const columns = /** @type {[string, (r: import('../report.js').Run) => string | number | undefined][]} */ ([
    ['series', (r) => r.series], ['clients', (r) => r.clients], [unit && !another && /^[a-z]+$/.test(unit) ? unit : 'tps', (r) => r.tps], ['latency_ms', (r) => r.latencyMs], ['scale', (r) => r.scale], ['threads', (r) => r.threads], ['duration_s', (r) => r.durationS],
  ]);
  const used = columns.filter(([name, of]) => name === 'series' || runs.some((r) => of(r) !== undefined));
  const text = [used.map(([name]) => name).join(','), ...runs.map((r) => used.map(([, of]) => cell(of(r))).join(',')), ''].join('\n');
  const { baseline, cores, residuals, order } = doc.options;
  return { v: 1, files: [{ name: 'runs.csv', text: redact ? redacted(text) : text }], options: { baseline, cores, residuals, order }, colors: doc.colors, marks: doc.marks, view };
}

/** The whole tool with this page's inputs, edits and view in it, as one file. @param {boolean} redact @returns {Promise<string>} */
export async function interactive(redact) {
  const html = await single();
  const data = JSON.stringify(await shared(redact)).replaceAll('<', '\\u003c');
  const at = html.indexOf('<script type="application/octet-stream" id="engine">');
  return `${html.slice(0, at)}<script type="application/json" id="project">${data}</script>\n${html.slice(at)}`;
}

export function share() {
  const { doc } = store.get();
  const total = doc.inputs.reduce((n, i) => n + i.size, 0);
  const link = h('input', { type: 'text', readOnly: true, 'aria-label': 'The link', style: { width: '100%' } });
  const size = h('p', { class: 'soft', role: 'status' });
  const redact = h('input', { type: 'checkbox', onchange: () => make() });
  const what = h('div', { class: 'preview' });
  const copy = h('button', { class: 'solid', disabled: true, onclick: () => copyText(link.value, 'The link') }, 'Copy the link');
  const pictures = hosted(copyText);
  const box = dialog('Share', { class: 'share' },
    h('p', null, 'The link holds the data itself, behind the # that no browser sends to a server. Whoever opens it sees this page with what you see now.'),
    h('div', { class: 'fields' }, h('label', null, redact, 'leave out paths, host names and addresses')), h('div', null, link, size),
    h('details', null, h('summary', null, 'What is in it'), what), pictures?.part,
    h('div', { class: 'acts' }, h('button', { class: 'quiet', onclick: async () => download(new Blob([JSON.stringify(await shared(redact.checked))], { type: 'application/json' }), 'pgknee-project.json') }, 'Save as a project file'), copy));
  async function make() {
    copy.disabled = true;
    link.value = '';
    pictures?.offer('');
    if (total > 64 << 20) return void (size.textContent = `${bytes(total)} of inputs are too much to be shared: share the exported report.`);
    size.textContent = 'Packing…';
    try {
      let content = await shared(redact.checked);
      let fragment = await encode(content);
      const whole = fragment.length <= refuseAt;
      if (!whole && fits()) {
        content = await normalised(redact.checked);
        fragment = await encode(content);
      }
      const text = `${location.href.replace(/#.*/, '')}#${fragment}`;
      what.replaceChildren(h('pre', null, content.files.map((f) => `── ${f.name}\n${f.text}`).join('\n').slice(0, 20_000)));
      if (fragment.length > refuseAt) return void (size.textContent = `${bytes(text.length)}: too long for a link, which may have ${bytes(refuseAt)}. Save a project file, which opens by being dropped here.`);
      link.value = text;
      copy.disabled = false;
      pictures?.offer(fragment.length > longest && fits() ? await encode(await normalised(redact.checked)) : fragment);
      size.textContent = `${bytes(text.length)}, ${count(content.files.length, 'file')}.${whole ? '' : ' The inputs are too long for a link: it carries their runs as a table, without profiles, settings and text around them.'}${fragment.length > warnAt ? ' Mail programs and chats may cut links of this length; a project file is safer.' : ''}`;
    } catch (e) {
      size.textContent = '';
      alarm(`The link could not be made: ${/** @type {Error} */ (e).message}`);
    }
  }
  void make();
  return box;
}
