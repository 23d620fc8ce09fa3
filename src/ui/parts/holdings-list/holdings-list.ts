import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { inMiB } from '../../../app/diagnose/diagnose-words.js';
import { modelWords } from '../../../app/model-words.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { type GrowingSite } from '../../../model/diagnose/growth/snapshot-growth.js';
import { type Holding, holdingsOf } from '../../../model/diagnose/pins/holdings.js';
import { type NamedFrees } from '../../../model/diagnose/pins/snapshot-pins.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { MomentReader } from '../../../model/memory-map/moment.js';
import { nextTask } from '../../controllers/own-task.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { table } from '../../styles/table.styles.js';
import { styles } from './holdings-list.styles.js';

type Order = 'size' | 'pinned' | 'growth';

/** Rows that are shown; a place that holds less than all of these is no answer to anything. */
const MOST_ROWS = 100;

/** What holds memory at the playhead and what pins the free part, by place in the code; and places that grow. */
@localized()
@customElement('app-holdings-list')
export class HoldingsList extends LitElement {
  static override styles = [controls, table, styles];
  @property({ attribute: false }) run: MemoryRun | undefined = undefined;
  /** The state after this operation. */
  @property({ type: Number }) operation = 0;
  @property({ attribute: false }) growth: readonly GrowingSite[] = [];
  /** The frees that would have made room, where `operation` is the failure that they are for. */
  @property({ attribute: false }) frees: NamedFrees | undefined = undefined;
  @state() private order: Order = 'size';
  #reader: MomentReader | undefined;
  #holdings: readonly Holding[] = [];

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('run')) this.#reader = this.run === undefined ? undefined : new MomentReader(this.run);
    if (!changed.has('run') && !changed.has('operation')) return;
    this.#holdings =
      this.run === undefined || this.#reader === undefined ? [] : holdingsOf(this.run, this.#reader.at(this.operation));
  }

  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask();
    await super.scheduleUpdate();
  }

  override render() {
    const at = formatNumber(Math.max(0, this.operation));
    return html`
      <header>
        <h2>${msg('What holds and pins this', { desc: 'heading: live memory by place in the code' })}</h2>
        <p class="quiet">
          ${
            this.order === 'growth'
              ? msg('looked at where the program holds least', { desc: 'under the heading: growth' })
              : msg(str`at event ${at}`, { desc: 'under the heading' })
          }
        </p>
        <div class="tools" role="group" aria-label=${msg('Order', { desc: 'name of the choice' })}>
          ${this.#renderChoice('size', msg('By size', { desc: 'order of the list' }))}
          ${this.#renderChoice('pinned', msg('By pinned', { desc: 'order of the list: free memory that is kept' }))}
          ${this.#renderChoice('growth', msg('Growing', { desc: 'list of places whose live bytes rise' }))}
        </div>
      </header>
      <div
        class="scroll"
        tabindex="0"
        role="group"
        aria-label=${msg('What holds and pins this', { desc: 'name of the list' })}
      >
        ${this.order === 'growth' ? this.#renderGrowth() : this.#renderHoldings(this.order)}
      </div>
    `;
  }

  #renderChoice(order: Order, words: string) {
    return html`<button
      class="text"
      aria-pressed=${this.order === order ? 'true' : 'false'}
      @click=${() => (this.order = order)}
    >
      ${words}
    </button>`;
  }

  #renderHoldings(order: 'size' | 'pinned') {
    const sorted = order === 'size' ? this.#holdings : [...this.#holdings].sort((a, b) => b.pinned - a.pinned);
    return html`
      ${this.frees === undefined ? nothing : this.#renderFrees(this.frees)}
      <div class="head">
        <span></span>
        <span>${msg('Allocated at', { desc: 'column: place in the code' })}</span>
        <span class="number">MiB</span>
        <span class="number">${msg('Blocks', { desc: 'column' })}</span>
        <span class="number">${msg('Pins, MiB', { desc: 'column: free memory that these blocks keep' })}</span>
      </div>
      ${sorted.slice(0, MOST_ROWS).map((holding) => this.#renderHolding(holding))}
      ${
        sorted.length > MOST_ROWS
          ? html`<p class="hint">
              ${msg(str`${formatNumber(sorted.length - MOST_ROWS)} more places hold less than these.`, {
                desc: 'under the list',
              })}
            </p>`
          : nothing
      }
    `;
  }

  #renderHolding(holding: Holding) {
    const name = this.run?.names[holding.name];
    const site = holding.isStart
      ? name === undefined
        ? msg('Before the trace', { desc: 'holder without a recorded place' })
        : msg(str`Before the trace: ${name}`, { desc: 'holder that was there when the trace began' })
      : (name ?? msg('No call stack was recorded', { desc: 'holder' }));
    const frames = this.run?.stacks[holding.stack] ?? [];
    return html`
      <details>
        <summary>
          ${icons.open}
          <span class="site" title=${site}>${site}</span>
          <span class="number">${inMiB(holding.bytes)}</span>
          <span class="number">${formatNumber(holding.blocks)}</span>
          <span class="number">${inMiB(holding.pinned)}</span>
        </summary>
        <div class="more">
          <p>${this.#ageOf(holding)}</p>
          ${
            frames.length === 0
              ? nothing
              : html`<ol class="frames">
                  ${frames.map((frame) => html`<li>${frame}</li>`)}
                </ol>`
          }
        </div>
      </details>
    `;
  }

  #ageOf({ oldest, youngest }: Holding): string {
    if (youngest === -1) return msg('Allocated before the trace began.', { desc: 'age of blocks' });
    const [first, last] = [oldest, youngest].map((born) => formatNumber(this.operation - born));
    return first === last
      ? msg(str`Allocated ${last} events before.`, { desc: 'age of blocks' })
      : msg(str`Allocated ${last} to ${first} events before.`, { desc: 'age of blocks, youngest to oldest' });
  }

  #renderFrees({ count, blocks, kind, room, needed, is_exact: isExact, least }: NamedFrees) {
    const head =
      count === 1
        ? msg('One free would have been enough', { desc: 'heading over the block to free' })
        : msg(str`${formatNumber(count)} frees would have been enough`, { desc: 'heading over the blocks to free' });
    const effect =
      kind === 'join'
        ? msg(str`joins its neighbours to ${formatBytes(room)}, at least ${formatBytes(needed)}`, {
            desc: 'effect of a free',
          })
        : msg(str`gives segments back: room for ${formatBytes(room)}, at least ${formatBytes(needed)}`, {
            desc: 'effect of a free',
          });
    return html`
      <div class="frees">
        <p><b>${head}</b></p>
        ${blocks.map((block) => html`<p>${formatBytes(block.size)} <code>${modelWords(block.site)}</code></p>`)}
        <p class="quiet">
          ${effect}.
          ${
            isExact
              ? msg('No smaller set exists.', { desc: 'bound on the number of frees' })
              : msg(str`No set of fewer than ${formatNumber(least)} can.`, { desc: 'bound on the number of frees' })
          }
        </p>
      </div>
    `;
  }

  #renderGrowth() {
    if (this.growth.length === 0) {
      return html`<p class="hint">
        ${msg('No place in the code rises step over step.', { desc: 'list of growing places, empty' })}
      </p>`;
    }
    return html`
      <table>
        <thead>
          <tr>
            <th scope="col">${msg('Allocated at', { desc: 'column: place in the code' })}</th>
            <th scope="col" class="number">${msg('From, MiB', { desc: 'column: live at the first moment' })}</th>
            <th scope="col" class="number">${msg('To, MiB', { desc: 'column: live at the last moment' })}</th>
            <th scope="col" class="number">${msg('Rise, MiB', { desc: 'column' })}</th>
            <th scope="col" class="number">${msg('Blocks', { desc: 'column' })}</th>
          </tr>
        </thead>
        <tbody>
          ${this.growth.map(
            ({ site, bytes, rise_bytes: rise, blocks }) => html`
              <tr>
                <th scope="row">${modelWords(site)}</th>
                <td class="number">${inMiB(bytes[0] ?? 0)}</td>
                <td class="number">${inMiB(bytes.at(-1) ?? 0)}</td>
                <td class="number">+${inMiB(rise)}</td>
                <td class="number">${formatNumber(blocks)}</td>
              </tr>
            `,
          )}
        </tbody>
      </table>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-holdings-list': HoldingsList;
  }
}
