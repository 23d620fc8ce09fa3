import { ContextConsumer } from '@lit/context';
import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { type AppState } from '../../../app/app-state.js';
import { cardOf } from '../../../app/diagnose/card-view.js';
import { Desk, SAMPLE_NAMES } from '../../../app/diagnose/desk.js';
import { labRequestOf } from '../../../app/diagnose/lab-request.js';
import { type ModelPort } from '../../../app/diagnose/model-port.js';
import { type ReadyFile, shownFile, type SnapshotView } from '../../../app/diagnose/desk-state.js';
import {
  DEFAULT_VIEW,
  type DiagnoseView,
  readDiagnoseView,
  writeDiagnoseView,
} from '../../../app/diagnose/diagnose-view.js';
import { openInLab } from '../../../app/handover.js';
import { modelWords } from '../../../app/model-words.js';
import { messageOf } from '../../../base/errors.js';
import { formatBytes, formatNumber } from '../../../base/format.js';
import { parseSize } from '../../../base/sizes.js';
import { isSnapshotDiagnosis } from '../../../model/diagnose/card/sums.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { showFact } from '../../../model/diagnose/to-text.js';
import { isExact } from '../../../model/snapshot/fidelity.js';
import { CommandsController } from '../../controllers/commands-controller.js';
import { DropController } from '../../controllers/drop-controller.js';
import { MediaController } from '../../controllers/media-controller.js';
import { SelectController } from '../../controllers/select-controller.js';
import {
  type DiagnosisExportEvent,
  type EventRequestedEvent,
  type FileActedEvent,
  type FilesChosenEvent,
  type QuestionChangedEvent,
  type SampleRequestedEvent,
  type SweepActedEvent,
  type TextGivenEvent,
} from '../../parts/diagnose-events.js';
import { type DropZone } from '../../parts/drop-zone/drop-zone.js';
import '../../parts/drop-zone/drop-zone.js';
import '../../parts/file-list/file-list.js';
import '../../parts/holdings-list/holdings-list.js';
import '../../parts/question-form/question-form.js';
import '../../parts/snapshot-comparison/snapshot-comparison.js';
import '../../parts/verdict-card/verdict-card.js';
import '../../parts/whatif-table/whatif-table.js';
import { said } from '../../parts/said.js';
import { servicesContext } from '../../services.js';
import { controls } from '../../styles/controls.styles.js';
import { icons } from '../../styles/icons.js';
import { table } from '../../styles/table.styles.js';
import {
  type BlockPinnedEvent,
  type BlockRef,
  type MapRows,
  type MapRowsChosenEvent,
  type PositionChangedEvent,
  type PositionRange,
  type RangeSelectedEvent,
} from '../../parts/memory-view/view-events.js';
import type { MemoryView } from '../../parts/memory-view/memory-view.js';
import { saveFile } from '../measure-page/save-file.js';
import { type PageElement } from '../page.js';
import { styles } from './diagnose-page.styles.js';
import { emptyDesk } from './empty-desk.js';

const NAME = 'diagnose';
/** How long the playhead has not moved when it rests. */
const REST_MS = 150;

/** The workers' side is fetched when the first file comes. */
async function loadModels(): Promise<ModelPort> {
  const [{ FileSession }, { SweepPool }] = await Promise.all([
    import('../../../engine/model-client.js'),
    import('../../../engine/sweep-pool.js'),
  ]);
  return { openSession: () => new FileSession(), answers: new SweepPool() };
}

/** Diagnose: drop what a job left behind, read why it ran out of memory, see the heap at that moment, ask what if. */
@localized()
@customElement('app-diagnose-page')
export class DiagnosePage extends LitElement implements PageElement {
  static override styles = [controls, table, styles];
  @property({ type: Boolean, reflect: true }) presenting = false;
  @property({ type: Boolean }) shown = false;
  @query('app-drop-zone') private readonly zone!: DropZone | null;
  @query('app-memory-view') private readonly memory!: MemoryView | null;
  /** What the link says; the question and the place in the trace. */
  @state() private view: DiagnoseView = DEFAULT_VIEW;
  @state() private told = '';
  @state() private setupOpen = true;
  readonly #desk: Desk;
  readonly #state: SelectController<AppState> = new SelectController(this, (all: AppState) => all);
  readonly #services = new ContextConsumer(this, { context: servicesContext });
  readonly #narrow = new MediaController(this, '(max-width: 75rem)');
  readonly #drop: DropController;
  /** The playhead while it moves; undefined: it rests where the view says. */
  @state() private at: number | undefined;
  @state() private rows: MapRows = 'packed';
  @state() private pinned: BlockRef | undefined;
  @state() private range: PositionRange | undefined;
  @state() private timeline: 'origin' | 'tracks' = 'origin';
  @state() private hasMemoryView = false;
  #runs: readonly MemoryRun[] = [];
  #rest: ReturnType<typeof setTimeout> | undefined;
  /** The view that was read last, as text. */
  #read: string | undefined;
  #stop: (() => void) | undefined;

  constructor(desk = new Desk(loadModels)) {
    super();
    this.#desk = desk;
    this.#drop = new DropController(this, {
      isActive: () => this.shown,
      onFiles: (files) => this.#open(files),
      onText: (text) => this.#openText(text),
    });
    new CommandsController(this, NAME, () => ({
      commands: [
        {
          id: 'diagnose-open',
          keys: [{ key: 'o', modified: true }],
          title: () => msg('Open a file', { desc: 'command' }),
          run: () => this.zone?.choose(),
        },
        {
          id: 'diagnose-paste',
          title: () => msg('Paste a text', { desc: 'command' }),
          run: () => this.zone?.paste(),
        },
        {
          id: 'diagnose-failure',
          keys: [{ key: 'o' }],
          title: () => msg('Go to the failure', { desc: 'command' }),
          isEnabled: () => this.#failure() !== undefined,
          run: () => this.#goTo(this.#failure()),
        },
        {
          id: 'diagnose-play',
          keys: [{ key: ' ' }],
          title: () => msg('Play or pause', { desc: 'command' }),
          isEnabled: () => this.#hasRun(),
          run: () => this.memory?.togglePlaying(),
        },
        {
          id: 'diagnose-back',
          keys: [{ key: ',', repeats: true }],
          title: () => msg('One event back', { desc: 'command' }),
          isEnabled: () => this.#hasRun(),
          run: () => this.memory?.step(-1),
        },
        {
          id: 'diagnose-forward',
          keys: [{ key: '.', repeats: true }],
          title: () => msg('One event forward', { desc: 'command' }),
          isEnabled: () => this.#hasRun(),
          run: () => this.memory?.step(1),
        },
        {
          id: 'diagnose-export',
          keys: [{ key: 'e' }],
          title: () => msg('Save the diagnosis as HTML', { desc: 'command' }),
          isEnabled: () => this.#file() !== undefined,
          run: () => void this.#export('html'),
        },
      ],
    }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The first number in a language costs 20 ms of processor time (its formatter): paid while the page waits for a file.
    requestIdleCallback(() => formatBytes(1));
    this.#stop = this.#desk.store.subscribe(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    clearTimeout(this.#rest);
  }

  override willUpdate(): void {
    this.#followLink();
    this.toggleAttribute('empty', this.#isEmpty());
  }

  override render() {
    return html`
      ${this.#isEmpty() ? this.#renderEmpty() : html`${this.#renderRail()}${this.#renderStage()}`}
      <p class="unseen" role="status">${this.told}</p>
    `;
  }

  #isEmpty(): boolean {
    const { files } = this.#desk.store.value;
    return files.every(({ phase }) => phase !== 'ready');
  }

  #renderZone(wide: boolean) {
    const { files, refusals } = this.#desk.store.value;
    return html`<app-drop-zone
      ?wide=${wide}
      .over=${this.#drop.isOver}
      .reading=${files.filter((file) => file.phase !== 'ready')}
      .refusals=${refusals}
      @app-files-chosen=${({ files: chosen }: FilesChosenEvent) => this.#open(chosen)}
      @app-text-given=${({ text }: TextGivenEvent) => this.#openText(text)}
      @app-file-acted=${this.#onFile}
    ></app-drop-zone>`;
  }

  #renderEmpty() {
    return html`
      <div class="first" @app-sample-requested=${this.#onSample}>${this.#renderZone(true)} ${emptyDesk()}</div>
    `;
  }

  #renderRail() {
    const label = msg('Files', { desc: 'name of the side with the open files and the question' });
    const file = this.#file();
    const setup = html`
      <div class="drop">${this.#renderZone(false)}</div>
      <app-file-list
        .files=${this.#desk.store.value.files}
        .shown=${this.#desk.store.value.shown}
        @app-file-acted=${this.#onFile}
      ></app-file-list>
      ${file?.snapshot === undefined ? nothing : this.#renderQuestion(file.snapshot)}
    `;
    if (!this.#narrow.matches) return html`<aside class="rail" aria-label=${label} tabindex="0">${setup}</aside>`;
    return html`
      <aside class="rail" aria-label=${label}>
        <details ?open=${this.setupOpen} @toggle=${this.#onToggle}>
          <summary>
            ${icons.open}
            <h2>${label}</h2>
            <span class="quiet summary">${file?.name ?? ''}</span>
          </summary>
          <div class="setup">${setup}</div>
        </details>
      </aside>
    `;
  }

  #renderQuestion({ devices, device, sweep }: SnapshotView) {
    const isReady = sweep.phase === 'ready';
    return html`<app-question-form
      .capacity=${this.view.capacity}
      .conf=${this.view.conf ?? (isReady ? sweep.input.conf : '')}
      .recorded=${isReady ? sweep.input.capacity : undefined}
      .devices=${devices}
      .device=${device}
      .problem=${modelWords(problemOf(this.view.capacity))}
      @app-question-changed=${this.#onQuestion}
    ></app-question-form>`;
  }

  #renderStage() {
    const { shown, comparison } = this.#desk.store.value;
    if (shown?.kind === 'comparison') {
      return html`<div class="stage comparison">
        <app-snapshot-comparison .comparison=${comparison}></app-snapshot-comparison>
      </div>`;
    }
    const file = this.#file();
    if (file === undefined) return html`<div class="stage text"></div>`;
    const card = html`<app-verdict-card
      .card=${cardOf(file)}
      .presenting=${this.presenting}
      .expanded=${file.snapshot === undefined}
      @app-event-requested=${({ event }: EventRequestedEvent) => this.#goTo(event)}
      @app-diagnosis-export=${({ format }: DiagnosisExportEvent) => void this.#export(format)}
    ></app-verdict-card>`;
    if (file.snapshot === undefined) return html`<div class="stage text">${card} ${this.#renderFacts(file)}</div>`;
    return html`
      <div class="stage">
        ${card}
        <div class="view">${this.#renderView(file.snapshot)}</div>
        <div class="two">${this.#renderSweep(file, file.snapshot)} ${this.#renderHoldings(file, file.snapshot)}</div>
      </div>
    `;
  }

  #renderView({ run }: SnapshotView) {
    switch (run.phase) {
      case 'loading':
        return html`<p class="said" role="status">
          ${msg('Rebuilding every event', { desc: 'while the trace is replayed' })}
        </p>`;
      case 'none':
        return html`<p class="said">
          ${msg('No history was recorded on this device. The card shows how it ended.', { desc: 'in place of the memory view' })}
        </p>`;
      case 'failed':
        return html`<p class="said" role="alert">${said(run.message)}</p>`;
      case 'ready':
        return this.#renderMemory(run.run);
    }
  }

  /** The code of the memory view comes with the first snapshot. */
  #renderMemory(run: MemoryRun) {
    if (!this.hasMemoryView) void this.#loadMemoryView();
    const choice = (timeline: 'origin' | 'tracks', words: string) => html`
      <button
        class="text"
        aria-pressed=${this.timeline === timeline ? 'true' : 'false'}
        @click=${() => (this.timeline = timeline)}
      >
        ${words}
      </button>
    `;
    return html`
      <app-memory-view
        .runs=${this.#runsOf(run)}
        .position=${this.#position(run.end)}
        .rows=${this.rows}
        .pinned=${this.pinned}
        .range=${this.range}
        .timeline=${this.timeline}
        .presenting=${this.presenting}
        @app-position-changed=${this.#onPosition}
        @app-block-pinned=${({ pinned }: BlockPinnedEvent) => (this.pinned = pinned)}
        @app-range-selected=${({ range }: RangeSelectedEvent) => (this.range = range)}
        @app-map-rows-chosen=${({ rows }: MapRowsChosenEvent) => (this.rows = rows)}
      >
        <div slot="head-0" class="head">
          <h2>${msg('Every event', { desc: 'heading of the memory view of a recorded trace' })}</h2>
          <p class="quiet">
            ${msg(str`${formatNumber(run.end)} events, ${formatNumber(run.blocks.count)} blocks`, {
              desc: 'beside the heading of the memory view',
            })}
          </p>
          <div class="tools" role="group" aria-label=${msg('Timeline', { desc: 'name of the choice' })}>
            ${choice('origin', msg('By origin', { desc: 'timeline stacked by category' }))}
            ${choice('tracks', msg('Reserved and holes', { desc: 'timeline of allocated, reserved and largest hole' }))}
          </div>
        </div>
      </app-memory-view>
    `;
  }

  async #loadMemoryView(): Promise<void> {
    await import('../../parts/memory-view/memory-view.js');
    this.hasMemoryView = true;
  }

  /** One list a run, so that the element sees another one only when there is one. */
  #runsOf(run: MemoryRun): readonly MemoryRun[] {
    if (this.#runs[0] !== run) {
      this.#runs = [run];
      this.pinned = undefined;
      this.range = undefined;
      this.at = undefined;
    }
    return this.#runs;
  }

  #renderSweep({ diagnosis }: ReadyFile, { sweep, device }: SnapshotView) {
    switch (sweep.phase) {
      case 'preparing':
        return html`<p class="said" role="status">
          ${msg('Preparing the what-if table', { desc: 'before the rows' })}
        </p>`;
      case 'none':
        return html`<p class="said">${said(sweep.message)}</p>`;
      case 'ready': {
        const fidelity = isSnapshotDiagnosis(diagnosis)
          ? diagnosis.fidelity.find((each) => each.device === device)
          : undefined;
        return html`<app-whatif-table
          .sweep=${sweep}
          .opens=${this.#services.value?.router.has('lab') === true}
          .estimate=${fidelity !== undefined && !isExact(fidelity)}
          @app-sweep-acted=${this.#onSweep}
        ></app-whatif-table>`;
      }
    }
  }

  #renderHoldings({ diagnosis }: ReadyFile, { run, device }: SnapshotView) {
    if (run.phase !== 'ready' || !isSnapshotDiagnosis(diagnosis)) return nothing;
    const operation = this.#settled(run.run.end);
    const pins = diagnosis.pins.find((each) => each.device === device);
    return html`<app-holdings-list
      .run=${run.run}
      .operation=${operation}
      .growth=${diagnosis.growth.filter((each) => each.device === device)}
      .frees=${pins?.event === operation && pins.frees !== null ? pins.frees : undefined}
    ></app-holdings-list>`;
  }

  #renderFacts({ diagnosis }: ReadyFile) {
    const facts = Object.entries(diagnosis.facts);
    if (facts.length === 0) return nothing;
    return html`
      <section class="facts scroll" tabindex="0" aria-labelledby="facts">
        <h2 id="facts">${msg('What the text says', { desc: 'heading over the figures that were read' })}</h2>
        <table>
          <tbody>
            ${facts.map(
              ([key, value]) =>
                html`<tr>
                  <th scope="row">${key}</th>
                  <td>${modelWords(showFact(key, value))}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </section>
    `;
  }

  #file(): ReadyFile | undefined {
    const file = shownFile(this.#desk.store.value);
    return file?.phase === 'ready' ? file : undefined;
  }

  #hasRun(): boolean {
    return this.hasMemoryView && this.#file()?.snapshot?.run.phase === 'ready';
  }

  #failure(): number | undefined {
    const file = this.#file();
    return file === undefined ? undefined : cardOf(file).event;
  }

  /** Where the playhead rests: where the link says, else the failure, else the end. */
  #settled(end: number): number {
    return Math.min(this.view.event ?? this.#failure() ?? end - 1, end - 1);
  }

  /** The playhead, also while it moves. */
  #position(end: number): number {
    return this.at ?? this.#settled(end);
  }

  #goTo(event: number | undefined): void {
    if (event === undefined) return;
    this.at = undefined;
    this.#show({ ...this.view, event }, 'push');
  }

  /** Lists and the address follow when the playhead rests: a browser takes no address a frame. */
  readonly #onPosition = ({ position }: PositionChangedEvent): void => {
    this.at = position;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      if (this.at === undefined) return;
      this.#show({ ...this.view, event: Math.max(0, this.at) }, 'replace');
      this.at = undefined;
    }, REST_MS);
  };

  #open(files: readonly File[]): void {
    this.setupOpen = false;
    void this.#desk.open(files.map((file) => ({ name: file.name, content: file })));
  }

  #openText(text: string): void {
    const pasted = msg('pasted text', { desc: 'name of a text that was pasted' });
    const { files } = this.#desk.store.value;
    const count = files.filter(({ name }) => name.startsWith(pasted)).length;
    const name = count === 0 ? pasted : `${pasted} ${count + 1}`;
    this.setupOpen = false;
    void this.#desk.open([{ name, content: new Blob([text]) }]);
  }

  /** Takes over what the address bar says, when it says something new. */
  #followLink(): void {
    const text = this.#state.value.views[NAME] ?? '';
    if (text === this.#read) return;
    this.#read = text;
    const { view, problems } = readDiagnoseView(text);
    this.#services.value?.router.refuse(problems);
    const before = this.view;
    this.view = view;
    if (view.capacity !== before.capacity || view.conf !== before.conf) this.#ask();
    if (view.sample !== undefined && view.sample !== before.sample) void this.#openSample(view.sample);
  }

  #show(view: DiagnoseView, how: 'push' | 'replace'): void {
    this.view = view;
    this.#read = writeDiagnoseView(view);
    this.#services.value?.router.show(NAME, this.#read, how);
  }

  async #openSample(sample: 'snapshot' | 'text'): Promise<void> {
    const { files } = this.#desk.store.value;
    const known = files.find(({ name }) => name === SAMPLE_NAMES[sample]);
    if (known !== undefined) {
      this.#desk.show(known.id);
      return;
    }
    this.setupOpen = false;
    await this.#desk.openSample(sample);
  }

  /** Asks the what-if tables again, with the question as it is written. */
  #ask(): void {
    const { capacity, conf } = this.view;
    if (problemOf(capacity) !== '') return;
    this.#desk.setQuestion({
      capacity: capacity.trim() === '' ? undefined : parseSize(capacity, 'capacity'),
      conf,
    });
  }

  async #export(format: 'html' | 'json'): Promise<void> {
    const file = this.#file();
    if (file === undefined) return;
    const { exportDiagnosis } = await import('../../../app/diagnose/export-diagnosis.js');
    const { name, type, text } = exportDiagnosis(file, format, this.#desk.store.value.comparison);
    saveFile(name, new Blob([text], { type }));
    this.told = msg(str`Saved ${name}.`, { desc: 'status: after an export' });
  }

  readonly #onFile = ({ action }: FileActedEvent): void => {
    if (action.do === 'compare') void this.#desk.compare();
    else if (action.do === 'close') this.#close(action.id);
    else {
      this.#desk.show(action.id);
      this.#show({ ...this.view, event: undefined }, 'replace');
    }
  };

  #close(id: number): void {
    const name = this.#desk.store.value.files.find((file) => file.id === id)?.name;
    this.#desk.close(id);
    const { sample } = this.view;
    const isSample = sample !== undefined && name === SAMPLE_NAMES[sample];
    this.#show({ ...this.view, event: undefined, ...(isSample ? { sample: undefined } : {}) }, 'replace');
  }

  readonly #onSample = ({ sample }: SampleRequestedEvent): void => {
    this.#show({ ...this.view, sample }, 'push');
    void this.#openSample(sample);
  };

  readonly #onQuestion = ({ change }: QuestionChangedEvent): void => {
    const file = this.#file();
    if (file === undefined) return;
    if (change.device !== undefined) {
      this.#show({ ...this.view, event: undefined }, 'replace');
      void this.#desk.chooseDevice(file.id, change.device);
      return;
    }
    this.#show(
      { ...this.view, capacity: change.capacity ?? this.view.capacity, conf: change.conf ?? this.view.conf },
      'replace',
    );
    this.#ask();
  };

  readonly #onSweep = ({ action }: SweepActedEvent): void => {
    const file = this.#file();
    if (file === undefined) return;
    if (action.do === 'stop') this.#desk.stopAsking(file.id);
    else if (action.do === 'add') this.#desk.addChange(file.id, action.conf, action.allocator);
    else if (action.do === 'remove') this.#desk.removeChange(file.id, action.row);
    else this.#openInLab(file, action.row);
  };

  #openInLab(file: ReadyFile, row: number): void {
    const request = labRequestOf(file, row);
    const services = this.#services.value;
    if (request !== undefined && services !== undefined) openInLab(services, request);
  }

  readonly #onToggle = (event: Event): void => {
    if (event.target instanceof HTMLDetailsElement) this.setupOpen = event.target.open;
  };
}

/** What is wrong with a size as it is written, '' for nothing. */
function problemOf(capacity: string): string {
  if (capacity.trim() === '') return '';
  try {
    parseSize(capacity, 'capacity');
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'app-diagnose-page': DiagnosePage;
  }
}
