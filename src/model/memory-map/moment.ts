/**
 * The heap after any operation of a run: living blocks by address and the areas of memory under them. A reader walks from
 * the nearest checkpoint, so a moment of 50,000 blocks costs a millisecond wherever it is.
 */
import { type MemoryRun } from './memory-run.js';

export interface Moment {
  /** The operation after which it is. */
  readonly operation: number;
  /** Living rows of `run.blocks` in order of address. */
  readonly rows: Int32Array;
  readonly areas: readonly Area[];
}

/** Memory in one piece: a segment, or mapped parts of an expandable one that touch. */
export interface Area {
  readonly address: number;
  readonly size: number;
  /** Row of `run.ranges`. */
  readonly range: number;
  /** Its blocks are [first, end) of the moment's rows. */
  readonly first: number;
  readonly end: number;
  /** Bytes of its blocks, those that only wait for a stream included. */
  readonly live: number;
}

export const freeBytesOf = (area: Area): number => area.size - area.live;

/** Smallest segment that a pin is worth a word for. */
const PINNED_OVER = 2 * 2 ** 20;

/** Whether live blocks hold a segment that is mostly empty: over 2 MiB, and at least as much free as live. */
export const isPinned = (area: Area): boolean =>
  area.live > 0 && area.size > PINNED_OVER && freeBytesOf(area) >= area.live;

export class MomentReader {
  #last: Moment | undefined;
  /** The row at each rank, of the rows that are being put in order. */
  readonly #rows: Int32Array;

  constructor(private readonly run: MemoryRun) {
    this.#rows = new Int32Array(run.blocks.count);
  }

  /** The state after an operation; -1: before the first. An operation out of range is the nearest one. */
  at(operation: number): Moment {
    const at = Math.min(Math.max(-1, Math.trunc(operation)), this.run.end - 1);
    if (this.#last?.operation === at) return this.#last;
    const rows = this.#rowsAt(at);
    this.#last = { operation: at, rows, areas: this.#areasAt(at, rows) };
    return this.#last;
  }

  #rowsAt(at: number): Int32Array {
    const { blocks, checkpoints } = this.run;
    const { bornAt, diedAt, rank } = blocks;
    const { interval, starts } = checkpoints;
    const last = Math.max(0, starts.length - 2);
    const checkpoint = Math.min(Math.floor((at + 1) / interval), last);
    const old = checkpoints.rows.subarray(starts[checkpoint], starts[checkpoint + 1]);
    const isEmpty = starts.length < 2;
    const from = lowerBound(bornAt, isEmpty ? -1 : Math.max(0, checkpoint * interval));
    const to = lowerBound(bornAt, at + 1);
    const born = new Int32Array(to - from);
    let count = 0;
    // Sorted as numbers, without a comparison of ours: living blocks have each an address of its own.
    for (let row = from; row < to; row++) {
      if (diedAt[row]! <= at) continue;
      born[count++] = rank[row]!;
      this.#rows[rank[row]!] = row;
    }
    const added = born.subarray(0, count).sort();
    const rows = new Int32Array(old.length + count);
    let length = 0;
    let next = 0;
    for (const row of old) {
      if (diedAt[row]! <= at) continue;
      const place = rank[row]!;
      while (next < count && added[next]! < place) rows[length++] = this.#rows[added[next++]!]!;
      rows[length++] = row;
    }
    while (next < count) rows[length++] = this.#rows[added[next++]!]!;
    return rows.subarray(0, length);
  }

  #areasAt(at: number, rows: Int32Array): Area[] {
    const { segments, ranges, blocks } = this.run;
    const alive: number[] = [];
    let isSorted = true;
    const end = lowerBound(segments.createdAt, at + 1);
    for (let row = 0; row < end; row++) {
      if (segments.releasedAt[row]! <= at) continue;
      const before = alive.at(-1);
      if (before !== undefined && segments.address[before]! > segments.address[row]!) isSorted = false;
      alive.push(row);
    }
    if (!isSorted) alive.sort((a, b) => segments.address[a]! - segments.address[b]!);
    const areas: Area[] = [];
    let next = 0;
    for (let i = 0; i < alive.length; i++) {
      const row = alive[i]!;
      const range = segments.range[row]!;
      const start = segments.address[row]!;
      let stop = start + segments.size[row]!;
      if (ranges.expandable[range] === 1) {
        for (let j = alive[i + 1]; j !== undefined; j = alive[i + 1]) {
          if (segments.range[j] !== range || segments.address[j] !== stop) break;
          stop += segments.size[j]!;
          i++;
        }
      }
      const first = next;
      let live = 0;
      for (; next < rows.length && blocks.address[rows[next]!]! < stop; next++) live += blocks.size[rows[next]!]!;
      areas.push({ address: start, size: stop - start, range, first, end: next, live });
    }
    return areas;
  }
}

/** A free piece of memory inside an area. */
export interface Hole {
  readonly address: number;
  readonly size: number;
  /** Place in the moment's areas. */
  readonly area: number;
}

/** The holes of one area in order of address. */
export function holesOf({ blocks }: MemoryRun, { rows, areas }: Moment, index: number): Hole[] {
  const area = areas[index];
  if (area === undefined) return [];
  const holes: Hole[] = [];
  let at = area.address;
  const add = (to: number): void => {
    if (to > at) holes.push({ address: at, size: to - at, area: index });
  };
  for (let i = area.first; i < area.end; i++) {
    const row = rows[i]!;
    add(blocks.address[row]!);
    at = blocks.address[row]! + blocks.size[row]!;
  }
  add(area.address + area.size);
  return holes;
}

/** The largest hole; undefined where nothing is free. */
export function largestHoleOf(run: MemoryRun, moment: Moment): Hole | undefined {
  let largest: Hole | undefined;
  for (let index = 0; index < moment.areas.length; index++) {
    if (freeBytesOf(moment.areas[index]!) <= (largest?.size ?? 0)) continue;
    for (const hole of holesOf(run, moment, index)) if (hole.size > (largest?.size ?? 0)) largest = hole;
  }
  return largest;
}

/** First place in an ascending column whose value is at least `value`. */
export function lowerBound(column: Int32Array, value: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
