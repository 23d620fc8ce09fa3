/** Regions and chunks as the heap that maps and laws read. */
import { type Heap, type HeapBlock } from '../allocator.js';
import { type ChunkTable, IN_USE, NONE } from './chunk-table.js';
import { type Region } from './regions.js';

export function heapOf(chunks: ChunkTable, regions: readonly Region[]): Heap {
  const segments = regions.map((region) => {
    const blocks: HeapBlock[] = [];
    for (let chunk = region.first; chunk !== NONE; chunk = chunks.next(chunk)) blocks.push(blockOf(chunks, chunk));
    return { address: region.address, size: region.size, stream: 0, pool: '', expandable: false, blocks };
  });
  return { segments };
}

function blockOf(chunks: ChunkTable, chunk: number): HeapBlock {
  const address = chunks.address(chunk);
  const size = chunks.size(chunk);
  if (chunks.state(chunk) === IN_USE) {
    return { address, size, requested: chunks.requested(chunk), state: 'allocated', handle: chunk };
  }
  // A chunk with a free count is out of bounds for requests that ask for older memory.
  return { address, size, requested: 0, state: chunks.freedAt(chunk) > 0 ? 'pending' : 'free', handle: -1 };
}
