import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type CardView } from '../../../app/diagnose/card-view.js';
import { inMiB, sumLabelWords, sumTitle } from '../../../app/diagnose/diagnose-words.js';
import { formatNumber } from '../../../base/format.js';
import { type Sum, type SumLine } from '../../../model/diagnose/card/sums.js';
import { nextTask } from '../../controllers/own-task.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { DiagnosisExportEvent, EventRequestedEvent } from '../diagnose-events.js';
import { said } from '../said.js';
import { styles } from './verdict-card.styles.js';

const MARKS = { ok: icons.ok, bad: icons.bad, unknown: icons.help } as const;
const SIGNS = { plus: '+', minus: '\u2212', none: '' } as const;

/** The verdict and the numbers that it comes from. */
@localized()
@customElement('app-verdict-card')
export class VerdictCard extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) card: CardView | undefined = undefined;
  @property({ type: Boolean }) presenting = false;
  /** Steps and advice are open: where there is nothing else to see. */
  @property({ type: Boolean }) expanded = false;

  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask();
    await super.scheduleUpdate();
  }

  override render() {
    const { card } = this;
    if (card === undefined) return nothing;
    return html`
      <section class="verdict" aria-labelledby="verdict">
        <p class="kind ${card.tone}">${MARKS[card.tone]}<span>${card.state}</span>${this.#renderTools(card)}</p>
        <h2 id="verdict">
          ${
            card.headlines.length === 0
              ? said(card.why)
              : card.headlines.map((line) => html`<span class="line">${line}</span> `)
          }
        </h2>
        ${this.presenting ? nothing : this.#renderReasons(card)}
      </section>
      <section class="sums" tabindex="0" aria-label=${msg('Arithmetic', { desc: 'name of the sums beside a verdict' })}>
        ${card.sums.map((sum) => this.#renderSum(sum))}
      </section>
    `;
  }

  #renderTools({ event }: CardView) {
    return html`
      <span class="tools">
        ${
          event === undefined
            ? nothing
            : html`<button class="text" @click=${() => this.dispatchEvent(new EventRequestedEvent(event))}>
                ${msg(str`Go to the failure, event ${formatNumber(event)}`, { desc: 'button' })}
              </button>`
        }
        <button class="text" @click=${() => this.dispatchEvent(new DiagnosisExportEvent('html'))}>
          ${msg('Save as HTML', { desc: 'button: one file for sharing' })}
        </button>
        <button class="text" @click=${() => this.dispatchEvent(new DiagnosisExportEvent('json'))}>
          ${msg('Save as JSON', { desc: 'button: the diagnosis as data' })}
        </button>
      </span>
    `;
  }

  #renderReasons(card: CardView) {
    const list = (lines: readonly string[]) => lines.map((line) => html`<li>${said(line)}</li>`);
    return html`
      ${card.headlines.length === 0 ? nothing : html`<p class="say">${said(card.why)}</p>`}
      ${
        card.oddities.length === 0
          ? nothing
          : html`<ul class="hint" aria-label=${msg('Not used', { desc: 'figures that were set aside' })}>
              ${list(card.oddities)}
            </ul>`
      }
      <div class="columns">
        ${
          card.fidelity === undefined
            ? nothing
            : html`<p class="fidelity ${card.fidelity.isExact ? '' : 'estimate'}">
                ${card.fidelity.isExact ? icons.ok : icons.warn}<span>${card.fidelity.text}</span>
              </p>`
        }
        <details ?open=${this.expanded}>
          <summary>
            ${msg(str`How it was judged, ${formatNumber(card.steps.length)} steps`, { desc: 'opens the arithmetic' })}
          </summary>
          <ol>
            ${list(card.steps)}
          </ol>
        </details>
        ${
          card.advice.length === 0
            ? nothing
            : html`<details ?open=${this.expanded}>
                <summary>${msg('What to do', { desc: 'opens the advice' })}</summary>
                <ul class="advice">
                  ${list(card.advice)}
                </ul>
              </details>`
        }
      </div>
    `;
  }

  #renderSum(sum: Sum) {
    return html`
      <table>
        <caption>
          ${sumTitle(sum)}
          <span class="quiet">MiB</span>
        </caption>
        ${sum.lines.map((line) => this.#renderLine(line, ''))} ${this.#renderLine(sum.result, 'result')}
      </table>
    `;
  }

  #renderLine({ label, bytes, sign, pieces }: SumLine, name: string) {
    return html`
      <tr class=${name}>
        <th scope="row">${sumLabelWords(label, pieces)}</th>
        <td>${sign === 'none' ? nothing : html`<span class="sign">${SIGNS[sign]}</span>`}${inMiB(bytes)}</td>
      </tr>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-verdict-card': VerdictCard;
  }
}
