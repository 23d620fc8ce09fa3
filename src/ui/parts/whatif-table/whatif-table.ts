import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import {
  answered,
  isSettled,
  type ReadySweep,
  type RowKind,
  rowKind,
  type SweepRow,
} from '../../../app/diagnose/desk-state.js';
import { inMiB } from '../../../app/diagnose/diagnose-words.js';
import { modelWords } from '../../../app/model-words.js';
import { assertNever } from '../../../base/errors.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { type AllocatorEntry } from '../../../model/allocator/registry.js';
import { bestRow } from '../../../model/diagnose/card/remedy.js';
import { type WhatIfRow } from '../../../model/diagnose/whatif/run-change.js';
import { nextTask } from '../../controllers/own-task.js';
import { controls } from '../../styles/controls.styles.js';
import { field } from '../../styles/field.styles.js';
import { icons } from '../../styles/icons.js';
import { table } from '../../styles/table.styles.js';
import { SweepActedEvent } from '../diagnose-events.js';
import { said } from '../said.js';
import { styles } from './whatif-table.styles.js';

const KINDS: readonly RowKind[] = ['setting', 'code', 'allocator'];

/** The program under other settings, with other code, on other allocators: what each would have needed. */
@localized()
@customElement('app-whatif-table')
export class WhatIfTable extends LitElement {
  static override styles = [controls, table, field, styles];
  @property({ attribute: false }) sweep: ReadySweep | undefined = undefined;
  /** The model does not repeat the recording exactly, so every row is an estimate. */
  @property({ type: Boolean }) estimate = false;
  /** Whether there is a Lab to open rows in. */
  @property({ type: Boolean }) opens = false;
  @state() private isAdding = false;
  /** Fetched with the models, when a change is to be added. */
  @state() private allocators: readonly AllocatorEntry[] = [];
  @query('form') private readonly form!: HTMLFormElement | null;

  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask();
    await super.scheduleUpdate();
  }

  override render() {
    const { sweep } = this;
    if (sweep === undefined) return nothing;
    const rows = answered(sweep);
    const [first] = sweep.rows;
    const baseline = first?.state.phase === 'done' ? first.state.row : undefined;
    const best =
      baseline === undefined
        ? undefined
        : bestRow(
            baseline,
            rows.slice(1).map(({ row }) => row),
          );
    const isDone = isSettled(sweep);
    return html`
      <header>
        <h2>${msg('What if', { desc: 'heading of the table of changes' })}</h2>
        <p class="quiet">
          ${
            this.estimate
              ? msg('estimate: same trace, replayed from an empty allocator', { desc: 'under What if' })
              : msg('same trace, replayed from an empty allocator', { desc: 'under What if' })
          }
        </p>
        <div class="tools">
          ${
            isDone
              ? nothing
              : html`<span class="quiet">
                    ${msg(str`${formatNumber(rows.length)} of ${formatNumber(sweep.rows.length)}`, {
                      desc: 'rows answered of all',
                    })}
                  </span>
                  <button class="text" @click=${() => this.dispatchEvent(new SweepActedEvent({ do: 'stop' }))}>
                    ${msg('Cancel', { desc: 'button: stops the rows that are computed' })}
                  </button>`
          }
          <button class="text" aria-expanded=${this.isAdding ? 'true' : 'false'} @click=${this.#onAdding}>
            ${msg('Add a change', { desc: 'button: opens the fields for one' })}
          </button>
        </div>
      </header>
      <div class="scroll" tabindex="0" role="group" aria-label=${msg('What if', { desc: 'name of the table' })}>
        ${this.isAdding ? this.#renderForm() : nothing}
        <table>
          ${this.#renderHead(sweep)}
          <tbody>
            ${KINDS.map((kind) => this.#renderKind(sweep, kind, baseline, best))}
          </tbody>
        </table>
      </div>
      <p class="unseen" role="status">
        ${isDone ? msg(str`${formatNumber(rows.length)} rows answered`, { desc: 'status of the what-if table' }) : nothing}
      </p>
    `;
  }

  #renderHead({ capacity, search }: ReadySweep) {
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

  #renderKind(sweep: ReadySweep, kind: RowKind, baseline: WhatIfRow | undefined, best: WhatIfRow | undefined) {
    const rows = sweep.rows.filter(({ change }) => rowKind(change) === kind);
    if (rows.length === 0) return nothing;
    return html`
      <tr class="section">
        <th scope="rowgroup" colspan=${sweep.search ? 7 : 6}>${sectionWords(kind)}</th>
      </tr>
      ${rows.map((row) => this.#renderRow(sweep, row, baseline, best))}
    `;
  }

  #renderRow(sweep: ReadySweep, each: SweepRow, baseline: WhatIfRow | undefined, best: WhatIfRow | undefined) {
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
                <td>${this.#renderFits(sweep, row, each.change.trace)}</td>
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
        <td class="actions">${this.#renderActions(each, name, isFirst, row)}</td>
      </tr>
    `;
  }

  #renderFits({ input, capacity }: ReadySweep, row: WhatIfRow, trace: number) {
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

  #renderActions(each: SweepRow, name: string, isFirst: boolean, row: WhatIfRow | undefined) {
    return html`
      ${
        this.opens && !isFirst && row !== undefined && row.outcome !== 'refused'
          ? html`<button
              class="text"
              aria-label=${msg(str`Open ${name} in the Lab`, { desc: 'button' })}
              @click=${() => this.dispatchEvent(new SweepActedEvent({ do: 'open', row: each.id }))}
            >
              ${msg('Open in Lab', { desc: 'button of a what-if row' })}
            </button>`
          : nothing
      }
      ${
        each.isOwn
          ? html`<button
              class="icon"
              aria-label=${msg(str`Remove ${name}`, { desc: 'button of a what-if row' })}
              @click=${() => this.dispatchEvent(new SweepActedEvent({ do: 'remove', row: each.id }))}
            >
              ${icons.close}
            </button>`
          : nothing
      }
    `;
  }

  #renderForm() {
    return html`
      <form @submit=${this.#onAdd}>
        <label class="field">
          ${msg('Settings', { desc: 'field of an added change' })}
          <input name="conf" spellcheck="false" autocomplete="off" maxlength="500" placeholder="max_split_size_mb:64" />
        </label>
        <label class="field short">
          ${msg('Allocator', { desc: 'field of an added change' })}
          <select name="allocator">
            ${this.allocators.map(({ name, about }) => html`<option value=${name} title=${modelWords(about)}>${name}</option>`)}
          </select>
        </label>
        <button>${msg('Replay', { desc: 'button: answers the added change' })}</button>
      </form>
    `;
  }

  readonly #onAdding = async (): Promise<void> => {
    const { ALLOCATORS } = await import('../../../model/allocator/registry.js');
    this.allocators = ALLOCATORS;
    this.isAdding = !this.isAdding;
  };

  readonly #onAdd = (event: Event): void => {
    event.preventDefault();
    if (this.form === null) return;
    const data = new FormData(this.form);
    const [conf, allocator] = [data.get('conf'), data.get('allocator')];
    if (typeof conf !== 'string' || typeof allocator !== 'string') return;
    this.dispatchEvent(new SweepActedEvent({ do: 'add', conf: conf.trim(), allocator }));
  };
}

function sectionWords(kind: RowKind): string {
  switch (kind) {
    case 'setting':
      return msg('Settings', { desc: 'section of the what-if table' });
    case 'code':
      return msg('Code', { desc: 'section of the what-if table: changes of the program' });
    case 'allocator':
      return msg('Other allocators', { desc: 'section of the what-if table' });
    default:
      return assertNever(kind);
  }
}

function waitingWords({ state }: SweepRow): TemplateResult | string {
  switch (state.phase) {
    case 'queued':
      return msg('queued', { desc: 'what-if row' });
    case 'computing':
      return msg('computing', { desc: 'what-if row' });
    case 'stopped':
      return msg('stopped', { desc: 'what-if row that was cancelled' });
    case 'failed':
      return said(state.message);
    case 'done':
      return state.row.reason === undefined
        ? msg('refused', { desc: 'what-if row that the allocator refuses' })
        : said(state.row.reason);
    default:
      return assertNever(state);
  }
}

function differenceWords({ peak_reserved: peak }: WhatIfRow, baseline: WhatIfRow | undefined): string {
  if (peak === null || baseline === undefined || baseline.peak_reserved === null) return '';
  const change = peak - baseline.peak_reserved;
  if (change === 0) return msg('same', { desc: 'what-if: no difference' });
  return `${change > 0 ? '+' : ''}${inMiB(change)}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'app-whatif-table': WhatIfTable;
  }
}
