import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, query } from 'lit/decorators.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { LANGUAGE_NAMES } from '../../../app/locale.js';
import { type Theme, THEMES } from '../../../app/url-state.js';
import { themeWords } from '../../../app/words.js';
import { LANGUAGE_TAGS, type Language, LANGUAGES } from '../../../model/lesson/local-text.js';
import {
  HelpRequestedEvent,
  LanguageChosenEvent,
  PresentingSwitchedEvent,
  SettingsRequestedEvent,
  ThemeChosenEvent,
} from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { adapterBadge } from '../badge.js';
import { styles } from './shell-bar.styles.js';

/** A page that can be gone to; `link` leads to it as it was left. */
export interface PageTab {
  readonly name: string;
  readonly title: string;
  readonly link: string;
}

/** The bar on top: mark, pages, what the figures come from, theme and help. */
@localized()
@customElement('app-shell-bar')
export class ShellBar extends LitElement {
  static override styles = [controls, styles];
  @property() badge: AdapterBadge = 'asking';
  /** Short name of the adapter, '' when it is not known. */
  @property() adapterName = '';
  @property() theme: Theme = 'system';
  @property() language: Language = 'en';
  @property({ type: Boolean }) presenting = false;
  @property({ attribute: false }) tabs: readonly PageTab[] = [];
  /** Name of the page on screen. */
  @property() page = '';

  @query('.menu') private readonly menu!: HTMLElement;

  override render() {
    return html`
      <a
        class=${this.presenting ? 'mark short' : 'mark'}
        href=${this.tabs[0]?.link ?? '#'}
        aria-label=${msg('vramlab, home', { desc: 'link on the mark' })}
      >
        ${icons.mark}<span>vramlab</span>
      </a>
      <nav aria-label=${msg('Pages', { desc: 'name of the page links' })}>
        ${this.tabs.map(
          ({ name, title, link }) =>
            html`<a href=${link} aria-current=${name === this.page ? 'page' : nothing}>${title}</a>`,
        )}
      </nav>
      <div class="end">
        <span class="adapter">
          ${this.adapterName === '' ? nothing : html`<span class="name">${this.adapterName}</span>`}
          ${adapterBadge(this.badge)}
        </span>
        ${this.#renderLanguage()}
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

  #renderLanguage() {
    return html`
      <span class="segmented" role="group" aria-label=${msg('Language', { desc: 'name of the switch in the bar' })}>
        ${LANGUAGES.map(
          (language) => html`
            <button
              lang=${LANGUAGE_TAGS[language]}
              aria-pressed=${language === this.language ? 'true' : 'false'}
              @click=${() => this.dispatchEvent(new LanguageChosenEvent(language))}
            >
              ${LANGUAGE_NAMES[language]}
            </button>
          `,
        )}
      </span>
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
        <button class="text" @click=${this.#onSettings}>${msg('Settings', { desc: 'button under the themes' })}</button>
      </div>
    `;
  }

  readonly #onPresent = (): boolean => this.dispatchEvent(new PresentingSwitchedEvent(!this.presenting));

  readonly #onSettings = (): void => {
    this.menu.hidePopover();
    this.dispatchEvent(new SettingsRequestedEvent());
  };

  readonly #onHelp = (): boolean => this.dispatchEvent(new HelpRequestedEvent());
}

declare global {
  interface HTMLElementTagNameMap {
    'app-shell-bar': ShellBar;
  }
}
