/** Diagnoses as one HTML file that needs nothing else: no script, no network, light and dark. */
import { say } from '../../base/said.js';
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

/** How the page says what a model said; English on the command line. */
export interface PageLanguage {
  /** Tag of the document. */
  readonly tag: string;
  readonly words: (sentence: string) => string;
}

const ENGLISH: PageLanguage = { tag: 'en', words: (sentence) => sentence };

/** Writes the parts of a page in one language. */
class PageWriter {
  constructor(private readonly language: PageLanguage) {}

  page(inputs: readonly ReportInput[], comparison: readonly ReportTable[]): string {
    const title = this.#said(say`vramlab diagnosis`);
    return [
      `<!doctype html><html lang="${this.language.tag}"><head><meta charset="utf-8"><title>${title}</title>`,
      `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body><h1>${title}</h1>`,
      ...inputs.map((input) => this.#section(input)),
      comparison.length === 0
        ? ''
        : `<section><h2>${this.#said(say`Compared`)}</h2>${comparison.map((table) => this.#table(table)).join('')}</section>`,
      '</body></html>\n',
    ].join('\n');
  }

  #said(sentence: string): string {
    return escape(this.language.words(sentence));
  }

  #section({ name, diagnosis, tables }: ReportInput): string {
    const rows = Object.entries(diagnosis.facts).map(
      ([key, value]) =>
        `<tr><th scope="row"><code>${escape(key)}</code></th><td>${this.#said(showFact(key, value))}</td></tr>`,
    );
    return [
      `<section><h2>${escape(name)}</h2>`,
      `<p><strong>${escape(diagnosis.framework)}: ${this.#said(VERDICT_NAMES[diagnosis.verdict])}</strong></p>`,
      `<p>${this.#said(diagnosis.why)}</p>`,
      rows.length === 0
        ? ''
        : `<h3>${this.#said(say`Facts`)}</h3><div class="wide"><table>${rows.join('')}</table></div>`,
      this.#list('ul', say`What to do`, diagnosis.advice),
      ...tables.map((table) => this.#table(table)),
      this.#list('ul', say`Not used`, diagnosis.oddities),
      this.#list('ol', say`How`, diagnosis.steps),
      '</section>',
    ].join('\n');
  }

  #list(tag: 'ol' | 'ul', title: string, lines: readonly string[]): string {
    if (lines.length === 0) return '';
    const items = lines.map((line) => `<li>${this.#said(line)}</li>`).join('');
    return `<h3>${this.#said(title)}</h3><${tag}>${items}</${tag}>`;
  }

  #table({ title, about, header, rows }: ReportTable): string {
    const cells = (tag: 'td' | 'th', row: readonly string[]): string =>
      `<tr>${row.map((cell) => `<${tag}>${this.#said(cell)}</${tag}>`).join('')}</tr>`;
    return [
      `<h3>${this.#said(title)}</h3>`,
      about === '' ? '' : `<p>${this.#said(about)}</p>`,
      `<div class="wide"><table><thead>${cells('th', header)}</thead><tbody>`,
      ...rows.map((row) => cells('td', row)),
      '</tbody></table></div>',
    ].join('');
  }
}

export interface ReportInput {
  readonly name: string;
  readonly diagnosis: Diagnosis;
  readonly tables: readonly ReportTable[];
}

/**
 * One page with a section for each named input, and tables over all of them at the end. Without a language it is English.
 */
export const diagnosesToHtml = (
  inputs: readonly ReportInput[],
  comparison: readonly ReportTable[] = [],
  language: PageLanguage = ENGLISH,
): string => new PageWriter(language).page(inputs, comparison);
