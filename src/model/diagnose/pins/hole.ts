/**
 * The fewest frees that make room for a request, however many it takes. Up to three they are searched exhaustively
 * (`smallestFrees`). Beyond that, joining neighbours to one hole is still exact: the shortest window over the blocks of a
 * segment. Emptying whole segments is a knapsack, taken greedily; the fractional solution bounds what any choice needs.
 */
import { type Heap, type HeapBlock, type HeapSegment } from '../../allocator/allocator.js';
import { type FreeSet, type Need, smallestFrees } from '../../trace/frees.js';

export interface HoleAnswer {
  readonly set: FreeSet;
  /** Frees that any set needs at least. */
  readonly leastFrees: number;
  /** No smaller set exists. */
  readonly isExact: boolean;
}

/** Sets that `smallestFrees` has tried all of. */
const SEARCHED = 3;

/** The smallest set found, with its bound; undefined when not even freeing all makes room. */
export function frees(heap: Heap, need: Need): HoleAnswer | undefined {
  const [searched] = smallestFrees(heap, need);
  if (searched !== undefined) return { set: searched, leastFrees: searched.blocks.length, isExact: true };
  const join = shortestJoin(heap, need);
  const release = greedyRelease(heap, need);
  const least = Math.max(SEARCHED + 1, Math.min(join?.blocks.length ?? Infinity, release?.bound ?? Infinity));
  const set = [join, release?.set]
    .filter((some) => some !== undefined)
    .sort((a, b) => a.blocks.length - b.blocks.length || a.bytes - b.bytes)[0];
  return set === undefined ? undefined : { set, leastFrees: least, isExact: set.blocks.length <= least };
}

/** The window with the fewest blocks in use that is long enough, over all segments the request may use. */
function shortestJoin({ segments }: Heap, need: Need): FreeSet | undefined {
  let best: FreeSet | undefined;
  for (const segment of segments) {
    if (segment.pool !== need.pool || segment.stream !== need.stream || segment.size < need.size) continue;
    const found = shortestWindow(segment.blocks, need);
    if (found === undefined) continue;
    if (best === undefined || found.blocks.length < best.blocks.length) best = found;
  }
  return best;
}

function shortestWindow(blocks: readonly HeapBlock[], need: Need): FreeSet | undefined {
  let best: { readonly from: number; readonly to: number; readonly used: number; readonly room: number } | undefined;
  let from = 0;
  let room = 0;
  let used = 0;
  blocks.forEach((block, to) => {
    if (block.state === 'pending') {
      from = to + 1;
      room = 0;
      used = 0;
      return;
    }
    room += block.size;
    if (block.state === 'allocated') used++;
    for (let first = blocks[from]; first !== undefined && room - first.size >= need.size; first = blocks[from]) {
      room -= first.size;
      if (first.state === 'allocated') used--;
      from++;
    }
    if (room >= need.size && (best === undefined || used < best.used)) best = { from, to, used, room };
  });
  if (best === undefined || (need.size < need.maxSplit && best.room >= need.maxSplit)) return undefined;
  const window = blocks.slice(best.from, best.to + 1);
  const inUse = window.filter(({ state }) => state === 'allocated');
  const holes = window.filter(({ state }) => state === 'free').map(({ size }) => size);
  return { kind: 'join', blocks: inUse, bytes: sizeOf(inUse), holes, room: best.room, needed: need.size, segments: [] };
}

function greedyRelease({ segments }: Heap, need: Need): { readonly set: FreeSet; readonly bound: number } | undefined {
  const candidates = segments
    .filter(({ expandable, blocks }) => !expandable && blocks.every(({ state }) => state !== 'pending'))
    .map((segment) => ({ segment, inUse: inUseOf(segment) }))
    .filter(({ inUse }) => inUse.length > 0)
    .sort((a, b) => b.segment.size / b.inUse.length - a.segment.size / a.inUse.length);
  const missing = need.segment - need.available;
  const blocks: HeapBlock[] = [];
  const sizes: number[] = [];
  let room = 0;
  let bound = 0;
  for (const { segment, inUse } of candidates) {
    if (room >= missing) break;
    // The fraction of the last segment that would do is what no choice can go below.
    bound += inUse.length * Math.min(1, (missing - room) / segment.size);
    room += segment.size;
    blocks.push(...inUse);
    sizes.push(segment.size);
  }
  if (room < missing) return undefined;
  const set: FreeSet = {
    kind: 'release',
    blocks,
    bytes: sizeOf(blocks),
    holes: [],
    room: need.available + room,
    needed: need.segment,
    segments: sizes,
  };
  return { set, bound: Math.ceil(bound - 1e-9) };
}

const inUseOf = ({ blocks }: HeapSegment): HeapBlock[] => blocks.filter(({ state }) => state === 'allocated');
const sizeOf = (blocks: readonly HeapBlock[]): number => blocks.reduce((sum, { size }) => sum + size, 0);
