import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { inMiB } from '../../../app/diagnose/diagnose-words.js';
import { modelWords } from '../../../app/model-words.js';
import { formatBytes } from '../../../base/format.js';
import { type ComparedRow, type SnapshotComparison } from '../../../model/diagnose/compare/compare-snapshots.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { styles } from './snapshot-comparison.styles.js';

/** Snapshots side by side: two moments of one process, or one of each rank. What differs most comes first. */
@localized()
@customElement('app-snapshot-comparison')
export class SnapshotComparisonView extends LitElement {
  static override styles = [controls, table, styles];
  @property({ attribute: false }) comparison: SnapshotComparison | undefined = undefined;

  override render() {
    const { comparison } = this;
    if (comparison === undefined) return nothing;
    const { names, states, by_category: categories, by_site: sites } = comparison;
    const figures: readonly (readonly [string, readonly number[]])[] = [
      [msg('Reserved', { desc: 'row of the comparison' }), states.map((state) => state.reserved_bytes)],
      [msg('Allocated', { desc: 'row of the comparison' }), states.map((state) => state.allocated_bytes)],
      [msg('Cached and free', { desc: 'row of the comparison' }), states.map((state) => state.inactive_bytes)],
      [msg('Largest hole', { desc: 'row of the comparison' }), states.map((state) => state.largest_inactive_block)],
    ];
    return html`
      <h2>${headWords(comparison)}</h2>
      <section>
        <h3>${msg('The snapshots', { desc: 'heading in the comparison' })}, MiB</h3>
        ${this.#renderTable(
          names,
          msg('Figure', { desc: 'column' }),
          figures.map(([name, bytes]) => ({ name, category: '', bytes })),
        )}
      </section>
      <section>
        <h3>${msg('Live by category, guessed from the call stack', { desc: 'heading in the comparison' })}, MiB</h3>
        ${this.#renderTable(names, msg('Category', { desc: 'column' }), categories.map(named))}
      </section>
      <section>
        <h3>${msg('Live by place in the code', { desc: 'heading in the comparison' })}, MiB</h3>
        ${this.#renderTable(names, msg('Allocated at', { desc: 'column' }), sites.map(named))}
      </section>
    `;
  }

  #renderTable(
    names: readonly string[],
    first: string,
    rows: readonly { readonly name: string; readonly category: string; readonly bytes: readonly number[] }[],
  ): TemplateResult {
    return html`
      <div class="scroll" tabindex="0" role="group" aria-label=${first}>
        <table>
          <thead>
            <tr>
              <th scope="col">${first}</th>
              ${names.map((name) => html`<th scope="col" class="number">${name}</th>`)}
              <th scope="col" class="number">${msg('Most less least', { desc: 'column: difference' })}</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ({ name, category, bytes }) => html`
                <tr>
                  <th scope="row">
                    ${name} ${category === '' ? nothing : html`<span class="quiet">${category}</span>`}
                  </th>
                  ${bytes.map((size) => html`<td class="number">${inMiB(size)}</td>`)}
                  <td class="number">${inMiB(Math.max(...bytes) - Math.min(...bytes))}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
    `;
  }
}

const named = ({ site, category, bytes }: ComparedRow) => ({
  name: modelWords(site === '' ? category : site),
  category: site === '' ? '' : modelWords(category),
  bytes,
});

/** The place that differs most, or that nothing does. */
function headWords({ by_site: sites }: SnapshotComparison): string {
  const [most] = sites;
  return most === undefined || most.difference_bytes === 0
    ? msg('The same is live in all of them.', { desc: 'heading of the comparison' })
    : msg(str`${modelWords(most.site)} differs most: ${formatBytes(most.difference_bytes)}.`, {
        desc: 'heading of the comparison',
      });
}

declare global {
  interface HTMLElementTagNameMap {
    'app-snapshot-comparison': SnapshotComparisonView;
  }
}
