import { ContextProvider } from '@lit/context';
import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import { adapterName, askAdapter, badgeOf } from '../../../app/adapter-state.js';
import { type AppState } from '../../../app/app-state.js';
import { EVERYWHERE } from '../../../app/commands.js';
import { changePreferences } from '../../../app/preferences.js';
import { type Preferences } from '../../../app/url-state.js';
import { linkProblemWords } from '../../../app/words.js';
import { KeysController } from '../../controllers/keys-controller.js';
import { LanguageController } from '../../controllers/language-controller.js';
import { PagesController } from '../../controllers/pages-controller.js';
import { SelectController } from '../../controllers/select-controller.js';
import { StrayDropController } from '../../controllers/stray-drop-controller.js';
import { ThemeController } from '../../controllers/theme-controller.js';
import {
  type KeysSwitchedEvent,
  type LanguageChosenEvent,
  type PresentingSwitchedEvent,
  type ThemeChosenEvent,
  UpdateAcceptedEvent,
} from '../../events.js';
import type { CommandPalette } from '../../parts/command-palette/command-palette.js';
import type { HelpDialog } from '../../parts/help-dialog/help-dialog.js';
import { notices, noticeStyles, updateNotice } from '../../parts/notice.js';
import type { SettingsDialog } from '../../parts/settings-dialog/settings-dialog.js';
import '../../parts/shell-bar/shell-bar.js';
import { type Services, servicesContext } from '../../services.js';
import { controls } from '../../styles/controls.styles.js';
import { type PageEntry } from '../page.js';
import { styles } from './app-shell.styles.js';
import { shellCommands } from './shell-commands.js';

/** The frame around every page: bar, theme, keys, palette and help. It hands the services down and asks for the adapter. */
@localized()
@customElement('app-shell')
export class AppShell extends LitElement {
  static override styles = [controls, noticeStyles, styles];
  @query('main') private readonly main!: HTMLElement;
  // These three are upgraded when they are first asked for.
  @query('app-help-dialog') private readonly help!: HelpDialog;
  @query('app-command-palette') private readonly palette!: CommandPalette;
  @query('app-settings-dialog') private readonly settings!: SettingsDialog;
  readonly #state: SelectController<AppState>;
  readonly #pages: PagesController;

  constructor(
    private readonly services: Services,
    private readonly entries: readonly PageEntry[],
  ) {
    super();
    new ContextProvider(this, { context: servicesContext, initialValue: services });
    this.#state = new SelectController(this, (state) => state, services.store);
    this.#pages = new PagesController(this, entries);
    const preferences = () => this.#state.value.preferences;
    new ThemeController(
      this,
      () => preferences().theme,
      () => preferences().presenting,
    );
    new LanguageController(this, () => preferences().language, this.#onTextsMissing);
    new KeysController(
      this,
      () => services.commands.commandsOn(this.#state.value.page),
      () => preferences().keys,
    );
    new StrayDropController(this);
    const screens = {
      help: () => void this.#showHelp(),
      palette: () => void this.#showPalette(),
      settings: () => void this.#showSettings(),
    };
    services.commands.register(EVERYWHERE, shellCommands(services, entries, screens));
    services.commands.subscribe(() => this.requestUpdate());
  }

  override firstUpdated(): void {
    void this.#askAdapter();
  }

  override willUpdate(): void {
    const { page, preferences } = this.#state.value;
    this.#pages.show(page, preferences.presenting);
    document.title = `${this.#title()} \u00b7 vramlab`;
  }

  override render() {
    const { adapter, linkProblems, ownCopy, page, preferences } = this.#state.value;
    const name = adapter.kind === 'ready' ? adapterName(adapter.environment.adapter) : undefined;
    const tabs = this.entries.map((entry) => ({
      name: entry.name,
      title: entry.title(),
      link: this.services.router.hashOf(entry.name),
    }));
    return html`
      <a class="skip" href="#main" @click=${this.#onSkip}>${msg('Skip to content', { desc: 'link' })}</a>
      <app-shell-bar
        .badge=${badgeOf(adapter)}
        .adapterName=${name ?? ''}
        .theme=${preferences.theme}
        .language=${preferences.language}
        .presenting=${preferences.presenting}
        .tabs=${tabs}
        .page=${page}
        @app-theme-chosen=${this.#onTheme}
        @app-language-chosen=${this.#onLanguage}
        @app-presenting-switched=${this.#onPresenting}
        @app-help-requested=${() => this.#showHelp()}
        @app-settings-requested=${() => this.#showSettings()}
      ></app-shell-bar>
      <div>
        ${notices(linkProblems.map(linkProblemWords), this.#onNoticeClosed)}
        ${updateNotice(ownCopy.isOutdated, this.#onUpdate)}
      </div>
      <main tabindex="-1" @app-adapter-requested=${() => this.#askAdapter()}>
        <h1 class="unseen">${this.#title()}</h1>
        ${this.#pages.elements} ${this.#renderWaiting(page)}
      </main>
      <app-help-dialog
        .commands=${this.services.commands.commandsOn(page)}
        .notes=${this.services.commands.notesOn(page)}
        .keys=${preferences.keys}
        @app-keys-switched=${this.#onKeys}
      ></app-help-dialog>
      <app-command-palette .commands=${this.services.commands.commandsOn(page)}></app-command-palette>
      <app-settings-dialog
        .preferences=${preferences}
        .isKept=${ownCopy.isWhole}
        @app-theme-chosen=${this.#onTheme}
        @app-presenting-switched=${this.#onPresenting}
        @app-keys-switched=${this.#onKeys}
      ></app-settings-dialog>
    `;
  }

  #renderWaiting(page: string) {
    switch (this.#pages.stateOf(page)) {
      case 'there':
        return nothing;
      case 'loading':
        return html`<p class="waiting" role="status">
          ${msg('Loading the page', { desc: 'while its code arrives' })}
        </p>`;
      case 'failed':
        return html`
          <div class="waiting" role="alert">
            <p>
              ${msg('The code of this page did not arrive. Look at the connection, then ask again or reload.', {
                desc: 'in place of a page',
              })}
            </p>
            <button @click=${() => this.#pages.retry(page)}>${msg('Ask again', { desc: 'button' })}</button>
          </div>
        `;
    }
  }

  #title(): string {
    return this.entries.find(({ name }) => name === this.#state.value.page)?.title() ?? '';
  }

  async #askAdapter(): Promise<void> {
    const { store, engine } = this.services;
    store.update((state) => ({ ...state, adapter: { kind: 'asking' } }));
    const host = { isSecureContext: self.isSecureContext, hasWebGpu: 'gpu' in navigator };
    const adapter = await askAdapter(engine, host);
    store.update((state) => ({ ...state, adapter }));
  }

  async #showHelp(): Promise<void> {
    await import('../../parts/help-dialog/help-dialog.js');
    this.help.show();
  }

  async #showPalette(): Promise<void> {
    await import('../../parts/command-palette/command-palette.js');
    this.palette.show();
  }

  async #showSettings(): Promise<void> {
    await import('../../parts/settings-dialog/settings-dialog.js');
    this.settings.show();
  }

  #change(change: Partial<Preferences>): void {
    changePreferences(this.services.store, (preferences) => ({ ...preferences, ...change }));
  }

  readonly #onPresenting = ({ on }: PresentingSwitchedEvent): void => this.#change({ presenting: on });

  readonly #onTheme = ({ theme }: ThemeChosenEvent): void => this.#change({ theme });

  readonly #onTextsMissing = (): void => {
    this.#change({ language: 'en' });
    this.services.router.refuse([{ kind: 'texts-missing' }]);
  };

  readonly #onLanguage = ({ language }: LanguageChosenEvent): void => this.#change({ language });

  readonly #onKeys = ({ on }: KeysSwitchedEvent): void => this.#change({ keys: on });

  readonly #onNoticeClosed = (): void => this.services.store.update((state) => ({ ...state, linkProblems: [] }));

  readonly #onUpdate = (): boolean => this.dispatchEvent(new UpdateAcceptedEvent());

  readonly #onSkip = (event: Event): void => {
    event.preventDefault();
    this.main.focus();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'app-shell': AppShell;
  }
}
