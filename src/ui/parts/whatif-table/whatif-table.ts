import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { bestOf } from '../../../app/diagnose/best-row.js';
import { answered, isSettled, type ReadySweep } from '../../../app/diagnose/desk-state.js';
import { modelWords } from '../../../app/model-words.js';
import { formatNumber } from '../../../base/format.js';
import { type AllocatorEntry } from '../../../model/allocator/registry.js';
import { nextTask } from '../../controllers/own-task.js';
import { controls } from '../../styles/controls.styles.js';
import { field } from '../../styles/field.styles.js';
import { table } from '../../styles/table.styles.js';
import { SweepActedEvent } from '../diagnose-events.js';
import { whatIfRows } from './whatif-rows.js';
import { styles } from './whatif-table.styles.js';

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
          ${isDone ? this.#renderResume(sweep) : this.#renderStop(sweep)} ${this.#renderBest(sweep)}
          <button class="text" aria-expanded=${this.isAdding ? 'true' : 'false'} @click=${this.#onAdding}>
            ${msg('Add a change', { desc: 'button: opens the fields for one' })}
          </button>
        </div>
      </header>
      <div class="scroll" tabindex="0" role="group" aria-label=${msg('What if', { desc: 'name of the table' })}>
        ${this.isAdding ? this.#renderForm() : nothing}
        ${whatIfRows(sweep, this.opens, (action) => this.dispatchEvent(new SweepActedEvent(action)))}
      </div>
      <p class="unseen" role="status">
        ${isDone ? msg(str`${formatNumber(rows.length)} rows answered`, { desc: 'status of the what-if table' }) : nothing}
      </p>
    `;
  }

  #renderStop(sweep: ReadySweep) {
    return html`
      <span class="quiet">
        ${msg(str`${formatNumber(answered(sweep).length)} of ${formatNumber(sweep.rows.length)}`, {
          desc: 'rows answered of all',
        })}
      </span>
      <button class="text" @click=${() => this.dispatchEvent(new SweepActedEvent({ do: 'stop' }))}>
        ${msg('Cancel', { desc: 'button: stops the rows that are computed' })}
      </button>
    `;
  }

  /** The way on from the answer: the best row in the Lab. */
  #renderBest(sweep: ReadySweep) {
    const best = this.opens && isSettled(sweep) ? bestOf(sweep) : undefined;
    if (best === undefined) return nothing;
    return html`<button
      class="text"
      @click=${() => this.dispatchEvent(new SweepActedEvent({ do: 'open', row: best.id }))}
    >
      ${msg('Open the best in the Lab', { desc: 'button over the what-if table' })}
    </button>`;
  }

  #renderResume({ rows }: ReadySweep) {
    if (rows.every(({ state }) => state.phase !== 'stopped')) return nothing;
    return html`<button class="text" @click=${() => this.dispatchEvent(new SweepActedEvent({ do: 'resume' }))}>
      ${msg('Go on', { desc: 'button: computes the what-if rows that were stopped' })}
    </button>`;
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

declare global {
  interface HTMLElementTagNameMap {
    'app-whatif-table': WhatIfTable;
  }
}
