/**
 * Where each address range stands on the map: rows of one length, the same in every run on screen. A range keeps its place
 * from creation to release, the first row with room for it during its whole life; nothing moves while scrubbing.
 *
 *     packed   |AAAA BB  CCCCCC|     single   |AAAA           |
 *              |DDDDDDDD  EE   |              |BB             |
 *
 * Ranges that memory is mapped into, and pools that hold most of what there is, begin a row of their own, are drawn by
 * address and wrap. A segment that was taken for one tensor is no pool.
 */
import { type MemoryRun, NEVER } from './memory-run.js';
import { RowShelf } from './row-shelf.js';
import { rowsByOperation } from './state-walk.js';

export type LayoutMode = 'packed' | 'single';

export interface MapLayout {
  readonly rowBytes: number;
  readonly rows: number;
  /** By range: its first row. */
  readonly row: Int32Array<ArrayBuffer>;
  /** By range: bytes from the start of that row. */
  readonly offset: Float64Array<ArrayBuffer>;
}

const MIB = 2 ** 20;
/** A row of the drawn screens, and the space between two segments in it. */
const DRAWN_ROW = 128 * MIB;
const GAP = 1.4 / 128;
/** Rows that a map of one wrapped range has, at most and about. */
const MOST_ROWS = 64;
const FEW_ROWS = 12;
const SMALLEST_ROW = 2 * MIB;
/** What a segment has at most over the request that it was taken for. */
const ROUNDING = 2 * MIB;
/** The longest row for one tensor alone: in a longer one the smallest segments of others are under a pixel. */
const LONGEST_FOR_ONE = 1024 * MIB;

const powerOfTwo = (bytes: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, bytes)));

/** Bytes of a row that suits all runs: the power of two at or above the longest segment. */
export function rowBytesOf(runs: readonly MemoryRun[]): number {
  let longest = SMALLEST_ROW;
  for (const run of runs) {
    const peak = peakOf(run);
    longest = Math.max(longest, peak / MOST_ROWS);
    const { count, size } = run.ranges;
    const wraps = wrapping(run, peak);
    let standing = 0;
    for (let range = 0; range < count; range++) if (wraps[range] === 0) standing = Math.max(standing, size[range]!);
    longest = Math.max(longest, standing === 0 ? Math.min(DRAWN_ROW, peak / FEW_ROWS) : standing);
  }
  return powerOfTwo(longest);
}

function peakOf({ tracks, end }: MemoryRun): number {
  let peak = 0;
  for (let i = 0; i < end; i++) if (tracks.reserved[i]! > peak) peak = tracks.reserved[i]!;
  return peak;
}

/** 1 for each reservation: addresses for mapped memory, or a pool that is most of all memory. */
function wrapping({ ranges, blocks }: MemoryRun, peak: number): Uint8Array {
  const { count, size, expandable } = ranges;
  const wraps = Uint8Array.from(expandable);
  const large: number[] = [];
  for (let range = 0; range < count; range++)
    if (size[range]! > DRAWN_ROW && 2 * size[range]! >= peak) large.push(range);
  if (large.length === 0) return wraps;
  const largest = new Float64Array(count);
  for (let row = 0; row < blocks.count; row++) {
    const range = blocks.range[row]!;
    if (blocks.size[row]! > largest[range]!) largest[range] = blocks.size[row]!;
  }
  for (const range of large) {
    const isOfOne = size[range]! - largest[range]! < ROUNDING && size[range]! <= LONGEST_FOR_ONE;
    if (!isOfOne) wraps[range] = 1;
  }
  return wraps;
}

/** Lays the ranges of a run out in rows of `rowBytes`. */
export function layOutRows(run: MemoryRun, mode: LayoutMode, rowBytes: number): MapLayout {
  const { ranges } = run;
  const wraps = wrapping(run, peakOf(run));
  const row = new Int32Array(ranges.count);
  const offset = new Float64Array(ranges.count);
  let rows = 0;
  const standing: number[] = [];
  const wrapped: number[] = [];
  for (let range = 0; range < ranges.count; range++) {
    if (ranges.size[range] === 0) continue;
    (wraps[range] === 1 || ranges.size[range]! > rowBytes ? wrapped : standing).push(range);
  }
  wrapped.sort((a, b) => ranges.size[b]! - ranges.size[a]! || ranges.address[a]! - ranges.address[b]!);
  for (const range of wrapped) {
    row[range] = rows;
    rows += Math.ceil(ranges.size[range]! / rowBytes);
  }
  const shelf = new RowShelf(rowBytes, mode === 'single' ? rowBytes : Math.ceil(rowBytes * GAP));
  const releases = rowsByOperation(ranges.releasedAt, run.end);
  const isStanding = new Uint8Array(ranges.count);
  for (const range of standing) isStanding[range] = 1;
  let next = 0;
  // Ranges stand in the order of their creation; those of one operation in the order of their addresses.
  for (const range of inOrder(run, standing)) {
    for (; next < releases.length; next++) {
      const released = releases[next]!;
      if (ranges.releasedAt[released]! > ranges.createdAt[range]!) break;
      if (isStanding[released] === 1 && ranges.releasedAt[released] !== NEVER) shelf.remove(row[released]!, released);
    }
    const place = shelf.place(range, ranges.size[range]!);
    row[range] = place.row;
    offset[range] = place.offset;
  }
  for (const range of standing) row[range]! += rows;
  return { rowBytes, rows: rows + shelf.rows, row, offset };
}

function inOrder({ ranges }: MemoryRun, standing: readonly number[]): number[] {
  return [...standing].sort(
    (a, b) => ranges.createdAt[a]! - ranges.createdAt[b]! || ranges.address[a]! - ranges.address[b]!,
  );
}
