import { localized, msg } from '@lit/localize';
import { html, LitElement } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { DEFAULT_PREFERENCES } from '../../../app/remembered.js';
import { type Preferences, THEMES } from '../../../app/url-state.js';
import { themeWords } from '../../../app/words.js';
import { KeysSwitchedEvent, PresentingSwitchedEvent, ThemeChosenEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { styles } from '../help-dialog/help-dialog.styles.js';

/** How the page looks and listens. Every change holds at once and is kept in this browser and in links. */
@localized()
@customElement('app-settings-dialog')
export class SettingsDialog extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) preferences: Preferences = DEFAULT_PREFERENCES;
  /** Whether every file of the lab is kept on this device. */
  @property({ type: Boolean }) isKept = false;
  @query('dialog') private readonly dialog!: HTMLDialogElement;

  /** Opens the dialog; Escape or its button closes it. */
  show(): void {
    void this.updateComplete.then(() => {
      if (!this.dialog.open) this.dialog.showModal();
    });
  }

  override render() {
    const { theme, presenting, keys } = this.preferences;
    return html`
      <dialog aria-labelledby="head" closedby="any">
        <header>
          <h2 id="head">${msg('Settings', { desc: 'heading of the dialog' })}</h2>
          <button
            class="icon"
            aria-label=${msg('Close', { desc: 'button of the dialog' })}
            @click=${() => this.dialog.close()}
          >
            ${icons.close}
          </button>
        </header>
        <fieldset>
          <legend>${msg('Theme', { desc: 'name of the choice' })}</legend>
          ${THEMES.map(
            (each) => html`
              <label>
                <input
                  type="radio"
                  name="theme"
                  value=${each}
                  .checked=${each === theme}
                  @change=${() => this.dispatchEvent(new ThemeChosenEvent(each))}
                />
                ${themeWords(each)}
              </label>
            `,
          )}
        </fieldset>
        <label>
          <input
            type="checkbox"
            name="presenting"
            .checked=${presenting}
            @change=${() => this.dispatchEvent(new PresentingSwitchedEvent(!presenting))}
          />
          ${msg('Presenter size, for the back of the room', { desc: 'switch in the settings' })}
        </label>
        <label>
          <input
            type="checkbox"
            name="keys"
            .checked=${keys}
            @change=${() => this.dispatchEvent(new KeysSwitchedEvent(!keys))}
          />
          ${msg('Single letters are commands', { desc: 'switch in the settings' })}
        </label>
        <p>
          ${
            this.isKept
              ? msg('The whole lab is kept on this device: it runs without a network.', { desc: 'in the settings' })
              : msg('The lab is not kept on this device yet: it needs the place it came from.', {
                  desc: 'in the settings',
                })
          }
        </p>
      </dialog>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-settings-dialog': SettingsDialog;
  }
}
