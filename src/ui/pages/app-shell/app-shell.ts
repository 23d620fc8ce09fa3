import { ContextProvider } from '@lit/context';
import { localized, msg } from '@lit/localize';
import { html, LitElement } from 'lit';
import { customElement, query } from 'lit/decorators.js';
import { adapterName, type AdapterState, badgeOf } from '../../../app/adapter-state.js';
import { type Command } from '../../../app/commands.js';
import { changePreferences } from '../../../app/preferences.js';
import { type Preferences, type Theme, THEMES, writeHash } from '../../../app/url-state.js';
import { KeysController } from '../../controllers/keys-controller.js';
import { SelectController } from '../../controllers/select-controller.js';
import { ThemeController } from '../../controllers/theme-controller.js';
import { type KeysSwitchedEvent, type PresentingSwitchedEvent, type ThemeChosenEvent } from '../../events.js';
import '../../parts/help-dialog/help-dialog.js';
import { type HelpDialog } from '../../parts/help-dialog/help-dialog.js';
import '../../parts/shell-bar/shell-bar.js';
import { type Services, servicesContext } from '../../services.js';
import { controls } from '../../styles/controls.styles.js';
import '../measure-page/measure-page.js';
import { type MeasurePage } from '../measure-page/measure-page.js';
import { styles } from './app-shell.styles.js';

/** The frame around every page: bar, theme, keys and help. It hands the services down. */
@localized()
@customElement('app-shell')
export class AppShell extends LitElement {
  static override styles = [controls, styles];
  @query('main') private readonly main!: HTMLElement;
  @query('app-help-dialog') private readonly help!: HelpDialog;
  @query('app-measure-page') private readonly page!: MeasurePage;
  readonly #preferences: SelectController<Preferences>;
  readonly #adapter: SelectController<AdapterState>;
  readonly #commands = this.#listCommands();

  constructor(private readonly services: Services) {
    super();
    new ContextProvider(this, { context: servicesContext, initialValue: services });
    this.#preferences = new SelectController(this, ({ preferences }) => preferences, services.store);
    this.#adapter = new SelectController(this, ({ adapter }) => adapter, services.store);
    new ThemeController(
      this,
      () => this.#preferences.value.theme,
      () => this.#preferences.value.presenting,
    );
    new KeysController(this, () => this.#activeCommands());
  }

  override render() {
    const preferences = this.#preferences.value;
    const adapter = this.#adapter.value;
    const name = adapter.kind === 'ready' ? adapterName(adapter.environment.adapter) : undefined;
    return html`
      <a class="skip" href="#main" @click=${this.#onSkip}>${msg('Skip to content', { desc: 'link' })}</a>
      <app-shell-bar
        .badge=${badgeOf(adapter)}
        .adapterName=${name ?? ''}
        .theme=${preferences.theme}
        .presenting=${preferences.presenting}
        .link=${writeHash('measure', preferences)}
        @app-theme-chosen=${this.#onTheme}
        @app-presenting-switched=${this.#onPresenting}
        @app-help-requested=${() => this.help.show()}
      ></app-shell-bar>
      <main tabindex="-1">
        <h1 class="unseen">${msg('Measure', { desc: 'heading of the page, for screen readers' })}</h1>
        <app-measure-page .presenting=${preferences.presenting}></app-measure-page>
      </main>
      <app-help-dialog
        .commands=${this.#commands}
        .keys=${preferences.keys}
        @app-keys-switched=${this.#onKeys}
      ></app-help-dialog>
    `;
  }

  #listCommands(): readonly Command[] {
    return [
      { key: 'r', title: () => msg('Run', { desc: 'command' }), run: () => this.page.run() },
      { key: 'c', title: () => msg('Cancel the run', { desc: 'command' }), run: () => this.page.cancel() },
      { key: 'e', title: () => msg('Export the report', { desc: 'command' }), run: () => this.page.exportReport() },
      { key: 'h', title: () => msg('Kept runs', { desc: 'command' }), run: () => void this.page.showRuns() },
      {
        key: 'P',
        title: () => msg('Presenter mode (Shift P)', { desc: 'command' }),
        run: () => this.#present(!this.#preferences.value.presenting),
      },
      { key: 't', title: () => msg('Next theme', { desc: 'command' }), run: () => this.#nextTheme() },
      { key: '?', title: () => msg('This list', { desc: 'command: keyboard help' }), run: () => this.help.show() },
    ];
  }

  #activeCommands(): readonly Command[] {
    return this.#preferences.value.keys ? this.#commands : [];
  }

  #nextTheme(): void {
    const { theme } = this.#preferences.value;
    this.#setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system');
  }

  #setTheme(theme: Theme): void {
    changePreferences(this.services.store, (preferences) => ({ ...preferences, theme }));
  }

  #present(presenting: boolean): void {
    changePreferences(this.services.store, (preferences) => ({ ...preferences, presenting }));
  }

  readonly #onPresenting = ({ on }: PresentingSwitchedEvent): void => this.#present(on);

  readonly #onTheme = ({ theme }: ThemeChosenEvent): void => this.#setTheme(theme);

  readonly #onKeys = ({ on }: KeysSwitchedEvent): void =>
    changePreferences(this.services.store, (preferences) => ({ ...preferences, keys: on }));

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
