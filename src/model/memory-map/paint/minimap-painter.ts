/** All rows of a map in a strip: 8 pixels a row, a pixel's edge a segment, and the part that the map shows. */
import { type MapGeometry } from '../map-geometry.js';
import { type MemoryRun } from '../memory-run.js';
import { freeBytesOf, isPinned, type Moment } from '../moment.js';
import { type PixelPalette } from './paint-palette.js';
import { type Pixels } from './pixels.js';

const PITCH = 8;

/** Pixels of the strip for one row: less than the design's where there are more rows than it has room for. */
export const minimapPitch = (height: number, rows: number, scale: number): number =>
  Math.min(PITCH * scale, height / Math.max(1, rows));

/** Paints the strip beside a map. */
export function paintMinimap(
  run: MemoryRun,
  moment: Moment,
  geometry: MapGeometry,
  palette: PixelPalette,
  pixels: Pixels,
): void {
  const { layout, frame, firstRow, visibleRows } = geometry;
  const pitch = minimapPitch(pixels.height, layout.rows, frame.scale);
  const height = Math.max(1, Math.floor(pitch - 1));
  pixels.clear(palette.surfaceLow);
  for (const area of moment.areas) {
    const colour = isPinned(area) ? palette.pin : freeBytesOf(area) > area.live ? palette.freeEdge : palette.text3;
    for (const { row, offset, size } of geometry.spansOf(run, area.range, area.address, area.size)) {
      const x = Math.floor((offset / layout.rowBytes) * pixels.width);
      const width = Math.max(1, Math.floor((size / layout.rowBytes) * pixels.width) - 1);
      pixels.fill(x, Math.round(row * pitch), width, height, colour);
    }
  }
  const line = Math.max(1, Math.round(2 * frame.scale));
  const y = Math.round(firstRow * pitch);
  pixels.frame(0, y, pixels.width, Math.max(2 * line, Math.round(visibleRows * pitch)), line, palette.accent);
}
