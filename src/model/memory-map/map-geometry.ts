/** Where on the picture a byte of a run is, and what is at a place of the picture: painter and pointer agree by it. */
import { type MemoryRun } from './memory-run.js';
import { type Area, lowerBound, type Moment } from './moment.js';
import { FONT_PIXELS, type PictureFrame } from './paint/picture.js';
import { type MapLayout } from './row-layout.js';

/** What of the rows is on the picture. */
export interface MapWindow {
  /** Bytes from the start of a row to the picture's left edge. */
  readonly from: number;
  /** Bytes of a row across the picture. */
  readonly span: number;
  /** Rows above the picture, where there are more than fit; a part of one counts. */
  readonly top: number;
}

/** A part of a range in one row. */
export interface Span {
  readonly row: number;
  /** Bytes from the start of the row. */
  readonly offset: number;
  readonly address: number;
  readonly size: number;
  readonly isHead: boolean;
  readonly isTail: boolean;
}

const THINNEST = 6;
const TIGHTEST_PITCH = 8;
const WIDEST_PITCH = 48;

export class MapGeometry {
  /** Device pixels above the rows: the ruler. */
  readonly top: number;
  readonly pitch: number;
  readonly rowHeight: number;
  /** More rows than fit: the map scrolls. */
  readonly scrolls: boolean;
  /** Rows that fit. */
  readonly visibleRows: number;
  readonly firstRow: number;

  /** `rows`: of all runs on screen, so that their rows are as high. */
  constructor(
    readonly layout: MapLayout,
    readonly frame: PictureFrame,
    readonly window: MapWindow,
    rows: number,
  ) {
    const { height, scale } = frame;
    this.top = Math.round((FONT_PIXELS + 10) * scale);
    const room = Math.max(1, height - this.top - 1);
    const fitting = room / Math.max(1, rows);
    const tightest = TIGHTEST_PITCH * scale;
    this.pitch = Math.min(WIDEST_PITCH * scale, Math.max(tightest, fitting));
    this.rowHeight = Math.max(
      Math.round(THINNEST * scale),
      Math.floor(this.pitch - Math.max(2 * scale, this.pitch * 0.16)),
    );
    this.visibleRows = Math.floor(room / this.pitch);
    this.scrolls = rows > this.visibleRows;
    this.firstRow = this.scrolls ? Math.min(Math.max(0, window.top), rows - this.visibleRows) : 0;
  }

  /** First pixel of a byte that lies so far into its row. */
  xOf(offset: number): number {
    return ((offset - this.window.from) / this.window.span) * (this.frame.width - 1);
  }

  offsetAt(x: number): number {
    return this.window.from + (x / (this.frame.width - 1)) * this.window.span;
  }

  yOf(row: number): number {
    return this.top + Math.round((row - this.firstRow) * this.pitch);
  }

  /** Whether any of a row is on the picture. */
  showsRow(row: number): boolean {
    const y = this.yOf(row);
    return y + this.rowHeight > this.top && y < this.frame.height;
  }

  /** The parts of some bytes of a range, one for each row that they touch, top row first. */
  spansOf({ ranges }: MemoryRun, range: number, address: number, size: number): Span[] {
    const { rowBytes, row, offset } = this.layout;
    const spans: Span[] = [];
    const start = offset[range]! + address - ranges.address[range]!;
    for (let at = 0; at < size;) {
      const inside = start + at;
      const line = Math.floor(inside / rowBytes);
      const length = Math.min(size - at, (line + 1) * rowBytes - inside);
      spans.push({
        row: row[range]! + line,
        offset: inside - line * rowBytes,
        address: address + at,
        size: length,
        isHead: at === 0,
        isTail: at + length >= size,
      });
      at += length;
    }
    return spans;
  }
}

/** What lies at a place: a block (row of `run.blocks`) or a hole of an area. */
export interface MapHit {
  /** Place in the moment's areas. */
  readonly area: number;
  /** Row of `run.blocks`, -1 for a hole. */
  readonly block: number;
  readonly address: number;
  readonly size: number;
}

/** Height of the place that a pointer hits, in pixels of the design: thin rows are easier to hit than to see. */
const HIT_HEIGHT = 24;

/** The nearest block or hole at a place in device pixels, undefined where no memory is near. */
export function hitAt(run: MemoryRun, moment: Moment, geometry: MapGeometry, x: number, y: number): MapHit | undefined {
  const reach = Math.max(geometry.rowHeight, HIT_HEIGHT * geometry.frame.scale) / 2;
  const tolerance = 3 * geometry.frame.scale;
  let best: { area: number; span: Span; distance: number } | undefined;
  moment.areas.forEach((area, index) => {
    for (const span of geometry.spansOf(run, area.range, area.address, area.size)) {
      const down = Math.abs(geometry.yOf(span.row) + geometry.rowHeight / 2 - y);
      if (down > reach) continue;
      const left = geometry.xOf(span.offset);
      const right = Math.max(left + tolerance, geometry.xOf(span.offset + span.size));
      const across = Math.max(0, left - x, x - right);
      if (across > tolerance) continue;
      const distance = down + across;
      if (best === undefined || distance < best.distance) best = { area: index, span, distance };
    }
  });
  if (best === undefined) return undefined;
  const { area, span } = best;
  const bytes = span.address + geometry.offsetAt(x) - span.offset;
  const inside = Math.min(Math.max(span.address, bytes), span.address + span.size - 1);
  return pieceAt(run, moment, area, inside, (tolerance / (geometry.frame.width - 1)) * geometry.window.span);
}

/** The block or hole of an area at an address; a block within `near` bytes wins over a hole. */
export function pieceAt(
  { blocks }: MemoryRun,
  { rows, areas }: Moment,
  index: number,
  address: number,
  near = 0,
): MapHit | undefined {
  const area = areas[index];
  if (area === undefined) return undefined;
  const at = firstAfter(blocks.address, rows, area, address);
  const before = at > area.first ? rows[at - 1]! : -1;
  const after = at < area.end ? rows[at]! : -1;
  const endBefore = before === -1 ? area.address : blocks.address[before]! + blocks.size[before]!;
  const startAfter = after === -1 ? area.address + area.size : blocks.address[after]!;
  const found = (block: number): MapHit => ({
    area: index,
    block,
    address: blocks.address[block]!,
    size: blocks.size[block]!,
  });
  if (before !== -1 && address < endBefore) return found(before);
  const [left, right] = [address - endBefore, startAfter - address];
  // A hole that can be pointed at is pointed at; the blocks beside a sliver are easier to mean.
  if (startAfter - endBefore <= 2 * near) {
    if (before !== -1 && left <= near && left <= right) return found(before);
    if (after !== -1 && right <= near) return found(after);
  }
  return { area: index, block: -1, address: endBefore, size: startAfter - endBefore };
}

/** Place of the first of an area's rows that begins after an address. */
export function firstAfter(addresses: Float64Array, rows: Int32Array, { first, end }: Area, address: number): number {
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (addresses[rows[middle]!]! <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Row of the latest block at an address that lived at or before an operation: for the same tensor in another run. */
export function livingBlocks({ blocks }: MemoryRun, operation: number, id: number): number {
  const end = lowerBound(blocks.bornAt, operation + 1);
  for (let row = end - 1; row >= 0; row--) {
    if (blocks.id[row] === id) return blocks.diedAt[row]! > operation ? row : -1;
  }
  return -1;
}
