/** How a map moves: zoom, pan, and going to what is looked at. Each gives another window. */
import { type MapHit, type MapWindow } from '../../../model/memory-map/map-geometry.js';
import { minimapPitch } from '../../../model/memory-map/paint/minimap-painter.js';
import { largestHoleOf } from '../../../model/memory-map/moment.js';
import { fitMap, panMap, wholeRow } from '../../../model/memory-map/windows.js';
import {
  geometriesOf,
  type Looked,
  lookedSpanIn,
  mostRowsIn,
  pinnedHitIn,
  rowBytesIn,
  spansIn,
  type ViewState,
} from './view-state.js';

/** Moves by a share of the width, and by CSS pixels down. */
export function pannedMap(state: ViewState, across: number, down: number): MapWindow {
  const [geometry] = geometriesOf(state);
  if (geometry === undefined) return state.mapWindow;
  const most = geometry.scrolls ? mostRowsIn(state) - geometry.visibleRows : 0;
  return panMap(state.mapWindow, rowBytesIn(state), across, (down * devicePixelRatio) / geometry.pitch, most);
}

/** What is looked at fills the map; the whole row where nothing is. */
export function fittedMap(state: ViewState, run: number): MapWindow {
  const span = lookedSpanIn(state, run);
  const rowBytes = rowBytesIn(state);
  const { top } = state.mapWindow;
  return span === undefined ? { ...wholeRow(rowBytes), top } : fitMap(rowBytes, span.offset, span.size, top);
}

/** Where what is looked at is across the map; the middle where nothing is. */
export function lookedShare(state: ViewState, run: number): number {
  const span = lookedSpanIn(state, run);
  if (span === undefined) return 0.5;
  const { from, span: width } = state.mapWindow;
  return Math.min(1, Math.max(0, (span.offset + span.size / 2 - from) / width));
}

/** Moves so far that a block or hole is on the picture. */
export function shownMap(state: ViewState, run: number, hit: MapHit): MapWindow {
  const geometry = geometriesOf(state)[run];
  const [span] = spansIn(state, run, hit);
  if (geometry === undefined || span === undefined) return state.mapWindow;
  const { from, span: width } = state.mapWindow;
  const isAcross = span.offset >= from && span.offset <= from + width;
  const across = isAcross ? 0 : (span.offset + Math.min(span.size, width) / 2 - from) / width - 0.5;
  const { firstRow, visibleRows, pitch } = geometry;
  const rows = span.row < firstRow ? span.row - firstRow : Math.max(0, span.row - firstRow - visibleRows + 1);
  return pannedMap(state, across, geometry.scrolls ? (rows * pitch) / devicePixelRatio : 0);
}

/** What the map is about comes into view: the pinned block, else the hole that a request failed on. */
export function subjectMap(state: ViewState): MapWindow {
  const subject = state.pinned === undefined ? requestHitIn(state) : pinnedHitIn(state);
  if (subject === undefined || isOnMap(state, subject)) return state.mapWindow;
  return shownMap(state, subject.run, subject.hit);
}

/** The hole that the map of a run shows a failed request on. */
export function requestHitIn({ data, position }: ViewState): Looked | undefined {
  const run = data.runs.findIndex((_, index) => data.isFailure(index, position));
  const [of, moment] = [data.runs[run], data.momentAt(run, position)];
  const hole = of && moment && largestHoleOf(of, moment);
  return hole && { run, hit: { ...hole, block: -1 } };
}

/** Whether any part of a block or hole is on the picture. */
export function isOnMap(state: ViewState, { run, hit }: Looked): boolean {
  const { from, span: width } = state.mapWindow;
  return spansIn(state, run, hit).some(
    ({ row, offset, size }) =>
      geometriesOf(state)[run]?.showsRow(row) === true && offset < from + width && offset + size > from,
  );
}

/** The rows around a place of the strip come into view. `y`: CSS pixels from its top. */
export function stripMap(state: ViewState, y: number): MapWindow {
  const [geometry] = geometriesOf(state);
  if (geometry === undefined) return state.mapWindow;
  const { height, scale } = state.mapFrame;
  const row = (y * devicePixelRatio) / minimapPitch(height, mostRowsIn(state), scale);
  const { visibleRows, firstRow, pitch } = geometry;
  return pannedMap(state, 0, ((row - visibleRows / 2 - firstRow) * pitch) / devicePixelRatio);
}
