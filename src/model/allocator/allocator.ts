/**
 * What every allocator model offers (DESIGN section 3), so that one trace can be replayed through any of them and one
 * screen can draw any of them. Synchronous and pure; all sizes and addresses are bytes as doubles.
 *
 *     const block = allocator.malloc(1 << 20); // -1: out of memory, see lastFailure()
 *     allocator.free(block);
 */
export interface Allocator {
  /** As in `--allocator`: caching, bfc, direct, arena, buddy, ... */
  readonly name: string;
  /**
   * Allocates `size` bytes on a stream and returns a block handle: a small integer from 0, reused after `free`.
   * -1 on out of memory (then `lastFailure()` says why); NULL_BLOCK where the allocator gives a null pointer for size 0.
   * Throws `AppError` (`bad-input`) for a size that is negative, not whole, NaN or over 2^53.
   */
  malloc(size: number, stream?: number): number;
  /** Frees a block. Throws `AppError` (`bad-input`) for a handle that is not live (unknown, or freed twice). */
  free(handle: number): void;
  /** First byte of the block, in device addresses. */
  addressOf(handle: number): number;
  /** Bytes of the block handed out; can exceed the request. */
  sizeOf(handle: number): number;
  /** Gives cached memory back to the device (empty_cache). Does nothing where nothing is cached. */
  flush(): void;
  /** The block is also used on another stream (record_stream). Does nothing where streams are not known. */
  recordStream(handle: number, stream: number): void;
  /** State now, cheap enough to read after every operation. */
  readonly totals: Readonly<AllocatorTotals>;
  /** The last malloc that returned -1; undefined before one did. */
  lastFailure(): AllocationFailure | undefined;
  /** Flat statistics under the framework's own names (memory_stats, BFC's stats, ...). */
  stats(): Record<string, number>;
  /** Every segment and block now, in address order: for maps, laws and explanations. Not for hot loops. */
  heap(): Heap;
  /** What a program can also tell this allocator; a trace that needs one it lacks is refused. */
  readonly controls?: AllocatorControls;
}

/** Calls that only some frameworks have. Each is absent where the allocator knows no such thing. */
export interface AllocatorControls {
  /** All streams, or one, have done their work: their events are complete (device synchronise). */
  synchronize?(stream?: number): void;
  resetPeakStats?(): void;
  resetAccumulatedStats?(): void;
  /** Limits this allocator to a share of the device, 0 to 1. Throws `AppError` (`bad-input`) outside. */
  setMemoryFraction?(fraction: number): void;
  /** Reads a settings string as the framework would. Throws `AppError` (`bad-input`) with its own text. */
  setSettings?(conf: string): void;
  /** Private pools (CUDA graphs), by number. */
  beginAllocateToPool?(pool: number): void;
  endAllocateToPool?(pool: number): void;
  releasePool?(pool: number): void;
  /** The program takes a snapshot: an entry in the history, no change of state. */
  recordSnapshot?(): void;
  /** BFC: an allocation with its further arguments. */
  mallocWith?(size: number, options: PlacementOptions): number;
  /** BFC with a timing counter: frees with a lower stamp may be reused. */
  setSafeFrontier?(count: number): void;
  /** BFC's ClearStats. */
  clearStats?(): void;
}

/** Further arguments of one BFC allocation; absent ones have the allocator's default. */
export interface PlacementOptions {
  readonly alignment?: number;
  /** Only chunks freed before this stamp of the timing counter are used. */
  readonly freedBefore?: number;
  /** Spatial partitioning: from the upper end of the pool. */
  readonly upperEnd?: boolean;
}

/** Handle of a request of size 0 where the allocator answers with a null pointer. `free` of it is a no-op. */
export const NULL_BLOCK = -2;

export interface AllocatorTotals {
  /** Bytes of blocks in use. */
  allocated: number;
  /** Bytes of all segments (mapped bytes, for expandable ones). */
  reserved: number;
  /** Allocated plus freed but still used by a stream. */
  active: number;
  /** Bytes asked for by the program, of the blocks in use. */
  requested: number;
  /** Segments held now, as the allocator counts them. */
  segments: number;
}

/** Why a malloc failed, with the figures of that moment. */
export interface AllocationFailure {
  /** The size that the program asked for. */
  readonly requested: number;
  readonly totalFree: number;
  readonly largestFree: number;
  readonly reserved: number;
  readonly allocated: number;
  /** Free bytes of the device outside this allocator's segments. */
  readonly deviceFree: number;
  /** The framework's own text, exact where the model is exact. */
  readonly text: string;
}

export interface Heap {
  readonly segments: readonly HeapSegment[];
}

export interface HeapSegment {
  readonly address: number;
  readonly size: number;
  readonly stream: number;
  /** Name of the pool: small, large, ... '' where there are none. */
  readonly pool: string;
  /** Number of the private pool that owns it; absent for the default pools. */
  readonly privatePool?: number;
  readonly expandable: boolean;
  readonly blocks: readonly HeapBlock[];
}

export interface HeapBlock {
  readonly address: number;
  readonly size: number;
  /** Bytes asked for. Of a free block: what the original still holds there (its last use), 0 if it never was in use. */
  readonly requested: number;
  /** `pending`: freed, but a stream still uses it. */
  readonly state: 'allocated' | 'pending' | 'free';
  /** Handle where allocated, -1 otherwise. */
  readonly handle: number;
}
