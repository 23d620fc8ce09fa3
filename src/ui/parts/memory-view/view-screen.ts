/**
 * What of a view is on its pictures: which part of the rows and of the axis, how large, and when which picture is painted.
 * Windows move with every frame, so pictures and playhead follow them without a rendering of the element around.
 */
import { type LitElement, type PropertyValues } from 'lit';
import {
  type EndsRequest,
  type MapRequest,
  type PaintTimes,
  type TracksRequest,
} from '../../../engine/view/view-protocol.js';
import { type MapWindow } from '../../../model/memory-map/map-geometry.js';
import { trackX } from '../../../model/memory-map/paint/track-scale.js';
import { type TrackWindow } from '../../../model/memory-map/track-columns.js';
import { showPosition, wholeAxis, wholeRow } from '../../../model/memory-map/windows.js';
import { devicePixels, FrameController } from '../../controllers/frame-controller.js';
import { subjectMap } from './map-moves.js';
import { type ViewData } from './view-data.js';
import { type MapRows, type PositionRange } from './view-events.js';
import { ViewPictures } from './view-pictures.js';
import { marksIn, stripFrameIn, type ViewState } from './view-state.js';
import { axisWord, runLetter } from './view-words.js';

/** The view, as far as its pictures go. */
export interface ScreenedView extends LitElement {
  readonly data: ViewData;
  readonly position: number;
  readonly rows: MapRows;
  readonly range: PositionRange | undefined;
  readonly timeline: 'tracks' | 'origin';
  readonly layer: string;
  readonly hasMaps: boolean;
  readonly hasTracks: boolean;
  readonly shownState: ViewState;
  readonly onPainted: (times: PaintTimes) => void;
}

/** What of a change shows on the maps, and what on the tracks. */
const MAP_CAUSES = ['position', 'rows', 'pinned', 'numbered', 'looked', 'found', 'presenting', 'panel', 'shows'];
const TRACK_CAUSES = ['range', 'timeline', 'layer', 'presenting', 'shows'];

export class ViewScreen {
  readonly pictures: ViewPictures;
  readonly #mapFrame: FrameController;
  readonly #trackFrame: FrameController;
  #mapWindow = wholeRow(1);
  #trackWindow = wholeAxis(1);
  /** The part of the axis on the tracks that are painted; undefined before they are. */
  #paintedWindow: TrackWindow | undefined;
  #isLoaded = false;
  /** The playhead took the tracks along. */
  #hasMoved = false;

  constructor(private readonly view: ScreenedView) {
    const box = (part: string) => () => view.renderRoot.querySelector(part) ?? undefined;
    this.#mapFrame = new FrameController(view, box('.map'));
    this.#trackFrame = new FrameController(view, box('.tracks'));
    this.pictures = new ViewPictures(view, ({ tracks }, times) => {
      if (tracks !== undefined) this.#paintedWindow = tracks.window;
      this.#placePlayhead();
      view.onPainted(times);
    });
  }

  /** Whether the thread that draws has the runs. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get mapWindow(): MapWindow {
    return this.#mapWindow;
  }

  get trackWindow(): TrackWindow {
    return this.#trackWindow;
  }

  /** The maps in device pixels. */
  get mapFrame() {
    return devicePixels(this.#mapFrame.value);
  }

  /** The tracks in CSS pixels. */
  get trackSize() {
    return this.#trackFrame.value;
  }

  /** Other runs: everything of them is shown. */
  reset(): void {
    this.#trackWindow = wholeAxis(this.view.data.axis.length);
    this.#mapWindow = wholeRow(1);
    this.#paintedWindow = undefined;
    this.#isLoaded = false;
  }

  /** Canvases and thread are gone. */
  leave(): void {
    this.#paintedWindow = undefined;
    this.#isLoaded = false;
  }

  /** The playhead went elsewhere: the tracks show it. */
  follow(): void {
    const { data, position } = this.view;
    const window = showPosition(this.#trackWindow, data.axis.length, position);
    this.#hasMoved ||= window !== this.#trackWindow;
    this.#trackWindow = window;
  }

  /** Gives the runs to the thread that draws. */
  async load(): Promise<void> {
    const { data, rows } = this.view;
    if (data.runs.length === 0) return;
    const layouts = await this.pictures.load(data.runs, rows);
    if (layouts === undefined || data !== this.view.data) return;
    data.layouts.set(rows, layouts);
    this.#mapWindow = wholeRow(layouts[0]?.rowBytes ?? 1);
    this.#mapWindow = subjectMap(this.view.shownState);
    this.#isLoaded = true;
    this.view.requestUpdate();
  }

  /** Asks for the places of the segments, for pointers and keys: the thread that draws has worked them out. */
  async layOut(): Promise<void> {
    const { data, rows } = this.view;
    const layouts = await this.pictures.layouts(rows);
    if (layouts === undefined || data !== this.view.data) return;
    data.layouts.set(rows, layouts);
    this.#mapWindow = { ...this.#mapWindow, top: 0 };
    this.#mapWindow = subjectMap(this.view.shownState);
    this.view.requestUpdate();
  }

  /** After an update of the view: paints what the change shows on. */
  paint(changed: PropertyValues): void {
    const { view, pictures } = this;
    const probe = view.renderRoot.querySelector<HTMLElement>('.probe');
    if (probe !== null) pictures.refresh(probe, axisWord(view.data));
    if (!this.#isLoaded) return;
    // A block that the page or the search points at; one that is pressed on the map is in view.
    if (changed.has('pinned') && view.shownState.pinned !== undefined) this.#mapWindow = subjectMap(view.shownState);
    const has = (causes: readonly string[]): boolean => causes.some((cause) => changed.has(cause));
    // The frame of a picture is no property: a controller asks for the update.
    const all = pictures.takeStale() || changed.size === 0;
    const tracks = (all || this.#hasMoved || has(TRACK_CAUSES)) && view.hasTracks;
    this.#hasMoved = false;
    pictures.paint({
      position: view.position,
      maps: (all || has(MAP_CAUSES)) && view.hasMaps ? this.#mapRequest() : undefined,
      tracks: tracks ? this.#tracksRequest() : undefined,
      ends: (tracks || changed.has('position')) && view.hasTracks ? this.#endsRequest() : undefined,
    });
    this.#placePlayhead();
  }

  /** The maps show another part of their rows. */
  readonly lookThrough = (window: MapWindow): void => {
    this.#mapWindow = window;
    if (!this.#isLoaded) return;
    const { position } = this.view;
    this.pictures.paint({ position, maps: this.#mapRequest(), tracks: undefined, ends: undefined });
  };

  /** The tracks show another part of the axis. */
  readonly trackThrough = (window: TrackWindow): void => {
    this.#trackWindow = window;
    if (!this.#isLoaded || !this.view.hasTracks) return;
    const { position } = this.view;
    this.pictures.paint({ position, maps: undefined, tracks: this.#tracksRequest(), ends: undefined });
  };

  #mapRequest(): MapRequest {
    const shown = this.view.shownState;
    return {
      frame: shown.mapFrame,
      strip: stripFrameIn(shown),
      window: this.#mapWindow,
      rows: shown.rows,
      marks: shown.data.runs.map((_, run) => marksIn(shown, run)),
    };
  }

  #endsRequest(): EndsRequest {
    const { timeline, layer } = this.view;
    return { frame: devicePixels(this.#trackFrame.value), mode: timeline, layer };
  }

  #tracksRequest(): TracksRequest {
    const { data, range } = this.view;
    const { runs } = data;
    const letters = runs.length > 1 ? runs.map((_, index) => runLetter(runs, index)) : [];
    return { ...this.#endsRequest(), window: this.#trackWindow, selection: range, letters };
  }

  /** Puts the playhead where its position is on the tracks as they are painted; away where it is beside them. */
  #placePlayhead(): void {
    const head = this.view.renderRoot.querySelector<HTMLElement>('.playhead');
    const window = this.#paintedWindow;
    if (head === null) return;
    const { position } = this.view;
    head.hidden = window === undefined || position < window.from || position > window.to;
    if (window === undefined) return;
    const x = trackX(this.#trackFrame.value, window, position);
    head.style.transform = `translateX(calc(${x.toFixed(2)}px - 50%))`;
  }
}
