import { localized, msg, str } from '@lit/localize';
import { html, LitElement } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { bestSite } from '../../../app/diagnose/best-row.js';
import { cardOf } from '../../../app/diagnose/card-view.js';
import { Desk } from '../../../app/diagnose/desk.js';
import { type ReadyFile, type SnapshotView } from '../../../app/diagnose/desk-state.js';
import { formatBytes } from '../../../base/format.js';
import type { MemoryView } from '../../parts/memory-view/memory-view.js';
import { CommandsController } from '../../controllers/commands-controller.js';
import { DropController } from '../../controllers/drop-controller.js';
import { MediaController } from '../../controllers/media-controller.js';
import {
  type DiagnosisExportEvent,
  type DiagnosisFormat,
  type EventRequestedEvent,
  type EventRestedEvent,
  type FileActedEvent,
  type FilesChosenEvent,
  type PictureChosenEvent,
  type QuestionChangedEvent,
  type SampleRequestedEvent,
  type SweepActedEvent,
  type TextGivenEvent,
} from '../../parts/diagnose-events.js';
import { type DropZone } from '../../parts/drop-zone/drop-zone.js';
import { type RecordedView } from '../../parts/recorded-view/recorded-view.js';
import '../../parts/recorded-view/recorded-view.js';
import '../../parts/snapshot-comparison/snapshot-comparison.js';
import '../../parts/verdict-card/verdict-card.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { type PageElement } from '../page.js';
import { DeskController } from './desk-controller.js';
import { deskRail, dropZone } from './desk-rail.js';
import { type DiagnoseActions, diagnoseCommands } from './diagnose-commands.js';
import { styles } from './diagnose-page.styles.js';
import { emptyDesk } from './empty-desk.js';
import { DIAGNOSE } from './link-controller.js';
import { loadModels } from './load-models.js';
import { factsPane, holdingsPane, sweepPane } from './stage-panes.js';

/** Diagnose: drop what a job left behind, read why it ran out of memory, see the heap at that moment, ask what if. */
@localized()
@customElement('app-diagnose-page')
export class DiagnosePage extends LitElement implements PageElement, DiagnoseActions {
  static override styles = [controls, table, styles];
  @property({ type: Boolean, reflect: true }) presenting = false;
  @property({ type: Boolean }) shown = false;
  @query('app-drop-zone') private readonly zone!: DropZone | null;
  @query('app-recorded-view') private readonly recorded!: RecordedView | null;
  @state() private told = '';
  /** On a narrow screen: whether the files lie over the stage; undefined while nobody chose. */
  @state() private filesOpen: boolean | undefined;
  readonly #desk: DeskController;
  readonly #narrow = new MediaController(this, '(max-width: 75rem)');
  readonly #drop: DropController;

  constructor(desk = new Desk(loadModels)) {
    super();
    this.#desk = new DeskController(this, desk);
    this.#drop = new DropController(this, {
      isActive: () => this.shown,
      onFiles: (files) => this.#open(() => this.#desk.open(files)),
      onText: (text) => this.#open(() => this.#desk.openText(text)),
    });
    new CommandsController(this, DIAGNOSE, () => diagnoseCommands(this));
  }

  // --- for commands -------------------------------------------------------------------------------------------------

  get memoryView(): MemoryView | undefined {
    return this.recorded?.memoryView;
  }

  get hasFile(): boolean {
    return this.#desk.file !== undefined;
  }

  get failure(): number | undefined {
    return this.#desk.failure;
  }

  choose(): void {
    this.zone?.choose();
  }

  paste(): void {
    this.zone?.paste();
  }

  goTo(event: number | undefined): void {
    this.#desk.goTo(event);
  }

  save(): void {
    void this.#save('html');
  }

  // --- life ---------------------------------------------------------------------------------------------------------

  override connectedCallback(): void {
    super.connectedCallback();
    // The first number in a language costs 20 ms of processor time (its formatter): paid while the page waits for a file.
    requestIdleCallback(() => formatBytes(1));
  }

  override willUpdate(): void {
    this.toggleAttribute('empty', this.#isEmpty);
  }

  get #isEmpty(): boolean {
    return this.#desk.state.files.every(({ phase }) => phase !== 'ready');
  }

  override render() {
    return html`
      ${this.#isEmpty ? this.#renderEmpty() : html`${this.#renderRail()}${this.#renderStage()}`}
      <p class="unseen" role="status">${this.told}</p>
    `;
  }

  #renderEmpty() {
    return html`
      <div
        class="first"
        @app-files-chosen=${this.#onFiles}
        @app-text-given=${this.#onText}
        @app-file-acted=${this.#onFile}
        @app-sample-requested=${this.#onSample}
      >
        ${dropZone(this.#desk.state, this.#drop.isOver, true)} ${emptyDesk()}
      </div>
    `;
  }

  #renderRail() {
    const { state, file, link } = this.#desk;
    return html`<div
      class="side"
      @app-files-chosen=${this.#onFiles}
      @app-text-given=${this.#onText}
      @app-file-acted=${this.#onFile}
      @app-question-changed=${({ change }: QuestionChangedEvent) => this.#desk.answer(change)}
    >
      ${deskRail({
        desk: state,
        over: this.#drop.isOver,
        file,
        view: link.view,
        refused: link.refused,
        isNarrow: this.#narrow.matches,
        isOpen: this.filesOpen ?? (state.refusals.length > 0 || state.files.some(({ phase }) => phase !== 'ready')),
        onOpen: (isOpen) => (this.filesOpen = isOpen),
      })}
    </div>`;
  }

  #renderStage() {
    const { state, file } = this.#desk;
    if (state.shown?.kind === 'comparison') {
      return html`<div class="stage comparison">
        <app-snapshot-comparison .comparison=${state.comparison}></app-snapshot-comparison>
      </div>`;
    }
    if (file === undefined) return html`<div class="stage text"></div>`;
    const card = html`<app-verdict-card
      .card=${cardOf(file)}
      .presenting=${this.presenting}
      .expanded=${file.snapshot === undefined}
      @app-event-requested=${({ event }: EventRequestedEvent) => this.goTo(event)}
      @app-diagnosis-export=${({ format }: DiagnosisExportEvent) => void this.#save(format)}
    ></app-verdict-card>`;
    if (file.snapshot === undefined) return html`<div class="stage text">${card} ${factsPane(file)}</div>`;
    return html`<div class="stage ${this.#desk.link.view.picture}">
      ${card} ${this.#renderTrace(file, file.snapshot)}
    </div>`;
  }

  #renderTrace(file: ReadyFile, snapshot: SnapshotView) {
    const { run, sweep } = snapshot;
    const event = run.phase === 'ready' ? this.#desk.restAt(run.run.end) : -1;
    const { link } = this.#desk;
    return html`
      <app-recorded-view
        .run=${run}
        .event=${event}
        .picture=${link.view.picture}
        .layer=${sweep.phase === 'ready' ? bestSite(sweep) : ''}
        .presenting=${this.presenting}
        @app-event-rested=${({ event: at }: EventRestedEvent) => link.show({ event: at }, 'replace')}
        @app-picture-chosen=${({ picture }: PictureChosenEvent) => link.show({ picture }, 'replace')}
        @app-rebuild-cancelled=${() => this.#desk.close(file.id)}
      ></app-recorded-view>
      <div class="two" @app-sweep-acted=${({ action }: SweepActedEvent) => this.#desk.sweep(action)}>
        <div class="pane">${sweepPane(file, snapshot, link.services?.router.has('lab') === true)}</div>
        <div class="pane">${holdingsPane(file, snapshot, event)}</div>
      </div>
    `;
  }

  // --- what a person does -------------------------------------------------------------------------------------------

  /** On a narrow screen the files are over the stage until these are read. */
  #open(how: () => void): void {
    this.filesOpen = undefined;
    how();
  }

  async #save(format: DiagnosisFormat): Promise<void> {
    const name = await this.#desk.save(format);
    if (name !== undefined) this.told = msg(str`Saved ${name}.`, { desc: 'status: after an export' });
  }

  readonly #onFiles = ({ files }: FilesChosenEvent): void => this.#open(() => this.#desk.open(files));
  readonly #onText = ({ text }: TextGivenEvent): void => this.#open(() => this.#desk.openText(text));
  readonly #onSample = ({ sample }: SampleRequestedEvent): void => this.#open(() => this.#desk.openSample(sample));
  readonly #onFile = ({ action }: FileActedEvent): void => this.#desk.act(action);
}

declare global {
  interface HTMLElementTagNameMap {
    'app-diagnose-page': DiagnosePage;
  }
}
