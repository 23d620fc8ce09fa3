/** Draws the pictures of one view on its canvases: what a worker exposes, and what a benchmark calls on the page. */
import { defined } from '../../base/errors.js';
import { MapGeometry } from '../../model/memory-map/map-geometry.js';
import { type MemoryRun } from '../../model/memory-map/memory-run.js';
import { largestHoleOf, lowerBound, type Moment, MomentReader } from '../../model/memory-map/moment.js';
import { type FailedRequest } from '../../model/memory-map/paint/map-marks.js';
import { paintMap } from '../../model/memory-map/paint/map-painter.js';
import { paintMinimap } from '../../model/memory-map/paint/minimap-painter.js';
import { type PixelPalette, pixelPalette } from '../../model/memory-map/paint/paint-palette.js';
import { endsFrame, paintTrackEnds } from '../../model/memory-map/paint/track-ends.js';
import { paintTracks } from '../../model/memory-map/paint/track-painter.js';
import { trackX } from '../../model/memory-map/paint/track-scale.js';
import { ProgramAxis } from '../../model/memory-map/program-axis.js';
import { type LayoutMode, layOutRows, type MapLayout, rowBytesOf } from '../../model/memory-map/row-layout.js';
import { type SiteLayer, siteLayer } from '../../model/memory-map/site-layer.js';
import { TrackLevels } from '../../model/memory-map/track-columns.js';
import { joinPictures } from './join-pictures.js';
import { PictureCanvas } from './picture-canvas.js';
import { RunParts } from './run-parts.js';
import {
  type CanvasName,
  type EndsRequest,
  type MapRequest,
  type PaintRequest,
  type PaintTimes,
  type RunPart,
  type TracksRequest,
  type ViewApi,
  type ViewStyle,
} from './view-protocol.js';

export class ViewPainter implements ViewApi {
  readonly #canvases = new Map<CanvasName, PictureCanvas>();
  readonly #parts = new RunParts();
  #runs: readonly MemoryRun[] = [];
  #readers: readonly MomentReader[] = [];
  #levels: readonly TrackLevels[] = [];
  #axis = new ProgramAxis([]);
  readonly #layouts = new Map<LayoutMode, readonly MapLayout[]>();
  #style: ViewStyle | undefined;
  #palette: PixelPalette | undefined;
  /** Layers of places in the code, by name. */
  readonly #layers = new Map<string, readonly (SiteLayer | undefined)[]>();
  /** Where the playhead is on the tracks that are painted, in pixels. */
  #playhead: number | undefined;
  #tracks: TracksRequest | undefined;

  setCanvas(name: CanvasName, canvas: OffscreenCanvas): void {
    this.#canvases.set(name, new PictureCanvas(canvas));
  }

  setStyle(style: ViewStyle): void {
    this.#style = style;
    this.#palette = pixelPalette(style.palette);
  }

  clearRuns(): void {
    this.#parts.clear();
    this.setRuns([]);
  }

  addPart(part: RunPart): void {
    this.#parts.add(part);
  }

  finishRuns(): void {
    this.setRuns(this.#parts.runs());
  }

  /** Runs that are in this thread already. */
  setRuns(runs: readonly MemoryRun[]): void {
    this.#runs = runs;
    this.#readers = runs.map((run) => new MomentReader(run));
    this.#levels = runs.map((run) => new TrackLevels(run));
    this.#axis = new ProgramAxis(runs);
    this.#layouts.clear();
    this.#layers.clear();
    this.#tracks = undefined;
  }

  layouts(mode: LayoutMode): readonly MapLayout[] {
    const known = this.#layouts.get(mode);
    if (known !== undefined) return known;
    const rowBytes = rowBytesOf(this.#runs);
    const made = this.#runs.map((run) => layOutRows(run, mode, rowBytes));
    this.#layouts.set(mode, made);
    return made;
  }

  paint({ position, maps, tracks, ends }: PaintRequest): PaintTimes {
    const begin = performance.now();
    if (maps !== undefined) this.#paintMaps(position, maps);
    const middle = performance.now();
    if (tracks !== undefined) this.#paintTracks(tracks);
    if (ends !== undefined) this.#paintEnds(position, ends);
    const on = this.#tracks;
    this.#playhead = on && trackX(on.frame, on.window, position);
    return { maps: middle - begin, tracks: performance.now() - middle };
  }

  picture(): Promise<Blob> {
    const { surface: ground, text: ink } = defined(this.#style, 'the style of the view').palette;
    return joinPictures(
      [this.#canvases.get('map-0'), this.#canvases.get('map-1')],
      { tracks: this.#canvases.get('tracks'), ends: this.#canvases.get('ends'), playhead: this.#playhead },
      { ground, ink },
    );
  }

  #paintMaps(position: number, { frame, strip, window, rows, marks }: MapRequest): void {
    const layouts = this.layouts(rows);
    const most = Math.max(1, ...layouts.map((layout) => layout.rows));
    const { words, font } = defined(this.#style, 'the style of the view');
    const palette = defined(this.#palette, 'the style of the view');
    this.#runs.forEach((run, index) => {
      const operation = this.#axis.operationAt(index, position);
      const moment = defined(this.#readers[index], 'reader').at(operation);
      const geometry = new MapGeometry(defined(layouts[index], 'layout'), frame, window, most);
      const request = failedRequest(run, moment);
      const picture = { run, moment, geometry, palette, words, marks: { ...defined(marks[index], 'marks'), request } };
      const name = index === 0 ? 'map-0' : 'map-1';
      this.#canvases.get(name)?.draw(frame, font, (pixels, measure) => paintMap(picture, pixels, measure));
      if (strip === undefined) return;
      this.#canvases.get(index === 0 ? 'strip-0' : 'strip-1')?.draw(strip, font, (pixels) => {
        paintMinimap(run, moment, geometry, palette, pixels);
        return [];
      });
    });
  }

  #paintTracks(request: TracksRequest): void {
    this.#tracks = request;
    const { words, font } = defined(this.#style, 'the style of the view');
    const picture = { ...request, ...this.#trackParts(request), words };
    this.#canvases.get('tracks')?.draw(request.frame, font, (pixels, measure) => paintTracks(picture, pixels, measure));
  }

  #paintEnds(position: number, request: EndsRequest): void {
    const { words, font } = defined(this.#style, 'the style of the view');
    const picture = { ...request, ...this.#trackParts(request), position, words };
    const frame = endsFrame(request.frame);
    this.#canvases.get('ends')?.draw(frame, font, (pixels, measure) => paintTrackEnds(picture, pixels, measure));
  }

  #trackParts({ layer }: EndsRequest) {
    const palette = defined(this.#palette, 'the style of the view');
    return { axis: this.#axis, levels: this.#levels, layers: this.#layersOf(layer), palette };
  }

  #layersOf(name: string): readonly (SiteLayer | undefined)[] {
    const known = this.#layers.get(name);
    if (known !== undefined) return known;
    const made = this.#runs.map((run) => (name === '' ? undefined : siteLayer(run, name)));
    this.#layers.set(name, made);
    return made;
  }
}

/** The request that failed at a moment, on the hole that came nearest. */
function failedRequest(run: MemoryRun, moment: Moment): FailedRequest | undefined {
  const row = lowerBound(run.failures.operation, moment.operation);
  if (run.failures.operation[row] !== moment.operation) return undefined;
  return { size: run.failures.requested[row] ?? 0, hole: largestHoleOf(run, moment) };
}
