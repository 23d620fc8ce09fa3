/** The what-if table itself: a section each for settings, code and other allocators, the best row marked. */
import { msg, str } from '@lit/localize';
import { html, nothing, type TemplateResult } from 'lit';
import { baselineRow, bestOf } from '../../../app/diagnose/best-row.js';
import { type ReadySweep, type RowKind, rowKind, type SweepRow } from '../../../app/diagnose/desk-state.js';
import { inMiB } from '../../../app/diagnose/diagnose-words.js';
import { modelWords } from '../../../app/model-words.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { type WhatIfRow } from '../../../model/diagnose/whatif/run-change.js';
import { icons } from '../../styles/icons.js';
import { type SweepAction } from '../diagnose-events.js';
import { differenceWords, sectionWords, waitingWords } from './whatif-words.js';

const KINDS: readonly RowKind[] = ['setting', 'code', 'allocator'];

interface Table {
  readonly sweep: ReadySweep;
  readonly baseline: WhatIfRow | undefined;
  readonly best: WhatIfRow | undefined;
  readonly opens: boolean;
  readonly act: (action: SweepAction) => void;
}

/** The table of a sweep. `opens`: there is a Lab to open rows in; `act` is told what a person wants of a row. */
export function whatIfRows(sweep: ReadySweep, opens: boolean, act: (action: SweepAction) => void): TemplateResult {
  const baseline = baselineRow(sweep);
  const best = bestOf(sweep)?.row;
  const table: Table = { sweep, baseline, best, opens, act };
  return html`
    <table>
      ${tableHead(sweep)}
      <tbody>
        ${KINDS.map((kind) => section(table, kind))}
      </tbody>
    </table>
  `;
}

function tableHead({ capacity, search }: ReadySweep): TemplateResult {
  return html`
    <thead>
      <tr>
        <th scope="col">${msg('Change', { desc: 'column: what is changed' })}</th>
        <th scope="col" class="number">${msg('Peak, MiB', { desc: 'column: most reserved' })}</th>
        <th scope="col">
          ${
            capacity === undefined
              ? msg('Fits', { desc: 'column, no size is known' })
              : msg(str`Fits ${formatBytes(capacity)}`, { desc: 'column' })
          }
        </th>
        <th scope="col" class="number">${msg('Against now', { desc: 'column: peak less that of the first row' })}</th>
        ${
          search
            ? html`<th scope="col" class="number">${msg('Needs, MiB', { desc: 'column: smallest device' })}</th>`
            : nothing
        }
        <th scope="col" class="number">${msg('cudaMallocs', { desc: 'column: calls to the device' })}</th>
        <th scope="col"><span class="unseen">${msg('Actions', { desc: 'column' })}</span></th>
      </tr>
    </thead>
  `;
}

function section(table: Table, kind: RowKind): TemplateResult | typeof nothing {
  const { sweep } = table;
  const rows = sweep.rows.filter(({ change }) => rowKind(change) === kind);
  if (rows.length === 0) return nothing;
  return html`
    <tr class="section">
      <th scope="rowgroup" colspan=${sweep.search ? 7 : 6}>${sectionWords(kind)}</th>
    </tr>
    ${rows.map((row) => tableRow(table, row))}
  `;
}

function tableRow(table: Table, each: SweepRow): TemplateResult {
  const { sweep, baseline, best } = table;
  const row = each.state.phase === 'done' ? each.state.row : undefined;
  const isFirst = sweep.rows[0] === each;
  const isBest = row !== undefined && row === best;
  const { setting, allocator } = each.change;
  const words = modelWords(setting);
  const name = allocator === 'caching' ? words : setting === 'default' ? allocator : `${allocator} ${words}`;
  return html`
    <tr class=${isBest ? 'best' : ''}>
      <th scope="row" title=${name}>
        ${name}
        ${isFirst ? html`<span class="quiet">${msg('as recorded', { desc: 'the first what-if row' })}</span>` : nothing}
        ${isBest ? html`<span class="word">${msg('best', { desc: 'the what-if row that needs least' })}</span>` : nothing}
      </th>
      ${
        row === undefined || row.peak_reserved === null
          ? html`<td colspan=${sweep.search ? 5 : 4}>${waitingWords(each)}</td>`
          : html`
              <td class="number">${inMiB(row.peak_reserved)}</td>
              <td>${fitsCell(sweep, row, each.change.trace)}</td>
              <td class="number">
                ${isFirst ? msg('now', { desc: 'the first what-if row' }) : differenceWords(row, baseline)}
              </td>
              ${
                sweep.search
                  ? html`<td class="number">
                      ${row.smallest_capacity === undefined ? '' : inMiB(row.smallest_capacity)}
                    </td>`
                  : nothing
              }
              <td class="number">${row.device_calls === null ? '' : formatNumber(row.device_calls)}</td>
            `
      }
      <td class="actions">${rowActions(table, each, { name, isFirst, row })}</td>
    </tr>
  `;
}

function fitsCell({ input, capacity }: ReadySweep, row: WhatIfRow, trace: number): TemplateResult {
  const { fits, failed_at: failure, retries, peak_reserved: peak } = row;
  if (fits === null || capacity === undefined) {
    return html`<span class="quiet">${msg('no size known', { desc: 'what-if row without a capacity' })}</span>`;
  }
  if (fits) {
    const spare = formatNumber((capacity - (peak ?? 0)) / 2 ** 20, 0);
    const flushes = retries ?? 0;
    return html`<span class="status ok">${icons.ok}${msg('yes', { desc: 'what-if: it fits' })}</span>
      <span class="quiet">
        ${
          flushes === 0
            ? msg(str`${spare} to spare`, { desc: 'what-if: MiB left' })
            : msg(str`after ${formatNumber(flushes)} flushes`, { desc: 'what-if: fits after flushing the cache' })
        }
      </span>`;
  }
  const operation = failure?.operation ?? 0;
  const event = trace === 0 ? input.events?.[operation] : undefined;
  return html`<span class="status bad">${icons.bad}${msg('no', { desc: 'what-if: it does not fit' })}</span>
    <span class="quiet">
      ${
        event === undefined
          ? msg(str`stops at operation ${formatNumber(operation)}`, { desc: 'what-if' })
          : msg(str`stops at ${formatNumber(event)}`, { desc: 'what-if: at an event of the trace' })
      }
    </span>`;
}

function rowActions(
  { opens, act }: Table,
  each: SweepRow,
  { name, isFirst, row }: { readonly name: string; readonly isFirst: boolean; readonly row: WhatIfRow | undefined },
): TemplateResult {
  return html`
    ${
      opens && !isFirst && row !== undefined && row.outcome !== 'refused'
        ? html`<button
            class="icon"
            aria-label=${msg(str`Open ${name} in the Lab`, { desc: 'button' })}
            title=${msg('Open in the Lab, beside the original', { desc: 'button of a what-if row' })}
            @click=${() => act({ do: 'open', row: each.id })}
          >
            ${icons.lab}
          </button>`
        : nothing
    }
    ${
      each.isOwn
        ? html`<button
            class="icon"
            aria-label=${msg(str`Remove ${name}`, { desc: 'button of a what-if row' })}
            @click=${() => act({ do: 'remove', row: each.id })}
          >
            ${icons.close}
          </button>`
        : nothing
    }
  `;
}
