/**
 * How badly free memory is cut up. All figures are of one moment; `heap-log.ts` gives the moments.
 *
 * external = 1 - largest free block / total free bytes: 0 when all free memory is in one piece, near 1 when it is dust.
 * internal = bytes of blocks in use that nobody asked for. cache waste = free bytes as a share of what is reserved.
 */
import { type Heap } from '../allocator/allocator.js';

export interface Fragmentation {
  readonly reserved: number;
  /** Bytes of blocks in use. */
  readonly allocated: number;
  /** Bytes asked for, of those blocks. */
  readonly requested: number;
  /** Bytes that are freed but that a stream still uses. */
  readonly pending: number;
  /** Bytes of free blocks. */
  readonly free: number;
  readonly freeBlocks: number;
  readonly largestFree: number;
  /** Sum of the squares of the free blocks' sizes: it falls as free memory is cut up, whatever the largest block is. */
  readonly sumOfSquares: number;
  /** 1 - largestFree / free; 0 when nothing is free. */
  readonly external: number;
  /** allocated - requested. */
  readonly internal: number;
  /** free / reserved; 0 when nothing is reserved. */
  readonly cacheWaste: number;
}

/** The figures of a heap. */
export function fragmentationOf(heap: Heap): Fragmentation {
  const sums = { reserved: 0, allocated: 0, requested: 0, pending: 0, free: 0, freeBlocks: 0 };
  let largestFree = 0;
  let sumOfSquares = 0;
  for (const segment of heap.segments) {
    sums.reserved += segment.size;
    for (const block of segment.blocks) {
      if (block.state === 'allocated') {
        sums.allocated += block.size;
        sums.requested += block.requested;
      } else if (block.state === 'pending') sums.pending += block.size;
      else {
        sums.free += block.size;
        sums.freeBlocks += 1;
        largestFree = Math.max(largestFree, block.size);
        sumOfSquares += block.size ** 2;
      }
    }
  }
  return {
    ...sums,
    largestFree,
    sumOfSquares,
    external: sums.free === 0 ? 0 : 1 - largestFree / sums.free,
    internal: sums.allocated - sums.requested,
    cacheWaste: sums.reserved === 0 ? 0 : sums.free / sums.reserved,
  };
}
