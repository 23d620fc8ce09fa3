/** Zooming and panning, of rows and of the axis: a place stays where it is on screen, and no window leaves its bounds. */
import { type MapWindow } from './map-geometry.js';
import { type TrackWindow } from './track-columns.js';

/** Bytes that can be told apart: the closest a map is looked at. */
const CLOSEST_BYTES = 4096;
/** Positions across the tracks when they are looked at closest. */
const CLOSEST_POSITIONS = 8;

/** The whole row. */
export const wholeRow = (rowBytes: number): MapWindow => ({ from: 0, span: rowBytes, top: 0 });

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** Closer by `factor` (farther under 1); the byte at `share` of the width stays there. */
export function zoomMap(window: MapWindow, rowBytes: number, factor: number, share: number): MapWindow {
  const span = within(window.span / factor, Math.min(CLOSEST_BYTES, rowBytes), rowBytes);
  const fixed = window.from + share * window.span;
  return { ...window, span, from: within(fixed - share * span, 0, rowBytes - span) };
}

/** Moves by a share of the width, and by rows. */
export const panMap = (window: MapWindow, rowBytes: number, across: number, rows: number, most: number): MapWindow => ({
  span: window.span,
  from: within(window.from + across * window.span, 0, rowBytes - window.span),
  top: within(window.top + rows, 0, Math.max(0, most)),
});

/** Some bytes of a row in the middle, with a quarter of them around. */
export function fitMap(rowBytes: number, offset: number, size: number, top: number): MapWindow {
  const span = within(1.5 * size, Math.min(CLOSEST_BYTES, rowBytes), rowBytes);
  return { span, from: within(offset + size / 2 - span / 2, 0, rowBytes - span), top };
}

/** The whole axis. */
export const wholeAxis = (length: number): TrackWindow => ({ from: -1, to: Math.max(1, length) });

/** As `zoomMap`, for the axis. */
export function zoomTracks(window: TrackWindow, length: number, factor: number, share: number): TrackWindow {
  const whole = wholeAxis(length);
  const span = window.to - window.from;
  const most = whole.to - whole.from;
  const wanted = within(span / factor, Math.min(CLOSEST_POSITIONS, most), most);
  const from = within(window.from + share * (span - wanted), whole.from, whole.to - wanted);
  return { from, to: from + wanted };
}

/** Moves by a share of the width. */
export function panTracks(window: TrackWindow, length: number, across: number): TrackWindow {
  const whole = wholeAxis(length);
  const span = window.to - window.from;
  const from = within(window.from + across * span, whole.from, whole.to - span);
  return { from, to: from + span };
}

/** The same window, moved so far that a position is in it. */
export function showPosition(window: TrackWindow, length: number, position: number): TrackWindow {
  if (position >= window.from && position <= window.to) return window;
  const span = window.to - window.from;
  return panTracks({ from: position - span / 2, to: position + span / 2 }, length, 0);
}
