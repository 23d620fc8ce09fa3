import { localized, msg, str } from '@lit/localize';
import { html, LitElement, type PropertyValues, svg } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { formatNumber } from '../../../base/format.js';
import { EVENT, type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { controls } from '../../styles/controls.styles.js';
import { eventWords } from '../memory-view/view-words.js';
import { styles } from './event-list.styles.js';

/** Another operation was chosen in the list. */
export class OperationChosenEvent extends Event {
  static readonly eventName = 'app-operation-chosen';
  constructor(readonly operation: number) {
    super(OperationChosenEvent.eventName, { bubbles: true, composed: true });
  }
}

/** Browsers cut elements that are much higher: then a pixel of the scroll bar stands for more than one of the list. */
const HIGHEST = 8_000_000;
const ROW_REM = 1.5;

/** Every event of a run, a million of them too: only what is in sight is in the document. */
@localized()
@customElement('app-event-list')
export class EventList extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) run: MemoryRun | undefined;
  /** The operation at the playhead. */
  @property({ type: Number }) operation = -1;
  @state() private first = 0;
  @state() private rows = 12;
  @query('.list') private readonly list!: HTMLElement | null;
  /** A person put the bar where it is. */
  #isScrolled = false;
  readonly #resized = new ResizeObserver(() => this.#measure());

  override firstUpdated(): void {
    if (this.list !== null) this.#resized.observe(this.list);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resized.disconnect();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('operation') || changed.has('run')) this.#show(this.operation);
  }

  override updated(changed: PropertyValues): void {
    const { list } = this;
    if (list === null || !(changed.has('first') || changed.has('run')) || this.#isScrolled) return;
    const room = list.scrollHeight - list.clientHeight;
    if (this.#most > 0) list.scrollTop = (this.first / this.#most) * room;
  }

  override render() {
    const { run } = this;
    const count = run?.end ?? 0;
    const last = Math.min(count, this.first + this.rows + 1);
    const shown = Array.from({ length: Math.max(0, last - this.first) }, (_, i) => this.first + i);
    const isThere = shown.includes(this.operation);
    const total = formatNumber(count);
    return html`
      <div
        class="list"
        tabindex="0"
        role="listbox"
        aria-label=${msg(str`Events, ${total}`, { desc: 'name of the event list' })}
        aria-activedescendant=${isThere ? `event-${this.operation}` : ''}
        @scroll=${this.#onScroll}
        @keydown=${this.#onKey}
      >
        <div class="window" role="presentation">
          ${run === undefined ? '' : shown.map((at) => this.#renderEvent(run, at))}
        </div>
        ${svg`<svg class="height" width="1" height=${this.#height()} aria-hidden="true"></svg>`}
      </div>
    `;
  }

  #renderEvent(run: MemoryRun, at: number) {
    const isFailure = run.events.kind[at] === EVENT.outOfMemory;
    return html`
      <div
        class=${isFailure ? 'event failure' : 'event'}
        id=${`event-${at}`}
        role="option"
        aria-selected=${at === this.operation ? 'true' : 'false'}
        aria-posinset=${at + 1}
        aria-setsize=${run.end}
        @click=${() => this.#choose(at)}
      >
        <span class="at">${formatNumber(at)}</span><span>${eventWords(run, at)}</span>
      </div>
    `;
  }

  get #rowHeight(): number {
    return ROW_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  /** Height of what scrolls. */
  #height(): number {
    return Math.min(HIGHEST, (this.run?.end ?? 0) * this.#rowHeight);
  }

  #measure(): void {
    this.rows = Math.max(1, Math.floor((this.list?.clientHeight ?? 0) / this.#rowHeight));
    this.#show(this.operation);
  }

  /** The events that may stand first. */
  get #most(): number {
    return Math.max(0, (this.run?.end ?? 0) - this.rows);
  }

  /** Moves only where the operation is not in sight. */
  #show(operation: number): void {
    const { first, rows } = this;
    if (operation >= first && operation < first + rows) return;
    this.#isScrolled = false;
    this.first = Math.min(Math.max(0, operation - Math.floor(rows / 2)), this.#most);
  }

  readonly #onScroll = (): void => {
    const { list } = this;
    if (list === null) return;
    const room = list.scrollHeight - list.clientHeight;
    const first = room <= 0 ? 0 : Math.round((list.scrollTop / room) * this.#most);
    // A scroll of our own that a coarse bar cannot hold to the row stays where it was put.
    if (Math.abs(first - this.first) * this.#rowHeight * (room / Math.max(1, this.#height())) < 1) return;
    this.#isScrolled = true;
    this.first = first;
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    const last = (this.run?.end ?? 0) - 1;
    const to = {
      ArrowDown: this.operation + 1,
      ArrowUp: this.operation - 1,
      PageDown: this.operation + this.rows,
      PageUp: this.operation - this.rows,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#choose(Math.min(Math.max(0, to), last));
  };

  #choose(operation: number): void {
    this.dispatchEvent(new OperationChosenEvent(operation));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-event-list': EventList;
  }
  interface GlobalEventHandlersEventMap {
    'app-operation-chosen': OperationChosenEvent;
  }
}
