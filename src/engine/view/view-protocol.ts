/** What the page asks of the thread that draws memory views. One thread draws all pictures of one view. */
import { type MapWindow } from '../../model/memory-map/map-geometry.js';
import { type MapMarks } from '../../model/memory-map/paint/map-marks.js';
import { type Palette, type PictureFrame, type PictureWords } from '../../model/memory-map/paint/picture.js';
import { type LayoutMode, type MapLayout } from '../../model/memory-map/row-layout.js';
import { type TrackWindow } from '../../model/memory-map/track-columns.js';

/** Pictures of a view: a map and a strip of all its rows for each run, the tracks of all, and the values at their end. */
export type CanvasName = 'map-0' | 'map-1' | 'strip-0' | 'strip-1' | 'tracks' | 'ends';

export interface ViewStyle {
  readonly palette: Palette;
  readonly words: PictureWords;
  /** Font families as CSS writes them. */
  readonly font: string;
}

/** A run without its columns and its lists of words, which come piece by piece so that no message is long. */
export interface RunPart {
  readonly run: number;
  /** Path of the value: `tracks.allocated`, `names`. */
  readonly path: readonly [string, string?];
  readonly value: unknown;
}

export interface MapRequest {
  readonly frame: PictureFrame;
  readonly strip: PictureFrame | undefined;
  readonly window: MapWindow;
  readonly rows: LayoutMode;
  /** By run. The request of a failure is found where the picture is painted. */
  readonly marks: readonly Omit<MapMarks, 'request'>[];
}

/** The values at the playhead: all of the tracks that a move of the playhead changes. */
export interface EndsRequest {
  /** The frame of the tracks. */
  readonly frame: PictureFrame;
  readonly mode: 'tracks' | 'origin';
  /** Name of blocks that have a layer of their own in `origin`; '' for none. */
  readonly layer: string;
}

export interface TracksRequest extends EndsRequest {
  readonly window: TrackWindow;
  readonly selection: TrackWindow | undefined;
  readonly letters: readonly string[];
}

export interface PaintRequest {
  readonly position: number;
  /** What is to be painted anew; the rest stays. */
  readonly maps: MapRequest | undefined;
  readonly tracks: TracksRequest | undefined;
  readonly ends: EndsRequest | undefined;
}

/** How long the drawing took, in milliseconds. */
export interface PaintTimes {
  readonly maps: number;
  /** The values at their end included. */
  readonly tracks: number;
}

export interface ViewApi {
  setCanvas(name: CanvasName, canvas: OffscreenCanvas): void;
  setStyle(style: ViewStyle): void;
  /** Takes a piece of a run; the pieces of another pair of runs begin with `clearRuns`. */
  clearRuns(): void;
  addPart(part: RunPart): void;
  /** All pieces are there. */
  finishRuns(): void;
  layouts(mode: LayoutMode): readonly MapLayout[];
  paint(request: PaintRequest): PaintTimes;
  /** What is on the canvases now as one PNG. */
  picture(): Promise<Blob>;
}
