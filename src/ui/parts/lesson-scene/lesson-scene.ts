import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { type AdapterBadge } from '../../../app/adapter-state.js';
import { type DeviceState } from '../../../app/lesson/device-run.js';
import { type Language, textIn } from '../../../model/lesson/local-text.js';
import { AppError } from '../../../base/errors.js';
import { type StepResult } from '../../../model/lesson/run-step.js';
import { type SceneFailure, type ScenePart, type SceneRun } from '../../../model/lesson/scene-of-run.js';
import { type Run, type Step } from '../../../model/lesson/schema.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { controls } from '../../styles/controls.styles.js';
import { runFacts, runLabel } from '../../pages/lesson-page/words.js';
import '../line-chart/line-chart.js';
import '../memory-view/memory-view.js';
import { type BlockRef, type PositionChangedEvent } from '../memory-view/view-events.js';
import '../plan-bars/plan-bars.js';
import { type PlanBar, type PlanLimit } from '../plan-bars/plan-bars.js';
import '../why-panel/why-panel.js';
import { type WhyState } from '../why-panel/why-state.js';
import { styles } from './lesson-scene.styles.js';
import { measuredFigure } from './measured-figure.js';

export type LoadScene = (step: Step, run: Run, part: ScenePart) => Promise<SceneRun>;

interface ShownScene {
  /** One list for one run: the memory view takes another list for other runs. */
  readonly runs: readonly [MemoryRun];
  readonly failure: SceneFailure | undefined;
  readonly numbered: readonly BlockRef[];
}

/**
 * What a step shows beside its question, live: maps and tracks of its runs at the moment of the question and, once the
 * answer is shown, to the end; bars of its sums; the rows that this machine measured. While the GPU carries a run out, the
 * map stands where the GPU is.
 */
@localized()
@customElement('app-lesson-scene')
export class LessonScene extends LitElement {
  static override styles = [controls, styles];
  @property({ attribute: false }) step: Step | undefined;
  /** Gets what a run looks like up to the question, or whole. Rejects with `AppError` for a run that cannot be made. */
  @property({ attribute: false }) load: LoadScene | undefined;
  @property({ attribute: false }) result: StepResult | undefined;
  @property({ type: Boolean }) revealed = false;
  @property({ attribute: false }) device: DeviceState = { kind: 'idle' };
  @property() language: Language = 'en';
  @property() badge: AdapterBadge = 'asking';
  @property({ type: Boolean, reflect: true }) presenting = false;
  /** Id of the run on screen. */
  @state() private chosen = '';
  @state() private position = -1;
  /** The run on screen. */
  @state() private scene: ShownScene | undefined;
  /** What `scene` is of, or will be when the models are done. */
  #wanted: { readonly run: Run; readonly part: ScenePart } | undefined;

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('step')) this.chosen = this.step?.runs[0]?.id ?? '';
    if (this.device.kind === 'running' && this.device.run !== '') this.chosen = this.device.run;
    this.#draw();
    const reached = this.device.kind === 'running' ? this.device.reached : undefined;
    if (changed.has('device') && reached !== undefined) this.position = reached.operation;
  }

  override render() {
    const { step } = this;
    if (step === undefined) return nothing;
    return html`
      <div class="head">${this.#renderTabs(step)}</div>
      <div class="body">${this.#renderBody(step)}</div>
    `;
  }

  #renderTabs({ runs, bars }: Step) {
    const run = this.#run;
    if (run === undefined || bars.length > 0) return nothing;
    const facts = html`<span class="facts">${runFacts(run)}</span>`;
    if (runs.length === 1) return facts;
    const name = msg('Runs of this step', { desc: 'lesson: group of buttons' });
    return html`
      <div class="tabs" role="group" aria-label=${name}>
        ${runs.map(
          (each) => html`
            <button
              class="text"
              aria-pressed=${each === run ? 'true' : 'false'}
              @click=${() => (this.chosen = each.id)}
            >
              ${runLabel(each, this.language)}
            </button>
          `,
        )}
      </div>
      ${facts}
    `;
  }

  #renderBody(step: Step) {
    if (step.measure !== undefined) return this.#renderMeasured(step.measure.ids);
    if (step.bars.length > 0) return this.#renderBars(step);
    const { scene } = this;
    if (scene === undefined) return nothing;
    return html`
      <app-memory-view
        .runs=${scene.runs}
        .position=${this.position}
        .numbered=${scene.numbered}
        .presenting=${this.presenting || step.view !== 'timeline' || !this.revealed}
        .bare=${this.presenting || !this.revealed}
        @app-position-changed=${this.#onPosition}
      ></app-memory-view>
      ${this.#renderWhy(scene)}
    `;
  }

  /** Why it failed, while the playhead stands there. */
  #renderWhy({ failure }: ShownScene) {
    if (failure === undefined || this.position !== failure.operation) return nothing;
    const state: WhyState = {
      kind: 'failure',
      side: '',
      place: '',
      ...failure,
      fits: { rows: [], done: 0, total: 0, phase: 'stopped' },
    };
    return html`<app-why-panel .state=${state} presenting></app-why-panel>`;
  }

  #renderMeasured(ids: readonly string[]) {
    const { device } = this;
    const rows = device.kind === 'measured' || device.kind === 'running' ? device.rows : [];
    const measured = measuredFigure(ids, rows);
    if (measured.kind === 'bars') {
      return measured.bars.length === 0
        ? html`<p class="hint empty">
            ${msg('Run it on this machine to draw this.', { desc: 'lesson: in place of a chart' })}
          </p>`
        : html`<app-plan-bars .bars=${measured.bars}></app-plan-bars>`;
    }
    const heading =
      measured.kind === 'latency'
        ? msg('Latency by working set', { desc: 'title of the chart' })
        : msg('Bandwidth by working set', { desc: 'title of the chart' });
    return html`
      <app-line-chart .figure=${measured.figure} .heading=${heading} .badge=${this.badge}></app-line-chart>
    `;
  }

  #renderBars({ limit }: Step) {
    const shown: PlanLimit | undefined =
      limit === undefined ? undefined : { value: limit.bytes, label: textIn(limit.label, this.language).text };
    return html`<app-plan-bars .bars=${this.#bars()} .limit=${shown} .hides=${!this.revealed}></app-plan-bars>`;
  }

  /** Bars of one group lie side by side. */
  #bars(): readonly PlanBar[] {
    const { step, result, language } = this;
    const groups = new Map<string, PlanBar>();
    for (const [i, { value: name, label, category, group }] of (step?.bars ?? []).entries()) {
      const number = result?.numbers.get(name);
      const value = typeof number?.value === 'number' ? number.value : 0;
      const part = { label: textIn(label, language).text, value, shown: number?.shown ?? '', category: category ?? '' };
      const key = group === undefined ? String(i) : textIn(group, language).text;
      const known = groups.get(key);
      groups.set(key, { label: group === undefined ? '' : key, parts: [...(known?.parts ?? []), part] });
    }
    return [...groups.values()];
  }

  get #run(): Run | undefined {
    return this.step?.runs.find(({ id }) => id === this.chosen) ?? this.step?.runs[0];
  }

  /** Gets what is on screen, where that has changed. */
  #draw(): void {
    const { step, load } = this;
    const run = this.#run;
    if (step === undefined || load === undefined || run === undefined || step.bars.length > 0) {
      this.#wanted = undefined;
      this.scene = undefined;
      return;
    }
    const part = this.revealed || this.device.kind === 'running' ? 'whole' : 'start';
    if (this.#wanted?.run === run && this.#wanted.part === part) return;
    // Of the same run the map stays until there is more of it; another run's would be taken for this one's.
    if (this.#wanted?.run !== run) this.scene = undefined;
    const wanted = { run, part } as const;
    this.#wanted = wanted;
    void load(step, run, part)
      .then((scene) => {
        if (this.#wanted === wanted) this.#show(scene);
      })
      .catch((error: unknown) => {
        // The text beside it says what is wrong with the run.
        if (!(error instanceof AppError || this.#wanted !== wanted)) throw error;
      });
  }

  #show({ run, failure, numbered }: SceneRun): void {
    this.scene = { runs: [run], failure, numbered: numbered.map((block) => ({ run: 0, block })) };
    const reached = this.device.kind === 'running' ? this.device.reached : undefined;
    this.position = reached?.operation ?? run.end - 1;
  }

  readonly #onPosition = ({ position }: PositionChangedEvent): void => {
    this.position = position;
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'app-lesson-scene': LessonScene;
  }
}
