/**
 * Expandable segments of the naive caching allocator: a range of addresses of 9/8 of the device, a list of used, free and
 * unmapped blocks, mapped by whole pages. For tests only.
 */
import { join, type NaiveBlock, type NaivePool, newBlock, type NaiveSegment } from './naive-heap.js';

const MIB = 2 ** 20;

/** What memory is mapped by. */
export const pageOf = (pool: NaivePool): number => (pool.isSmall ? 2 * MIB : 20 * MIB);
/** Bytes of a range for a device of so many bytes. */
export const rangeSize = (capacity: number, page: number): number =>
  Math.ceil((capacity + Math.floor(capacity / 8)) / page) * page;

type Placed = readonly [NaiveSegment, NaiveBlock];

/**
 * Of the free blocks that are large enough, the smallest first: while they belong to ranges and the next one has less room
 * to grow, the next one. With the setting off ranges are passed over.
 */
export function chooseFitting<Each extends Placed>(fitting: readonly Each[], isOn: boolean): Each | undefined {
  const isRange = ([segment]: Placed): boolean => segment.page !== undefined;
  if (!isOn) return fitting.find((each) => !isRange(each));
  const room = ([{ blocks }, block]: Placed): number => {
    const next = blocks[blocks.indexOf(block) + 1];
    return block.size + (next?.state === 'unmapped' ? next.size : 0);
  };
  return fitting.find((each, i) => {
    const next = fitting[i + 1];
    return !isRange(each) || next === undefined || room(next) >= room(each);
  });
}

/** The first place of the ranges, by address, with `size` bytes of free and unmapped blocks in a row. */
export function findRoom(ranges: readonly NaiveSegment[], size: number): [NaiveSegment, NaiveBlock] | undefined {
  for (const range of ranges) {
    for (const [i, block] of range.blocks.entries()) {
      if (block.state !== 'unmapped') continue;
      const first = range.blocks[i - 1]?.state === 'free' ? i - 1 : i;
      const busy = range.blocks.findIndex(({ state }, at) => at >= first && (state === 'used' || state === 'awaiting'));
      const row = range.blocks.slice(first, busy < 0 ? undefined : busy);
      const [start] = row;
      if (start !== undefined && row.reduce((sum, each) => sum + each.size, 0) >= size) return [range, start];
    }
  }
  return undefined;
}

/**
 * Maps gap after gap from a place on, until a free block of `size` bytes begins there. Undefined when `take` has no more
 * memory: what is mapped by then stays mapped. `take` is asked for the bytes of each gap.
 */
export function grow(
  range: NaiveSegment,
  start: number,
  size: number,
  take: (bytes: number) => boolean,
): NaiveBlock | undefined {
  const page = range.page ?? 1;
  while (true) {
    const at = range.blocks.findIndex(({ address, size: bytes }) => address <= start && start < address + bytes);
    const block = range.blocks[at];
    if (block === undefined) throw new Error('no block there');
    if (block.state === 'free' && block.size >= size) return block;
    const gap = block.state === 'free' ? range.blocks[at + 1] : block;
    if (gap?.state !== 'unmapped') throw new Error('no gap there');
    const missing = block.state === 'free' ? size - block.size : size;
    const mapped = Math.ceil(Math.min(missing, gap.size) / page) * page;
    if (!take(mapped)) return undefined;
    const rest = newBlock(gap.address + mapped, gap.size - mapped, 'unmapped', 0);
    gap.size = mapped;
    gap.state = 'free';
    if (rest.size > 0) range.blocks.splice(range.blocks.indexOf(gap) + 1, 0, rest);
    join(range);
  }
}

/** Unmaps the whole pages inside of every free block; returns of how many blocks. */
export function unmapFree(range: NaiveSegment): number {
  const page = range.page ?? 1;
  let count = 0;
  range.blocks = range.blocks.flatMap((block) => {
    const begin = range.address + Math.ceil((block.address - range.address) / page) * page;
    const end = range.address + Math.floor((block.address + block.size - range.address) / page) * page;
    if (block.state !== 'free' || begin >= end) return [block];
    count++;
    const cut = (from: number, to: number, state: 'free' | 'unmapped') =>
      to > from ? [newBlock(from, to - from, state, range.pool.searches)] : [];
    return [
      ...cut(block.address, begin, 'free'),
      ...cut(begin, end, 'unmapped'),
      ...cut(end, block.address + block.size, 'free'),
    ];
  });
  join(range);
  return count;
}
