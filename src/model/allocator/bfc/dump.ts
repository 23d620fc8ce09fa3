/**
 * What the original writes into its log when it runs out of memory, line by line, in the words of both years (facts:
 * section 8). The years differ in the header, the tags, the pool lines and the statistics.
 */
import { binFloor, binOfSize, summarizeBins } from './bins.js';
import { type ChunkHeap } from './chunk-heap.js';
import { CENTRAL_GAP, IN_USE, LOWER, NONE, UPPER } from './chunk-table.js';
import { humanReadableBytes } from './human-readable.js';
import { occupancy } from './occupancy.js';
import { type BfcConfig, type LogLine } from './options.js';
import { type Request } from './placement.js';
import { type Regions } from './regions.js';

export interface DumpState {
  readonly config: BfcConfig;
  readonly heap: ChunkHeap;
  readonly regions: Regions;
  readonly statistics: DumpStatistics;
}

export interface DumpStatistics {
  readonly bytesInUse: number;
  readonly peakBytesInUse: number;
  readonly allocations: number;
  readonly largestAllocation: number;
}

const endOf = (request: Request): string => (request.upper ? 'upper' : 'lower');

/** The chunk handle of "no chunk" is printed as the 64-bit number that -1 is. */
const printedHandle = (chunk: number): string => (chunk === NONE ? '18446744073709551615' : String(chunk));

/** The first line of a dump: who failed to get what. */
export function headerText(config: BfcConfig, request: Request): string {
  const start =
    `Allocator (${config.name}) ran out of memory trying to allocate ${humanReadableBytes(request.size)}` +
    ` (rounded to ${request.rounded})`;
  return config.version === '2025'
    ? `${start}requested by op \nIf the cause is memory fragmentation maybe the environment variable ` +
        `'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve the situation. \nCurrent allocation summary follows.\n` +
        'Current allocation summary follows.'
    : `${start} from the ${endOf(request)} end requested by op \nIf this is caused by memory fragmentation, the ` +
        `environment variable 'TF_GPU_ALLOCATOR=cuda_malloc_async' may improve the situation.\n` +
        'Current allocation summary follows.';
}

/** The line after a failure that is not retried; `tolerated` when the caller said that it can live without. */
export function failureText(config: BfcConfig, request: Request, tolerated: boolean): string {
  const end = config.version === '2025' ? '' : ` from the ${endOf(request)} end`;
  return (
    `Allocator (${config.name}) ran out of memory trying to allocate ${humanReadableBytes(request.size)}${end}` +
    ` with freed_by_count=${request.freedBefore}.` +
    (tolerated
      ? ' The caller indicates that this is not a failure, but this may mean that there could be performance gains' +
        ' if more memory were available.'
      : '')
  );
}

export const COLLECTION_TEXT =
  'Garbage collection: deallocate free memory regions (i.e., allocations) so that we can re-allocate a larger region ' +
  'to avoid OOM due to memory fragmentation. If you see this message frequently, you are running near the threshold ' +
  'of the available device memory and re-allocation may incur great performance overhead. You may try smaller batch ' +
  "sizes to observe the performance impact. Set TF_ENABLE_GPU_GARBAGE_COLLECTION=false if you'd like to disable this " +
  'feature.';

/** The whole dump: header, bins, chunks, summary, statistics, map. */
export function dumpLines(state: DumpState, request: Request): LogLine[] {
  const information = [
    `BFCAllocator dump for ${state.config.name}`,
    ...binLines(state),
    ...wantedBinLines(state, request.rounded),
    ...chunkLines(state),
    ...sizeLines(state),
    ...poolLines(state, request),
    `Stats: \n${statisticsText(state)}`,
  ];
  return [
    ['W', headerText(state.config, request)],
    ...information.map((text): LogLine => ['I', text]),
    ['W', occupancy(state.heap, state.regions.list)],
  ];
}

const binLines = ({ heap, regions }: DumpState): string[] =>
  summarizeBins(heap, regions.list).map(
    (bin, index) =>
      `Bin (${binFloor(index)}): \tTotal Chunks: ${bin.chunksInBin}, Chunks in use: ${bin.chunksInUse}. ` +
      `${humanReadableBytes(bin.bytesInBin)} allocated for chunks. ` +
      `${humanReadableBytes(bin.bytesInUse)} in use in bin. ` +
      `${humanReadableBytes(bin.requestedInUse)} client-requested in use in bin.`,
  );

function wantedBinLines({ heap }: DumpState, rounded: number): string[] {
  const bin = binOfSize(rounded);
  const lines = [`Bin for ${humanReadableBytes(rounded)} was ${humanReadableBytes(binFloor(bin))}, Chunk State: `];
  for (let chunk = heap.index.atLeast(bin === 0 ? 0 : binFloor(bin)); chunk !== NONE; chunk = heap.index.after(chunk)) {
    if (binOfSize(heap.chunks.size(chunk)) !== bin) break;
    const previous = heap.chunks.previous(chunk);
    const next = heap.chunks.next(chunk);
    lines.push(
      chunkText(heap, chunk) +
        (previous === NONE ? '' : `, prev: ${chunkText(heap, previous)}`) +
        (next === NONE ? '' : `, next: ${chunkText(heap, next)}`),
    );
  }
  return lines;
}

function chunkText(heap: ChunkHeap, chunk: number): string {
  const { chunks } = heap;
  const inUse = chunks.state(chunk) === IN_USE;
  const bin = inUse || chunk === heap.gap ? -1 : binOfSize(chunks.size(chunk));
  return (
    `  Size: ${humanReadableBytes(chunks.size(chunk))} | Requested Size: ${humanReadableBytes(chunks.requested(chunk))}` +
    ` | in_use: ${inUse ? 1 : 0} | bin_num: ${bin}`
  );
}

function tagName(tag: number): string {
  if (tag === CENTRAL_GAP) return 'central_gap';
  return tag === UPPER ? 'upper' : 'lower';
}

function chunkLines({ config, heap, regions }: DumpState): string[] {
  const { chunks } = heap;
  const lines: string[] = [];
  for (const region of regions.list) {
    lines.push(`Next region of size ${region.size}`);
    for (let chunk = region.first; chunk !== NONE; chunk = chunks.next(chunk)) {
      const state = chunks.state(chunk) === IN_USE ? 'InUse' : 'Free ';
      const tag = config.version === '2025' ? '' : ` tag ${tagName(chunks.tag(chunk))}`;
      const count = config.timingCounter ? ` freed_at_count ${chunks.freedAt(chunk)}` : '';
      lines.push(
        `${state} at ${chunks.address(chunk).toString(16)} of size ${chunks.size(chunk)}${tag}` +
          ` next ${printedHandle(chunks.next(chunk))}${count}`,
      );
    }
  }
  return lines;
}

function sizeLines({ heap, regions }: DumpState): string[] {
  const counts = new Map<number, number>();
  for (const region of regions.list) {
    for (let chunk = region.first; chunk !== NONE; chunk = heap.chunks.next(chunk)) {
      if (heap.chunks.state(chunk) !== IN_USE) continue;
      const size = heap.chunks.size(chunk);
      counts.set(size, (counts.get(size) ?? 0) + 1);
    }
  }
  const ascending = [...counts].sort(([a], [b]) => a - b);
  const total = ascending.reduce((sum, [size, count]) => sum + size * count, 0);
  return [
    '     Summary of in-use Chunks by size: ',
    ...ascending.map(
      ([size, count]) => `${count} Chunks of size ${size} totalling ${humanReadableBytes(size * count)}`,
    ),
    `Sum Total of in-use chunks: ${humanReadableBytes(total)}`,
  ];
}

/** A difference of two size_t, printed as one: under zero it wraps. */
const unsigned = (value: number): string => BigInt.asUintN(64, BigInt(value)).toString();

function poolLines(state: DumpState, request: Request): string[] {
  const { config, heap, regions, statistics } = state;
  const unallocated = config.memoryLimit - regions.poolBytes;
  if (config.version === '2025') {
    return [
      `Total bytes in pool: ${regions.poolBytes} memory_limit_: ${config.memoryLimit} available bytes: ` +
        `${unsigned(unallocated)} curr_region_allocation_bytes_: ${regions.nextBytes}`,
    ];
  }
  const gap = heap.gap === NONE ? 0 : heap.chunks.size(heap.gap);
  const sameEnd = largestOfEnd(heap, request.upper ? UPPER : LOWER);
  const show = humanReadableBytes;
  const summary =
    `Allocator memory summary: rounded request ${show(request.rounded)}, total free in pool ` +
    `${show(regions.poolBytes - statistics.bytesInUse)}, largest free chunk usable by ${endOf(request)} end ` +
    `${show(Math.max(sameEnd, gap))}, unallocated bytes ${show(unallocated)}, pool size ${show(regions.poolBytes)}, ` +
    `pool limit ${show(config.memoryLimit)}`;
  const spatial =
    `Spatial partitioning summary for ${endOf(request)} end: central gap ${show(gap)}, largest same-end binned free ` +
    `chunk ${show(sameEnd)}, largest binned free chunk from any end ${show(heap.largestBinned())}. The central gap ` +
    'is shared by lower/upper allocations and is not inserted into a bin.';
  const growth =
    `Allocator region growth hint: next region allocation target ${show(regions.nextBytes)}` +
    (config.allowGrowth ? ' (growth enabled).' : ' (growth disabled; fixed-size pool; not an attempted allocation).');
  return heap.gap === NONE ? [summary, growth] : [summary, spatial, growth];
}

/** Bytes of the largest binned chunk that belongs to one end. */
function largestOfEnd(heap: ChunkHeap, tag: number): number {
  let largest = 0;
  for (let chunk = heap.index.atLeast(0); chunk !== NONE; chunk = heap.index.after(chunk)) {
    if (heap.chunks.tag(chunk) === tag) largest = heap.chunks.size(chunk);
  }
  return largest;
}

function statisticsText({ config, heap, statistics }: DumpState): string {
  const is2025 = config.version === '2025';
  const size = (value: number): string => (is2025 ? String(value) : humanReadableBytes(value));
  const rows: [string, string][] = [
    ['Limit:', size(config.memoryLimit)],
    ['InUse:', size(statistics.bytesInUse)],
    ['MaxInUse:', size(statistics.peakBytesInUse)],
    ['NumAllocs:', String(statistics.allocations)],
    ['MaxAllocSize:', size(statistics.largestAllocation)],
    ['Reserved:', size(0)],
    ['PeakReserved:', size(0)],
    ...(is2025 ? [] : [['PeakAllocated:', size(0)] as [string, string]]),
    ['LargestFreeBlock:', size(is2025 ? 0 : heap.largestFree())],
  ];
  // Labels fill 18 columns, figures 20; PeakAllocated is set 4 columns wider there.
  return rows
    .map(([label, figure]) => `${label.padEnd(label === 'PeakAllocated:' ? 22 : 18)}${figure.padStart(20)}\n`)
    .join('');
}
