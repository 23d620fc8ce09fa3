/** The plan that takes tensors as they come: best fit over one range without end. Fast for traces of any length. */
import { ChunkHeap } from '../bfc/chunk-heap.js';
import { type Lifetimes } from './lifetimes.js';

const ENDLESS = 2 ** 52;

export interface Placement {
  readonly offsets: Float64Array;
  readonly size: number;
}

export function placeOnline({ count, sizes, begins, ends }: Lifetimes): Placement {
  const heap = new ChunkHeap(false);
  heap.insertFree(heap.create(0, ENDLESS, -1));
  const byEnd = Int32Array.from({ length: count }, (_, i) => i).sort((a, b) => ends[a]! - ends[b]!);
  const offsets = new Float64Array(count);
  const chunks = new Int32Array(count).fill(-1);
  let size = 0;
  let freed = 0;
  for (let tensor = 0; tensor < count; tensor++) {
    for (; freed < count && ends[byEnd[freed]!]! <= begins[tensor]!; freed++) {
      const chunk = chunks[byEnd[freed]!]!;
      if (chunk >= 0) heap.insertFree(heap.coalesce(chunk, false));
    }
    const bytes = sizes[tensor]!;
    if (bytes === 0) continue;
    const chunk = heap.index.atLeast(bytes);
    if (chunk < 0) throw new Error('the tensors of this trace take more than 2^52 bytes');
    heap.index.remove(chunk);
    if (heap.chunks.size(chunk) > bytes) heap.split(chunk, bytes);
    heap.use(chunk, bytes);
    chunks[tensor] = chunk;
    offsets[tensor] = heap.chunks.address(chunk);
    size = Math.max(size, offsets[tensor]! + bytes);
  }
  return { offsets, size };
}
