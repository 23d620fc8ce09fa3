import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { listWords, modelWords } from '../../../app/model-words.js';
import type { PlanAnswer } from '../../../app/plan-work.js';
import { termWords } from '../../../app/plan-words.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { withNumbers } from '../../../model/plan/formula.js';
import { symbolsOf } from '../../../model/plan/plan-json.js';
import { type Term, TERM_IDS, type TermId } from '../../../model/plan/term.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { styles } from './term-table.styles.js';

/** The terms of one or two plans: bytes, bytes at the peak, formula with its numbers, growth, what shrinks it, source. */
@localized()
@customElement('app-term-table')
export class TermTable extends LitElement {
  static override styles = [controls, table, styles];
  @property({ attribute: false }) a: PlanAnswer | undefined = undefined;
  /** A second plan beside the first. */
  @property({ attribute: false }) b: PlanAnswer | undefined = undefined;

  override render() {
    const { a, b } = this;
    if (a === undefined) return nothing;
    const heading = msg('Terms', { desc: 'plan: heading of the table' });
    const ids = TERM_IDS.filter((id) => termOf(a, id) !== undefined || termOf(b, id) !== undefined);
    return html`
      <h2>${heading}</h2>
      <div class="scroll" tabindex="0" role="group" aria-label=${heading}>
        <table>
          <thead>
            <tr>
              <th scope="col">${msg('Term', { desc: 'plan: column' })}</th>
              <th scope="col" class="number">
                ${b === undefined ? msg('Bytes', { desc: 'plan: column' }) : msg('Plan A', { desc: 'plan: column' })}
              </th>
              ${b === undefined ? nothing : html`<th scope="col" class="number">${msg('Plan B', { desc: 'plan: column' })}</th>`}
              <th scope="col" class="number">${msg('At the peak', { desc: 'plan: column' })}</th>
              <th scope="col">${msg('Formula', { desc: 'plan: column' })}</th>
              <th scope="col">${msg('Grows with', { desc: 'plan: column' })}</th>
              <th scope="col">${msg('Smaller with', { desc: 'plan: column' })}</th>
              <th scope="col">${msg('Source', { desc: 'plan: column' })}</th>
            </tr>
          </thead>
          <tbody>
            ${ids.map((id) => this.#row(a, b, id))}
          </tbody>
          <tfoot>
            ${this.#totals(a, b)}
          </tfoot>
        </table>
        ${this.#symbols(a, b)}
      </div>
    `;
  }

  #row(a: PlanAnswer, b: PlanAnswer | undefined, id: TermId): TemplateResult {
    const first = termOf(a, id);
    const second = termOf(b, id);
    const term = first ?? second;
    if (term === undefined) return html``;
    return html`
      <tr>
        <th scope="row">${termWords(id)}</th>
        <td class="number">${bytesCell(first)}</td>
        ${b === undefined ? nothing : html`<td class="number">${bytesCell(second)}</td>`}
        <td class="number">${peakCell(a, id)}</td>
        <td class="formula">
          ${
            term.bytes === undefined
              ? html`<span class="reason">${modelWords(term.reason ?? '')}</span>`
              : html`<code>${term.formula}</code>${numbersOf(term)}${
                    term.reason === undefined ? nothing : html` <span class="reason">${modelWords(term.reason)}</span>`
                  }`
          }
        </td>
        <td class="growth">${growthWords(term)}</td>
        <td class="words">${listWords(term.shrinks)}</td>
        <td class="words">${modelWords(term.source)}</td>
      </tr>
    `;
  }

  #totals(a: PlanAnswer, b: PlanAnswer | undefined) {
    const { replay } = a;
    const gap = typeof replay === 'string' ? undefined : replay.reconciliation;
    const unknown = a.plan.terms.filter(({ bytes }) => bytes === undefined).length;
    const [missing, notThere, rounding] = [
      formatNumber(unknown),
      formatBytes(gap?.notAtPeak ?? 0),
      formatBytes(gap?.rounding ?? 0),
    ];
    return html`
      <tr>
        <th scope="row">${msg('Sum', { desc: 'plan: last line of the table' })}</th>
        <td class="number">${formatBytes(a.plan.total)}</td>
        ${b === undefined ? nothing : html`<td class="number">${formatBytes(b.plan.total)}</td>`}
        <td class="number">${typeof replay === 'string' ? '' : formatBytes(replay.needed.peakAllocated)}</td>
        <td class="words" colspan="4">
          ${
            gap === undefined
              ? msg(str`${missing} terms are not known.`, { desc: 'plan: under the table' })
              : msg(str`${notThere} of the sum are not alive at the peak, and blocks round up by ${rounding}.`, {
                  desc: 'plan: under the table: how the sum and the replay agree',
                })
          }
        </td>
      </tr>
    `;
  }

  #symbols(a: PlanAnswer, b: PlanAnswer | undefined) {
    const symbols = Object.entries(symbolsOf([...a.plan.terms, ...(b?.plan.terms ?? [])]));
    if (symbols.length === 0) return nothing;
    return html`<dl class="symbols quiet">
      ${symbols.map(
        ([symbol, meaning]) =>
          html`<div>
            <dt><code>${symbol}</code></dt>
            <dd>${modelWords(meaning)}</dd>
          </div>`,
      )}
    </dl>`;
  }
}

const termOf = (answer: PlanAnswer | undefined, id: TermId): Term | undefined =>
  answer?.plan.terms.find((term) => term.id === id);

function bytesCell(term: Term | undefined) {
  if (term === undefined) return '';
  if (term.bytes === undefined) return msg('unknown', { desc: 'plan: a term without a number' });
  return html`<span title="${formatNumber(term.bytes)} B">${formatBytes(term.bytes)}</span>`;
}

function peakCell({ replay }: PlanAnswer, id: TermId): string {
  if (typeof replay === 'string') return '';
  const gap = replay.reconciliation.terms.find((term) => term.id === id);
  return gap === undefined ? '' : formatBytes(gap.atPeak);
}

function numbersOf({ formula, values }: Term) {
  const numbers = withNumbers(formula, values);
  return numbers === formula ? nothing : html`<span class="numbers">= ${numbers}</span>`;
}

function growthWords({ grows, bytes }: Term): string {
  if (bytes === undefined) return '';
  if (!grows.batch) return msg('nothing', { desc: 'plan: a term that does not grow' });
  switch (grows.sequence) {
    case 'no':
      return msg('batch', { desc: 'plan: what a term grows with' });
    case 'linear':
      return msg('batch, sequence', { desc: 'plan: what a term grows with' });
    case 'quadratic':
      return msg('batch, sequence squared', { desc: 'plan: what a term grows with' });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-term-table': TermTable;
  }
}
