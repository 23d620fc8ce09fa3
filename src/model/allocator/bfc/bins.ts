/** The 21 bins of the original: bin b starts at 256 << b. Only dumps and summaries show them; searching does not use them. */
import { type ChunkHeap } from './chunk-heap.js';
import { IN_USE, NONE } from './chunk-table.js';
import { type Region } from './regions.js';

export const BIN_COUNT = 21;
const LAST = BIN_COUNT - 1;

export const binFloor = (bin: number): number => 256 * 2 ** bin;

/** The bin of a size: floor(log2(size / 256)), at most 20. */
export function binOfSize(size: number): number {
  const units = Math.floor(Math.max(size, 256) / 256);
  return units >= 2 ** LAST ? LAST : 31 - Math.clz32(units);
}

export interface BinSummary {
  bytesInUse: number;
  bytesInBin: number;
  requestedInUse: number;
  chunksInUse: number;
  chunksInBin: number;
}

/** Chunks by the bin of their size, those in use too. The central gap is in no bin. */
export function summarizeBins(heap: ChunkHeap, regions: readonly Region[]): BinSummary[] {
  const bins = Array.from({ length: BIN_COUNT }, () => ({
    bytesInUse: 0,
    bytesInBin: 0,
    requestedInUse: 0,
    chunksInUse: 0,
    chunksInBin: 0,
  }));
  for (const region of regions) {
    for (let chunk = region.first; chunk !== NONE; chunk = heap.chunks.next(chunk)) {
      const bin = bins[binOfSize(heap.chunks.size(chunk))];
      if (chunk === heap.gap || bin === undefined) continue;
      const size = heap.chunks.size(chunk);
      bin.bytesInBin += size;
      bin.chunksInBin++;
      if (heap.chunks.state(chunk) !== IN_USE) continue;
      bin.bytesInUse += size;
      bin.chunksInUse++;
      bin.requestedInUse += heap.chunks.requested(chunk);
    }
  }
  return bins;
}
