import { localized, msg, str } from '@lit/localize';
import { html, LitElement, nothing, type PropertyValues } from 'lit';
import { customElement, property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { formatNumber } from '../../../base/format.js';
import { ViewClient } from '../../../engine/view/view-client.js';
import { type PaintTimes } from '../../../engine/view/view-protocol.js';
import {
  hitAt,
  livingBlocks,
  MapGeometry,
  type MapHit,
  type MapWindow,
} from '../../../model/memory-map/map-geometry.js';
import { walk, type WalkStep } from '../../../model/memory-map/map-walk.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { minimapPitch } from '../../../model/memory-map/paint/minimap-painter.js';
import { type MapMarks, type MarkedBytes } from '../../../model/memory-map/paint/map-marks.js';
import { type PictureFrame } from '../../../model/memory-map/paint/picture.js';
import { TRACK_MARGIN } from '../../../model/memory-map/paint/track-painter.js';
import { searchBlocks } from '../../../model/memory-map/search.js';
import { type TrackWindow } from '../../../model/memory-map/track-columns.js';
import {
  fitMap,
  panMap,
  panTracks,
  showPosition,
  wholeAxis,
  wholeRow,
  zoomMap,
  zoomTracks,
} from '../../../model/memory-map/windows.js';
import { FrameController } from '../../controllers/frame-controller.js';
import { MediaController } from '../../controllers/media-controller.js';
import { controls } from '../../styles/controls.styles.js';
import { table } from '../../styles/table.styles.js';
import '../event-list/event-list.js';
import { type OperationChosenEvent } from '../event-list/event-list.js';
import { legendLine } from './legend-line.js';
import { MapPointer, type MapPlace } from './map-pointer.js';
import { memoryTable } from './memory-table.js';
import { styles } from './memory-view.styles.js';
import { sideFigures } from './side-figures.js';
import { TrackPointer } from './track-pointer.js';
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
import { type Playable, PlayerController } from './view-player.js';
import { pictureWords, readPalette } from './view-style.js';
import { detailWords, mapName, progressWords, whereWords } from './view-words.js';

const NO_FRAME: PictureFrame = { width: 0, height: 0, scale: 1 };
const ZOOM_STEP = 1.25;
const PAN_STEP = 0.1;
/** Steps of the program a second, and seconds for the whole run where it names none. */
const STEP_SPEEDS = [0.5, 1, 2, 5, 20];
const WHOLE_SPEEDS = [60, 30, 10, 5];

interface Looked {
  readonly run: number;
  readonly hit: MapHit;
}

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
  @state() private mapWindow: MapWindow = wholeRow(1);
  @state() private trackWindow: TrackWindow = wholeAxis(1);
  @state() private looked: Looked | undefined;
  @state() private queryText = '';
  @state() private found: readonly Int32Array[] = [];
  @state() private panel: 'none' | 'table' | 'events' = 'none';
  @state() private tablePage = 0;
  @state() private speedIndex = 1;
  @state() private isLoaded = false;
  @state() private generation = 0;
  @query('.map') private readonly mapBox!: HTMLElement | null;
  @query('.tracks') private readonly trackBox!: HTMLElement | null;
  @query('.probe') private readonly probe!: HTMLElement | null;
  readonly #player = new PlayerController(this);
  readonly #mapFrame = new FrameController(this, () => this.mapBox ?? undefined);
  readonly #trackFrame = new FrameController(this, () => this.trackBox ?? undefined);
  readonly #forced = new MediaController(this, '(forced-colors: active)');
  readonly #dark = new MediaController(this, '(prefers-color-scheme: dark)');
  readonly #themed = new MutationObserver(() => this.#restyle());
  readonly #trackPointer: TrackPointer;
  readonly #mapPointers = [0, 1].map((run) => new MapPointer(this.#pointedMap(run)));
  #data = new ViewData([]);
  #client: ViewClient | undefined;
  #given = new WeakSet<HTMLCanvasElement>();
  #style = '';
  /** Everything is to be painted anew. */
  #isStale = true;

  constructor() {
    super();
    this.#trackPointer = new TrackPointer(this.#pointedTracks());
  }

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
  async picture(): Promise<Blob> {
    if (this.#client === undefined) throw new Error('the memory view is not on a page');
    return this.#client.picture();
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
    return steps === undefined ? last / speed : (speed * last) / Math.max(1, steps.count);
  }

  // --- life ---------------------------------------------------------------------------------------------------------

  override connectedCallback(): void {
    super.connectedCallback();
    this.#client = new ViewClient((times) => this.onPainted(times));
    this.#given = new WeakSet();
    this.#style = '';
    this.generation++;
    this.#themed.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-present', 'lang'] });
    if (this.hasUpdated) void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#themed.disconnect();
    this.#client?.close();
    this.#client = undefined;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('runs')) {
      this.#data = new ViewData(this.runs);
      this.trackWindow = wholeAxis(this.#data.axis.length);
      this.mapWindow = wholeRow(1);
      this.looked = undefined;
      this.isLoaded = false;
      this.tablePage = 0;
      this.#search(this.queryText);
    } else if (changed.has('position'))
      this.trackWindow = showPosition(this.trackWindow, this.#data.axis.length, this.position);
  }

  override updated(changed: PropertyValues<this>): void {
    this.#giveCanvases();
    this.#restyle();
    if (changed.has('runs')) void this.#load();
    if (changed.has('rows') && this.isLoaded) void this.#layOut();
    this.#paint(changed);
  }

  async #load(): Promise<void> {
    const client = this.#client;
    if (client === undefined || this.runs.length === 0) return;
    if (!(await client.setRuns(this.runs)) || client !== this.#client) return;
    await this.#layOut();
    this.isLoaded = true;
  }

  /** Places of the segments, for pointers and keys: the thread that draws has worked them out. */
  async #layOut(): Promise<void> {
    const { rows } = this;
    const data = this.#data;
    const layouts = await this.#client?.layouts(rows);
    if (layouts === undefined || data !== this.#data) return;
    data.layouts.set(rows, layouts);
    const rowBytes = layouts[0]?.rowBytes ?? 1;
    if (this.mapWindow.span > rowBytes || this.mapWindow.span <= 1) this.mapWindow = wholeRow(rowBytes);
    this.requestUpdate('mapWindow');
  }

  #giveCanvases(): void {
    for (const canvas of this.renderRoot.querySelectorAll('canvas')) {
      if (this.#given.has(canvas) || this.#client === undefined) continue;
      this.#given.add(canvas);
      const name = canvas.dataset['name'];
      if (isCanvasName(name)) void this.#client.setCanvas(name, canvas);
    }
  }

  #restyle(): void {
    if (this.probe === null || this.#client === undefined) return;
    const { theme = '', present = '' } = document.documentElement.dataset;
    const axis = this.#axisWord();
    const style = [theme, present, this.#forced.matches, this.#dark.matches, axis, msg('language', LANGUAGE)].join(' ');
    if (style === this.#style) return;
    this.#style = style;
    const { fontFamily } = getComputedStyle(this);
    void this.#client.setStyle({ palette: readPalette(this.probe), words: pictureWords(axis), font: fontFamily });
    this.#isStale = true;
    if (!this.isUpdatePending) this.#paint(new Map());
  }

  #axisWord(): string {
    const { steps, runs } = this.#data;
    if (steps !== undefined) return steps.word;
    return runs[0]?.unit === 'event'
      ? msg('event', { desc: 'axis of the tracks' })
      : msg('operation', { desc: 'axis of the tracks' });
  }

  // --- pictures -----------------------------------------------------------------------------------------------------

  #paint(changed: PropertyValues): void {
    if (!this.isLoaded || this.#client === undefined) return;
    // The frame of a picture is no property: a controller asks for the update.
    const all = this.#isStale || changed.size === 0 || ['isLoaded', 'position'].some((cause) => changed.has(cause));
    this.#isStale = false;
    const maps = MAP_CAUSES.some((cause) => changed.has(cause));
    const tracks = TRACK_CAUSES.some((cause) => changed.has(cause));
    this.#client.paint({
      position: this.position,
      maps: all || maps ? this.#mapRequest() : undefined,
      tracks: (all || tracks) && !this.presenting ? this.#tracksRequest() : undefined,
    });
  }

  #mapRequest() {
    const strip = this.#stripFrame();
    return {
      frame: framed(this.#mapFrame),
      strip,
      window: this.mapWindow,
      rows: this.rows,
      marks: this.runs.map((_, run) => this.#marksOf(run)),
    };
  }

  #tracksRequest() {
    return {
      frame: framed(this.#trackFrame),
      window: this.trackWindow,
      mode: this.timeline,
      selection: this.range,
      letters: this.runs.length > 1 ? ['A', 'B'] : [],
    };
  }

  #marksOf(run: number): Omit<MapMarks, 'request'> {
    const operation = this.#data.operationAt(run, this.position);
    const { blocks } = this.runs[run] ?? {};
    const isLive = (block: number): boolean =>
      blocks !== undefined && (blocks.bornAt[block] ?? 0) <= operation && (blocks.diedAt[block] ?? 0) > operation;
    return {
      numbered: this.numbered.filter((each) => each.run === run && isLive(each.block)).map(({ block }) => block),
      pinned: this.pinned && this.#bytesIn(run, this.pinned.run, this.pinned.block),
      hovered: this.looked && this.#lookedIn(run, this.looked),
      found: [...(this.found[run] ?? [])].filter(isLive),
    };
  }

  /** A block in its own run, or the same tensor in the other one; undefined where it does not live now. */
  #bytesIn(run: number, own: number, block: number): MarkedBytes | undefined {
    const operation = this.#data.operationAt(run, this.position);
    const id = this.runs[own]?.blocks.id[block] ?? -1;
    const of = this.runs[run];
    if (of === undefined) return undefined;
    const { blocks } = of;
    const row = run === own ? block : livingBlocks(of, operation, id);
    if (row < 0 || (blocks.bornAt[row] ?? 0) > operation || (blocks.diedAt[row] ?? 0) <= operation) return undefined;
    return { range: blocks.range[row] ?? 0, address: blocks.address[row] ?? 0, size: blocks.size[row] ?? 0 };
  }

  #lookedIn(run: number, { run: own, hit }: Looked): MarkedBytes | undefined {
    if (hit.block !== -1) return this.#bytesIn(run, own, hit.block);
    const area = run === own ? this.#data.momentAt(run, this.position)?.areas[hit.area] : undefined;
    return area && { range: area.range, address: hit.address, size: hit.size };
  }

  #stripFrame(): PictureFrame | undefined {
    if (!this.#scrolls) return undefined;
    const { height, scale } = framed(this.#mapFrame);
    return { width: Math.round(40 * scale), height, scale };
  }

  get #geometries(): readonly MapGeometry[] {
    const layouts = this.#data.layouts.get(this.rows) ?? [];
    const rows = Math.max(1, ...layouts.map((layout) => layout.rows));
    return layouts.map((layout) => new MapGeometry(layout, framed(this.#mapFrame), this.mapWindow, rows));
  }

  get #scrolls(): boolean {
    return this.#geometries.some(({ scrolls }) => scrolls);
  }

  get #rowBytes(): number {
    return this.#data.layouts.get(this.rows)?.[0]?.rowBytes ?? 1;
  }

  // --- pointers and keys --------------------------------------------------------------------------------------------

  #pointedMap(run: number) {
    return {
      hover: (place: MapPlace | undefined): void => {
        const hit = place && this.#hit(run, place);
        if (hit?.address === this.looked?.hit.address && hit?.block === this.looked?.hit.block) return;
        this.looked = hit && { run, hit };
      },
      click: (place: MapPlace): void => {
        const hit = this.#hit(run, place);
        this.looked = hit && { run, hit };
        this.#pin(hit === undefined || hit.block === -1 ? undefined : { run, block: hit.block });
      },
      zoom: (factor: number, share: number): void => {
        this.mapWindow = zoomMap(this.mapWindow, this.#rowBytes, factor, share);
      },
      pan: (across: number, down: number): void => this.#panMap(across, down),
      scrollsRows: (): boolean => this.#scrolls,
    };
  }

  #panMap(across: number, down: number): void {
    const [geometry] = this.#geometries;
    if (geometry === undefined) return;
    const rows = Math.max(...this.#geometries.map(({ layout }) => layout.rows));
    const most = geometry.scrolls ? rows - geometry.visibleRows : 0;
    const pixels = down * devicePixelRatio;
    this.mapWindow = panMap(this.mapWindow, this.#rowBytes, across, pixels / geometry.pitch, most);
  }

  #pointedTracks() {
    const view = (): MemoryView => this;
    const at = (share: number): number => {
      const { from, to } = this.trackWindow;
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
      pan: (across: number): void => {
        this.trackWindow = panTracks(this.trackWindow, this.#data.axis.length, across);
      },
      get plot() {
        const { width, scale } = view().#trackFrame.value;
        const { left, right } = TRACK_MARGIN;
        return { left: left * scale, width: width - (left + right) * scale };
      },
    };
  }

  #zoomTracks(factor: number, share: number): void {
    this.trackWindow = zoomTracks(this.trackWindow, this.#data.axis.length, factor, share);
  }

  #hit(run: number, { x, y }: MapPlace): MapHit | undefined {
    const [of, moment, geometry] = [this.runs[run], this.#data.momentAt(run, this.position), this.#geometries[run]];
    if (of === undefined || moment === undefined || geometry === undefined) return undefined;
    return hitAt(of, moment, geometry, x * devicePixelRatio, y * devicePixelRatio);
  }

  #pin(pinned: BlockRef | undefined): void {
    this.dispatchEvent(new BlockPinnedEvent(pinned));
  }

  #selectRange(range: PositionRange | undefined): void {
    this.dispatchEvent(new RangeSelectedEvent(range));
  }

  readonly #onMapKey = (event: KeyboardEvent, run: number): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = { KeyW: ZOOM_STEP, KeyS: 1 / ZOOM_STEP }[event.code];
    const pan = { KeyA: -PAN_STEP, KeyD: PAN_STEP }[event.code];
    const step = WALK_KEYS[event.key];
    if (zoom !== undefined) this.mapWindow = zoomMap(this.mapWindow, this.#rowBytes, zoom, this.#lookedShare(run));
    else if (pan !== undefined) this.#panMap(pan, 0);
    else if (step !== undefined) this.#walk(run, step);
    else if (event.key === 'Enter') {
      if (this.looked?.run === run && this.looked.hit.block !== -1) this.#pin({ run, block: this.looked.hit.block });
    } else if (event.key === 'Escape') {
      this.looked = undefined;
      this.#pin(undefined);
    } else if (event.key.toLowerCase() === 'f') this.#fit(run);
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
    this.#showLooked(run, hit);
  }

  /** Moves the window so far that what is looked at is on the picture. */
  #showLooked(run: number, hit: MapHit): void {
    const geometry = this.#geometries[run];
    const [span] = this.#spansOf(run, hit);
    if (geometry === undefined || span === undefined) return;
    const { from, span: width } = this.mapWindow;
    if (span.offset < from || span.offset > from + width) {
      this.#panMap((span.offset + Math.min(span.size, width) / 2 - from) / width - 0.5, 0);
    }
    const { firstRow, visibleRows, pitch } = geometry;
    const down = span.row < firstRow ? span.row - firstRow : Math.max(0, span.row - firstRow - visibleRows + 1);
    if (geometry.scrolls && down !== 0) this.#panMap(0, (down * pitch) / devicePixelRatio);
  }

  #spansOf(run: number, hit: MapHit) {
    const [of, geometry] = [this.runs[run], this.#geometries[run]];
    const area = this.#data.momentAt(run, this.position)?.areas[hit.area];
    if (of === undefined || geometry === undefined || area === undefined) return [];
    return geometry.spansOf(of, area.range, hit.address, hit.size);
  }

  /** Where what is looked at is across the map; the middle where nothing is. */
  #lookedShare(run: number): number {
    const [span] = this.looked?.run === run ? this.#spansOf(run, this.looked.hit) : [];
    if (span === undefined) return 0.5;
    const { from, span: width } = this.mapWindow;
    return Math.min(1, Math.max(0, (span.offset + span.size / 2 - from) / width));
  }

  /** What is looked at fills the map; the whole row where nothing is. */
  #fit(run: number): void {
    const [span] = this.looked?.run === run ? this.#spansOf(run, this.looked.hit) : [];
    this.mapWindow =
      span === undefined
        ? { ...wholeRow(this.#rowBytes), top: this.mapWindow.top }
        : fitMap(this.#rowBytes, span.offset, span.size, this.mapWindow.top);
  }

  readonly #onTrackKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = { KeyW: ZOOM_STEP, KeyS: 1 / ZOOM_STEP }[event.code];
    const pan = { KeyA: -PAN_STEP, KeyD: PAN_STEP }[event.code];
    const select = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const { from, to } = this.trackWindow;
    if (zoom !== undefined) this.#zoomTracks(zoom, (this.position - from) / (to - from));
    else if (pan !== undefined) this.trackWindow = panTracks(this.trackWindow, this.#data.axis.length, pan);
    else if (event.key.toLowerCase() === 'f') this.#zoomToRange();
    else if (event.key === 'Escape') this.#selectRange(undefined);
    else if (event.shiftKey && select !== undefined) this.#extendRange(select);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Selects from where the playhead was to where it goes, a hundredth of the window on. */
  #extendRange(direction: number): void {
    const { from, to } = this.trackWindow;
    const at = Math.max(0, this.position);
    const step = direction * Math.max(1, Math.round((to - from) / 100));
    const next = Math.min(Math.max(0, at + step), this.#data.last);
    const { range } = this;
    const anchor = range === undefined ? at : range.from === at ? range.to : range.from;
    this.#selectRange({ from: Math.min(anchor, next), to: Math.max(anchor, next) });
    this.moveTo(next, false);
  }

  /** The selected range fills the tracks; the whole axis where nothing is selected. */
  #zoomToRange(): void {
    const { range } = this;
    this.trackWindow =
      range === undefined || range.to <= range.from
        ? wholeAxis(this.#data.axis.length)
        : panTracks({ from: range.from, to: range.to }, this.#data.axis.length, 0);
  }

  readonly #onStrip = (event: PointerEvent): void => {
    const [geometry] = this.#geometries;
    if (geometry === undefined || (event.type === 'pointermove' && event.buttons === 0)) return;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const rows = Math.max(...this.#geometries.map(({ layout }) => layout.rows));
    const { height, scale } = framed(this.#mapFrame);
    const row = ((event.clientY - box.top) * devicePixelRatio) / minimapPitch(height, rows, scale);
    this.#panMap(0, ((row - geometry.visibleRows / 2 - geometry.firstRow) * geometry.pitch) / devicePixelRatio);
  };

  // --- what is on the page ------------------------------------------------------------------------------------------

  override render() {
    if (this.runs.length === 0) return nothing;
    const hasRequest = this.runs.some((_, run) => this.#data.isFailure(run, this.position));
    return html`
      <i class="probe" hidden></i>
      <div class="sides">${this.runs.map((run, index) => this.#renderSide(run, index))}</div>
      ${legendLine(this.#data.categories, hasRequest)} ${this.presenting ? nothing : this.#renderDetail()}
      ${this.bare ? nothing : this.#renderTransport()} ${this.presenting ? this.#renderSlider() : this.#renderTracks()}
      ${this.panel === 'events' && !this.presenting ? this.#renderEvents() : nothing}
    `;
  }

  #renderSide(run: MemoryRun, index: number) {
    const operation = this.#data.operationAt(index, this.position);
    return html`
      <section class="side" aria-label=${this.#sideName(run, index)}>
        <slot name=${`head-${index}`}></slot>
        ${sideFigures(run, operation)}
        ${this.panel === 'table' ? this.#renderTable(run, index) : this.#renderMap(run, index, operation)}
      </section>
    `;
  }

  #sideName(run: MemoryRun, index: number): string {
    const letter = this.#letter(index);
    const { name } = run;
    return letter === '' ? name : msg(str`${letter}, ${name}`, { desc: 'name of one of two runs' });
  }

  #letter(index: number): string {
    return this.runs.length > 1 ? (['A', 'B'][index] ?? '') : '';
  }

  #renderMap(run: MemoryRun, index: number, operation: number) {
    const pointer = this.#mapPointers[index];
    const where = whereWords(this.#data.axis, this.position);
    return html`
      <div class="map-row">
        <div
          class="map"
          tabindex="0"
          role="application"
          aria-roledescription=${msg('memory map', { desc: 'kind of element, for screen readers' })}
          aria-label=${mapName(run, this.#letter(index), where, operation)}
          @pointerdown=${pointer?.onDown}
          @pointermove=${pointer?.onMove}
          @pointerup=${pointer?.onUp}
          @pointercancel=${pointer?.onUp}
          @pointerleave=${pointer?.onLeave}
          @wheel=${pointer?.onWheel}
          @keydown=${(event: KeyboardEvent) => this.#onMapKey(event, index)}
        >
          ${keyed(this.generation, html`<canvas data-name=${`map-${index}`} aria-hidden="true"></canvas>`)}
          ${this.isLoaded ? nothing : html`<p class="loading">${msg('Drawing', { desc: 'map before it is drawn' })}</p>`}
        </div>
        ${
          this.#scrolls
            ? html`<div class="strip" @pointerdown=${this.#onStrip} @pointermove=${this.#onStrip}>
                ${keyed(this.generation, html`<canvas data-name=${`strip-${index}`} aria-hidden="true"></canvas>`)}
              </div>`
            : nothing
        }
      </div>
    `;
  }

  #renderTable(run: MemoryRun, index: number) {
    const moment = this.#data.momentAt(index, this.position);
    if (moment === undefined) return nothing;
    return memoryTable(run, moment, this.#letter(index), this.tablePage, (page) => (this.tablePage = page));
  }

  #renderDetail() {
    return html`
      <div class="detail">
        <p role="status">${this.#renderLooked()}</p>
        <div class="tools">
          ${this.#renderFound()}
          <input
            type="search"
            aria-label=${msg('Find blocks', { desc: 'memory view: field' })}
            placeholder=${msg('name, frame, 6MiB, #12', { desc: 'memory view: what can be searched for' })}
            .value=${this.queryText}
            @input=${(event: Event) => this.#search((event.target as HTMLInputElement).value)}
          />
          <span class="segmented" role="group" aria-label=${msg('Rows of the map', { desc: 'memory view: group' })}>
            ${this.#rowsButton('packed', msg('Packed', { desc: 'button: segments side by side' }))}
            ${this.#rowsButton('single', msg('By segment', { desc: 'button: one segment a row' }))}
          </span>
          ${this.#panelButton('events', msg('Events', { desc: 'button: shows the list of events' }))}
          ${this.#panelButton('table', msg('Table', { desc: 'button: shows segments and blocks as a table' }))}
        </div>
      </div>
    `;
  }

  #rowsButton(rows: MapRows, words: string) {
    return html`
      <button
        aria-pressed=${this.rows === rows ? 'true' : 'false'}
        @click=${() => this.dispatchEvent(new MapRowsChosenEvent(rows))}
      >
        ${words}
      </button>
    `;
  }

  #panelButton(panel: 'table' | 'events', words: string) {
    return html`
      <button
        class="text"
        aria-pressed=${this.panel === panel ? 'true' : 'false'}
        @click=${() => (this.panel = this.panel === panel ? 'none' : panel)}
      >
        ${words}
      </button>
    `;
  }

  #renderLooked() {
    const looked = this.looked ?? this.#pinnedHit();
    const [run, moment] = [this.runs[looked?.run ?? -1], this.#data.momentAt(looked?.run ?? -1, this.position)];
    if (looked === undefined || run === undefined || moment === undefined) {
      return msg('Point at a block for its details, click to keep them. Arrow keys walk the blocks.', {
        desc: 'detail line of the memory map while nothing is looked at',
      });
    }
    const { head, rest } = detailWords(run, moment, looked.hit);
    return html`<b>${head}</b> ${rest}`;
  }

  /** The pinned block where it lives now. */
  #pinnedHit(): Looked | undefined {
    const { pinned } = this;
    if (pinned === undefined) return undefined;
    const bytes = this.#bytesIn(pinned.run, pinned.run, pinned.block);
    const moment = this.#data.momentAt(pinned.run, this.position);
    const area = moment?.areas.findIndex(
      ({ address, size }) => bytes !== undefined && bytes.address >= address && bytes.address < address + size,
    );
    if (bytes === undefined || area === undefined || area < 0) return undefined;
    return { run: pinned.run, hit: { area, block: pinned.block, address: bytes.address, size: bytes.size } };
  }

  #renderFound() {
    if (this.queryText.trim() === '') return nothing;
    const count = this.found.reduce((sum, { length }) => sum + length, 0);
    const number = formatNumber(count);
    const words =
      count === 1
        ? msg('1 block', { desc: 'memory view: how many blocks a search found' })
        : msg(str`${number} blocks`, { desc: 'memory view: how many blocks a search found' });
    return html`
      <span role="status">${words}</span>
      <button class="text" ?disabled=${count === 0} @click=${() => this.#goToFound()}>
        ${msg('Next', { desc: 'button: goes to the next block that the search found' })}
      </button>
    `;
  }

  #search(text: string): void {
    this.queryText = text;
    this.found = this.runs.map((run) => searchBlocks(run, text).blocks);
  }

  /** Goes to the next block that was found: to its birth, where it does not live at the playhead. */
  #goToFound(): void {
    const all = this.found.flatMap((blocks, run) => [...blocks].map((block) => ({ run, block })));
    const { pinned } = this;
    const at = all.findIndex(({ run, block }) => run === pinned?.run && block === pinned.block);
    const next = all[(at + 1) % all.length];
    if (next === undefined) return;
    this.#player.pause();
    const born = this.runs[next.run]?.blocks.bornAt[next.block] ?? -1;
    if (this.#bytesIn(next.run, next.run, next.block) === undefined) {
      this.moveTo(this.#data.axis.positionOf(next.run, born), false);
    }
    this.#pin(next);
  }

  #renderTransport() {
    const { axis, steps, runs, last } = this.#data;
    const [first] = runs;
    if (first === undefined) return nothing;
    const { failures } = this.#data;
    return transportBar({
      isPlaying: this.#player.isPlaying,
      position: this.position,
      last,
      where: whereWords(axis, this.position),
      progress: progressWords(first, this.#letter(0), this.#data.operationAt(0, this.position)),
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
    return html`<div class="slider">${this.#renderRange(-1, this.#data.last)}</div>`;
  }

  #renderTracks() {
    const { from, to } = this.trackWindow;
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
        ${keyed(this.generation, html`<canvas data-name="tracks" aria-hidden="true"></canvas>`)}
        ${this.#renderRange(Math.max(-1, Math.floor(from)), Math.min(this.#data.last, Math.ceil(to)))}
      </div>
    `;
  }

  #renderRange(from: number, to: number) {
    const where = whereWords(this.#data.axis, this.position);
    return html`
      <input
        type="range"
        min=${from}
        max=${to}
        step="1"
        aria-label=${msg('Playhead', { desc: 'slider over the tracks of the memory view' })}
        aria-valuetext=${`${where}, ${formatNumber(this.position)}`}
        .value=${String(this.position)}
        @input=${(event: Event) => {
          this.#player.pause();
          this.moveTo((event.target as HTMLInputElement).valueAsNumber, false);
        }}
      />
    `;
  }

  #renderEvents() {
    return html`
      <div class="events">
        ${this.runs.map(
          (run, index) => html`
            <app-event-list
              .run=${run}
              .operation=${this.#data.operationAt(index, this.position)}
              @app-operation-chosen=${({ operation }: OperationChosenEvent) =>
                this.moveTo(this.#data.axis.positionOf(index, operation), false)}
            ></app-event-list>
          `,
        )}
      </div>
    `;
  }
}

/** What of a change shows on the maps, and what on the tracks. */
const MAP_CAUSES = ['rows', 'pinned', 'numbered', 'looked', 'found', 'mapWindow', 'presenting', 'panel'];
const TRACK_CAUSES = ['range', 'timeline', 'trackWindow', 'presenting'];

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

const LANGUAGE = { desc: 'memory view: never shown; tells that the language of the page has changed' };

const CANVAS_NAMES = ['map-0', 'map-1', 'strip-0', 'strip-1', 'tracks'] as const;
const isCanvasName = (name: string | undefined): name is (typeof CANVAS_NAMES)[number] =>
  CANVAS_NAMES.some((each) => each === name);

/** The room of a picture in device pixels. */
function framed(controller: FrameController): PictureFrame {
  const { width, height, scale } = controller.value;
  if (width === 0) return NO_FRAME;
  return {
    width: Math.round(width * devicePixelRatio),
    height: Math.round(height * devicePixelRatio),
    scale: scale * devicePixelRatio,
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'app-memory-view': MemoryView;
  }
}
