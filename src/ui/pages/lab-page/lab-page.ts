import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { modelWords } from '../../../app/model-words.js';
import { badgeOf } from '../../../app/adapter-state.js';
import { type AppState } from '../../../app/app-state.js';
import { blockOf, type DoneSide, failureAt, MomentReaders, numberedBlocks } from '../../../app/lab/lab-figures.js';
import { type LabModel } from '../../../app/lab/lab-model.js';
import { axisOf, type LabState } from '../../../app/lab/lab-state.js';
import { type LabProblems } from '../../../app/lab/lab-plan.js';
import { type LabPort } from '../../../app/lab/lab-port.js';
import { flagshipSettings, settingsFor, withPair } from '../../../app/lab/lab-settings.js';
import { sideWords } from '../../../app/lab/lab-words.js';
import { defined } from '../../../base/errors.js';
import { LabClient } from '../../../engine/lab-client.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { CommandsController } from '../../controllers/commands-controller.js';
import { DropController } from '../../controllers/drop-controller.js';
import { MediaController } from '../../controllers/media-controller.js';
import { SelectController } from '../../controllers/select-controller.js';
import '../../parts/lab-export/lab-export.js';
import { type LabExport, type LabExportRequestedEvent } from '../../parts/lab-export/lab-export.js';
import {
  type LabPairChosenEvent,
  type LabSettingsChangedEvent,
  type LabWorkloadChosenEvent,
  type TraceChosenEvent,
} from '../../parts/lab-rail/lab-events.js';
import '../../parts/lab-rail/lab-rail.js';
import type { MemoryView } from '../../parts/memory-view/memory-view.js';
import '../../parts/memory-view/memory-view.js';
import {
  type BlockPinnedEvent,
  type BlockRef,
  type MapRowsChosenEvent,
  type PositionChangedEvent,
  type PositionRange,
  type RangeSelectedEvent,
} from '../../parts/memory-view/view-events.js';
import { notices, noticeStyles } from '../../parts/notice.js';
import '../../parts/real-buffers/real-buffers.js';
import '../../parts/side-head/side-head.js';
import { type WhyBlockChosenEvent } from '../../parts/why-panel/why-events.js';
import '../../parts/why-panel/why-panel.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { type PageElement } from '../page.js';
import { copyLink } from '../../copy-link.js';
import { exportLab } from './export-lab.js';
import { labCommands } from './lab-commands.js';
import { LAB, LabController } from './lab-controller.js';
import { styles } from './lab-page.styles.js';
import { doneOf, gpuWords, type LabAxis, LETTERS, outcomeOf, waitingWords, whyState } from './lab-screen.js';
import { reportLink } from './report-link.js';
import { setupLine } from './setup-line.js';

/** Lab: two runs beside each other on one scrubber, and why one of them stops. */
@localized()
@customElement('app-lab-page')
export class LabPage extends LitElement implements PageElement {
  static override styles = [controls, noticeStyles, styles];
  @property({ type: Boolean, reflect: true }) presenting = false;
  @property({ type: Boolean, attribute: false }) shown = true;
  @state() private pinned: BlockRef | undefined;
  @state() private range: PositionRange | undefined;
  @state() private told = '';
  /** Whether Setup is open on a narrow screen. */
  @state() private setupOpen = false;
  @query('app-memory-view') private readonly view!: MemoryView | null;
  readonly #controller: LabController;
  readonly #all: SelectController<AppState> = new SelectController(this, (state: AppState) => state);
  readonly #narrow = new MediaController(this, '(max-width: 75rem)');
  readonly #readers = new MomentReaders();
  readonly #drop = new DropController(this, {
    isActive: () => this.shown,
    onFiles: ([file]) => void (file !== undefined && this.#open(file)),
    onText: (text) => void this.#open(new File([text], pastedWords())),
  });
  #axis: { readonly sides: LabState['sides']; readonly made: LabAxis } | undefined;
  #plan: LabState['plan'] | undefined;
  #runs: readonly MemoryRun[] = [];
  #numbers: { readonly side: DoneSide | undefined; readonly blocks: readonly BlockRef[] } = {
    side: undefined,
    blocks: [],
  };

  constructor(private readonly lab: LabPort = new LabClient()) {
    super();
    this.#controller = new LabController(this, lab);
    new CommandsController(this, LAB, () => labCommands(this));
  }

  override willUpdate(changed: PropertyValues<this>): void {
    // Positions of one pair of programs mean nothing in the next.
    const { plan } = this.#model.value;
    if (plan !== this.#plan) [this.#plan, this.range] = [plan, undefined];
    // Nothing plays where nobody looks.
    if (changed.has('shown') && !this.shown && this.view?.isPlaying === true) this.view.togglePlaying();
  }

  /** Shows the 13B case: one press, no knowledge needed. */
  showFlagship(): void {
    this.#step(() => {
      this.#model.leave();
      this.#model.change(flagshipSettings());
    });
  }

  /** The memory view, once there is something to show. */
  get memoryView(): MemoryView | null {
    return this.view;
  }

  get canRunReal(): boolean {
    const { plan, isRealRunning } = this.#model.value;
    const { adapter, gpuHolder } = this.#all.value;
    return plan.status === 'usable' && !isRealRunning && adapter.kind === 'ready' && gpuHolder === undefined;
  }

  get isRealRunning(): boolean {
    return this.#model.value.isRealRunning;
  }

  runReal(): void {
    const { services } = this.#controller;
    if (!this.canRunReal || services === undefined) return;
    const { engine, gpu } = services;
    void gpu.during('lab', () => this.#model.runReal(engine, this.#all.value.preferences.settings.budget));
  }

  cancelReal(): void {
    this.#model.cancelReal();
  }

  /** Saves a file, or copies the link; the status line says so. */
  async take(what: LabExport): Promise<void> {
    if (what === 'link') {
      this.told = await copyLink(location.href);
      return;
    }
    const name = await exportLab(what, this.#model.value, {
      lab: this.lab,
      link: location.hash,
      picture: async () => defined(this.view, 'the memory view').picture(),
    });
    if (name !== undefined) this.told = msg(str`Saved ${name}.`, { desc: 'status: after an export' });
  }

  override render() {
    const { trouble, brought } = this.#model.value;
    const lines = [trouble(), brought?.note() ?? ''].filter((line) => line !== '');
    return html`
      ${this.#renderRail()}
      <div class="stage">${notices(lines, this.#onNoticeClosed)} ${this.#renderStage()}</div>
      ${this.#renderWhy()} ${this.#drop.isOver ? html`<div class="drop">${dropWords()}</div>` : nothing}
    `;
  }

  #renderRail() {
    const { view, plan, brought } = this.#model.value;
    const label = msg('Setup', { desc: 'name of the side with comparison, workload and settings' });
    const rail = html`<app-lab-rail
      .settings=${view.settings}
      .problems=${plan.status === 'refused' ? plan.problems : NO_PROBLEMS}
      .brought=${brought?.name ?? ''}
      .broughtCapacity=${brought?.capacity ?? 0}
      @app-flagship-requested=${() => this.showFlagship()}
      @app-lab-pair-chosen=${this.#onPair}
      @app-lab-workload-chosen=${this.#onWorkload}
      @app-lab-settings-changed=${this.#onSettings}
      @app-trace-chosen=${({ file }: TraceChosenEvent) => void this.#open(file)}
      @app-trace-left=${() => this.#step(() => this.#model.leave())}
    ></app-lab-rail>`;
    if (!this.#narrow.matches) {
      return html`<aside class="rail" aria-label=${label}>
        <div class="setup" tabindex="0" role="group" aria-label=${label}>${rail}</div>
        ${this.#renderRun()}
      </aside>`;
    }
    return html`
      <aside class="rail" aria-label=${label}>
        <details ?open=${this.setupOpen} @toggle=${this.#onToggle}>
          <summary>
            ${icons.open}
            <h2>${label}</h2>
            <span class="quiet summary">${setupLine(view.settings, brought?.name)}</span>
          </summary>
          <div class="setup">${rail}</div>
        </details>
        ${this.#renderRun()}
      </aside>
    `;
  }

  #renderRun() {
    return html`
      <div class="run">
        ${
          this.isRealRunning
            ? html`<button @click=${() => this.cancelReal()}>
                ${msg('Cancel', { desc: 'button: stops the GPU' })}
              </button>`
            : html`<button class="primary" ?disabled=${!this.canRunReal} @click=${() => this.runReal()}>
                ${msg('Run both on the GPU', { desc: 'button' })}
              </button>`
        }
        <p class="hint">${gpuWords(this.#all.value)}</p>
        <app-lab-export
          ?disabled=${this.#model.value.plan.status !== 'usable'}
          @app-lab-export-requested=${({ what }: LabExportRequestedEvent) => void this.take(what)}
        ></app-lab-export>
        <p class="unseen" role="status">${this.told}</p>
      </div>
    `;
  }

  #renderStage() {
    const { sides, view } = this.#model.value;
    const done = doneOf(sides);
    const made = this.#axisOf(sides);
    const position = view.position ?? made?.start ?? -1;
    const heads = LETTERS.map((letter, index) => ({ index, head: this.#renderHead(letter, { done, made, position }) }));
    const waiting = heads.filter(({ index }) => sides[index]?.kind !== 'done');
    return html`
      <div class="heads">${waiting.map(({ head }) => head)}</div>
      ${
        made === undefined
          ? html`<p class="empty" role="status">${waitingWords(this.#model.value)}</p>`
          : html`<app-memory-view
              .runs=${this.#runsOf(done)}
              .position=${position}
              .pinned=${this.pinned}
              .range=${this.range}
              .rows=${view.rows}
              .numbered=${this.#numbered(done, failureAt(done, made.axis, position))}
              .presenting=${this.presenting}
              @app-position-changed=${this.#onPosition}
              @app-block-pinned=${({ pinned }: BlockPinnedEvent) => (this.pinned = pinned)}
              @app-range-selected=${({ range }: RangeSelectedEvent) => (this.range = range)}
              @app-map-rows-chosen=${this.#onRows}
            >
              ${heads.filter((each) => !waiting.includes(each)).map(({ head }) => head)}
            </app-memory-view>`
      }
    `;
  }

  #renderHead(
    letter: 'A' | 'B',
    { done, made, position }: { done: readonly DoneSide[]; made: LabAxis; position: number },
  ) {
    const { sides, view, brought } = this.#model.value;
    const side = sides[LETTERS.indexOf(letter)];
    const name = letter === 'A' ? 'a' : 'b';
    const label = brought?.[name].label() ?? '';
    const words = label === '' ? sideWords(view.settings, name) : { title: label, code: brought?.[name].conf ?? '' };
    const run = side?.kind === 'done' ? done.indexOf(side) : -1;
    return html`<app-side-head
      slot=${run < 0 ? '' : `head-${run}`}
      .letter=${letter}
      .heading=${words.title}
      .code=${words.code}
      .outcome=${outcomeOf(side, { axis: made?.axis, run, position, isShort: this.presenting })}
    ></app-side-head>`;
  }

  #renderWhy() {
    const { real } = this.#model.value;
    const label = msg('Why', { desc: 'name of the column with reasons' });
    return html`
      <aside class="why" aria-label=${label}>
        <app-why-panel
          tabindex="0"
          role="group"
          aria-label=${label}
          .state=${whyState(this.#model.value, this.#axisOf(this.#model.value.sides), this.#readers)}
          .presenting=${this.presenting}
          @app-why-block-chosen=${this.#onWhyBlock}
        ></app-why-panel>
        <app-real-buffers .sides=${real} .badge=${badgeOf(this.#all.value.adapter)}></app-real-buffers>
      </aside>
    `;
  }

  #axisOf(sides: LabState['sides']): LabAxis {
    if (this.#axis?.sides !== sides) this.#axis = { sides, made: axisOf(sides) };
    return this.#axis.made;
  }

  /** The same list while the runs are the same, so that nothing is drawn anew. */
  #runsOf(done: readonly DoneSide[]): readonly MemoryRun[] {
    const runs = done.map(({ result }) => result.run);
    if (runs.length !== this.#runs.length || runs.some((run, index) => run !== this.#runs[index])) this.#runs = runs;
    return this.#runs;
  }

  /** The same list while nothing of it changed. */
  #numbered(done: readonly DoneSide[], failed: number | undefined): readonly BlockRef[] {
    const side = failed === undefined ? undefined : done[failed];
    if (this.#numbers.side !== side) this.#numbers = { side, blocks: numberedBlocks(done, failed) };
    return this.#numbers.blocks;
  }

  get #model(): LabModel {
    return this.#controller.model;
  }

  #step(work: () => void): void {
    this.pinned = undefined;
    this.setupOpen = false;
    this.#controller.step(work);
  }

  async #open(file: File): Promise<void> {
    this.pinned = undefined;
    const link = await reportLink(file);
    if (link.kind === 'link')
      location.hash = link.hash; // as a link that was followed
    else if (link.kind === 'refused') this.#model.tell(() => modelWords(link.words));
    else {
      await this.#model.open(file);
      this.#controller.step(() => undefined);
    }
  }

  readonly #onPair = ({ pair }: LabPairChosenEvent): void =>
    this.#step(() => this.#model.change(withPair(this.#model.value.view.settings, pair)));

  readonly #onWorkload = ({ workload }: LabWorkloadChosenEvent): void =>
    this.#step(() => this.#model.change(settingsFor(workload, this.#model.value.view.settings.pair)));

  readonly #onSettings = ({ change }: LabSettingsChangedEvent): void => this.#step(() => this.#model.change(change));

  readonly #onPosition = ({ position, isPlaying }: PositionChangedEvent): void => {
    this.#model.moveTo(position);
    if (!isPlaying) this.#controller.moved();
  };

  readonly #onRows = ({ rows }: MapRowsChosenEvent): void => {
    this.#model.showRows(rows);
    this.#controller.moved();
  };

  readonly #onWhyBlock = ({ rows, by }: WhyBlockChosenEvent): void => {
    const { sides, view } = this.#model.value;
    const done = doneOf(sides);
    const made = this.#axisOf(sides);
    const [first] = rows;
    if (made === undefined || first === undefined) return;
    const run = failureAt(done, made.axis, view.position ?? made.start) ?? 0;
    const side = done[run];
    if (side === undefined) return;
    this.pinned = { run, block: by === 'block' ? first : blockOf(side.result.run, first) };
  };

  readonly #onToggle = (event: Event): void => {
    if (event.target instanceof HTMLDetailsElement) this.setupOpen = event.target.open;
  };

  readonly #onNoticeClosed = (): void => this.#model.closeTrouble();
}

const NO_PROBLEMS: LabProblems = {};
const pastedWords = (): string => msg('pasted text', { desc: 'name of what was pasted into the Lab' });

const dropWords = (): string =>
  msg('Drop a trace file or a report of the Lab', { desc: 'while a file is over the page' });

declare global {
  interface HTMLElementTagNameMap {
    'app-lab-page': LabPage;
  }
}
