/** The map at the end of a dump: 100 characters over all regions, `*` requested, `x` lost to rounding, `_` free. */
import { type ChunkHeap } from './chunk-heap.js';
import { IN_USE, NONE } from './chunk-table.js';
import { type Region } from './regions.js';

const RESOLUTION = 100;

export function occupancy(heap: ChunkHeap, regions: readonly Region[]): string {
  const total = regions.reduce((sum, region) => sum + region.size, 0);
  if (total === 0) return '<allocator contains no memory>';
  const cells = new Array<string>(RESOLUTION).fill('_');
  const draw = (offset: number, size: number, mark: string): void => {
    const last = Math.floor(((offset + size - 1) * RESOLUTION) / total);
    for (let cell = Math.floor((offset * RESOLUTION) / total); cell <= last; cell++) cells[cell] = mark;
  };
  let start = 0;
  for (const region of regions) {
    for (let chunk = region.first; chunk !== NONE; chunk = heap.chunks.next(chunk)) {
      if (heap.chunks.state(chunk) !== IN_USE) continue;
      const offset = start + heap.chunks.address(chunk) - region.address;
      const requested = heap.chunks.requested(chunk);
      const waste = heap.chunks.size(chunk) - requested;
      // Waste first: where both fall on one cell the original lets the request win.
      if (waste > 0) draw(offset + requested, waste, 'x');
      draw(offset, requested, '*');
    }
    start += region.size;
  }
  return cells.join('');
}
