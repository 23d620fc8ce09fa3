import { localized, msg } from '@lit/localize';
import { html, LitElement, type TemplateResult } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { capOf, type Command, type KeyNote } from '../../../app/commands.js';
import { KeysSwitchedEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { styles } from './help-dialog.styles.js';

/** The list of keys, from the registry that handles them, and the switch for single letters. */
@localized()
@customElement('app-help-dialog')
export class HelpDialog extends LitElement {
  static override styles = [controls, styles];
  /** Those without keys are left out: the palette has them. */
  @property({ attribute: false }) commands: readonly Command[] = [];
  @property({ attribute: false }) notes: readonly KeyNote[] = [];
  /** Whether single letters are commands. */
  @property({ type: Boolean, attribute: false }) keys = true;
  @query('dialog') private readonly dialog!: HTMLDialogElement;

  /** Opens the dialog; Escape or its button closes it. */
  show(): void {
    void this.updateComplete.then(() => {
      if (!this.dialog.open) this.dialog.showModal();
    });
  }

  override render() {
    const withKeys = this.commands.filter(({ keys = [] }) => keys.length > 0);
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
          ${withKeys.map(({ keys = [], title }) => row(keys.map(capOf), title()))}
          ${this.notes.map(({ caps, title }) => row(caps, title()))}
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

const row = (caps: readonly string[], title: string): TemplateResult => html`
  <dt>${caps.map((cap) => html`<kbd>${cap}</kbd> `)}</dt>
  <dd>${title}</dd>
`;

declare global {
  interface HTMLElementTagNameMap {
    'app-help-dialog': HelpDialog;
  }
}
