import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { type MapRequest, type PaintTimes, type TracksRequest } from '../../../engine/view/view-protocol.js';
import { type MapWindow } from '../../../model/memory-map/map-geometry.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { searchBlocks } from '../../../model/memory-map/search.js';
import { type TrackWindow } from '../../../model/memory-map/track-columns.js';
import { showPosition, wholeAxis, wholeRow } from '../../../model/memory-map/windows.js';
import { devicePixels, FrameController } from '../../controllers/frame-controller.js';
import { nextTask } from '../../controllers/own-task.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { detailBar, type ViewPanel } from './detail-bar.js';
import { legendLine } from './legend-line.js';
import { type HandledMaps, MapHands } from './map-hands.js';
import { memoryTable } from './memory-table.js';
import { styles } from './memory-view.styles.js';
import { keyFigures, sideFigures } from './side-figures.js';
import { type HandledTracks, TrackHands } from './track-hands.js';
import { playheadRange, viewEvents } from './track-side.js';
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
import { ViewPictures } from './view-pictures.js';
import { type PlayedView, ViewPlayhead } from './view-playhead.js';
import { bytesIn, type Looked, marksIn, scrollsIn, stripFrameIn, type ViewState } from './view-state.js';
import { axisWord, mapName, progressWords, runLetter, runName, whereWords } from './view-words.js';

/**
 * Maps, tracks and everything around them for one run or two at one playhead (docs/MEMORY-VIEW.md). The pictures are drawn
 * by a worker; what a pointer or a key means is worked out here, from the same columns.
 */
@localized()
@customElement('app-memory-view')
export class MemoryView extends LitElement implements PlayedView {
  static override styles = [controls, table, styles];
  @property({ attribute: false }) runs: readonly MemoryRun[] = [];
  @property({ type: Number }) position = -1;
  @property() rows: MapRows = 'packed';
  @property({ attribute: false }) pinned: BlockRef | undefined;
  @property({ attribute: false }) numbered: readonly BlockRef[] = [];
  @property({ attribute: false }) range: PositionRange | undefined;
  @property() timeline: 'tracks' | 'origin' = 'tracks';
  /** The pictures on the page: all, or one kind that gets all the room. */
  @property({ reflect: true }) shows: ShownPictures = 'all';
  @property({ type: Boolean, reflect: true }) presenting = false;
  /** Leaves the transport out: figures, map and legend, and the slider of presenter mode. For lessons on a small screen. */
  @property({ type: Boolean }) bare = false;
  /** Told how long each picture took to draw: for benchmarks. */
  @property({ attribute: false }) onPainted: (times: PaintTimes) => void = () => undefined;
  /** Windows move with every frame: pictures follow them without a rendering of the page around. */
  #mapWindow: MapWindow = wholeRow(1);
  #trackWindow: TrackWindow = wholeAxis(1);
  @state() private looked: Looked | undefined;
  @state() private queryText = '';
  @state() private found: readonly Int32Array[] = [];
  @state() private panel: ViewPanel = 'none';
  @state() private tablePage = 0;
  @state() private isLoaded = false;
  @query('.map') private readonly mapBox!: HTMLElement | null;
  @query('.tracks') private readonly trackBox!: HTMLElement | null;
  @query('.probe') private readonly probe!: HTMLElement | null;
  readonly #playhead = new ViewPlayhead(this);
  readonly #mapFrame = new FrameController(this, () => this.mapBox ?? undefined);
  readonly #trackFrame = new FrameController(this, () => this.trackBox ?? undefined);
  readonly #pictures: ViewPictures = new ViewPictures(this, (times) => this.onPainted(times));
  readonly #trackHands: TrackHands = new TrackHands(this.#handledTracks());
  readonly #mapHands: readonly MapHands[] = [0, 1].map((run) => new MapHands(this.#handledMaps(), run));
  #data = new ViewData([]);

  // --- for the page -------------------------------------------------------------------------------------------------

  get data(): ViewData {
    return this.#data;
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
    return this.#pictures.picture();
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
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.isLoaded = false;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('runs')) {
      this.#data = new ViewData(this.runs);
      this.#trackWindow = wholeAxis(this.#data.axis.length);
      this.#mapWindow = wholeRow(1);
      this.looked = undefined;
      this.isLoaded = false;
      this.tablePage = 0;
      this.#search(this.queryText);
    } else if (changed.has('position')) {
      this.#trackWindow = showPosition(this.#trackWindow, this.#data.axis.length, this.position);
    }
  }

  override updated(changed: PropertyValues<this>): void {
    if (this.probe !== null) this.#pictures.refresh(this.probe, axisWord(this.#data));
    if (changed.has('runs')) void this.#load();
    else if (changed.has('rows') && this.isLoaded) void this.#layOut();
    this.#paint(changed);
  }

  async #load(): Promise<void> {
    const data = this.#data;
    if (data.runs.length === 0) return;
    const layouts = await this.#pictures.load(data.runs, this.rows);
    if (layouts === undefined || data !== this.#data) return;
    data.layouts.set(this.rows, layouts);
    this.#mapWindow = wholeRow(layouts[0]?.rowBytes ?? 1);
    this.isLoaded = true;
  }

  /** Places of the segments, for pointers and keys: the thread that draws has worked them out. */
  async #layOut(): Promise<void> {
    const { rows } = this;
    const data = this.#data;
    const layouts = await this.#pictures.layouts(rows);
    if (layouts === undefined || data !== this.#data) return;
    data.layouts.set(rows, layouts);
    this.#mapWindow = { ...this.#mapWindow, top: 0 };
    this.requestUpdate('rows');
  }

  // --- pictures -----------------------------------------------------------------------------------------------------

  #paint(changed: PropertyValues): void {
    if (!this.isLoaded) return;
    const has = (causes: readonly string[]): boolean => causes.some((cause) => changed.has(cause));
    // The frame of a picture is no property: a controller asks for the update.
    const all = this.#pictures.takeStale() || changed.size === 0 || has(['isLoaded', 'position']);
    this.#pictures.paint({
      position: this.position,
      maps: (all || has(MAP_CAUSES)) && this.#hasMaps ? this.#mapRequest() : undefined,
      tracks: (all || has(TRACK_CAUSES)) && this.#hasTracks ? this.#tracksRequest() : undefined,
    });
  }

  #mapRequest(): MapRequest {
    const shown = this.#state;
    return {
      frame: shown.mapFrame,
      strip: stripFrameIn(shown),
      window: this.#mapWindow,
      rows: this.rows,
      marks: this.runs.map((_, run) => marksIn(shown, run)),
    };
  }

  #tracksRequest(): TracksRequest {
    return {
      frame: devicePixels(this.#trackFrame.value),
      window: this.#trackWindow,
      mode: this.timeline,
      selection: this.range,
      letters: this.runs.length > 1 ? this.runs.map((_, index) => runLetter(this.runs, index)) : [],
    };
  }

  get #state(): ViewState {
    const { position, rows, pinned, numbered, looked, found } = this;
    const mapFrame = devicePixels(this.#mapFrame.value);
    return { data: this.#data, position, rows, mapWindow: this.#mapWindow, mapFrame, pinned, numbered, looked, found };
  }

  /** The maps show another part of their rows. */
  #lookThrough(window: MapWindow): void {
    this.#mapWindow = window;
    if (this.isLoaded) {
      this.#pictures.paint({ position: this.position, maps: this.#mapRequest(), tracks: undefined });
    }
  }

  /** The tracks show another part of the axis. */
  #trackThrough(window: TrackWindow): void {
    this.#trackWindow = window;
    if (this.isLoaded && this.#hasTracks) {
      this.#pictures.paint({ position: this.position, maps: undefined, tracks: this.#tracksRequest() });
    }
  }

  // --- pointers and keys --------------------------------------------------------------------------------------------

  #handledMaps(): HandledMaps {
    return {
      state: () => this.#state,
      look: (looked) => (this.looked = looked),
      pin: (pinned) => this.#pin(pinned),
      lookThrough: (window) => this.#lookThrough(window),
    };
  }

  #handledTracks(): HandledTracks {
    return {
      state: () => ({
        position: this.position,
        lastPosition: this.#data.last,
        range: this.range,
        window: this.#trackWindow,
        size: this.#trackFrame.value,
      }),
      seek: (position) => this.#playhead.goTo(position),
      select: (range) => this.#selectRange(range),
      trackThrough: (window) => this.#trackThrough(window),
    };
  }

  #pin(pinned: BlockRef | undefined): void {
    this.dispatchEvent(new BlockPinnedEvent(pinned));
  }

  #selectRange(range: PositionRange | undefined): void {
    this.dispatchEvent(new RangeSelectedEvent(range));
  }

  #search(text: string): void {
    this.queryText = text;
    this.found = this.runs.map((run) => searchBlocks(run, text).blocks);
  }

  /** Goes to the next block that was found: to its birth, where it does not live at the playhead. */
  #goToFound(): void {
    const all = this.found.flatMap((blocks, run) => Array.from(blocks, (block) => ({ run, block })));
    const { pinned } = this;
    const at = all.findIndex(({ run, block }) => run === pinned?.run && block === pinned.block);
    const next = all[(at + 1) % all.length];
    if (next === undefined) return;
    const born = this.runs[next.run]?.blocks.bornAt[next.block] ?? -1;
    if (bytesIn(this.#state, next.run, next) === undefined) {
      this.#playhead.goTo(this.#data.axis.positionOf(next.run, born));
    }
    this.#pin(next);
  }

  // --- what is on the page ------------------------------------------------------------------------------------------

  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask();
    await super.scheduleUpdate();
  }

  get #hasMaps(): boolean {
    return this.shows !== 'tracks';
  }

  get #hasTracks(): boolean {
    return this.shows === 'tracks' || (this.shows === 'all' && !this.presenting);
  }

  override render() {
    if (this.runs.length === 0) return nothing;
    const hasEvents = this.panel === 'events' && this.shows === 'all' && !this.presenting;
    return html`
      <i class="probe" hidden></i>
      <div class="sides">${this.runs.map((run, index) => this.#renderSide(run, index))}</div>
      ${this.#hasMaps ? this.#renderLegend() : this.#renderKeys()}
      ${this.#hasMaps && !this.presenting ? this.#renderDetail() : nothing}
      ${this.bare ? nothing : this.#renderTransport()} ${this.#hasTracks ? this.#renderTracks() : this.#renderSlider()}
      ${hasEvents ? this.#renderEvents() : nothing}
    `;
  }

  #renderLegend() {
    const hasRequest = this.runs.some((_, run) => this.#data.isFailure(run, this.position));
    return legendLine(this.#data.categories, this.#hasMaps, hasRequest);
  }

  #renderEvents() {
    return viewEvents(this.#state, (to) => this.moveTo(to, false));
  }

  #renderSide(run: MemoryRun, index: number) {
    const operation = this.#data.operationAt(index, this.position);
    return html`
      <section class="side" aria-label=${runName(this.runs, index)}>
        <slot name=${`head-${index}`}></slot>
        ${this.#hasMaps ? this.#renderFigures(run, index, operation) : nothing}
      </section>
    `;
  }

  #renderFigures(run: MemoryRun, index: number, operation: number) {
    return html`${sideFigures(run, operation)} ${this.#renderBody(run, index, operation)}`;
  }

  /** Without maps: what stands over them and the legend in one line. */
  #renderKeys() {
    return html`<div class="keys">
      ${this.runs.map((run, index) => keyFigures(run, this.#data.operationAt(index, this.position)))}
      ${this.timeline === 'origin' ? this.#renderLegend() : nothing}
    </div>`;
  }

  /** The map, or what takes its place. */
  #renderBody(run: MemoryRun, index: number, operation: number) {
    if (this.panel === 'table') return this.#renderTable(run, index);
    if (this.panel === 'events' && this.shows === 'maps' && !this.presenting) return this.#renderEvents();
    return this.#renderMap(run, index, operation);
  }

  #renderMap(run: MemoryRun, index: number, operation: number) {
    const hands = this.#mapHands[index];
    const pointer = hands?.pointer;
    const where = whereWords(this.#data.axis, this.position);
    const canvas = (name: string) =>
      keyed(this.#pictures.generation, html`<canvas data-name=${`${name}-${index}`} aria-hidden="true"></canvas>`);
    return html`
      <div class="map-row">
        <div
          class="map"
          tabindex="0"
          role="application"
          aria-roledescription=${msg('memory map', { desc: 'kind of element, for screen readers' })}
          aria-label=${mapName(run, runLetter(this.runs, index), where, operation)}
          @pointerdown=${pointer?.onDown}
          @pointermove=${pointer?.onMove}
          @pointerup=${pointer?.onUp}
          @pointercancel=${pointer?.onUp}
          @pointerleave=${pointer?.onLeave}
          @wheel=${pointer?.onWheel}
          @keydown=${hands?.onKey}
        >
          ${canvas('map')}
          ${this.isLoaded ? nothing : html`<p class="loading">${msg('Drawing', { desc: 'map before it is drawn' })}</p>`}
        </div>
        ${
          scrollsIn(this.#state)
            ? html`<div class="strip" @pointerdown=${hands?.onStrip} @pointermove=${hands?.onStrip}>
                ${canvas('strip')}
              </div>`
            : nothing
        }
      </div>
    `;
  }

  #renderTable(run: MemoryRun, index: number) {
    const moment = this.#data.momentAt(index, this.position);
    if (moment === undefined) return nothing;
    return memoryTable(run, moment, runLetter(this.runs, index), this.tablePage, (page) => (this.tablePage = page));
  }

  #renderDetail() {
    return detailBar({
      state: this.#state,
      query: this.queryText,
      panel: this.panel,
      onSearch: (text) => this.#search(text),
      onNextFound: () => this.#goToFound(),
      onRows: (rows) => this.dispatchEvent(new MapRowsChosenEvent(rows)),
      onPanel: (panel) => (this.panel = panel),
    });
  }

  #renderTransport() {
    const { axis, steps, runs, last, failures } = this.#data;
    const [first] = runs;
    if (first === undefined) return nothing;
    // One run without a marker here: its progress says the same place already.
    const isSaid = runs.length === 1 && this.position >= 0 && axis.markerAt(this.position) === undefined;
    return transportBar({
      isPlaying: this.#playhead.isPlaying,
      position: this.position,
      last,
      where: isSaid ? '' : whereWords(axis, this.position),
      progress: progressWords(first, runLetter(runs, 0), this.#data.operationAt(0, this.position)),
      steps: steps?.count ?? 0,
      speeds: this.#playhead.speeds,
      speed: this.#playhead.speed,
      hasFailure: failures.length > 0,
      isAtFailure: failures.length === 1 && failures[0] === this.position,
      range: this.range,
      isPresenting: this.presenting,
      onPlay: () => this.togglePlaying(),
      onStep: (direction) => this.stepMarker(direction),
      onSpeed: (speed) => this.#playhead.setSpeed(speed),
      onFailure: () => this.goToFailure(),
      onPosition: (position) => this.moveTo(position, false),
      onRange: (range) => this.#selectRange(range),
      onZoomRange: () => this.#trackHands.zoomToRange(),
    });
  }

  #renderSlider() {
    return html`<div class="slider">${playheadRange(this.#state, this.#onRange)}</div>`;
  }

  #renderTracks() {
    const { pointer, onKey } = this.#trackHands;
    return html`
      <div
        class="tracks"
        @pointerdown=${pointer.onDown}
        @pointermove=${pointer.onMove}
        @pointerup=${pointer.onUp}
        @pointercancel=${pointer.onUp}
        @wheel=${pointer.onWheel}
        @keydown=${onKey}
      >
        ${keyed(this.#pictures.generation, html`<canvas data-name="tracks" aria-hidden="true"></canvas>`)}
        ${playheadRange(this.#state, this.#onRange)}
      </div>
    `;
  }

  readonly #onRange = (position: number): void => this.#playhead.goTo(position);
}

/** What of a change shows on the maps, and what on the tracks. */
const MAP_CAUSES = ['rows', 'pinned', 'numbered', 'looked', 'found', 'presenting', 'panel', 'shows'];
const TRACK_CAUSES = ['range', 'timeline', 'presenting', 'shows'];

declare global {
  interface HTMLElementTagNameMap {
    'app-memory-view': MemoryView;
  }
}
