/** Panes of the stage that hold nothing themselves: the what-if table, what holds memory, the figures of a text. */
import { msg } from '@lit/localize';
import { html, nothing } from 'lit';
import { type ReadyFile, type SnapshotView } from '../../../app/diagnose/desk-state.js';
import { modelWords } from '../../../app/model-words.js';
import { assertNever } from '../../../base/errors.js';
import { isSnapshotDiagnosis } from '../../../model/diagnose/card/sums.js';
import { showFact } from '../../../model/diagnose/to-text.js';
import { isExact } from '../../../model/snapshot/fidelity.js';
import '../../parts/holdings-list/holdings-list.js';
import { said } from '../../parts/said.js';
import '../../parts/whatif-table/whatif-table.js';

/** `opens`: there is a Lab to open rows in. */
export function sweepPane({ diagnosis }: ReadyFile, { sweep, device }: SnapshotView, opens: boolean) {
  switch (sweep.phase) {
    case 'preparing':
      return html`<p class="said" role="status">${msg('Preparing the what-if table', { desc: 'before the rows' })}</p>`;
    case 'none':
      return html`<p class="said">${said(sweep.message)}</p>`;
    case 'ready': {
      const fidelity = isSnapshotDiagnosis(diagnosis)
        ? diagnosis.fidelity.find((each) => each.device === device)
        : undefined;
      return html`<app-whatif-table
        .sweep=${sweep}
        .opens=${opens}
        .estimate=${fidelity !== undefined && !isExact(fidelity)}
      ></app-whatif-table>`;
    }
    default:
      return assertNever(sweep);
  }
}

/** What holds and pins memory at `event`, where the playhead rests. */
export function holdingsPane({ diagnosis }: ReadyFile, { run, device }: SnapshotView, event: number) {
  if (run.phase !== 'ready' || !isSnapshotDiagnosis(diagnosis)) return nothing;
  const pins = diagnosis.pins.find((each) => each.device === device);
  return html`<app-holdings-list
    .run=${run.run}
    .operation=${event}
    .growth=${diagnosis.growth.filter((each) => each.device === device)}
    .frees=${pins?.event === event && pins.frees !== null ? pins.frees : undefined}
  ></app-holdings-list>`;
}

/** Every figure that was read. */
export function factsPane({ diagnosis }: ReadyFile) {
  const facts = Object.entries(diagnosis.facts);
  if (facts.length === 0) return nothing;
  return html`
    <section class="facts scroll" tabindex="0" aria-labelledby="facts">
      <h2 id="facts">${msg('What the text says', { desc: 'heading over the figures that were read' })}</h2>
      <table>
        <tbody>
          ${facts.map(
            ([key, value]) =>
              html`<tr>
                <th scope="row">${key}</th>
                <td>${modelWords(showFact(key, value))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
  `;
}
