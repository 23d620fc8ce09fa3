import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type Kept, NOTHING_KEPT } from '../../../app/kept-runs.js';
import { type KeptRun, type RunHead } from '../../../app/run-history.js';
import { keepTroubleWords, presetWords, runDate } from '../../../app/words.js';
import { formatNumber } from '../../../base/format.js';
import { type Comparison } from '../../../model/report/comparison.js';
import { ComparisonRequestedEvent, type KeptRunAction, KeptRunActedEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { table } from '../../styles/table.styles.js';
import { adapterBadge } from '../badge.js';
import { comparisonView } from './comparison-view.js';
import { styles } from './runs-dialog.styles.js';

type Side = 'baseline' | 'judged';

/** The runs that this browser keeps: open, rename, delete, take one in from a file, and compare two side by side. */
@localized()
@customElement('app-runs-dialog')
export class RunsDialog extends LitElement {
  static override styles = [controls, table, styles];
  @property({ attribute: false }) kept: Kept = NOTHING_KEPT;
  @property({ attribute: false }) comparison: Comparison | undefined;
  /** While a run is being made nothing is opened. */
  @property({ type: Boolean }) running = false;
  @state() private chosen: Readonly<Record<Side, string>> = { baseline: '', judged: '' };
  @state() private renaming = '';
  @query('dialog') private readonly dialog!: HTMLDialogElement;

  show(): void {
    this.dialog.showModal();
  }

  /** The newest two runs are chosen for a comparison until the person chooses others. */
  override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('kept')) return;
    const ids = (this.kept.runs ?? []).flatMap((run) => (run.kind === 'readable' ? [run.head.id] : []));
    const { baseline, judged } = this.chosen;
    if (ids.includes(baseline) && ids.includes(judged) && baseline !== judged) return;
    this.chosen = { baseline: ids[1] ?? '', judged: ids[0] ?? '' };
  }

  override updated(changed: PropertyValues): void {
    if (changed.has('renaming') && this.renaming !== '') {
      this.renderRoot.querySelector<HTMLInputElement>('.name input')?.select();
    }
  }

  override render() {
    return html`
      <dialog aria-labelledby="title">
        <div class="frame">
          <header>
            <h2 id="title">${msg('Runs', { desc: 'title of the dialog' })}</h2>
            <button class="primary" ?disabled=${!this.#canCompare()} @click=${this.#onCompare}>
              ${msg('Compare A with B', { desc: 'button: compares the two chosen runs' })}
            </button>
            <span class="import">
              <label for="file">${msg('Open a report file', { desc: 'button: takes in an exported report' })}</label>
              <input id="file" type="file" accept=".json,application/json" @change=${this.#onFile} />
            </span>
            <button class="icon" aria-label=${msg('Close', { desc: 'button' })} @click=${() => this.dialog.close()}>
              ${icons.close}
            </button>
          </header>
          <div class="told" role="status">${this.#renderTold()}</div>
          <div class="list" tabindex="0" role="region" aria-label=${msg('Kept runs', { desc: 'name of the list' })}>
            ${this.#renderList()}
          </div>
          <div class="comparison" tabindex="0" role="region" aria-label=${msg('Comparison', { desc: 'region' })}>
            ${comparisonView(this.comparison)}
          </div>
        </div>
      </dialog>
    `;
  }

  #renderTold() {
    const { trouble, removed } = this.kept;
    return html`${trouble === undefined ? nothing : html`<p class="trouble">${keepTroubleWords(trouble)}</p>`}${
      removed === undefined
        ? nothing
        : html`<p>${msg('The run was deleted.', { desc: 'runs: after a deletion' })}</p>
            <button @click=${() => this.#act({ do: 'undo' })}>
              ${msg('Undo', { desc: 'button: brings it back' })}
            </button>`
    }`;
  }

  #renderList() {
    const { runs } = this.kept;
    if (runs === undefined || runs.length === 0) {
      return html`<p class="empty hint">
        ${msg('No run is kept yet. Every run that ends is kept here, in this browser only.', { desc: 'runs: empty' })}
      </p>`;
    }
    return html`
      <table>
        <thead>
          <tr>
            <th scope="col">A</th>
            <th scope="col">B</th>
            <th scope="col">${msg('Run', { desc: 'column: name of a kept run' })}</th>
            <th scope="col">${msg('Made', { desc: 'column: when' })}</th>
            <th scope="col">${msg('Adapter', { desc: 'column' })}</th>
            <th scope="col">${msg('Preset', { desc: 'column' })}</th>
            <th scope="col" class="number">${msg('Rows', { desc: 'column: how many' })}</th>
            <th scope="col"><span class="unseen">${msg('Actions', { desc: 'column' })}</span></th>
          </tr>
        </thead>
        <tbody>
          ${runs.map((run) => (run.kind === 'readable' ? this.#renderRun(run.head) : this.#renderDamaged(run)))}
        </tbody>
      </table>
    `;
  }

  #renderRun(head: RunHead) {
    const { id } = head;
    const name = nameOf(head);
    return html`
      <tr class=${id === this.kept.shownId ? 'shown' : ''}>
        <td>
          ${this.#renderChoice('baseline', id, msg(str`A: ${name}`, { desc: 'choice: baseline of a comparison' }))}
        </td>
        <td>${this.#renderChoice('judged', id, msg(str`B: ${name}`, { desc: 'choice: judged in a comparison' }))}</td>
        <th scope="row" class="name">${id === this.renaming ? this.#renderRename(head) : name}</th>
        <td>${runDate(head.createdAt)}${head.complete ? nothing : incomplete()}</td>
        <td>${head.adapter} ${head.adapterClass === 'none' ? nothing : adapterBadge(head.adapterClass)}</td>
        <td>${presetWords(head.preset)}</td>
        <td class="number">${formatNumber(head.rows)}</td>
        <td class="actions">
          ${this.#renderAction(msg('Open', { desc: 'button' }), msg(str`Open ${name}`, { desc: 'button' }), () => this.#act({ do: 'open', id }), this.running)}
          ${this.#renderAction(msg('Rename', { desc: 'button' }), msg(str`Rename ${name}`, { desc: 'button' }), () => (this.renaming = id))}
          ${this.#renderAction(msg('Delete', { desc: 'button' }), msg(str`Delete ${name}`, { desc: 'button' }), () => this.#act({ do: 'remove', id }))}
        </td>
      </tr>
    `;
  }

  #renderDamaged({ id }: Extract<KeptRun, { readonly kind: 'damaged' }>) {
    const words = msg('This run is damaged and cannot be read. The others are as they were.', { desc: 'runs' });
    return html`<tr>
      <td></td>
      <td></td>
      <th scope="row" colspan="5"><span class="status bad">${icons.bad}${words}</span></th>
      <td class="actions">
        ${this.#renderAction(msg('Delete', { desc: 'button' }), msg('Delete the damaged run', { desc: 'button' }), () => this.#act({ do: 'remove', id }))}
      </td>
    </tr>`;
  }

  #renderChoice(side: Side, id: string, label: string) {
    return html`<label>
      <input
        type="radio"
        name=${side}
        aria-label=${label}
        .checked=${this.chosen[side] === id}
        @change=${() => (this.chosen = { ...this.chosen, [side]: id })}
      />
    </label>`;
  }

  #renderAction(words: string, label: string, act: () => void, disabled = false) {
    return html`<button class="text" aria-label=${label} ?disabled=${disabled} @click=${act}>${words}</button>`;
  }

  #renderRename(head: RunHead) {
    return html`<form @submit=${(event: Event) => this.#onRename(event, head.id)}>
      <input
        type="text"
        name="name"
        maxlength="80"
        aria-label=${msg('Name of the run', { desc: 'field' })}
        .value=${head.name}
        @keydown=${this.#onRenameKey}
      />
      <button type="submit">${msg('Save', { desc: 'button: keeps the new name' })}</button>
    </form>`;
  }

  #canCompare(): boolean {
    const { baseline, judged } = this.chosen;
    return baseline !== '' && judged !== '' && baseline !== judged;
  }

  #act(action: KeptRunAction): void {
    this.dispatchEvent(new KeptRunActedEvent(action));
    if (action.do === 'open') this.dialog.close();
  }

  readonly #onCompare = (): boolean =>
    this.dispatchEvent(new ComparisonRequestedEvent(this.chosen.baseline, this.chosen.judged));

  #onRename(event: Event, id: string): void {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const name = new FormData(event.target).get('name');
    this.renaming = '';
    if (typeof name === 'string') this.#act({ do: 'rename', id, name });
  }

  /** Escape leaves the field, not the dialog. */
  readonly #onRenameKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.renaming = '';
  };

  readonly #onFile = (event: Event): void => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const file = event.target.files?.[0];
    if (file !== undefined) this.#act({ do: 'import', file });
    event.target.value = '';
  };
}

/** What the person calls a run, or when it was made. */
const nameOf = (head: RunHead): string => (head.name === '' ? runDate(head.createdAt) : head.name);

const incomplete = () =>
  html` <span class="status warn">${icons.warn}${msg('incomplete', { desc: 'runs: mark' })}</span>`;

declare global {
  interface HTMLElementTagNameMap {
    'app-runs-dialog': RunsDialog;
  }
}
