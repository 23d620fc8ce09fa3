import { localized, msg, str } from '@lit/localize';
import { html, LitElement, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type RunView } from '../../../app/diagnose/desk-state.js';
import { type Picture } from '../../../app/diagnose/diagnose-view.js';
import { assertNever } from '../../../base/errors.js';
import { formatNumber } from '../../../base/format.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { nextTask } from '../../controllers/own-task.js';
import { controls } from '../../styles/controls.styles.js';
import { EventRestedEvent, PictureChosenEvent, RebuildCancelledEvent } from '../diagnose-events.js';
import type { MemoryView } from '../memory-view/memory-view.js';
import {
  type BlockPinnedEvent,
  type BlockRef,
  type MapRows,
  type MapRowsChosenEvent,
  type PositionChangedEvent,
  type PositionRange,
  type RangeSelectedEvent,
} from '../memory-view/view-events.js';
import { said } from '../said.js';
import { styles } from './recorded-view.styles.js';

/** How long the playhead has not moved when it rests. */
const REST_MS = 150;

/**
 * The recorded trace of a device, one picture of it at a time with all the room there is. While the playhead moves only
 * this part is drawn again; the page hears where it rests.
 */
@localized()
@customElement('app-recorded-view')
export class RecordedView extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) run: RunView = { phase: 'none' };
  /** Entry of the trace at which the playhead rests. */
  @property({ type: Number }) event = -1;
  @property() picture: Picture = 'origin';
  /** Place in the code that has a layer of its own in the timeline by origin; '' for none. */
  @property() layer = '';
  @property({ type: Boolean }) presenting = false;
  /** The playhead while it moves; undefined: it rests at `event`. */
  @state() private at: number | undefined;
  @state() private rows: MapRows = 'packed';
  @state() private pinned: BlockRef | undefined;
  @state() private range: PositionRange | undefined;
  @state() private hasMemoryView = false;
  @query('app-memory-view') private readonly view!: MemoryView | null;
  /** One list a run, so that the memory view sees another one only when there is one. */
  #runs: readonly MemoryRun[] = [];
  #rest: ReturnType<typeof setTimeout> | undefined;

  /** For keys that work anywhere on the page; undefined while nothing is drawn. */
  get memoryView(): MemoryView | undefined {
    return this.view ?? undefined;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#rest);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('event')) this.at = undefined;
    const { run } = this;
    if (run.phase !== 'ready' || this.#runs[0] === run.run) return;
    this.#runs = [run.run];
    [this.at, this.pinned, this.range] = [undefined, undefined, undefined];
    if (!this.hasMemoryView) void this.#loadMemoryView();
  }

  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask();
    await super.scheduleUpdate();
  }

  override render() {
    const { run } = this;
    switch (run.phase) {
      case 'loading':
        return html`<div class="said">
          <p role="status">${msg('Rebuilding every event', { desc: 'while the trace is replayed' })}</p>
          <button class="text" @click=${() => this.dispatchEvent(new RebuildCancelledEvent())}>
            ${msg('Cancel', { desc: 'button: stops the rebuilding and takes the file off the desk' })}
          </button>
        </div>`;
      case 'none':
        return html`<p class="said">
          ${msg('No history was recorded on this device. The card shows how it ended.', { desc: 'in place of the memory view' })}
        </p>`;
      case 'failed':
        return html`<p class="said" role="alert">${said(run.message)}</p>`;
      case 'ready':
        return this.#renderMemory(run.run);
      default:
        return assertNever(run);
    }
  }

  #renderMemory(run: MemoryRun) {
    const { picture } = this;
    return html`
      <app-memory-view
        .runs=${this.#runs}
        .position=${this.at ?? this.event}
        .rows=${this.rows}
        .pinned=${this.pinned}
        .range=${this.range}
        .timeline=${picture === 'origin' ? 'origin' : 'tracks'}
        .layer=${this.layer}
        .shows=${picture === 'maps' ? 'maps' : 'tracks'}
        .presenting=${this.presenting}
        @app-position-changed=${this.#onPosition}
        @app-block-pinned=${({ pinned }: BlockPinnedEvent) => (this.pinned = pinned)}
        @app-range-selected=${({ range }: RangeSelectedEvent) => (this.range = range)}
        @app-map-rows-chosen=${({ rows }: MapRowsChosenEvent) => (this.rows = rows)}
      >
        <div slot="head-0" class="head">
          <h2>${msg('Every event', { desc: 'heading of the memory view of a recorded trace' })}</h2>
          <p class="quiet">
            ${msg(str`${formatNumber(run.end)} events, ${formatNumber(run.blocks.count)} blocks`, {
              desc: 'beside the heading of the memory view',
            })}
          </p>
          <div class="tools" role="group" aria-label=${msg('Picture', { desc: 'name of the choice' })}>
            ${this.#renderChoice('origin', msg('By origin', { desc: 'timeline stacked by category' }))}
            ${this.#renderChoice('tracks', msg('Reserved and holes', { desc: 'timeline of allocated, reserved and largest hole' }))}
            ${this.#renderChoice('maps', msg('Segments', { desc: 'choice: the map of segments and blocks' }))}
          </div>
        </div>
      </app-memory-view>
    `;
  }

  #renderChoice(picture: Picture, words: string) {
    return html`<button
      class="text"
      aria-pressed=${this.picture === picture ? 'true' : 'false'}
      @click=${() => this.dispatchEvent(new PictureChosenEvent(picture))}
    >
      ${words}
    </button>`;
  }

  /** The code of the memory view comes with the first trace. */
  async #loadMemoryView(): Promise<void> {
    await import('../memory-view/memory-view.js');
    this.hasMemoryView = true;
  }

  /** Lists and the address follow when the playhead rests: a browser takes no address a frame. */
  readonly #onPosition = ({ position }: PositionChangedEvent): void => {
    this.at = position;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      if (this.at === undefined) return;
      this.dispatchEvent(new EventRestedEvent(Math.max(0, this.at)));
    }, REST_MS);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'app-recorded-view': RecordedView;
  }
}
