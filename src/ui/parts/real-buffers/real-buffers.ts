import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { type RealFacts, type RealRow, realRows, type RealSide } from '../../../app/lab/real-state.js';
import { realLabel, realNotes, realState, realValue } from '../../../app/lab/real-words.js';
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
                <th scope="row">${realLabel(key)}</th>
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
        ${this.sides.map((side) => html`<td>${realState(side)}</td>`)}
      </tr>
    `;
  }
}

const rowOf = (facts: RealFacts, key: RealRow['key']): RealRow | undefined =>
  realRows(facts).find((row) => row.key === key);

function cell(facts: RealFacts | undefined, key: RealRow['key']) {
  if (facts === undefined) return msg('not run', { desc: 'real buffers' });
  const row = rowOf(facts, key);
  const words = realValue(key, row?.value);
  if (row?.agrees === undefined) return words;
  return row.agrees
    ? html`<span class="status ok">${icons.ok}${words}</span>`
    : html`<span class="status bad">${icons.bad}${words}</span>`;
}

const note = (facts: RealFacts, side: string) => {
  const words = realNotes(facts, side);
  return words.length === 0 ? nothing : html`<p class="hint">${words.map((line) => html`${line} `)}</p>`;
};

declare global {
  interface HTMLElementTagNameMap {
    'app-real-buffers': RealBuffers;
  }
}
