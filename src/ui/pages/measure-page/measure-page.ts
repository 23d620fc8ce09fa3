import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { type AdapterBadge, type AdapterState, badgeOf } from '../../../app/adapter-state.js';
import { type AppState, type AppStore } from '../../../app/app-state.js';
import { bandwidthLines, type BandwidthLines } from '../../../app/bandwidth-lines.js';
import { changePreferences } from '../../../app/preferences.js';
import { isActive, recordOf, type RunRecord, suiteProgress } from '../../../app/run-state.js';
import { checkSettings, type SettingsProblems } from '../../../app/settings.js';
import { type Theme } from '../../../app/url-state.js';
import { linkProblemWords, problemWords } from '../../../app/words.js';
import { type Row } from '../../../model/report/schema.js';
import { AVAILABLE_SUITES } from '../../../model/report/suites.js';
import { MediaController } from '../../controllers/media-controller.js';
import { RunController } from '../../controllers/run-controller.js';
import { SelectController } from '../../controllers/select-controller.js';
import { type SettingsChangedEvent } from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import '../../parts/adapter-card/adapter-card.js';
import '../../parts/bandwidth-chart/bandwidth-chart.js';
import '../../parts/missing-gpu/missing-gpu.js';
import '../../parts/results-table/results-table.js';
import '../../parts/run-bar/run-bar.js';
import '../../parts/run-settings/run-settings.js';
import '../../parts/suite-list/suite-list.js';
import { downloadReport } from './download-report.js';
import { styles } from './measure-page.styles.js';
import { settingsLine } from './settings-line.js';

const NO_ROWS: readonly Row[] = [];
const NO_PROBLEMS: SettingsProblems = {};

/** Measure: set up, run, watch, read, take the report away. */
@localized()
@customElement('app-measure-page')
export class MeasurePage extends LitElement {
  static override styles = [controls, styles];
  readonly #state: SelectController<AppState> = new SelectController(this, (all: AppState) => all);
  readonly #runs = new RunController(this);
  readonly #narrow = new MediaController(this, '(max-width: 75rem)');
  readonly #prefersDark = new MediaController(this, '(prefers-color-scheme: dark)');
  /** Whether Setup is open on a narrow screen; it closes with the first run. */
  @state() private setupOpen = true;
  #linesOf: readonly Row[] = NO_ROWS;
  #lines = bandwidthLines(NO_ROWS);
  #earlierOf: RunRecord | undefined;
  #earlier: BandwidthLines | undefined;

  override firstUpdated(): void {
    void this.#runs.describe();
  }

  /** Starts a run with the settings on screen, where that is possible. */
  run(): void {
    const { adapter, run, preferences } = this.#state.value;
    const checked = checkSettings(preferences.settings);
    if (checked.status !== 'usable' || adapter.kind !== 'ready' || isActive(run)) return;
    this.setupOpen = false;
    void this.#runs.start(checked.request);
  }

  cancel(): void {
    this.#runs.cancel();
  }

  /** Saves what was measured, complete or not. Nothing happens before there is anything. */
  exportReport(): void {
    const { run } = this.#state.value;
    if (run.phase !== 'idle') downloadReport(run);
  }

  override render() {
    const { adapter } = this.#state.value;
    if (adapter.kind === 'none') {
      return html`
        <div class="missing">
          ${this.#renderNotices()}
          <app-missing-gpu
            .missing=${adapter.missing}
            .detail=${adapter.detail}
            .userAgent=${navigator.userAgent}
            @app-adapter-requested=${this.#onAsk}
          ></app-missing-gpu>
        </div>
      `;
    }
    return html`${this.#renderRail()}${this.#renderStage()}`;
  }

  #renderRail() {
    const label = msg('Setup', { desc: 'name of the side with adapter, suites and settings' });
    if (!this.#narrow.matches) return html`<aside class="rail" aria-label=${label}>${this.#renderSetup()}</aside>`;
    return html`
      <aside class="rail" aria-label=${label}>
        <details ?open=${this.setupOpen} @toggle=${this.#onToggle}>
          <summary>
            ${icons.open}
            <h2>${label}</h2>
            <span class="quiet summary">${settingsLine(this.#state.value.preferences.settings)}</span>
          </summary>
          <div class="setup">${this.#renderSetup()}</div>
        </details>
      </aside>
    `;
  }

  #renderSetup() {
    const { adapter, preferences, run } = this.#state.value;
    const { settings } = preferences;
    const record = recordOf(run);
    const problems = this.#problems();
    const rows = AVAILABLE_SUITES.map((suite) => ({
      suite,
      chosen: settings.suites.includes(suite),
      progress:
        record !== undefined && record.planned.length > 0 && record.request.suites.includes(suite)
          ? suiteProgress(record, suite)
          : undefined,
    }));
    return html`
      <app-adapter-card .state=${adapter} @app-adapter-requested=${this.#onAsk}></app-adapter-card>
      <app-suite-list
        .rows=${rows}
        .disabled=${isActive(run)}
        .problem=${problemWords(problems, 'suites') ?? ''}
        @app-settings-changed=${this.#onSettings}
      ></app-suite-list>
      <app-run-settings
        .settings=${settings}
        .problems=${problems}
        .disabled=${isActive(run)}
        @app-settings-changed=${this.#onSettings}
      ></app-run-settings>
    `;
  }

  #renderStage() {
    const { adapter, earlier, preferences, run } = this.#state.value;
    const record = recordOf(run);
    const badge = badgeOfRun(record, adapter);
    const obstacle = this.#obstacle();
    return html`
      <div class="stage">
        ${this.#renderNotices()}
        <app-run-bar
          .run=${run}
          .badge=${badge}
          .canRun=${obstacle === ''}
          .obstacle=${obstacle}
          @app-run-requested=${() => this.run()}
          @app-run-cancelled=${() => this.cancel()}
          @app-report-requested=${() => this.exportReport()}
        ></app-run-bar>
        <app-bandwidth-chart
          .lines=${this.#linesFor(record?.rows ?? NO_ROWS)}
          .earlier=${earlier === undefined ? undefined : this.#earlierLines(earlier)}
          .running=${isActive(run)}
          .trouble=${run.phase === 'failed' ? troubleWords(run.message) : ''}
          .badge=${badge}
          .theme=${this.#shownTheme(preferences.theme)}
        ></app-bandwidth-chart>
        <app-results-table
          .rows=${record?.rows ?? NO_ROWS}
          .planned=${record?.planned.length ?? 0}
          .badge=${badge}
        ></app-results-table>
      </div>
    `;
  }

  #renderNotices() {
    const { linkProblems } = this.#state.value;
    return html`<div class="notices" role="status">
      ${
        linkProblems.length === 0
          ? nothing
          : html`<div class="notice">
              <div>${linkProblems.map((problem) => html`<p>${linkProblemWords(problem)}</p>`)}</div>
              <button
                class="icon"
                aria-label=${msg('Close the notice', { desc: 'button' })}
                @click=${this.#onNoticeClosed}
              >
                ${icons.close}
              </button>
            </div>`
      }
    </div>`;
  }

  /** A chart is redrawn for the theme that is seen, so `system` is resolved. */
  #shownTheme(theme: Theme): Theme {
    if (theme !== 'system') return theme;
    return this.#prefersDark.matches ? 'dark' : 'light';
  }

  #problems(): SettingsProblems {
    const checked = checkSettings(this.#state.value.preferences.settings);
    return checked.status === 'refused' ? checked.problems : NO_PROBLEMS;
  }

  #obstacle(): string {
    const { adapter } = this.#state.value;
    if (adapter.kind === 'asking') return msg('Waiting for the adapter.', { desc: 'run bar: why no run can start' });
    if (adapter.kind === 'lost') {
      return msg('The device was lost. Recover it in Setup, then run again.', {
        desc: 'run bar: why no run can start',
      });
    }
    if (Object.keys(this.#problems()).length > 0) {
      return msg('A setting cannot be used; it says why.', { desc: 'run bar: why no run can start' });
    }
    return '';
  }

  /** Lines are derived once for each list of rows, not at every progress. */
  #linesFor(rows: readonly Row[]): BandwidthLines {
    if (rows !== this.#linesOf) {
      this.#linesOf = rows;
      this.#lines = bandwidthLines(rows);
    }
    return this.#lines;
  }

  #earlierLines(record: RunRecord): BandwidthLines {
    if (record !== this.#earlierOf || this.#earlier === undefined) {
      this.#earlierOf = record;
      this.#earlier = bandwidthLines(record.rows);
    }
    return this.#earlier;
  }

  readonly #onAsk = (): void => void this.#runs.describe();

  readonly #onSettings = ({ change }: SettingsChangedEvent): void =>
    changePreferences(this.#store(), (preferences) => ({
      ...preferences,
      settings: { ...preferences.settings, ...change },
    }));

  readonly #onToggle = (event: Event): void => {
    if (event.target instanceof HTMLDetailsElement) this.setupOpen = event.target.open;
  };

  readonly #onNoticeClosed = (): void => this.#store().update((all) => ({ ...all, linkProblems: [] }));

  #store(): AppStore {
    return this.#state.store;
  }
}

/** Figures keep the mark of the adapter they were measured on. */
function badgeOfRun(record: RunRecord | undefined, adapter: AdapterState): AdapterBadge {
  return record?.environment?.adapter.class ?? badgeOf(adapter);
}

const troubleWords = (message: string): string =>
  msg(str`The run ended early: ${message}. What was measured is kept; run again to fill the rest.`, {
    desc: 'above the chart after a failed run',
  });

declare global {
  interface HTMLElementTagNameMap {
    'app-measure-page': MeasurePage;
  }
}
