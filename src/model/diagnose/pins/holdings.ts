/**
 * What holds memory at a moment of a run, by the place in the code that allocated it, and how much of the free memory each
 * place keeps from being given back.
 *
 *     holdingsOf(run, new MomentReader(run).at(3484))[0]; // { name, bytes, blocks, pinned, ... }, most bytes first
 */
import { type MemoryRun } from '../../memory-map/memory-run.js';
import { freeBytesOf, isPinned, type Moment } from '../../memory-map/moment.js';

export interface Holding {
  /** Row of `run.names`; -1: no place was recorded. */
  readonly name: number;
  /** Allocated before the trace began. */
  readonly isStart: boolean;
  readonly bytes: number;
  readonly blocks: number;
  /** Free bytes of the mostly empty segments in which a block of this place lies. */
  readonly pinned: number;
  /** Call stack of its largest block: a row of `run.stacks`, -1 without one. */
  readonly stack: number;
  /** Operations that allocated the oldest and the youngest block; -1: before the first. */
  readonly oldest: number;
  readonly youngest: number;
}

/** Holdings at a moment, most bytes first. What was there before the trace and has no call stack is one of them. */
export function holdingsOf({ blocks }: MemoryRun, { rows, areas }: Moment): Holding[] {
  const found = new Map<number, Growing>();
  for (const area of areas) {
    const pins = isPinned(area) ? freeBytesOf(area) : 0;
    for (let i = area.first; i < area.end; i++) {
      const row = rows[i] ?? -1;
      const name = blocks.name[row] ?? -1;
      const born = blocks.bornAt[row] ?? -1;
      const size = blocks.size[row] ?? 0;
      const isStart = born === -1;
      const key = name * 2 + Number(isStart);
      let holding = found.get(key);
      if (holding === undefined) {
        holding = {
          name,
          isStart,
          bytes: 0,
          blocks: 0,
          pinned: 0,
          stack: -1,
          oldest: born,
          youngest: born,
          largest: 0,
          area,
        };
        found.set(key, holding);
        holding.pinned += pins;
      } else if (holding.area !== area) holding.pinned += pins;
      holding.area = area;
      holding.bytes += size;
      holding.blocks++;
      holding.oldest = Math.min(holding.oldest, born);
      holding.youngest = Math.max(holding.youngest, born);
      if (size > holding.largest) {
        holding.largest = size;
        holding.stack = blocks.stack[row] ?? -1;
      }
    }
  }
  return [...found.values()]
    .map(({ name, isStart, bytes, blocks: count, pinned, stack, oldest, youngest }): Holding => ({
      name,
      isStart,
      bytes,
      blocks: count,
      pinned,
      stack,
      oldest,
      youngest,
    }))
    .sort((a, b) => b.bytes - a.bytes || a.name - b.name);
}

type Growing = { -readonly [K in keyof Holding]: Holding[K] } & { largest: number; area: object };
