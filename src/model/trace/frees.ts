/**
 * The smallest set of frees that would have let a request succeed on PyTorch's caching allocator or on BFC: either the freed blocks
 * join free neighbours to a hole that is large enough, or they empty whole segments, which go back to the device and make
 * room for a new one. It names the code to change, where "so many bytes too few" does not.
 */
import { type Heap, type HeapBlock, type HeapSegment } from '../allocator/allocator.js';

/** What the request that failed needs. */
export interface Need {
  /** Rounded size of the block. */
  readonly size: number;
  /** Size of the segment that would be taken for it; Infinity where none is ever given back (BFC). */
  readonly segment: number;
  /** Bytes that may still be taken from the device. */
  readonly available: number;
  readonly pool: string;
  readonly stream: number;
  /** Holes from this size on serve only requests from this size on (`max_split_size`); Infinity where there is no limit. */
  readonly maxSplit: number;
}

export interface FreeSet {
  /** `join`: to a hole of `room` bytes. `release`: of segments, so that the device has `room` bytes. */
  readonly kind: 'join' | 'release';
  readonly blocks: readonly HeapBlock[];
  /** Bytes of the blocks. */
  readonly bytes: number;
  /** `join`: sizes of the free blocks that they lie between, in order of address. */
  readonly holes: readonly number[];
  readonly room: number;
  readonly needed: number;
  /** Sizes of the segments given back. */
  readonly segments: readonly number[];
}

/** Larger sets help nobody. */
const MOST_FREES = 3;
/** Segments that are combined; those with the most bytes for each block come first. */
const MOST_SEGMENTS = 60;

/**
 * All sets of the smallest number of frees that make room, fewest bytes first; none when no set of up to three does.
 * `heap` is the state after the failed request: its flush has given back every segment that was empty.
 */
export function smallestFrees(heap: Heap, need: Need): FreeSet[] {
  const found = new Map<string, FreeSet>();
  let most = MOST_FREES;
  for (const set of [...joins(heap, need), ...releases(heap, need)]) {
    if (set.blocks.length > most) continue;
    if (set.blocks.length < most) found.clear();
    most = set.blocks.length;
    const key = set.blocks
      .map(({ handle }) => handle)
      .sort((a, b) => a - b)
      .join();
    if (!found.has(key)) found.set(key, set);
  }
  return [...found.values()].sort((a, b) => a.bytes - b.bytes || b.room - a.room);
}

function* joins({ segments }: Heap, need: Need): Generator<FreeSet> {
  for (const segment of segments) {
    if (segment.pool !== need.pool || segment.stream !== need.stream) continue;
    for (let start = 0; start < segment.blocks.length; start++) {
      const set = joinFrom(segment.blocks, start, need);
      if (set !== undefined) yield set;
    }
  }
}

/** The shortest run of blocks from `start` on that is long enough, with the free blocks behind it. */
function joinFrom(blocks: readonly HeapBlock[], start: number, need: Need): FreeSet | undefined {
  const inUse: HeapBlock[] = [];
  const holes: number[] = [];
  let room = 0;
  for (let i = start; i < blocks.length; i++) {
    const block = blocks[i]!;
    if (room >= need.size && block.state !== 'free') break;
    room += block.size;
    if (block.state === 'pending') return undefined;
    if (block.state === 'allocated') inUse.push(block);
    else holes.push(block.size);
    if (inUse.length > MOST_FREES) return undefined;
  }
  // A free block before the run would be part of it.
  if (room < need.size || inUse.length === 0 || blocks[start - 1]?.state === 'free') return undefined;
  if (need.size < need.maxSplit && room >= need.maxSplit) return undefined;
  return { kind: 'join', blocks: inUse, bytes: sizeOf(inUse), holes, room, needed: need.size, segments: [] };
}

function* releases({ segments }: Heap, need: Need): Generator<FreeSet> {
  const candidates = segments
    .map((segment) => ({ segment, inUse: segment.blocks.filter(({ state }) => state === 'allocated') }))
    .filter(({ segment, inUse }) => inUse.length > 0 && inUse.length <= MOST_FREES && canBeEmptied(segment))
    .sort((a, b) => b.segment.size / b.inUse.length - a.segment.size / a.inUse.length)
    .slice(0, MOST_SEGMENTS);
  yield* combine(candidates, 0, [], [], need);
}

interface Candidate {
  readonly segment: HeapSegment;
  readonly inUse: readonly HeapBlock[];
}

function* combine(
  candidates: readonly Candidate[],
  from: number,
  chosen: readonly number[],
  blocks: readonly HeapBlock[],
  need: Need,
): Generator<FreeSet> {
  const room = need.available + chosen.reduce((sum, size) => sum + size, 0);
  if (chosen.length > 0 && room >= need.segment) {
    yield { kind: 'release', blocks, bytes: sizeOf(blocks), holes: [], room, needed: need.segment, segments: chosen };
    return;
  }
  for (let i = from; i < candidates.length; i++) {
    const { segment, inUse } = candidates[i]!;
    if (blocks.length + inUse.length > MOST_FREES) continue;
    yield* combine(candidates, i + 1, [...chosen, segment.size], [...blocks, ...inUse], need);
  }
}

/** Expandable segments give pages back, not themselves. */
const canBeEmptied = ({ expandable, blocks }: HeapSegment): boolean =>
  !expandable && blocks.every(({ state }) => state !== 'pending');

const sizeOf = (blocks: readonly HeapBlock[]): number => blocks.reduce((sum, { size }) => sum + size, 0);
