/** The line under the maps: what is looked at, search, rows, events and table. */
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { formatNumber } from '../../../base/format.js';
import { type MapRows } from './view-events.js';
import { type Looked, pinnedHitIn, type ViewState } from './view-state.js';
import { detailWords } from './view-words.js';

export type ViewPanel = 'none' | 'table' | 'events';

export interface DetailBar {
  readonly state: ViewState;
  readonly query: string;
  readonly panel: ViewPanel;
  readonly onSearch: (text: string) => void;
  readonly onNextFound: () => void;
  readonly onRows: (rows: MapRows) => void;
  readonly onPanel: (panel: ViewPanel) => void;
}

/** The bar. */
export function detailBar(bar: DetailBar): TemplateResult {
  const { state, query, onSearch } = bar;
  return html`
    <div class="detail">
      <p role="status">${lookedWords(state, state.looked ?? pinnedHitIn(state))}</p>
      <div class="tools">
        ${foundWords(bar)}
        <input
          type="search"
          aria-label=${msg('Find blocks', { desc: 'memory view: field' })}
          placeholder=${msg('name, frame, 6MiB, #12', { desc: 'memory view: what can be searched for' })}
          .value=${query}
          @input=${(event: InputEvent) => {
            if (event.target instanceof HTMLInputElement) onSearch(event.target.value);
          }}
        />
        <span class="segmented" role="group" aria-label=${msg('Rows of the map', { desc: 'memory view: group' })}>
          ${rowsButton(bar, 'packed', msg('Packed', { desc: 'button: segments side by side' }))}
          ${rowsButton(bar, 'single', msg('By segment', { desc: 'button: one segment a row' }))}
        </span>
        ${panelButton(bar, 'events', msg('Events', { desc: 'button: shows the list of events' }))}
        ${panelButton(bar, 'table', msg('Table', { desc: 'button: shows segments and blocks as a table' }))}
      </div>
    </div>
  `;
}

function lookedWords({ data, position }: ViewState, looked: Looked | undefined): TemplateResult | string {
  const run = data.runs[looked?.run ?? -1];
  const moment = looked && data.momentAt(looked.run, position);
  if (looked === undefined || run === undefined || moment === undefined) {
    return msg('Point at a block for its details, click to keep them. Arrow keys walk the blocks.', {
      desc: 'detail line of the memory map while nothing is looked at',
    });
  }
  const { head, rest } = detailWords(run, moment, looked.hit);
  return html`<b>${head}</b> ${rest}`;
}

function foundWords({ state, query, onNextFound }: DetailBar): TemplateResult | typeof nothing {
  if (query.trim() === '') return nothing;
  const count = state.found.reduce((sum, { length }) => sum + length, 0);
  const number = formatNumber(count);
  const words =
    count === 1
      ? msg('1 block', { desc: 'memory view: how many blocks a search found' })
      : msg(str`${number} blocks`, { desc: 'memory view: how many blocks a search found' });
  return html`
    <span role="status">${words}</span>
    <button class="text" ?disabled=${count === 0} @click=${onNextFound}>
      ${msg('Next', { desc: 'button: goes to the next block that the search found' })}
    </button>
  `;
}

const rowsButton = ({ state, onRows }: DetailBar, rows: MapRows, words: string): TemplateResult => html`
  <button aria-pressed=${state.rows === rows ? 'true' : 'false'} @click=${() => onRows(rows)}>${words}</button>
`;

const panelButton = ({ panel, onPanel }: DetailBar, own: ViewPanel, words: string): TemplateResult => html`
  <button
    class="text"
    aria-pressed=${panel === own ? 'true' : 'false'}
    @click=${() => onPanel(panel === own ? 'none' : own)}
  >
    ${words}
  </button>
`;
