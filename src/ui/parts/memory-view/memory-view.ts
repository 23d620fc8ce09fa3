import { localized, msg } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { type MapRequest, type PaintTimes, type TracksRequest } from '../../../engine/view/view-protocol.js';
import { type MapWindow } from '../../../model/memory-map/map-geometry.js';
import { walk, type WalkStep } from '../../../model/memory-map/map-walk.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { TRACK_MARGIN } from '../../../model/memory-map/paint/track-painter.js';
import { searchBlocks } from '../../../model/memory-map/search.js';
import { type TrackWindow } from '../../../model/memory-map/track-columns.js';
import {
  panTracks,
  showPosition,
  wholeAxis,
  wholeRow,
  zoomMap,
  zoomTracks,
} from '../../../model/memory-map/windows.js';
import { devicePixels, FrameController } from '../../controllers/frame-controller.js';
import { nextTask } from '../../controllers/own-task.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import { detailBar, type ViewPanel } from './detail-bar.js';
import { legendLine } from './legend-line.js';
import { fittedMap, lookedShare, pannedMap, shownMap, stripMap } from './map-moves.js';
import { MapPointer, type MapPlace } from './map-pointer.js';
import { memoryTable } from './memory-table.js';
import { styles } from './memory-view.styles.js';
import { sideFigures } from './side-figures.js';
import { TrackPointer } from './track-pointer.js';
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
} from './view-events.js';
import { ViewPictures } from './view-pictures.js';
import { type Playable, PlayerController } from './view-player.js';
import {
  bytesIn,
  hitIn,
  type Looked,
  marksIn,
  rowBytesIn,
  scrollsIn,
  stripFrameIn,
  type ViewState,
} from './view-state.js';
import { axisWord, mapName, progressWords, runLetter, runName, whereWords } from './view-words.js';

/** Steps of the program a second, and seconds for the whole run where it names none. */
const STEP_SPEEDS = [0.5, 1, 2, 5, 20];
const WHOLE_SPEEDS = [60, 30, 10, 5];

/**
 * Maps, tracks and everything around them for one run or two at one playhead (docs/MEMORY-VIEW.md). The pictures are drawn
 * by a worker; what a pointer or a key means is worked out here, from the same columns.
 */
@localized()
@customElement('app-memory-view')
export class MemoryView extends LitElement implements Playable {
  static override styles = [controls, table, styles];
  @property({ attribute: false }) runs: readonly MemoryRun[] = [];
  @property({ type: Number }) position = -1;
  @property() rows: MapRows = 'packed';
  @property({ attribute: false }) pinned: BlockRef | undefined;
  @property({ attribute: false }) numbered: readonly BlockRef[] = [];
  @property({ attribute: false }) range: PositionRange | undefined;
  @property() timeline: 'tracks' | 'origin' = 'tracks';
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
  @state() private speedIndex = 1;
  @state() private isLoaded = false;
  @query('.map') private readonly mapBox!: HTMLElement | null;
  @query('.tracks') private readonly trackBox!: HTMLElement | null;
  @query('.probe') private readonly probe!: HTMLElement | null;
  readonly #player = new PlayerController(this);
  readonly #mapFrame = new FrameController(this, () => this.mapBox ?? undefined);
  readonly #trackFrame = new FrameController(this, () => this.trackBox ?? undefined);
  readonly #pictures: ViewPictures = new ViewPictures(this, (times) => this.onPainted(times));
  readonly #trackPointer = new TrackPointer(this.#pointedTracks());
  readonly #mapPointers = [0, 1].map((run) => new MapPointer(this.#pointedMap(run)));
  #data = new ViewData([]);

  // --- for the page -------------------------------------------------------------------------------------------------

  get lastPosition(): number {
    return this.#data.last;
  }

  get isPlaying(): boolean {
    return this.#player.isPlaying;
  }

  /** Plays on from the playhead, or pauses. */
  togglePlaying(): void {
    if (this.#player.isPlaying) this.#player.pause();
    else this.#player.play();
  }

  /** Moves the playhead by operations. */
  step(operations: number): void {
    this.#player.pause();
    this.moveTo(this.position + operations, false);
  }

  /** Moves the playhead to the next or the last marker of the program, or by a hundredth where it names none. */
  stepMarker(direction: -1 | 1): void {
    const { axis, last } = this.#data;
    const { markers } = axis;
    if (markers.length === 0) {
      this.step(direction * Math.max(1, Math.round(last / 100)));
      return;
    }
    const next =
      direction === 1
        ? markers.find(({ position }) => position > this.position)
        : markers.findLast(({ position }) => position < this.position);
    this.#player.pause();
    this.moveTo(next?.position ?? (direction === 1 ? last : -1), false);
  }

  /** Moves the playhead to the next failure, after the last one to the first. Does nothing where nothing failed. */
  goToFailure(): void {
    const at = this.#data.failureAfter(this.position);
    this.#player.pause();
    if (at !== undefined) this.moveTo(at, false);
  }

  /** The pictures as they are now, as one PNG. */
  picture(): Promise<Blob> {
    return this.#pictures.picture();
  }

  moveTo(position: number, isPlaying: boolean): void {
    const at = Math.min(Math.max(-1, Math.trunc(position)), this.#data.last);
    this.dispatchEvent(new PositionChangedEvent(at, isPlaying));
  }

  pauseAfter(position: number): number | undefined {
    return this.#data.stopAfter(position);
  }

  get pace(): number {
    const { steps, last } = this.#data;
    const speed = this.#speed;
    return steps === undefined ? (last + 1) / speed : (speed * (last + 1)) / Math.max(1, steps.count);
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
      maps: all || has(MAP_CAUSES) ? this.#mapRequest() : undefined,
      tracks: (all || has(TRACK_CAUSES)) && !this.presenting ? this.#tracksRequest() : undefined,
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
    if (this.isLoaded && !this.presenting) {
      this.#pictures.paint({ position: this.position, maps: undefined, tracks: this.#tracksRequest() });
    }
  }

  // --- pointers and keys --------------------------------------------------------------------------------------------

  #pointedMap(run: number) {
    return {
      hover: (place: MapPlace | undefined): void => {
        const hit = place && hitIn(this.#state, run, place);
        if (hit?.address === this.looked?.hit.address && hit?.block === this.looked?.hit.block) return;
        this.looked = hit && { run, hit };
      },
      click: (place: MapPlace): void => {
        const hit = hitIn(this.#state, run, place);
        this.looked = hit && { run, hit };
        this.#pin(hit === undefined || hit.block === -1 ? undefined : { run, block: hit.block });
      },
      zoom: (factor: number, share: number): void => {
        this.#lookThrough(zoomMap(this.#mapWindow, rowBytesIn(this.#state), factor, share));
      },
      pan: (across: number, down: number): void => {
        this.#lookThrough(pannedMap(this.#state, across, down));
      },
      scrollsRows: (): boolean => scrollsIn(this.#state),
    };
  }

  #pointedTracks() {
    const at = (share: number): number => {
      const { from, to } = this.#trackWindow;
      return Math.round(from + share * (to - from));
    };
    return {
      seek: (share: number): void => {
        this.#player.pause();
        this.moveTo(at(share), false);
      },
      select: (from: number, to: number): void => {
        this.#selectRange({ from: Math.max(0, at(from)), to: Math.min(this.#data.last, at(to)) });
      },
      zoom: (factor: number, share: number): void => this.#zoomTracks(factor, share),
      pan: (across: number): void => this.#panTracks(across),
      plot: () => {
        const { width, scale } = this.#trackFrame.value;
        const { left, right } = TRACK_MARGIN;
        return { left: left * scale, width: width - (left + right) * scale };
      },
    };
  }

  #zoomTracks(factor: number, share: number): void {
    this.#trackThrough(zoomTracks(this.#trackWindow, this.#data.axis.length, factor, share));
  }

  #panTracks(across: number): void {
    this.#trackThrough(panTracks(this.#trackWindow, this.#data.axis.length, across));
  }

  #pin(pinned: BlockRef | undefined): void {
    this.dispatchEvent(new BlockPinnedEvent(pinned));
  }

  #selectRange(range: PositionRange | undefined): void {
    this.dispatchEvent(new RangeSelectedEvent(range));
  }

  readonly #onMapKey = (event: KeyboardEvent, run: number): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = ZOOM_KEYS[event.code];
    const pan = PAN_KEYS[event.code];
    const step = WALK_KEYS[event.key];
    const { looked } = this;
    if (zoom !== undefined) {
      const share = lookedShare(this.#state, run);
      this.#lookThrough(zoomMap(this.#mapWindow, rowBytesIn(this.#state), zoom, share));
    } else if (pan !== undefined) this.#lookThrough(pannedMap(this.#state, pan, 0));
    else if (step !== undefined) this.#walk(run, step);
    else if (event.key === 'Enter') {
      if (looked?.run === run && looked.hit.block !== -1) this.#pin({ run, block: looked.hit.block });
    } else if (event.key === 'Escape') {
      this.looked = undefined;
      this.#pin(undefined);
    } else if (event.key.toLowerCase() === 'f') this.#lookThrough(fittedMap(this.#state, run));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  #walk(run: number, step: WalkStep): void {
    const [of, moment] = [this.runs[run], this.#data.momentAt(run, this.position)];
    if (of === undefined || moment === undefined) return;
    const hit = walk(of, moment, this.looked?.run === run ? this.looked.hit : undefined, step);
    if (hit === undefined) return;
    this.looked = { run, hit };
    this.#lookThrough(shownMap(this.#state, run, hit));
  }

  readonly #onTrackKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = ZOOM_KEYS[event.code];
    const pan = PAN_KEYS[event.code];
    const select = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const { from, to } = this.#trackWindow;
    if (zoom !== undefined) this.#zoomTracks(zoom, (this.position - from) / (to - from));
    else if (pan !== undefined) this.#panTracks(pan);
    else if (event.key.toLowerCase() === 'f') this.#zoomToRange();
    else if (event.key === 'Escape') this.#selectRange(undefined);
    else if (event.shiftKey && select !== undefined) this.#extendRange(select);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Selects from where the playhead was to where it goes, a hundredth of the window on. */
  #extendRange(direction: number): void {
    const { from, to } = this.#trackWindow;
    const { range } = this;
    const at = Math.max(0, this.position);
    const step = direction * Math.max(1, Math.round((to - from) / 100));
    const next = Math.min(Math.max(0, at + step), this.#data.last);
    const anchor = range === undefined ? at : range.from === at ? range.to : range.from;
    this.#selectRange({ from: Math.min(anchor, next), to: Math.max(anchor, next) });
    this.moveTo(next, false);
  }

  /** The selected range fills the tracks; the whole axis where nothing is selected. */
  #zoomToRange(): void {
    const { range } = this;
    const whole = wholeAxis(this.#data.axis.length);
    const isWhole = range === undefined || range.to <= range.from;
    this.#trackThrough(isWhole ? whole : panTracks(range, this.#data.axis.length, 0));
  }

  readonly #onStrip = (event: PointerEvent): void => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    if (!(event.currentTarget instanceof Element)) return;
    const { top } = event.currentTarget.getBoundingClientRect();
    this.#lookThrough(stripMap(this.#state, event.clientY - top));
  };

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
    this.#player.pause();
    const born = this.runs[next.run]?.blocks.bornAt[next.block] ?? -1;
    if (bytesIn(this.#state, next.run, next) === undefined) {
      this.moveTo(this.#data.axis.positionOf(next.run, born), false);
    }
    this.#pin(next);
  }

  // --- what is on the page ------------------------------------------------------------------------------------------

  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) await nextTask();
    super.scheduleUpdate();
  }

  override render() {
    if (this.runs.length === 0) return nothing;
    const hasRequest = this.runs.some((_, run) => this.#data.isFailure(run, this.position));
    return html`
      <i class="probe" hidden></i>
      <div class="sides">${this.runs.map((run, index) => this.#renderSide(run, index))}</div>
      ${legendLine(this.#data.categories, hasRequest)} ${this.presenting ? nothing : this.#renderDetail()}
      ${this.bare ? nothing : this.#renderTransport()} ${this.presenting ? this.#renderSlider() : this.#renderTracks()}
      ${this.panel === 'events' && !this.presenting ? viewEvents(this.#state, (to) => this.moveTo(to, false)) : nothing}
    `;
  }

  #renderSide(run: MemoryRun, index: number) {
    const operation = this.#data.operationAt(index, this.position);
    return html`
      <section class="side" aria-label=${runName(this.runs, index)}>
        <slot name=${`head-${index}`}></slot>
        ${sideFigures(run, operation)}
        ${this.panel === 'table' ? this.#renderTable(run, index) : this.#renderMap(run, index, operation)}
      </section>
    `;
  }

  #renderMap(run: MemoryRun, index: number, operation: number) {
    const pointer = this.#mapPointers[index];
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
          @keydown=${(event: KeyboardEvent) => this.#onMapKey(event, index)}
        >
          ${canvas('map')}
          ${this.isLoaded ? nothing : html`<p class="loading">${msg('Drawing', { desc: 'map before it is drawn' })}</p>`}
        </div>
        ${
          scrollsIn(this.#state)
            ? html`<div class="strip" @pointerdown=${this.#onStrip} @pointermove=${this.#onStrip}>
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
    return transportBar({
      isPlaying: this.#player.isPlaying,
      position: this.position,
      last,
      where: whereWords(axis, this.position),
      progress: progressWords(first, runLetter(runs, 0), this.#data.operationAt(0, this.position)),
      steps: steps?.count ?? 0,
      speeds: this.#speeds,
      speed: this.#speed,
      hasFailure: failures.length > 0,
      isAtFailure: failures.length === 1 && failures[0] === this.position,
      range: this.range,
      isPresenting: this.presenting,
      onPlay: () => this.togglePlaying(),
      onStep: (direction) => this.stepMarker(direction),
      onSpeed: (speed) => (this.speedIndex = this.#speeds.indexOf(speed)),
      onFailure: () => this.goToFailure(),
      onPosition: (position) => this.moveTo(position, false),
      onRange: (range) => this.#selectRange(range),
      onZoomRange: () => this.#zoomToRange(),
    });
  }

  get #speeds(): readonly number[] {
    return this.#data.steps === undefined ? WHOLE_SPEEDS : STEP_SPEEDS;
  }

  get #speed(): number {
    return this.#speeds[this.speedIndex] ?? 1;
  }

  #renderSlider() {
    return html`<div class="slider">${playheadRange(this.#state, this.#onRange)}</div>`;
  }

  #renderTracks() {
    const pointer = this.#trackPointer;
    return html`
      <div
        class="tracks"
        @pointerdown=${pointer.onDown}
        @pointermove=${pointer.onMove}
        @pointerup=${pointer.onUp}
        @pointercancel=${pointer.onUp}
        @wheel=${pointer.onWheel}
        @keydown=${this.#onTrackKey}
      >
        ${keyed(this.#pictures.generation, html`<canvas data-name="tracks" aria-hidden="true"></canvas>`)}
        ${playheadRange(this.#state, this.#onRange)}
      </div>
    `;
  }

  readonly #onRange = (position: number): void => {
    this.#player.pause();
    this.moveTo(position, false);
  };
}

/** What of a change shows on the maps, and what on the tracks. */
const MAP_CAUSES = ['rows', 'pinned', 'numbered', 'looked', 'found', 'presenting', 'panel'];
const TRACK_CAUSES = ['range', 'timeline', 'presenting'];

/** By place on the keyboard, whatever is printed on the key. */
const ZOOM_KEYS: Readonly<Record<string, number>> = { KeyW: 1.25, KeyS: 0.8 };
const PAN_KEYS: Readonly<Record<string, number>> = { KeyA: -0.1, KeyD: 0.1 };
const WALK_KEYS: Readonly<Record<string, WalkStep>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'home',
  End: 'end',
  h: 'next-hole',
  H: 'next-hole',
  p: 'next-pin',
  P: 'next-pin',
};

declare global {
  interface HTMLElementTagNameMap {
    'app-memory-view': MemoryView;
  }
}
