/** What a memory view shows, and what follows from it: marks, hits, places on the maps. Functions of one plain state. */
import {
  hitAt,
  livingBlocks,
  MapGeometry,
  type MapHit,
  type MapWindow,
  type Span,
} from '../../../model/memory-map/map-geometry.js';
import { type MemoryRun } from '../../../model/memory-map/memory-run.js';
import { type MapMarks, type MarkedBytes } from '../../../model/memory-map/paint/map-marks.js';
import { type PictureFrame } from '../../../model/memory-map/paint/picture.js';
import { type MapPlace } from './map-pointer.js';
import { type ViewData } from './view-data.js';
import { type BlockRef, type MapRows } from './view-events.js';

export interface ViewState {
  readonly data: ViewData;
  readonly position: number;
  readonly rows: MapRows;
  readonly mapWindow: MapWindow;
  readonly mapFrame: PictureFrame;
  readonly pinned: BlockRef | undefined;
  readonly numbered: readonly BlockRef[];
  readonly looked: Looked | undefined;
  /** Blocks that the search found, by run. */
  readonly found: readonly Int32Array[];
}

/** The block or hole under the pointer or the keys. */
export interface Looked {
  readonly run: number;
  readonly hit: MapHit;
}

/** Blocks that a picture can outline before it is all outlines. */
const MOST_FOUND = 2000;

/** Width of the strip beside a scrolling map, in pixels of the design. */
const STRIP_WIDTH = 40;

const isLive = ({ blocks }: MemoryRun, block: number, operation: number): boolean =>
  (blocks.bornAt[block] ?? 0) <= operation && (blocks.diedAt[block] ?? 0) > operation;

/** The geometry of each map; none before the segments have their places. */
export function geometriesOf({ data, rows, mapFrame, mapWindow }: ViewState): readonly MapGeometry[] {
  const layouts = data.layouts.get(rows) ?? [];
  const most = Math.max(1, ...layouts.map((layout) => layout.rows));
  return layouts.map((layout) => new MapGeometry(layout, mapFrame, mapWindow, most));
}

/** Bytes of a row of the maps. */
export const rowBytesIn = ({ data, rows }: ViewState): number => data.layouts.get(rows)?.[0]?.rowBytes ?? 1;

/** Rows of the map that has most. */
export const mostRowsIn = ({ data, rows }: ViewState): number =>
  Math.max(1, ...(data.layouts.get(rows) ?? []).map((layout) => layout.rows));

/** Whether there are more rows than fit. */
export const scrollsIn = (state: ViewState): boolean => geometriesOf(state).some(({ scrolls }) => scrolls);

/** The picture of the strip beside a map; undefined where all rows fit. */
export function stripFrameIn(state: ViewState): PictureFrame | undefined {
  if (!scrollsIn(state)) return undefined;
  const { height, scale } = state.mapFrame;
  return { width: Math.round(STRIP_WIDTH * scale), height, scale };
}

/** What is marked on the map of a run. */
export function marksIn(state: ViewState, run: number): Omit<MapMarks, 'request'> {
  const { data, position, numbered, pinned, looked, found } = state;
  const of = data.runs[run];
  if (of === undefined) return { numbered: [], pinned: undefined, hovered: undefined, found: [] };
  const operation = data.operationAt(run, position);
  const shown: number[] = [];
  for (const block of found[run] ?? []) {
    if (shown.length >= MOST_FOUND) break;
    if (isLive(of, block, operation)) shown.push(block);
  }
  return {
    numbered: numbered
      .filter((each) => each.run === run && isLive(of, each.block, operation))
      .map(({ block }) => block),
    pinned: pinned && bytesIn(state, run, pinned),
    hovered: looked && lookedIn(state, run, looked),
    found: shown,
  };
}

/** A block in its own run, or the same tensor in the other one; undefined where it does not live now. */
export function bytesIn({ data, position }: ViewState, run: number, ref: BlockRef): MarkedBytes | undefined {
  const of = data.runs[run];
  if (of === undefined) return undefined;
  const { blocks } = of;
  const operation = data.operationAt(run, position);
  const id = data.runs[ref.run]?.blocks.id[ref.block] ?? -1;
  const row = run === ref.run ? ref.block : livingBlocks(of, operation, id);
  if (row < 0 || !isLive(of, row, operation)) return undefined;
  return { range: blocks.range[row] ?? 0, address: blocks.address[row] ?? 0, size: blocks.size[row] ?? 0 };
}

function lookedIn(state: ViewState, run: number, { run: own, hit }: Looked): MarkedBytes | undefined {
  if (hit.block !== -1) return bytesIn(state, run, { run: own, block: hit.block });
  const area = run === own ? state.data.momentAt(run, state.position)?.areas[hit.area] : undefined;
  return area && { range: area.range, address: hit.address, size: hit.size };
}

/** The pinned block where it lives now. */
export function pinnedHitIn(state: ViewState): Looked | undefined {
  const { pinned, data, position } = state;
  const bytes = pinned && bytesIn(state, pinned.run, pinned);
  if (pinned === undefined || bytes === undefined) return undefined;
  const area = data
    .momentAt(pinned.run, position)
    ?.areas.findIndex(({ address, size }) => bytes.address >= address && bytes.address < address + size);
  if (area === undefined || area < 0) return undefined;
  return { run: pinned.run, hit: { area, block: pinned.block, address: bytes.address, size: bytes.size } };
}

/** What is at a place of a map, in CSS pixels. */
export function hitIn(state: ViewState, run: number, { x, y }: MapPlace): MapHit | undefined {
  const { data, position } = state;
  const [of, moment, geometry] = [data.runs[run], data.momentAt(run, position), geometriesOf(state)[run]];
  if (of === undefined || moment === undefined || geometry === undefined) return undefined;
  return hitAt(of, moment, geometry, x * devicePixelRatio, y * devicePixelRatio);
}

/** The parts of what is looked at on the map of its run, one a row. */
export function spansIn(state: ViewState, run: number, hit: MapHit): readonly Span[] {
  const { data, position } = state;
  const [of, geometry] = [data.runs[run], geometriesOf(state)[run]];
  const area = data.momentAt(run, position)?.areas[hit.area];
  if (of === undefined || geometry === undefined || area === undefined) return [];
  return geometry.spansOf(of, area.range, hit.address, hit.size);
}

/** The first of these parts; undefined where nothing of this run is looked at. */
export const lookedSpanIn = (state: ViewState, run: number): Span | undefined =>
  state.looked?.run === run ? spansIn(state, run, state.looked.hit)[0] : undefined;
