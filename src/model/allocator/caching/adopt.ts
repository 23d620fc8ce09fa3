/**
 * Takes over a heap that another allocator made: what a real process held when its trace began. The blocks are linked,
 * shelved and counted as if this allocator had handed them out, so that the trace can be replayed from there.
 */
import {
  ALLOCATED,
  DOUBLES,
  FREE,
  INTS,
  NEXT,
  PREV,
  REQUESTED,
  SEGMENT,
  STATE,
  UNIT,
  UNMAPPED,
} from './block-table.js';
import { type ExpandableSegments } from './expandable-segments.js';
import { type Shelf } from './pools.js';
import { type PrivatePools } from './private-pools.js';
import { isWhole, releaseSegment } from './segments.js';
import { type AllocatorState } from './state.js';
import { INACTIVE_SPLIT, INACTIVE_SPLIT_BYTES, RESERVED_BYTES, SEGMENTS } from './statistics.js';

export interface StartBlock {
  readonly address: number;
  /** A multiple of 512. */
  readonly size: number;
  readonly requested: number;
  readonly isFree: boolean;
}

/** A segment of cudaMalloc, or one contiguous mapped part of an expandable one; its blocks tile it. */
export interface StartSegment {
  readonly address: number;
  readonly size: number;
  readonly stream: number;
  readonly isSmall: boolean;
  /** Number of the private pool that owns it; undefined for the common pools. */
  readonly privatePool: number | undefined;
  /** Expandable segments: where the reserved addresses begin. Undefined for cudaMalloc. */
  readonly rangeBase: number | undefined;
  readonly blocks: readonly StartBlock[];
}

/** Builds the heap. The allocator is fresh, and the device has all of it reserved already. */
export function adoptHeap(
  state: AllocatorState,
  expandable: ExpandableSegments,
  pools: PrivatePools,
  segments: readonly StartSegment[],
): void {
  const ranges = new Map<number, StartSegment[]>();
  for (const segment of [...segments].sort((a, b) => a.address - b.address)) {
    if (segment.rangeBase === undefined) adoptFixed(state, shelfFor(state, pools, segment), segment);
    else {
      const parts = ranges.get(segment.rangeBase);
      if (parts === undefined) ranges.set(segment.rangeBase, [segment]);
      else parts.push(segment);
    }
  }
  for (const [base, parts] of ranges) {
    const first = parts[0]!;
    adoptRange(state, expandable, shelfFor(state, pools, first), base, parts);
  }
}

/**
 * Gives back what begins at these addresses, and nothing else: whole free segments (garbage collection), and the free pages
 * of expandable ones. Returns how many.
 */
export function releaseAt(
  state: AllocatorState,
  expandable: ExpandableSegments,
  addresses: ReadonlySet<number>,
): number {
  const { i32, used } = state.table;
  const wanted = [...addresses];
  const toUnmap: number[] = [];
  let released = 0;
  for (let block = 1; wanted.length > 0 && block < used; block++) {
    if (i32[(block << INTS) + STATE] !== FREE) continue;
    const address = state.addressOf(block);
    if (i32[(block << INTS) + SEGMENT] !== 0) {
      if (wanted.some((each) => each >= address && each < address + state.sizeOf(block))) toUnmap.push(block);
    } else if (addresses.has(address) && isWhole(state, block)) {
      releaseSegment(state, block);
      released++;
    }
  }
  for (const block of toUnmap) expandable.unmap(block);
  return released + toUnmap.length;
}

function shelfFor(state: AllocatorState, pools: PrivatePools, { privatePool, isSmall, stream }: StartSegment): Shelf {
  if (privatePool === undefined) return (isSmall ? state.small : state.large).shelf(stream);
  if (!state.privatePools.has(privatePool)) {
    pools.begin(privatePool);
    pools.end(privatePool);
  }
  const owner = state.privatePools.get(privatePool)!;
  owner.segments += 1;
  return (isSmall ? owner.small : owner.large).shelf(stream);
}

function adoptFixed(state: AllocatorState, shelf: Shelf, { size, blocks }: StartSegment): void {
  const { statistics } = state;
  statistics.increase(SEGMENTS, shelf.kind, 1);
  statistics.increase(RESERVED_BYTES, shelf.kind, size);
  const age = state.nextAge();
  let previous = 0;
  for (const block of blocks) {
    previous = adoptBlock(state, shelf, block, age, 0, previous);
    if (!block.isFree || blocks.length === 1) continue;
    statistics.increase(INACTIVE_SPLIT, shelf.kind, 1);
    statistics.increase(INACTIVE_SPLIT_BYTES, shelf.kind, block.size);
  }
}

function adoptRange(
  state: AllocatorState,
  expandable: ExpandableSegments,
  shelf: Shelf,
  base: number,
  parts: readonly StartSegment[],
): void {
  const last = parts[parts.length - 1]!;
  const { number, end } = expandable.adoptRange(shelf, base, last.address + last.size);
  const age = state.nextAge();
  let previous = 0;
  let at = base;
  const skip = (to: number): void => {
    if (to <= at) return;
    const hole = linked(state, shelf, at, to - at, age, number, previous);
    state.table.i32[(hole << INTS) + STATE] = UNMAPPED;
    shelf.addUnmapped(hole);
    previous = hole;
    at = to;
  };
  for (const part of parts) {
    skip(part.address);
    for (const block of part.blocks) previous = adoptBlock(state, shelf, block, age, number, previous);
    state.statistics.increase(RESERVED_BYTES, shelf.kind, part.size);
    if (shelf.pool.owner !== undefined) shelf.pool.owner.mappedBytes += part.size;
    at = part.address + part.size;
  }
  skip(end);
}

function adoptBlock(
  state: AllocatorState,
  shelf: Shelf,
  { address, size, requested, isFree }: StartBlock,
  age: number,
  segment: number,
  previous: number,
): number {
  const block = linked(state, shelf, address, size, age, segment, previous);
  const { i32, f64 } = state.table;
  f64[(block << DOUBLES) + REQUESTED] = requested;
  if (isFree) state.putFree(shelf, block);
  else {
    i32[(block << INTS) + STATE] = ALLOCATED;
    state.statistics.allocate(shelf.kind, size, requested);
  }
  return block;
}

/** A new block behind `previous` (0: the first). */
function linked(
  state: AllocatorState,
  shelf: Shelf,
  address: number,
  size: number,
  age: number,
  segment: number,
  previous: number,
): number {
  const block = state.newBlock(shelf, address, size / UNIT, age, segment);
  const { i32 } = state.table;
  i32[(block << INTS) + PREV] = previous;
  if (previous !== 0) i32[(previous << INTS) + NEXT] = block;
  return block;
}
