import { localized } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { guard } from 'lit/directives/guard.js';
import { type PaintTimes } from '../../../engine/view/view-protocol.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { nextTask } from '../../controllers/own-task.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { detailBar, type ViewPanel } from './detail-bar.js';
import { legendLine } from './legend-line.js';
import { MapHands } from './map-hands.js';
import { mapSide } from './map-side.js';
import { memoryTable } from './memory-table.js';
import { styles } from './memory-view.styles.js';
import { keyFigures } from './side-figures.js';
import { TrackHands } from './track-hands.js';
import { playheadSlider, trackSide, viewEvents } from './track-side.js';
import { transportBar } from './transport-bar.js';
import { ViewData } from './view-data.js';
import {
  BlockPinnedEvent,
  type BlockRef,
  type MapRows,
  MapRowsChosenEvent,
  PositionChangedEvent,
  type PositionRange,
  RangeSelectedEvent,
  type ShownPictures,
} from './view-events.js';
import { languageMark } from './view-pictures.js';
import { type PlayedView, ViewPlayhead } from './view-playhead.js';
import { type ScreenedView, ViewScreen } from './view-screen.js';
import { nextFound, searchRuns, type ViewSearch } from './view-search.js';
import { bytesIn, type Looked, type ViewState } from './view-state.js';
import { runLetter } from './view-words.js';

/**
 * Maps, tracks and everything around them for one run or two at one playhead (docs/MEMORY-VIEW.md). The pictures are drawn
 * by a worker; what a pointer or a key means is worked out here, from the same columns.
 */
@localized()
@customElement('app-memory-view')
export class MemoryView extends LitElement implements PlayedView, ScreenedView {
  static override styles = [controls, table, ...styles];
  @property({ attribute: false }) runs: readonly MemoryRun[] = [];
  @property({ type: Number }) position = -1;
  @property() rows: MapRows = 'packed';
  @property({ attribute: false }) pinned: BlockRef | undefined;
  @property({ attribute: false }) numbered: readonly BlockRef[] = [];
  @property({ attribute: false }) range: PositionRange | undefined;
  @property() timeline: 'tracks' | 'origin' = 'tracks';
  /** Name of blocks (a place in the code) that have a layer of their own in the `origin` timeline; '' for none. */
  @property() layer = '';
  /** The pictures on the page: all, or one kind that gets all the room. */
  @property({ reflect: true }) shows: ShownPictures = 'all';
  @property({ type: Boolean, reflect: true }) presenting = false;
  /** Leaves the transport out: figures, map and legend, and the slider of presenter mode. For lessons on a small screen. */
  @property({ type: Boolean }) bare = false;
  /** Told how long each picture took to draw: for benchmarks. */
  @property({ attribute: false }) onPainted: (times: PaintTimes) => void = () => undefined;
  @state() private looked: Looked | undefined;
  @state() private found: ViewSearch = searchRuns([], '');
  @state() private panel: ViewPanel = 'none';
  @state() private tablePage = 0;
  readonly #playhead = new ViewPlayhead(this);
  readonly #screen: ViewScreen = new ViewScreen(this);
  readonly #mapHands: readonly MapHands[] = [0, 1].map(
    (run) =>
      new MapHands(
        {
          state: () => this.shownState,
          look: (looked) => (this.looked = looked),
          pin: (pinned) => this.#pin(pinned),
          lookThrough: this.#screen.lookThrough,
        },
        run,
      ),
  );
  readonly #trackHands: TrackHands = new TrackHands({
    state: () => ({
      position: this.position,
      lastPosition: this.#data.last,
      range: this.range,
      window: this.#screen.trackWindow,
      size: this.#screen.trackSize,
    }),
    seek: (position) => this.#playhead.goTo(position),
    select: (range) => this.#selectRange(range),
    trackThrough: this.#screen.trackThrough,
  });
  #data = new ViewData([]);

  // --- for the page -------------------------------------------------------------------------------------------------

  get data(): ViewData {
    return this.#data;
  }

  /** What is shown now: for pictures, pointers and keys. */
  get shownState(): ViewState {
    const { position, rows, pinned, numbered, looked } = this;
    const { mapWindow, mapFrame } = this.#screen;
    return { data: this.#data, position, rows, mapWindow, mapFrame, pinned, numbered, looked, found: this.found.found };
  }

  get hasMaps(): boolean {
    return this.shows !== 'tracks';
  }

  get hasTracks(): boolean {
    return this.shows === 'tracks' || (this.shows === 'all' && !this.presenting);
  }

  get lastPosition(): number {
    return this.#data.last;
  }

  get isPlaying(): boolean {
    return this.#playhead.isPlaying;
  }

  /** Plays on from the playhead, or pauses. */
  togglePlaying(): void {
    this.#playhead.toggle();
  }

  /** Moves the playhead by operations. */
  step(operations: number): void {
    this.#playhead.goTo(this.position + operations);
  }

  /** Moves the playhead to the next or the last marker of the program, or by a hundredth where it names none. */
  stepMarker(direction: -1 | 1): void {
    this.#playhead.stepMarker(direction);
  }

  /** Moves the playhead to the next failure, after the last one to the first. Only pauses where nothing failed. */
  goToFailure(): void {
    this.#playhead.goToFailure();
  }

  /** The pictures as they are now, as one PNG. */
  picture(): Promise<Blob> {
    return this.#screen.pictures.picture();
  }

  moveTo(position: number, isPlaying: boolean): void {
    const at = Math.min(Math.max(-1, Math.trunc(position)), this.#data.last);
    this.dispatchEvent(new PositionChangedEvent(at, isPlaying));
  }

  // --- life ---------------------------------------------------------------------------------------------------------

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this.hasUpdated) return;
    // Canvases and the thread that draws were given up with the page.
    this.requestUpdate();
    void this.#screen.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#screen.leave();
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('runs')) {
      this.#data = new ViewData(this.runs);
      this.#screen.reset();
      this.looked = undefined;
      this.tablePage = 0;
      this.found = searchRuns(this.runs, this.found.text);
    } else if (changed.has('position')) this.#screen.follow();
  }

  override updated(changed: PropertyValues<this>): void {
    if (changed.has('runs')) void this.#screen.load();
    else if (changed.has('rows') && this.#screen.isLoaded) void this.#screen.layOut();
    this.#screen.paint(changed);
  }

  #pin(pinned: BlockRef | undefined): void {
    this.dispatchEvent(new BlockPinnedEvent(pinned));
  }

  #selectRange(range: PositionRange | undefined): void {
    this.dispatchEvent(new RangeSelectedEvent(range));
  }

  /** Goes to the next block that was found: to its birth, where it does not live at the playhead. */
  #goToFound(): void {
    const next = nextFound(this.found, this.pinned);
    if (next === undefined) return;
    if (bytesIn(this.shownState, next.run, next) === undefined) {
      const born = this.runs[next.run]?.blocks.bornAt[next.block] ?? -1;
      this.#playhead.goTo(this.#data.axis.positionOf(next.run, born));
    }
    this.#pin(next);
  }

  // --- what is on the page ------------------------------------------------------------------------------------------

  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask();
    await super.scheduleUpdate();
  }

  override render() {
    if (this.runs.length === 0) return nothing;
    const hasEvents = this.panel === 'events' && this.shows === 'all' && !this.presenting;
    return html`
      <i class="probe" hidden></i>
      <div class="sides">${this.runs.map((run, index) => this.#renderSide(run, index))}</div>
      ${this.hasMaps ? this.#renderLegend() : this.#renderKeys()}
      ${this.hasMaps && !this.presenting ? this.#renderDetail() : nothing}
      ${this.bare ? nothing : this.#renderTransport()} ${this.#renderTracks()}
      ${hasEvents ? this.#renderEvents() : nothing}
    `;
  }

  // What a move of the playhead does not change is not rendered with it: legend and details are guarded.

  #renderLegend() {
    const { hasMaps } = this;
    const { categories } = this.#data;
    const hasRequest = this.runs.some((_, run) => this.#data.isFailure(run, this.position));
    return guard([categories, hasMaps, hasRequest, languageMark()], () => legendLine(categories, hasMaps, hasRequest));
  }

  /** Without maps: what stands over them and the legend in one line. */
  #renderKeys() {
    return html`<div class="keys">
      ${this.runs.map((run, index) => keyFigures(run, this.#data.operationAt(index, this.position)))}
      ${this.timeline === 'origin' ? this.#renderLegend() : nothing}
    </div>`;
  }

  #renderEvents() {
    return viewEvents(this.shownState, (to) => this.moveTo(to, false));
  }

  #renderSide(run: MemoryRun, index: number) {
    return mapSide({
      state: this.shownState,
      index,
      hands: this.#mapHands[index],
      generation: this.#screen.pictures.generation,
      isLoaded: this.#screen.isLoaded,
      isPlaying: this.isPlaying,
      hasMap: this.hasMaps,
      instead: this.#insteadOfMap(run, index),
    });
  }

  /** What takes the place of a map. */
  #insteadOfMap(run: MemoryRun, index: number) {
    if (this.panel === 'events' && this.shows === 'maps' && !this.presenting) return this.#renderEvents();
    const moment = this.panel === 'table' ? this.#data.momentAt(index, this.position) : undefined;
    const letter = runLetter(this.runs, index);
    return moment && memoryTable(run, moment, letter, this.tablePage, (page) => (this.tablePage = page));
  }

  #renderDetail() {
    const { looked, pinned, panel, rows, found, position } = this;
    const moves = looked === undefined && pinned === undefined ? undefined : position;
    return guard([this.#data, looked, pinned, panel, rows, found, moves, languageMark()], () =>
      detailBar({
        state: this.shownState,
        query: found.text,
        panel,
        onSearch: (text) => (this.found = searchRuns(this.runs, text)),
        onNextFound: () => this.#goToFound(),
        onRows: (of) => this.dispatchEvent(new MapRowsChosenEvent(of)),
        onPanel: (of) => (this.panel = of),
      }),
    );
  }

  #renderTransport() {
    return transportBar({
      state: this.shownState,
      playhead: this.#playhead,
      range: this.range,
      isPresenting: this.presenting,
      onRange: (range) => this.#selectRange(range),
      onZoomRange: () => this.#trackHands.zoomToRange(),
    });
  }

  #renderTracks() {
    const { shownState: state, isPlaying } = this;
    if (!this.hasTracks) return playheadSlider(state, isPlaying, this.#onRange);
    const { generation } = this.#screen.pictures;
    return trackSide({ state, hands: this.#trackHands, generation, isPlaying, onMove: this.#onRange });
  }

  readonly #onRange = (position: number): void => this.#playhead.goTo(position);
}

declare global {
  interface HTMLElementTagNameMap {
    'app-memory-view': MemoryView;
  }
}
