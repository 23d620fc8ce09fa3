import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { type DeskFile } from '../../../app/diagnose/desk-state.js';
import { formatBytes } from '../../../base/format.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { FileActedEvent, FilesChosenEvent, TextGivenEvent } from '../diagnose-events.js';
import { said } from '../said.js';
import { styles } from './drop-zone.styles.js';

/** A file that is being read. */
export type OpeningDeskFile = Exclude<DeskFile, { readonly phase: 'ready' }>;

/** Where files and texts come in: large on an empty desk, small in the rail. The whole window accepts drops; this shows it. */
@localized()
@customElement('app-drop-zone')
export class DropZone extends LitElement {
  static override styles = [controls, styles];
  @property({ type: Boolean }) wide = false;
  /** Something that could be dropped hangs over the window. */
  @property({ type: Boolean }) over = false;
  @property({ attribute: false }) reading: readonly OpeningDeskFile[] = [];
  /** Files that could not be used, one line each. */
  @property({ attribute: false }) refusals: readonly string[] = [];
  @query('input') private readonly input!: HTMLInputElement;
  @query('dialog') private readonly dialog!: HTMLDialogElement;
  @query('textarea') private readonly textarea!: HTMLTextAreaElement;

  /** Opens the browser's choice of files. */
  choose(): void {
    this.input.click();
  }

  /** Opens the field for a text. */
  paste(): void {
    this.dialog.showModal();
    this.textarea.focus();
  }

  override render() {
    return html`
      <div class="zone ${this.wide ? 'wide' : ''} ${this.over ? 'over' : ''}">
        ${icons.drop}
        <p class="lead">
          ${
            this.wide
              ? msg('Drop a file anywhere to see why it ran out of memory', { desc: 'empty Diagnose' })
              : msg('Drop a file anywhere', { desc: 'drop zone in the rail' })
          }
        </p>
        <p>
          ${msg(html`A PyTorch snapshot, the text of an out-of-memory error, or <code>memory_summary()</code>`, {
            desc: 'what can be dropped',
          })}
        </p>
        <p class="row">
          <button class=${this.wide ? 'primary' : ''} @click=${() => this.choose()}>
            ${msg('Choose file', { desc: 'button' })}
          </button>
          <button @click=${() => this.paste()}>${msg('Paste text', { desc: 'button' })}</button>
        </p>
        ${this.reading.map((file) => this.#renderReading(file))}
        <div class="unseen" role="status">${this.reading.map((file) => stageWords(file)).join(' ')}</div>
        ${this.refusals.length === 0 ? nothing : this.#renderRefusals()}
        <p class="quiet">
          ${
            this.wide
              ? msg('Nothing leaves this page. Files are read in this tab and forgotten when it closes.', {
                  desc: 'empty Diagnose',
                })
              : msg('Nothing leaves this page. Files are read in this tab.', { desc: 'drop zone in the rail' })
          }
        </p>
      </div>
      <input type="file" multiple hidden aria-hidden="true" tabindex="-1" @change=${this.#onChosen} />
      ${this.#renderDialog()}
    `;
  }

  #renderReading(file: OpeningDeskFile) {
    const progress = file.phase === 'opening' ? file.progress : undefined;
    return html`
      <div class="reading">
        <span>${stageWords(file)}</span>
        <progress
          aria-label=${stageWords(file)}
          .value=${progress?.done ?? 0}
          max=${Math.max(1, progress?.total ?? file.bytes)}
        ></progress>
        <p class="row">
          <button class="text" @click=${() => this.dispatchEvent(new FileActedEvent({ do: 'close', id: file.id }))}>
            ${msg('Cancel', { desc: 'button: stops reading a file' })}
          </button>
        </p>
      </div>
    `;
  }

  #renderRefusals() {
    return html`<div class="refused" role="alert">${this.refusals.map((line) => html`<p>${said(line)}</p>`)}</div>`;
  }

  #renderDialog() {
    return html`
      <dialog aria-label=${msg('Paste text', { desc: 'name of the dialog' })}>
        <form @submit=${this.#onText}>
          <label>
            ${msg('Error message, log or memory summary', { desc: 'label of the field for a pasted text' })}
            <textarea name="text" spellcheck="false" required @keydown=${this.#onKey}></textarea>
          </label>
          <div class="row">
            <button type="button" @click=${() => this.dialog.close()}>${msg('Cancel', { desc: 'button' })}</button>
            <button class="primary">${msg('Explain', { desc: 'button: judges the pasted text' })}</button>
          </div>
        </form>
      </dialog>
    `;
  }

  readonly #onChosen = (): void => {
    const files = [...(this.input.files ?? [])];
    // The same file may be chosen again.
    this.input.value = '';
    if (files.length > 0) this.dispatchEvent(new FilesChosenEvent(files));
  };

  readonly #onText = (event: Event): void => {
    event.preventDefault();
    this.#send();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#send();
  };

  #send(): void {
    const text = this.textarea.value;
    if (text.trim() === '') return;
    this.dialog.close();
    this.textarea.value = '';
    this.dispatchEvent(new TextGivenEvent(text));
  }
}

function stageWords(file: OpeningDeskFile): string {
  if (file.phase === 'explaining') {
    return msg(str`${file.name}: rebuilding its history`, { desc: 'progress of a file after it was read' });
  }
  const { progress } = file;
  if (progress === undefined) return msg(str`Opening ${file.name}`, { desc: 'progress of a file' });
  const [done, total] = [formatBytes(progress.done), formatBytes(progress.total)];
  return progress.stage === 'reading'
    ? msg(str`Reading ${file.name}: ${done} of ${total}`, { desc: 'progress of a file' })
    : msg(str`Parsing ${file.name}: ${done} of ${total}`, { desc: 'progress of a file' });
}

declare global {
  interface HTMLElementTagNameMap {
    'app-drop-zone': DropZone;
  }
}
