import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { modelWords } from '../../../app/model-words.js';
import { type AdapterBadge, type AdapterState, badgeOf } from '../../../app/adapter-state.js';
import { type AppState, type AppStore } from '../../../app/app-state.js';
import { type ExportFormat } from '../../../app/export-formats.js';
import { changePreferences } from '../../../app/preferences.js';
import { isActive, recordOf, type RunContent, type RunState, suiteProgress } from '../../../app/run-state.js';
import { checkSettings, type SettingsProblems } from '../../../app/settings.js';
import { keepTroubleWords, problemWords } from '../../../app/words.js';
import { type Row } from '../../../model/report/schema.js';
import { AVAILABLE_SUITES } from '../../../model/report/suites.js';
import { CommandsController } from '../../controllers/commands-controller.js';
import { ExportController } from '../../controllers/export-controller.js';
import { KeptRunsController } from '../../controllers/kept-runs-controller.js';
import { MediaController } from '../../controllers/media-controller.js';
import { RunController } from '../../controllers/run-controller.js';
import { SelectController } from '../../controllers/select-controller.js';
import {
  type ExportRequestedEvent,
  type ModelChangedEvent,
  type PictureRequestedEvent,
  type SettingsChangedEvent,
} from '../../events.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import '../../parts/adapter-card/adapter-card.js';
import '../../parts/line-chart/line-chart.js';
import '../../parts/missing-gpu/missing-gpu.js';
import { notices, noticeStyles } from '../../parts/notice.js';
import '../../parts/results-table/results-table.js';
import '../../parts/run-bar/run-bar.js';
import '../../parts/run-settings/run-settings.js';
import type { RunsDialog } from '../../parts/runs-dialog/runs-dialog.js';
import '../../parts/suite-list/suite-list.js';
import { type PageElement } from '../page.js';
import { measureCommands } from './measure-commands.js';
import { styles } from './measure-page.styles.js';
import { obstacleWords } from './obstacle-words.js';
import { ChartCache } from './run-charts.js';
import { settingsLine } from './settings-line.js';
import './side-pane.js';

const NO_ROWS: readonly Row[] = [];
const NO_PROBLEMS: SettingsProblems = {};

/** Measure: set up, run, watch, read, compare, take the run away. */
@localized()
@customElement('app-measure-page')
export class MeasurePage extends LitElement implements PageElement {
  static override styles = [controls, noticeStyles, styles];
  readonly #state: SelectController<AppState> = new SelectController(this, (all: AppState) => all);
  readonly #runs = new RunController(this);
  readonly #kept = new KeptRunsController(this);
  readonly #exports = new ExportController(this);
  readonly #narrow = new MediaController(this, '(max-width: 75rem)');
  readonly #charts = new ChartCache();
  /** Whether Setup is open on a narrow screen; it closes with the first run. */
  @state() private setupOpen = true;
  #lastPhase: RunState['phase'] = 'idle';
  /** Hides all but what carries the point. */
  @property({ type: Boolean, reflect: true }) presenting = false;
  @property({ type: Boolean, attribute: false }) shown = true;
  @query('app-runs-dialog') private readonly dialog!: RunsDialog | null;

  constructor() {
    super();
    new CommandsController(this, 'measure', () =>
      measureCommands(this, {
        canRun: () => this.#obstacle() === '' && !isActive(this.#state.value.run),
        isRunning: () => isActive(this.#state.value.run),
        hasRun: () => this.#state.value.run.phase !== 'idle',
      }),
    );
  }

  override firstUpdated(): void {
    void this.#kept.start();
  }

  override willUpdate(): void {
    const { phase } = this.#state.value.run;
    if (phase === 'opened' && this.#lastPhase !== 'opened') this.setupOpen = false;
    this.#lastPhase = phase;
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
  exportReport(format: ExportFormat = 'json'): void {
    const { run } = this.#state.value;
    if (run.phase !== 'idle') void this.#exports.save(run, format);
  }

  /** Opens the list of kept runs. */
  async showRuns(): Promise<void> {
    await this.#kept.load();
    this.dialog?.show();
  }

  override render() {
    const { adapter, run } = this.#state.value;
    const isMissing = adapter.kind === 'none' && run.phase === 'idle';
    return html`
      ${isMissing ? this.#renderMissing(adapter) : html`${this.#renderRail()}${this.#renderStage()}`}
      ${
        this.#kept.isLoaded
          ? html`<app-runs-dialog
              .kept=${this.#state.value.kept}
              .comparison=${this.#kept.comparison}
              .running=${isActive(run)}
              @app-kept-run-acted=${this.#kept.onAction}
              @app-comparison-requested=${this.#kept.onComparison}
            ></app-runs-dialog>`
          : nothing
      }
    `;
  }

  #renderMissing(adapter: Extract<AdapterState, { readonly kind: 'none' }>) {
    return html`
      <div class="missing">
        ${this.#renderNotices()}
        <app-missing-gpu
          .missing=${adapter.missing}
          .detail=${adapter.detail}
          .userAgent=${navigator.userAgent}
          @app-runs-requested=${this.#onRuns}
        ></app-missing-gpu>
      </div>
    `;
  }

  #renderRail() {
    const label = msg('Setup', { desc: 'name of the side with adapter, suites and settings' });
    if (!this.#narrow.matches) {
      // It scrolls, and during a run no control in it can take the focus: the keyboard scrolls it by itself.
      return html`<aside class="rail" aria-label=${label} tabindex="0">${this.#renderSetup()}</aside>`;
    }
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
        record !== undefined && record.planned.length > 0 && record.suites.includes(suite)
          ? suiteProgress(record, suite)
          : undefined,
    }));
    return html`
      <app-adapter-card .state=${adapter}></app-adapter-card>
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
    const { adapter, earlier, kept, run } = this.#state.value;
    const record = recordOf(run);
    const badge = badgeOfRun(record, adapter);
    const obstacle = this.#obstacle();
    const charts = this.#charts.of(record, earlier);
    return html`
      <div class="stage" @app-picture-requested=${this.#onPicture}>
        ${this.#renderNotices()}
        <app-run-bar
          .run=${run}
          .badge=${badge}
          .canRun=${obstacle === ''}
          .obstacle=${obstacle}
          .keptRuns=${kept.runs?.length ?? 0}
          @app-run-requested=${() => this.run()}
          @app-run-cancelled=${() => this.cancel()}
          @app-runs-requested=${this.#onRuns}
          @app-export-requested=${({ format }: ExportRequestedEvent) => this.exportReport(format)}
          @app-link-requested=${() => this.#exports.copyLink(location.href)}
        ></app-run-bar>
        <div class="charts">
          <app-line-chart
            chartId="bandwidth"
            .figure=${charts.bandwidth.figure}
            .heading=${charts.bandwidth.heading}
            .detail=${charts.bandwidth.detail}
            .trouble=${run.phase === 'failed' ? troubleWords(modelWords(run.message)) : ''}
            .badge=${badge}
          ></app-line-chart>
          <app-line-chart
            chartId="latency"
            .figure=${charts.latency.figure}
            .heading=${charts.latency.heading}
            .detail=${charts.latency.detail}
            .badge=${badge}
          ></app-line-chart>
        </div>
        <div class="figures">
          <app-side-pane
            .bars=${charts.bars}
            .rows=${record?.rows ?? NO_ROWS}
            .model=${this.#state.value.preferences.model}
            .badge=${badge}
            @app-model-changed=${this.#onModel}
          ></app-side-pane>
          <app-results-table
            .rows=${record?.rows ?? NO_ROWS}
            .planned=${record?.planned.length ?? 0}
            .badge=${badge}
          ></app-results-table>
        </div>
        <p class="unseen" role="status">${this.#exports.told}</p>
      </div>
    `;
  }

  #renderNotices() {
    const { trouble } = this.#state.value.kept;
    return notices(trouble === undefined ? [] : [keepTroubleWords(trouble)], this.#onNoticeClosed);
  }

  #problems(): SettingsProblems {
    const checked = checkSettings(this.#state.value.preferences.settings);
    return checked.status === 'refused' ? checked.problems : NO_PROBLEMS;
  }

  #obstacle(): string {
    const { adapter, gpuHolder } = this.#state.value;
    return obstacleWords(adapter, this.#problems(), gpuHolder);
  }

  readonly #onRuns = (): void => void this.showRuns();

  readonly #onPicture = ({ charts }: PictureRequestedEvent): void => {
    const { earlier, run } = this.#state.value;
    if (run.phase === 'idle') return;
    void this.#exports.savePicture(run, this.#charts.of(recordOf(run), earlier), charts);
  };

  readonly #onSettings = ({ change }: SettingsChangedEvent): void =>
    changePreferences(this.#store(), (preferences) => ({
      ...preferences,
      settings: { ...preferences.settings, ...change },
    }));

  readonly #onModel = ({ change }: ModelChangedEvent): void =>
    changePreferences(this.#store(), (preferences) => ({ ...preferences, model: { ...preferences.model, ...change } }));

  readonly #onToggle = (event: Event): void => {
    if (event.target instanceof HTMLDetailsElement) this.setupOpen = event.target.open;
  };

  readonly #onNoticeClosed = (): void =>
    this.#store().update((all) => ({ ...all, kept: { ...all.kept, trouble: undefined } }));

  #store(): AppStore {
    return this.#state.store;
  }
}

/** Figures keep the mark of the adapter they were measured on. */
function badgeOfRun(record: RunContent | undefined, adapter: AdapterState): AdapterBadge {
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
