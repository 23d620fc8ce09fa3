import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type DeskFile, type ReadyFile, type Shown } from '../../../app/diagnose/desk-state.js';
import { fileTag } from '../../../app/diagnose/card-view.js';
import { kindWords } from '../../../app/diagnose/diagnose-words.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { block } from '../../styles/block.styles.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { FileActedEvent } from '../diagnose-events.js';
import { styles } from './file-list.styles.js';

/** The files on the desk: which one is shown, what each came to, and the way to compare snapshots. */
@localized()
@customElement('app-file-list')
export class FileList extends LitElement {
  static override styles = [controls, block, styles];
  @property({ attribute: false }) files: readonly DeskFile[] = [];
  @property({ attribute: false }) shown: Shown | undefined = undefined;

  override render() {
    const ready = this.files.filter((file) => file.phase === 'ready');
    const snapshots = ready.filter(({ snapshot }) => snapshot !== undefined).length;
    return html`
      <header>
        <h2>${msg('Open', { desc: 'heading of the list of files' })}</h2>
        <span class="quiet">${formatNumber(ready.length)}</span>
      </header>
      <ul>
        ${ready.map((file) => this.#renderFile(file))}
      </ul>
      ${
        snapshots < 2
          ? nothing
          : html`<button
              class="text compare"
              aria-pressed=${this.shown?.kind === 'comparison' ? 'true' : 'false'}
              @click=${() => this.dispatchEvent(new FileActedEvent({ do: 'compare' }))}
            >
              ${msg(str`Compare ${formatNumber(snapshots)} snapshots`, { desc: 'button' })}
            </button>`
      }
    `;
  }

  #renderFile(file: ReadyFile) {
    const isCurrent = this.shown?.kind === 'file' && this.shown.id === file.id;
    const tag = fileTag(file);
    return html`
      <li class=${isCurrent ? 'current' : ''}>
        <button
          class="show"
          aria-current=${isCurrent ? 'true' : 'false'}
          @click=${() => this.dispatchEvent(new FileActedEvent({ do: 'show', id: file.id }))}
        >
          ${icons.file}
          <span class="name">
            <b title=${file.name}>${file.name}</b>
            <span class="quiet">${kindWords(file.diagnosis.kind)}, ${formatBytes(file.bytes)}</span>
          </span>
          <span class="tag ${tag.isBad ? 'bad' : ''}">${tag.text}</span>
        </button>
        <button
          class="icon close"
          aria-label=${msg(str`Close ${file.name}`, { desc: 'button: takes a file off the desk' })}
          @click=${() => this.dispatchEvent(new FileActedEvent({ do: 'close', id: file.id }))}
        >
          ${icons.close}
        </button>
      </li>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-file-list': FileList;
  }
}
