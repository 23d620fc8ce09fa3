/** What the Why panel says of a moment between failures: what is free, in how many holes, and who holds segments back. */
import { type MemoryRun } from '../memory-map/memory-run.js';
import { freeBytesOf, holesOf, isPinned, type Moment } from '../memory-map/moment.js';
import { CATEGORY } from '../trace/trace.js';

export interface MomentWhy {
  readonly free: number;
  readonly holes: number;
  readonly largestHole: number;
  /** Bytes that the allocator may still take; undefined where no capacity is known. */
  readonly notReserved: number | undefined;
  /** Segments that are mostly empty, and the free bytes in them. */
  readonly pinned: number;
  readonly kept: number;
  /** The live blocks that hold the most, most free bytes first; not all. */
  readonly pins: readonly MomentPin[];
}

export interface MomentPin {
  /** Row of `run.blocks`: the largest block that holds the segment. */
  readonly block: number;
  /** Its `CATEGORY`. */
  readonly category: number;
  readonly size: number;
  /** Live blocks in the segment. */
  readonly blocks: number;
  readonly segment: number;
  readonly segmentFree: number;
}

const MOST_PINS = 5;

export function momentWhy(run: MemoryRun, moment: Moment): MomentWhy {
  let free = 0;
  let holes = 0;
  let largestHole = 0;
  let reserved = 0;
  moment.areas.forEach((area, index) => {
    reserved += area.size;
    for (const { size } of holesOf(run, moment, index)) {
      free += size;
      holes++;
      largestHole = Math.max(largestHole, size);
    }
  });
  const pinned = moment.areas.filter(isPinned).sort((a, b) => freeBytesOf(b) - freeBytesOf(a));
  return {
    free,
    holes,
    largestHole,
    notReserved: run.capacity === undefined ? undefined : Math.max(0, run.capacity - reserved),
    pinned: pinned.length,
    kept: pinned.reduce((sum, area) => sum + freeBytesOf(area), 0),
    pins: pinned.slice(0, MOST_PINS).map((area) => {
      const rows = [...moment.rows.subarray(area.first, area.end)];
      const sizeOf = (row: number): number => run.blocks.size[row] ?? 0;
      const block = rows.reduce((largest, row) => (sizeOf(row) > sizeOf(largest) ? row : largest), rows[0] ?? -1);
      return {
        block,
        category: run.blocks.category[block] ?? CATEGORY.unknown,
        size: sizeOf(block),
        blocks: rows.length,
        segment: area.size,
        segmentFree: freeBytesOf(area),
      };
    }),
  };
}
