import { localized, msg } from '@lit/localize';
import { html, LitElement } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { type Command } from '../../../app/commands.js';
import { KeysSwitchedEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { styles } from './help-dialog.styles.js';

/** The list of keys, from the same table that handles them, and the switch for single letters. */
@localized()
@customElement('app-help-dialog')
export class HelpDialog extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) commands: readonly Command[] = [];
  /** Whether single letters are commands. */
  @property({ type: Boolean, attribute: false }) keys = true;
  @query('dialog') private readonly dialog!: HTMLDialogElement;

  /** Opens the dialog; Escape or its button closes it. */
  show(): void {
    if (!this.dialog.open) this.dialog.showModal();
  }

  override render() {
    const chartKeys = msg('Chart: point to the left or right, other line, first, last', { desc: 'keyboard help' });
    return html`
      <dialog aria-labelledby="head" closedby="any">
        <header>
          <h2 id="head">${msg('Keyboard', { desc: 'heading of the help' })}</h2>
          <button
            class="icon"
            aria-label=${msg('Close', { desc: 'button of the help' })}
            @click=${() => this.dialog.close()}
          >
            ${icons.close}
          </button>
        </header>
        <dl>
          ${this.commands.map(
            (command) => html`
              <dt><kbd>${command.key}</kbd></dt>
              <dd>${command.title()}</dd>
            `,
          )}
          <dt><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd> <kbd>Home</kbd> <kbd>End</kbd></dt>
          <dd>${chartKeys}</dd>
        </dl>
        <label>
          <input type="checkbox" .checked=${this.keys} @change=${this.#onSwitch} />
          ${msg('Single letters are commands', { desc: 'switch in the keyboard help' })}
        </label>
      </dialog>
    `;
  }

  readonly #onSwitch = (): boolean => this.dispatchEvent(new KeysSwitchedEvent(!this.keys));
}

declare global {
  interface HTMLElementTagNameMap {
    'app-help-dialog': HelpDialog;
  }
}
