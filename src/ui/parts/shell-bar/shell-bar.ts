import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { type Theme, THEMES } from '../../../app/url-state.js';
import { themeWords } from '../../../app/words.js';
import { HelpRequestedEvent, PresentingSwitchedEvent, ThemeChosenEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { adapterBadge } from '../badge.js';
import { styles } from './shell-bar.styles.js';

/** The bar on top: mark, pages, what the figures come from, theme and help. */
@localized()
@customElement('app-shell-bar')
export class ShellBar extends LitElement {
  static override styles = [controls, styles];
  @property() badge: AdapterBadge = 'asking';
  /** Short name of the adapter, '' when it is not known. */
  @property() adapterName = '';
  @property() theme: Theme = 'system';
  @property({ type: Boolean }) presenting = false;
  /** Hash that leads to the page as it is now. */
  @property() link = '#measure';

  override render() {
    return html`
      <a class="mark" href=${this.link} aria-label=${msg('vramlab, home', { desc: 'link on the mark' })}>
        ${icons.mark}<span>vramlab</span>
      </a>
      <nav aria-label=${msg('Pages', { desc: 'name of the page links' })}>
        <a href=${this.link} aria-current="page">${msg('Measure', { desc: 'page link' })}</a>
      </nav>
      <div class="end">
        <span class="adapter">
          ${this.adapterName === '' ? nothing : html`<span class="name">${this.adapterName}</span>`}
          ${adapterBadge(this.badge)}
        </span>
        <button
          class="icon"
          aria-pressed=${this.presenting ? 'true' : 'false'}
          aria-label=${msg('Presenter mode', { desc: 'button: larger, for a room' })}
          @click=${this.#onPresent}
        >
          ${icons.present}
        </button>
        ${this.#renderTheme()}
        <button class="icon" aria-label=${msg('Keyboard help', { desc: 'button' })} @click=${this.#onHelp}>
          ${icons.help}
        </button>
      </div>
    `;
  }

  #renderTheme() {
    return html`
      <button class="icon" popovertarget="theme" aria-label=${msg('Theme', { desc: 'button that opens the choice' })}>
        ${icons.theme}
      </button>
      <div class="menu" id="theme" popover>
        <fieldset>
          <legend class="unseen">${msg('Theme', { desc: 'name of the choice' })}</legend>
          ${THEMES.map(
            (theme) => html`
              <label>
                <input
                  type="radio"
                  name="theme"
                  value=${theme}
                  .checked=${theme === this.theme}
                  @change=${() => this.dispatchEvent(new ThemeChosenEvent(theme))}
                />
                ${themeWords(theme)}
              </label>
            `,
          )}
        </fieldset>
      </div>
    `;
  }

  readonly #onPresent = (): boolean => this.dispatchEvent(new PresentingSwitchedEvent(!this.presenting));

  readonly #onHelp = (): boolean => this.dispatchEvent(new HelpRequestedEvent());
}

declare global {
  interface HTMLElementTagNameMap {
    'app-shell-bar': ShellBar;
  }
}
