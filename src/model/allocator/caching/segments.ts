/** Segments of cudaMalloc: taken whole from the device, given back whole. */
import { FREE, INTS, NEXT, PREV, STATE, UNIT } from './block-table.js';
import { SEGMENT_ALLOC, SEGMENT_FREE } from './history.js';
import { type Shelf } from './pools.js';
import { type AllocatorState } from './state.js';
import { OVERSIZE_SEGMENTS, RESERVED_BYTES, SEGMENTS } from './statistics.js';

/** Takes a segment of `size` bytes; its one block is on no shelf yet. 0 when the device has no room. */
export function takeSegment(state: AllocatorState, shelf: Shelf, size: number): number {
  const taken = state.device.reserve(size, UNIT);
  if (taken === undefined) return 0;
  const { statistics } = state;
  if (shelf.pool.owner !== undefined) shelf.pool.owner.segments += 1;
  const block = state.newBlock(shelf, taken.address, size / UNIT, state.nextAge(), 0);
  statistics.increase(SEGMENTS, shelf.kind, 1);
  statistics.increase(RESERVED_BYTES, shelf.kind, size);
  if (size >= state.settings.maxSplitSize) statistics.increase(OVERSIZE_SEGMENTS, shelf.kind, 1);
  statistics.numDeviceAlloc += 1;
  state.history?.add(SEGMENT_ALLOC, taken.address, size, shelf.stream);
  return block;
}

/** True for a free block that is a whole segment. */
export function isWhole(state: AllocatorState, block: number): boolean {
  const { i32 } = state.table;
  const at = block << INTS;
  return (i32[at + PREV]! | i32[at + NEXT]!) === 0 && i32[at + STATE] === FREE;
}

/** Gives the segment of a free, whole block back to the device. */
export function releaseSegment(state: AllocatorState, block: number): void {
  const { statistics, table } = state;
  const shelf = state.shelfOf(block);
  const address = state.addressOf(block);
  const size = state.sizeOf(block);
  statistics.numDeviceFree += 1;
  state.history?.add(SEGMENT_FREE, address, size, shelf.stream);
  state.device.release(address);
  if (shelf.pool.owner !== undefined) shelf.pool.owner.segments -= 1;
  statistics.decrease(SEGMENTS, shelf.kind, 1);
  statistics.decrease(RESERVED_BYTES, shelf.kind, size);
  if (size >= state.settings.maxSplitSize) statistics.decrease(OVERSIZE_SEGMENTS, shelf.kind, 1);
  shelf.free.remove(block);
  table.giveBack(block);
}
