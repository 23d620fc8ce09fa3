/**
 * Who pins what: a segment goes back to the device only when all of it is free, so one small tensor keeps a large
 * segment. At an out of memory this is the list that explains it.
 */
import { type Heap } from '../allocator/allocator.js';
import { type TensorFact } from './tensor-facts.js';

/** A segment that is partly free, and what keeps it from being released. */
export interface Pin {
  readonly address: number;
  readonly size: number;
  /** Bytes of it that nothing uses. */
  readonly free: number;
  readonly largestFree: number;
  /** The tensors in it, largest first. Blocks that only wait for a stream have no tensor and are not listed. */
  readonly tensors: readonly PinnedTensor[];
}

export interface PinnedTensor extends TensorFact {
  readonly size: number;
}

/** Segments with free and used bytes, most free bytes first. `factOf` tells what is in a block. */
export function pinsOf(heap: Heap, factOf: (handle: number) => TensorFact): Pin[] {
  const pins: Pin[] = [];
  for (const { address, size, blocks } of heap.segments) {
    let free = 0;
    let largestFree = 0;
    const tensors: PinnedTensor[] = [];
    for (const block of blocks) {
      if (block.state === 'free') {
        free += block.size;
        largestFree = Math.max(largestFree, block.size);
      } else if (block.state === 'allocated') tensors.push({ ...factOf(block.handle), size: block.size });
    }
    if (free === 0 || free === size) continue;
    tensors.sort((a, b) => b.size - a.size);
    pins.push({ address, size, free, largestFree, tensors });
  }
  return pins.sort((a, b) => b.free - a.free);
}
