/**
 * The best-fit-with-coalescing allocator of TensorFlow and XLA/JAX, exact to the byte and to the text of its log
 * (facts of `xla/tsl/framework/bfc_allocator`, states of October 2025 and August 2026).
 *
 *     const allocator = new BfcAllocator({ memoryLimit: 2 ** 31 });
 *     const block = allocator.malloc(1 << 20);
 *     allocator.free(block);
 *
 * A block handle is the original's chunk handle. The plain path (no alignment over 256, no time stamps, no spatial mode)
 * is short; everything else goes through `allocate`.
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { type DeviceMemory } from '../../memory/device-memory.js';
import {
  type AllocationFailure,
  type Allocator,
  type AllocatorControls,
  type AllocatorTotals,
  type Heap,
  NULL_BLOCK,
  type PlacementOptions,
} from '../allocator.js';
import { checkAlignment, checkSize, notLive } from '../arguments.js';
import { type BinSummary, summarizeBins } from './bins.js';
import { BumpMemory } from './bump-memory.js';
import { ChunkHeap } from './chunk-heap.js';
import { FREED_AT, IN_USE, NONE, REQUESTED, SIZE, STATE } from './chunk-table.js';
import { COLLECTION_TEXT, type DumpState } from './dump.js';
import { Failures } from './failures.js';
import { heapOf } from './heap-view.js';
import { type BfcConfig, type BfcOptions, checkOptions, LARGEST_SIZE } from './options.js';
import { Placement, type Request, splitThreshold } from './placement.js';
import { Regions } from './regions.js';
import { Timestamps } from './timestamps.js';

const UNIT = 256;

/** What one request may ask for beyond its size. The 2025 state ignores the alignment for placing. */
export interface BfcRequestOptions extends PlacementOptions {
  /** False: the caller tolerates a failure, so nothing is retried or dumped. */
  readonly retryOnFailure?: boolean;
}

export class BfcAllocator implements Allocator {
  readonly name = 'bfc';
  readonly config: BfcConfig;
  readonly controls: AllocatorControls = {
    mallocWith: (size, options) => this.allocate(size, options),
    setSafeFrontier: (count) => this.setSafeFrontier(count),
    clearStats: () => this.clearStats(),
    resetPeakStats: () => this.clearStats(),
  };
  readonly totals: AllocatorTotals = { allocated: 0, reserved: 0, active: 0, requested: 0, segments: 0 };
  readonly #memory: DeviceMemory;
  readonly #heap: ChunkHeap;
  readonly #regions: Regions;
  readonly #timestamps: Timestamps;
  readonly #placement: Placement;
  readonly #failures: Failures;
  readonly #threshold: number;
  /** No mode that needs the general path. */
  readonly #plain: boolean;
  #peak = 0;
  #allocations = 0;
  #largest = 0;

  constructor(options: BfcOptions) {
    this.config = checkOptions(options);
    this.#memory = options.memory ?? new BumpMemory(this.config.memoryLimit + UNIT);
    this.#failures = new Failures(options.onLog);
    this.#heap = new ChunkHeap(this.config.spatialPartitioning);
    this.#regions = new Regions(this.config, this.#memory, this.#heap);
    this.#timestamps = new Timestamps(this.#heap);
    this.#placement = new Placement(this.#heap, this.config);
    this.#threshold = splitThreshold(this.config);
    const ignoresAlignment = this.config.version === '2025' || this.config.defaultAlignment <= UNIT;
    this.#plain = ignoresAlignment && !this.config.timingCounter && !this.config.spatialPartitioning;
  }

  /** Streams are not known here: `stream` is for callers that replay one trace on several allocators. */
  malloc(size: number, stream?: number): number;
  malloc(size: number): number {
    if (this.#plain && size > 0 && size <= LARGEST_SIZE && Number.isInteger(size)) {
      const rounded = Math.ceil(size / UNIT) * UNIT;
      const chunk = this.#heap.index.atLeast(rounded);
      if (chunk !== NONE) {
        this.#heap.index.remove(chunk);
        const whole = this.#heap.chunks.doubles[chunk * 8 + SIZE]!;
        if (whole >= 2 * rounded || whole - rounded >= this.#threshold) this.#heap.split(chunk, rounded);
        this.#use(chunk, size);
        return chunk;
      }
    }
    return this.allocate(size);
  }

  /** `malloc` with the attributes of one request. The same results and errors. */
  allocate(size: number, options: BfcRequestOptions = {}): number {
    checkSize(size);
    const alignment = options.alignment ?? this.config.defaultAlignment;
    checkAlignment(alignment, 'alignment');
    const request: Request = {
      size,
      rounded: Math.ceil(size / UNIT) * UNIT,
      alignment: this.config.version === '2025' ? UNIT : Math.max(alignment, UNIT),
      freedBefore: options.freedBefore ?? 0,
      upper: options.upperEnd ?? false,
    };
    if (request.upper && !this.config.spatialPartitioning) {
      throw badInput('upperEnd', say`a request from the upper end needs enable_spatial_partitioning=true`);
    }
    const tolerated = options.retryOnFailure === false;
    const retries = this.config.allowRetryOnFailure && !tolerated;
    // AllocatorRetry tries again at once, waits ten seconds for frees that cannot come here, and tries a last time.
    const tries = retries ? 3 : 1;
    for (let attempt = 0; attempt < tries && size > 0; attempt++) {
      const chunk = this.#try(request, alignment);
      if (chunk !== NONE) {
        this.#use(chunk, size);
        return chunk;
      }
    }
    const mode = tolerated ? 'tolerated' : retries ? 'retries' : 'fails';
    this.#failures.report(this.#dumpState(), request, mode, this.#memory.info().free);
    return size === 0 ? NULL_BLOCK : -1;
  }

  #try(request: Request, alignment: number): number {
    if (!this.#timestamps.isEmpty) this.#timestamps.merge(0);
    let chunk = this.#placement.place(request);
    if (chunk !== NONE) return chunk;
    if (this.#extend(request, alignment)) {
      chunk = this.#placement.place(request);
      if (chunk !== NONE) return chunk;
    }
    if (request.freedBefore === 0 && !this.#timestamps.isEmpty && this.#timestamps.merge(request.rounded)) {
      chunk = this.#placement.place(request);
      if (chunk !== NONE) return chunk;
    }
    const collected = this.#regions.collect(request.rounded, () => this.#failures.log(['W', COLLECTION_TEXT]));
    this.#countRegions();
    if (collected && this.#extend(request, alignment)) return this.#placement.place(request);
    return NONE;
  }

  #extend(request: Request, alignment: number): boolean {
    const extended = this.#regions.extend(Math.max(alignment, UNIT), request.rounded);
    this.#countRegions();
    return extended;
  }

  #countRegions(): void {
    this.totals.reserved = this.#regions.poolBytes;
    this.totals.segments = this.#regions.list.length;
  }

  #use(chunk: number, size: number): void {
    const { doubles, words } = this.#heap.chunks;
    doubles[chunk * 8 + REQUESTED] = size;
    words[chunk * 16 + STATE] = IN_USE;
    const whole = doubles[chunk * 8 + SIZE]!;
    const { totals } = this;
    const inUse = totals.allocated + whole;
    totals.allocated = inUse;
    totals.active = inUse;
    totals.requested += size;
    this.#allocations++;
    if (inUse > this.#peak) this.#peak = inUse;
    if (whole > this.#largest) this.#largest = whole;
  }

  free(handle: number): void {
    if (handle === NULL_BLOCK) return;
    const { chunks } = this.#heap;
    if (!chunks.isLive(handle)) throw notLive(handle);
    const { totals } = this;
    const inUse = totals.allocated - chunks.doubles[handle * 8 + SIZE]!;
    totals.allocated = inUse;
    totals.active = inUse;
    totals.requested -= chunks.doubles[handle * 8 + REQUESTED]!;
    if (this.config.timingCounter) {
      chunks.doubles[handle * 8 + FREED_AT] = this.#timestamps.next();
      this.#heap.index.insert(handle);
      this.#timestamps.enqueue(handle);
      return;
    }
    if (!this.#plain) this.#heap.returnBoundaryToGap(handle);
    this.#heap.insertFree(this.#heap.coalesce(handle, false));
  }

  addressOf(handle: number): number {
    if (!this.#heap.chunks.isLive(handle)) throw notLive(handle);
    return this.#heap.chunks.address(handle);
  }

  sizeOf(handle: number): number {
    if (!this.#heap.chunks.isLive(handle)) throw notLive(handle);
    return this.#heap.chunks.size(handle);
  }

  /** BFC keeps its regions: there is no empty_cache. */
  flush(): void {}

  /** BFC knows no streams of its own; time-stamped mode is its answer to them. */
  recordStream(): void {}

  /** Frees with a count under this one may be reused by anyone (time-stamped mode). It never goes back. */
  setSafeFrontier(count: number): void {
    this.#timestamps.setSafeFrontier(count);
  }

  /** reset_memory_stats: counts from now on, the peak starts at the present use. */
  clearStats(): void {
    this.#allocations = 0;
    this.#peak = this.totals.allocated;
    this.#largest = 0;
  }

  lastFailure(): AllocationFailure | undefined {
    return this.#failures.last;
  }

  #dumpState(): DumpState {
    return {
      config: this.config,
      heap: this.#heap,
      regions: this.#regions,
      statistics: {
        bytesInUse: this.totals.allocated,
        peakBytesInUse: this.#peak,
        allocations: this.#allocations,
        largestAllocation: this.#largest,
      },
    };
  }

  /** Under the names of `device.memory_stats()`. The 2025 state never fills in largest_free_block_bytes. */
  stats(): Record<string, number> {
    return {
      num_allocs: this.#allocations,
      bytes_in_use: this.totals.allocated,
      peak_bytes_in_use: this.#peak,
      largest_alloc_size: this.#largest,
      bytes_limit: this.config.memoryLimit,
      bytes_reserved: 0,
      peak_bytes_reserved: 0,
      largest_free_block_bytes: this.config.version === '2025' ? 0 : this.#heap.largestFree(),
      pool_bytes: this.#regions.poolBytes,
      peak_pool_bytes: this.#regions.peakPoolBytes,
    };
  }

  /** Bytes of the largest free chunk, in either year. */
  get largestFree(): number {
    return this.#heap.largestFree();
  }

  /** Address of the central gap in spatial mode; -1 when there is none. */
  get centralGap(): number {
    const { gap, chunks } = this.#heap;
    return gap === NONE ? -1 : chunks.address(gap);
  }

  /** Bytes of the next region if nothing stands against it. */
  get nextRegionBytes(): number {
    return this.#regions.nextBytes;
  }

  /** Chunks by the 21 bins of the original. */
  bins(): readonly BinSummary[] {
    return summarizeBins(this.#heap, this.#regions.list);
  }

  /** Share of the free pool outside the largest free chunk; NaN when nothing is free. */
  fragmentation(): number {
    const free = this.#regions.poolBytes - this.totals.allocated;
    return (free - this.#heap.largestFree()) / free;
  }

  heap(): Heap {
    return heapOf(this.#heap.chunks, this.#regions.list);
  }
}
