/** Cached memory goes back to the device: all of it (empty_cache, last retry), or enough oversize blocks (max_split_size). */
import { INTS, SEGMENT } from './block-table.js';
import { type ExpandableSegments } from './expandable-segments.js';
import { type Pool, type Shelf } from './pools.js';
import { isWhole, releaseSegment } from './segments.js';
import { type AllocatorState } from './state.js';

/** Whole free segments go back; free pages of expandable ones are unmapped after them. */
export function releasePool(state: AllocatorState, expandable: ExpandableSegments, pool: Pool): void {
  const toUnmap: number[] = [];
  for (const block of pool.freeBlocks()) {
    if (state.table.i32[(block << INTS) + SEGMENT] !== 0) toUnmap.push(block);
    else if (isWhole(state, block)) releaseSegment(state, block);
  }
  for (const block of toUnmap) expandable.unmap(block);
}

/**
 * With max_split_size set: releases one free block of at least that size (and of the request's), or else the largest
 * oversize blocks until they add up to it. True when enough went back; what was released stays released.
 */
export function releaseOversize(state: AllocatorState, shelf: Shelf, size: number): boolean {
  const { maxSplitSize } = state.settings;
  if (maxSplitSize === Infinity) return false;
  const wanted = Math.max(size, maxSplitSize);
  const blocks = shelf.free.blocks();
  const isExpandable = (block: number): boolean => state.table.i32[(block << INTS) + SEGMENT] !== 0;
  const fits = blocks.findIndex((block) => state.sizeOf(block) >= wanted);
  const fit = fits < 0 ? undefined : blocks[fits];
  if (fit !== undefined && !isExpandable(fit)) {
    release(state, fit);
    return true;
  }
  let released = 0;
  for (const block of blocks.slice(0, fits < 0 ? blocks.length : fits).reverse()) {
    if (released >= wanted || state.sizeOf(block) < maxSplitSize) break;
    if (isExpandable(block)) continue;
    released += state.sizeOf(block);
    release(state, block);
  }
  return released >= wanted;
}

/**
 * The original does not look whether an oversize block is a whole segment. It always is, unless max_split_size was
 * lowered, or expandable_segments switched on, in the middle of a run; cudaFree then fails inside a segment, and the
 * model leaves such a block alone.
 */
function release(state: AllocatorState, block: number): void {
  if (isWhole(state, block)) releaseSegment(state, block);
}
