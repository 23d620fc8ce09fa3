import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { modelWords } from '../../../app/model-words.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { type RealFacts, type RealRow, realRows, type RealSide } from '../../../app/lab/real-state.js';
import { formatBytes, formatDuration, formatNumber } from '../../../base/format.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { adapterBadge } from '../badge.js';
import { styles } from './real-buffers.styles.js';

/** The model's word against what real buffers did, a column a side. */
@localized()
@customElement('app-real-buffers')
export class RealBuffers extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) sides: readonly [RealSide, RealSide] = [{ kind: 'not-run' }, { kind: 'not-run' }];
  @property() badge: AdapterBadge = 'asking';

  override render() {
    const isStarted = this.sides.some(({ kind }) => kind !== 'not-run');
    return html`
      <header>
        <h2>${msg('Model against real buffers', { desc: 'heading' })}</h2>
        ${adapterBadge(this.badge)}
      </header>
      ${
        isStarted
          ? this.#renderTable()
          : html`<p class="hint">
              ${msg(
                'Not run yet. The GPU makes the same segments, puts every tensor at its place and checks every word.',
                {
                  desc: 'real buffers: before a run',
                },
              )}
            </p>`
      }
    `;
  }

  #renderTable() {
    const facts = this.sides.map((side) => (side.kind === 'done' ? side.facts : undefined));
    const known = facts.find((each) => each !== undefined);
    const rows = known === undefined ? [] : realRows(known);
    const differing = rows.filter(({ key }) =>
      facts.some((each) => each !== undefined && rowOf(each, key)?.agrees === false),
    );
    const ordered = [...differing, ...rows.filter((row) => !differing.includes(row))];
    return html`
      <table>
        <thead>
          <tr>
            <td></td>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          ${this.sides.some(({ kind }) => kind !== 'done') ? this.#renderProgress() : nothing}
          ${ordered.map(
            ({ key }) => html`
              <tr>
                <th scope="row">${labelOf(key)}</th>
                ${facts.map((each) => html`<td>${cell(each, key)}</td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
      ${facts.map((each, index) => (each === undefined ? nothing : note(each, index === 0 ? 'A' : 'B')))}
    `;
  }

  #renderProgress() {
    return html`
      <tr>
        <th scope="row">${msg('State', { desc: 'real buffers: row' })}</th>
        ${this.sides.map((side) => html`<td>${progress(side)}</td>`)}
      </tr>
    `;
  }
}

function progress(side: RealSide): string {
  switch (side.kind) {
    case 'not-run':
      return msg('not run', { desc: 'real buffers' });
    case 'done':
      return msg('done', { desc: 'real buffers' });
    case 'none':
      return modelWords(side.words);
    case 'running': {
      const { plan, reached } = side;
      if (plan === undefined) return msg('planning', { desc: 'real buffers' });
      const made = formatNumber(reached?.segments ?? 0);
      return msg(str`${made} of ${formatNumber(plan.segments)} segments`, { desc: 'real buffers: while it runs' });
    }
  }
}

const BILLION = 1e9;

const rowOf = (facts: RealFacts, key: RealRow['key']): RealRow | undefined =>
  realRows(facts).find((row) => row.key === key);

function cell(facts: RealFacts | undefined, key: RealRow['key']) {
  if (facts === undefined) return msg('not run', { desc: 'real buffers' });
  const row = rowOf(facts, key);
  const words = valueWords(key, row?.value);
  if (row?.agrees === undefined) return words;
  return row.agrees
    ? html`<span class="status ok">${icons.ok}${words}</span>`
    : html`<span class="status bad">${icons.bad}${words}</span>`;
}

function valueWords(key: RealRow['key'], value: number | string | undefined): string {
  if (value === undefined) return msg('none', { desc: 'real buffers: no value' });
  if (value === 'completed') return msg('completes', { desc: 'real buffers: outcome' });
  if (value === 'out-of-memory') return msg('out of memory', { desc: 'real buffers: outcome' });
  if (typeof value === 'string') return value;
  if (key === 'checked' && value >= BILLION) {
    return msg(str`${formatNumber(value / BILLION, 2)} billion`, { desc: 'real buffers: words checked' });
  }
  return key === 'create-mean' || key === 'step' ? formatDuration(value) : formatNumber(value);
}

function labelOf(key: RealRow['key']): string {
  const labels: Readonly<Record<RealRow['key'], () => string>> = {
    'segments-predicted': () => msg('Segments predicted', { desc: 'real buffers: row' }),
    'segments-created': () => msg('Segments created', { desc: 'real buffers: row' }),
    'outcome-predicted': () => msg('Outcome predicted', { desc: 'real buffers: row' }),
    'outcome-met': () => msg('Outcome met', { desc: 'real buffers: row' }),
    'refusals-met': () => msg('Requests refused', { desc: 'real buffers: row' }),
    corrupt: () => msg('Corrupt words', { desc: 'real buffers: row' }),
    checked: () => msg('Words checked', { desc: 'real buffers: row' }),
    creates: () => msg('Buffers made', { desc: 'real buffers: row' }),
    'create-mean': () => msg('Time to make one', { desc: 'real buffers: row' }),
    step: () => msg('Time of a step', { desc: 'real buffers: row' }),
  };
  return labels[key]();
}

/** What a reader has to know: the scale, and where the device gave less than was asked. */
function note({ scale, scaling, budgetBytes, why, replans = [] }: RealFacts, side: string) {
  const lowered =
    replans.length === 0
      ? ''
      : msg(str`The device refused earlier: the budget was lowered to ${formatBytes(budgetBytes)}.`, {
          desc: 'real buffers: note',
        });
  const scaled =
    scale === 1 ? '' : msg(str`Side ${side} ran scaled: ${modelWords(scaling)}.`, { desc: 'real buffers: note' });
  const words = [lowered, modelWords(why ?? ''), scaled].filter((line) => line !== '');
  return words.length === 0 ? nothing : html`<p class="hint">${words.map((line) => html`${line} `)}</p>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'app-real-buffers': RealBuffers;
  }
}
