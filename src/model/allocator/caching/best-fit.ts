/** The search for a cached block, with the rules that may refuse the one candidate it looks at. */
import { INTS, MAX_UNITS, NEXT, SEGMENT, SIZE, STATE, UNIT, UNMAPPED } from './block-table.js';
import { type Shelf } from './pools.js';
import { type AllocatorState } from './state.js';

/** The block for a request that was rounded to `units`, taken off its shelf; 0 where none fits. */
export function takeBestFit(state: AllocatorState, shelf: Shelf, units: number): number {
  if (state.collectsGarbage) shelf.pool.searches += 1;
  if (units > MAX_UNITS) return 0;
  let block = shelf.free.lowerBound(units);
  if (block === 0) return 0;
  if (state.table.i32[(block << INTS) + SEGMENT] !== 0) {
    block = state.settings.expandableSegments ? leastGrowing(state, shelf, block) : nextFixed(state, shelf, block);
    if (block === 0) return 0;
  }
  const { maxSplitSize } = state.settings;
  if (maxSplitSize !== Infinity && isRefused(state, state.sizeOf(block), units * UNIT)) return 0;
  shelf.free.remove(block);
  return block;
}

/**
 * A free block before unmapped space counts as large as it can grow, so that smaller ways to serve the request are
 * tried first: on while the next block is smaller in that sense.
 */
function leastGrowing(state: AllocatorState, shelf: Shelf, first: number): number {
  const { i32 } = state.table;
  let block = first;
  while (i32[(block << INTS) + SEGMENT] !== 0) {
    const reach = grownUnits(state, block);
    // Without room to grow no later block can be smaller.
    if (reach === i32[(block << INTS) + SIZE]) break;
    const next = shelf.free.successor(block);
    if (next === 0 || grownUnits(state, next) >= reach) break;
    block = next;
  }
  return block;
}

function grownUnits(state: AllocatorState, block: number): number {
  const { i32 } = state.table;
  const size = i32[(block << INTS) + SIZE]!;
  const next = i32[(block << INTS) + NEXT]!;
  return next !== 0 && i32[(next << INTS) + STATE] === UNMAPPED ? size + i32[(next << INTS) + SIZE]! : size;
}

/** With the option switched off, blocks of expandable segments are passed over. */
function nextFixed(state: AllocatorState, shelf: Shelf, first: number): number {
  const { i32 } = state.table;
  let block = first;
  while (block !== 0 && i32[(block << INTS) + SEGMENT] !== 0) block = shelf.free.successor(block);
  return block;
}

/** max_split_size: oversize blocks are kept for oversize requests, and those may waste only so much. */
function isRefused(state: AllocatorState, blockSize: number, size: number): boolean {
  const { maxSplitSize, maxNonSplitRounding } = state.settings;
  if (size < maxSplitSize) return blockSize >= maxSplitSize;
  const most = size + maxNonSplitRounding;
  // The original adds unsigned 64-bit numbers.
  return blockSize >= (most >= 2 ** 64 ? most - 2 ** 64 : most);
}
