import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { type ColumnName, columnExplanation, flagExplanation, unitExplanation } from '../../../app/explain-words.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { chooseRows, ROW_FILTERS, type RowFilter } from '../../../app/rows.js';
import { formatNumber } from '../../../base/format.js';
import { type Row } from '../../../model/report/schema.js';
import { TipController } from '../../controllers/tip-controller.js';
import { controls } from '../../styles/controls.styles.js';
import { tip } from '../../styles/tip.styles.js';
import { table } from '../../styles/table.styles.js';
import { softwareMark } from '../badge.js';
import { resultRow, unitId } from './result-row.js';
import { styles } from './results-table.styles.js';

const COLUMNS = ['median', 'unit', 'spread', 'interval', 'samples', 'status'] as const;

/** Every row that is in, newest last, with a filter. */
@localized()
@customElement('app-results-table')
export class ResultsTable extends LitElement {
  static override styles = [controls, table, tip, styles];
  @property({ attribute: false }) rows: readonly Row[] = [];
  /** Rows that are planned, 0 before that is known. */
  @property({ type: Number }) planned = 0;
  @property() badge: AdapterBadge = 'asking';
  @state() private filter: RowFilter = 'all';

  constructor() {
    super();
    new TipController(this);
  }

  override render() {
    const chosen = chooseRows(this.rows, this.filter);
    return html`
      <div class="head">
        <h2>${msg('Results', { desc: 'heading of the results table' })}</h2>
        ${this.rows.length === 0 ? nothing : html`<p class="quiet">${this.#countWords()}</p>`}
        ${this.rows.length === 0 ? nothing : softwareMark(this.badge)}
        <div class="tools" role="group" aria-label=${msg('Rows to show', { desc: 'name of the row filter' })}>
          ${ROW_FILTERS.map(
            (filter) => html`
              <button
                class="text"
                aria-pressed=${filter === this.filter ? 'true' : 'false'}
                @click=${() => this.#show(filter)}
              >
                ${filterWords(filter)}
              </button>
            `,
          )}
        </div>
      </div>
      <div class="scroll" tabindex="0" role="region" aria-label=${msg('Results table', { desc: 'name of the region' })}>
        ${chosen.length === 0 ? html`<p class="empty hint">${this.#emptyWords()}</p>` : this.#renderTable(chosen)}
      </div>
      <div class="tip" popover="manual" aria-hidden="true"></div>
      ${this.#renderExplanations()}
    `;
  }

  /** The texts that explained words point at; the popover shows a copy of one. */
  #renderExplanations() {
    const flags = [...new Set(this.rows.flatMap((row) => (row.status === 'measured' ? row.flags : [])))];
    const units = [...new Set(this.rows.map((row) => row.unit))];
    const texts = [
      ...COLUMNS.map((column) => [`column-${column}`, columnExplanation(column)] as const),
      ...flags.map((flag) => [`flag-${flag}`, flagExplanation(flag)] as const),
      ...units.map((unit) => [`unit-${unitId(unit)}`, unitExplanation(unit)] as const),
    ];
    return texts.map(([id, text]) => (text === undefined ? nothing : html`<span id=${id} hidden>${text}</span>`));
  }

  #renderTable(rows: readonly Row[]) {
    return html`
      <table>
        <thead>
          <tr>
            <th scope="col">${msg('Measurement', { desc: 'column' })}</th>
            <th scope="col" class="number">${columnHead('median', msg('Median', { desc: 'column' }))}</th>
            <th scope="col">${columnHead('unit', msg('Unit', { desc: 'column' }))}</th>
            <th scope="col">${columnHead('spread', msg('Spread', { desc: 'column: smallest to largest sample' }))}</th>
            <th scope="col" class="number">${columnHead('interval', '95 %')}</th>
            <th scope="col" class="number">${columnHead('samples', 'n')}</th>
            <th scope="col">${columnHead('status', msg('Status', { desc: 'column' }))}</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            rows,
            (row) => row.id,
            (row) => guard([row], () => resultRow(row)),
          )}
        </tbody>
      </table>
    `;
  }

  #countWords(): string {
    const done = formatNumber(this.rows.length);
    if (this.planned <= this.rows.length) return msg(str`${done} rows`, { desc: 'results: count' });
    return msg(str`${done} of ${formatNumber(this.planned)}`, { desc: 'results: rows that are in' });
  }

  #emptyWords(): string {
    if (this.rows.length === 0) return msg('Rows appear here as they are measured.', { desc: 'results: empty' });
    return this.filter === 'failed'
      ? msg('No row failed.', { desc: 'results: empty after a filter' })
      : msg('No row is flagged.', { desc: 'results: empty after a filter' });
  }

  #show(filter: RowFilter): void {
    this.filter = filter;
  }
}

/** A head that says what its column is. */
const columnHead = (column: ColumnName, words: string) =>
  html`<button type="button" class="explained" aria-describedby="column-${column}">${words}</button>`;

function filterWords(filter: RowFilter): string {
  switch (filter) {
    case 'all':
      return msg('All', { desc: 'results: row filter' });
    case 'flagged':
      return msg('Flagged', { desc: 'results: row filter' });
    case 'failed':
      return msg('Failed', { desc: 'results: row filter' });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-results-table': ResultsTable;
  }
}
