/** Diagnoses as one HTML file that needs nothing else: no script, no network, light and dark. */
import { type Diagnosis } from './diagnosis.js';
import { type ReportTable } from './tables.js';
import { VERDICT_NAMES, showFact } from './to-text.js';

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse}th,td{text-align:start;padding:.2rem .8rem .2rem 0;border-block-end:1px solid #8886}' +
  'code,td{font-variant-numeric:tabular-nums}section{margin-block-end:3rem}.wide{overflow-x:auto}' +
  '.wide td:not(:last-child){white-space:nowrap}h2,li,p{overflow-wrap:anywhere}';

/** Text as it may stand in an element or attribute. */
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const list = (tag: 'ol' | 'ul', title: string, lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `<h3>${title}</h3><${tag}>${lines.map((line) => `<li>${escape(line)}</li>`).join('')}</${tag}>`;

function tableHtml({ title, about, header, rows }: ReportTable): string {
  const cells = (tag: 'td' | 'th', row: readonly string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join('')}</tr>`;
  return [
    `<h3>${escape(title)}</h3>`,
    about === '' ? '' : `<p>${escape(about)}</p>`,
    `<div class="wide"><table><thead>${cells('th', header)}</thead><tbody>`,
    ...rows.map((row) => cells('td', row)),
    '</tbody></table></div>',
  ].join('');
}

function section({ name, diagnosis, tables }: ReportInput): string {
  const rows = Object.entries(diagnosis.facts).map(
    ([key, value]) =>
      `<tr><th scope="row"><code>${escape(key)}</code></th><td>${escape(showFact(key, value))}</td></tr>`,
  );
  return [
    `<section><h2>${escape(name)}</h2>`,
    `<p><strong>${escape(diagnosis.framework)}: ${escape(VERDICT_NAMES[diagnosis.verdict])}</strong></p>`,
    `<p>${escape(diagnosis.why)}</p>`,
    rows.length === 0 ? '' : `<h3>Facts</h3><div class="wide"><table>${rows.join('')}</table></div>`,
    list('ul', 'What to do', diagnosis.advice),
    ...tables.map(tableHtml),
    list('ul', 'Not used', diagnosis.oddities),
    list('ol', 'How', diagnosis.steps),
    '</section>',
  ].join('\n');
}

export interface ReportInput {
  readonly name: string;
  readonly diagnosis: Diagnosis;
  readonly tables: readonly ReportTable[];
}

/** One page with a section for each named input, and tables over all of them at the end. */
export function diagnosesToHtml(inputs: readonly ReportInput[], comparison: readonly ReportTable[] = []): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>vramlab diagnosis</title>',
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body><h1>vramlab diagnosis</h1>`,
    ...inputs.map(section),
    comparison.length === 0 ? '' : `<section><h2>Compared</h2>${comparison.map(tableHtml).join('')}</section>`,
    '</body></html>\n',
  ].join('\n');
}
