// What to change, with what speaks for it and against it side by side.

import { details, fill, h } from '../dom.js';
import { get } from '../store.js';
import { Part } from './element.js';
import { change, number } from '../words.js';
import { copyText } from './share.js';

/** @typedef {import('../report.js').Recommendation} Recommendation */

const kinds = /** @type {Record<string, string>} */ ({ default: 'a default', server: 'a setting of the server', client: 'on the side of the clients', measurement: 'measuring' });

/** Where evidence stands; the one file there is is not named. @param {import('../report.js').Place[]} rows */
function places(rows) {
  const one = (get().report?.files ?? []).filter((f) => f.runs + f.profiles + f.settings > 0).length === 1;
  const all = rows.map((p) => (one ? (p.line ? `line ${p.line}` : '') : [p.file, p.line].filter(Boolean).join(':')));
  return [...new Set(all)].filter(Boolean).slice(0, 3).join(', ');
}

export class Advice extends Part {
  #why = { open: false };

  /** @param {import('./element.js').State} s */
  shows(s) {
    return [s.report, s.phase];
  }

  /** @param {import('./element.js').State} state */
  draw(state) {
    const { report, phase } = state;
    if (!report || phase === 'fitting') return fill(this);
    const all = report.recommendations ?? [];
    const nearly = report.nearlyFired ?? [];
    const compared = (report.comparisons?.length ?? 0) > 0 || (report.settings?.length ?? 0) > 0;
    if (all.length === 0 && !compared) return fill(this);
    fill(this, h('section', { 'aria-label': 'Recommendations' },
      all.length ? [all.filter((r) => r.kind !== 'measurement').map(one), measuring(all.filter((r) => r.kind === 'measurement'))] : h('div', { class: 'card' }, h('header', null, h('h2', null, 'No recommendation'), h('p', null, 'Nothing in these inputs is evidence enough for changing a setting.'))),
      nearly.length ? details(this.#why, { class: 'data' }, h('summary', { 'data-k': 'nearly' }, 'What nearly applied, and what is missing for it'), () => h('ul', { class: 'nearly' }, nearly.map((n) => h('li', null, n.title ?? n.rule, ' — missing: ', n.missing)))) : null));
  }
}

/** Advice on measuring is told briefly: it changes no server. @param {Recommendation[]} list */
function measuring(list) {
  if (list.length === 0) return null;
  return h('article', { class: 'card measuring' }, h('header', null, h('p', { class: 'eyebrow' }, 'Measuring'), h('h2', null, 'How to know more')),
    h('ul', null, list.map((r) => h('li', null, h('h3', null, r.title ?? r.rule, ' ', h('small', null, `${r.confidence} evidence`)), h('p', null, r.effect || r.text),
      r.evidence?.length ? h('p', { class: 'soft' }, 'Because: ', r.evidence.map((e) => e.text).join('; ')) : null,
      r.commands?.length ? h('details', { class: 'data' }, h('summary', null, 'Commands'), h('pre', { tabindex: 0 }, r.commands.join('\n')), h('button', { class: 'quiet', onclick: () => copyText((r.commands ?? []).join('\n'), 'The commands') }, 'Copy the commands')) : null))));
}

/** @param {Recommendation} r */
function one(r) {
  const change = r.setting ? [h('code', null, r.setting), r.to ? [': ', r.from ? `${r.from} → ` : '', h('b', null, r.to)] : null] : (r.title ?? r.rule);
  const against = [...(r.caveats ?? []), ...(r.rivals?.length ? [`The same signs fit ${r.rivals.join(', ')}`] : [])];
  const statements = (r.commands ?? []).join('\n');
  return h('article', { class: 'card advice' },
    h('header', null, h('p', { class: 'eyebrow' }, `Recommendation · ${kinds[r.kind] ?? r.kind} · ${r.confidence} evidence`), h('h2', null, change)),
    r.effect ? h('p', { class: 'effect' }, r.effect) : null,
    h('div', { class: 'why' },
      h('div', null, h('h3', null, 'For it'), h('ul', { class: 'evidence' }, (r.evidence ?? []).map((e) => h('li', null, e.text, e.rows?.length ? h('span', { class: 'place' }, ` ${places(e.rows)}`) : null)))),
      against.length ? h('div', null, h('h3', null, 'Against it'), h('ul', { class: 'against' }, against.map((t) => h('li', null, t)))) : null),
    r.falsify ? h('p', { class: 'soft effect' }, 'What would change this advice: ', r.falsify) : null,
    h('p', { class: 'acts' },
      h('button', { class: 'solid', onclick: () => copyText(r.text, 'The paragraph') }, 'Copy the paragraph'),
      statements ? h('button', { class: 'quiet', onclick: () => copyText(statements, 'The commands') }, 'Copy the commands') : null),
    statements || r.sources?.length || r.sizes?.length || r.scope?.length ? h('details', { class: 'data' }, h('summary', null, ['Text', r.sizes?.length ? 'effect by clients' : '', r.scope?.length ? 'scope' : '', statements ? 'commands' : '', r.sources?.length ? 'sources' : ''].filter(Boolean).join(', ')), h('p', null, r.text),
      r.sizes?.length ? sizes(r.sizes) : null,
      r.scope?.length ? [h('h3', null, 'Where it holds'), h('ul', { class: 'scope' }, r.scope.map((s) => h('li', null, s)))] : null, statements ? h('pre', { tabindex: 0 }, statements) : null,
      r.sources?.length ? h('ul', null, r.sources.map((s) => h('li', { class: 'soft' }, s))) : null) : null);
}


/** The effect at every count, as measured. @param {import('../report.js').RatioPoint[]} list */
function sizes(list) {
  const bounds = list.some((p) => p.lo !== undefined && p.hi !== undefined);
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Effect by clients' }, h('table', { class: 'sizes' },
    h('thead', null, h('tr', null, h('th', { class: 'n', scope: 'col' }, 'clients'), h('th', { class: 'n', scope: 'col' }, 'change of throughput'), bounds ? h('th', { class: 'n', scope: 'col' }, '95 % interval') : null, h('th', { scope: 'col' }, h('span', { class: 'visually-hidden' }, 'Judgement')))),
    h('tbody', null, list.map((p) => h('tr', { class: p.changed ? 'changed' : '' }, h('th', { class: 'n', scope: 'row' }, number(p.clients, 9)), h('td', { class: 'n' }, change(p.ratio)),
      bounds ? h('td', { class: 'n soft' }, p.lo !== undefined && p.hi !== undefined ? `${change(p.lo)} to ${change(p.hi)}` : '–') : null, h('td', { class: 'soft' }, p.changed ? '' : 'within noise'))))));
}
