import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type SuiteProgress } from '../../../app/run-state.js';
import { formatNumber } from '../../../base/format.js';
import { type SuiteName } from '../../../model/report/schema.js';
import { SettingsChangedEvent } from '../../events.js';
import { block } from '../../styles/block.styles.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { styles } from './suite-list.styles.js';

export interface SuiteRow {
  readonly suite: SuiteName;
  readonly chosen: boolean;
  /** Undefined before a run has planned it. */
  readonly progress: SuiteProgress | undefined;
}

/** The suites that can be run, which of them will be, and how far each is. */
@localized()
@customElement('app-suite-list')
export class SuiteList extends LitElement {
  static override styles = [controls, block, styles];
  @property({ attribute: false }) rows: readonly SuiteRow[] = [];
  @property({ type: Boolean }) disabled = false;
  /** What is wrong with the choice, '' when nothing is. */
  @property() problem = '';

  override render() {
    const total = this.rows.reduce((sum, row) => sum + (row.progress?.total ?? 0), 0);
    return html`
      <header>
        <h2>${msg('Suites', { desc: 'heading of the suite list' })}</h2>
        ${total === 0 ? nothing : html`<span class="quiet">${rowsWords(total)}</span>`}
      </header>
      <ul aria-label=${msg('Suites', { desc: 'name of the suite list' })}>
        ${this.rows.map((row) => this.#renderRow(row))}
      </ul>
      ${this.problem === '' ? nothing : html`<p class="hint problem" role="alert">${this.problem}</p>`}
    `;
  }

  #renderRow({ suite, chosen, progress }: SuiteRow) {
    return html`
      <li>
        <label>
          <input
            type="checkbox"
            .checked=${chosen}
            ?disabled=${this.disabled}
            @change=${() => this.#onChange(suite, !chosen)}
          />
          <span>${suite}</span>
          ${progress === undefined ? html`<span></span><span></span>` : renderProgress(progress)}
        </label>
      </li>
    `;
  }

  #onChange(suite: SuiteName, chosen: boolean): void {
    const suites = this.rows.filter((row) => (row.suite === suite ? chosen : row.chosen)).map((row) => row.suite);
    this.dispatchEvent(new SettingsChangedEvent({ suites }));
  }
}

const rowsWords = (total: number): string => msg(str`${formatNumber(total)} rows`, { desc: 'suite list: row count' });

function renderProgress({ done, failed, total }: SuiteProgress) {
  const isDone = done === total;
  const count = isDone
    ? rowsWords(total)
    : msg(str`${formatNumber(done)} of ${formatNumber(total)}`, { desc: 'suite list: rows that are in' });
  if (failed > 0) {
    const words = msg(str`${formatNumber(failed)} failed`, { desc: 'suite list' });
    return html`<span class="status bad">${icons.bad}${words}</span><span class="quiet">${count}</span>`;
  }
  if (isDone && total > 0) {
    const words = msg('done', { desc: 'suite list' });
    return html`<span class="status ok">${icons.ok}<span class="unseen">${words}</span></span
      ><span class="quiet">${count}</span>`;
  }
  return html`<span class="status">${done > 0 ? icons.run : nothing}</span><span class="quiet">${count}</span>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'app-suite-list': SuiteList;
  }
}
