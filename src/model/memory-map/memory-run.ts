/**
 * One run of a program on an allocator as the memory view needs it: who lived where, from when to when, as plain columns
 * that cross threads without a copy. A block is a row of `blocks`, from the operation that placed it to the one after
 * which its bytes are free again; every screen (map, tracks, event list, search) reads the same rows.
 *
 *     const run = memoryRunOf(trace, { name: 'caching', capacity: MiB(992), conf: '' });
 *     const moment = new MomentReader(run).at(2353); // blocks and segments after operation 2,353
 *     postMessage(run, transferablesOf(run));
 *
 * A position is an operation: the state after it. -1 is the state before the first one. Sizes and addresses are bytes.
 */

/** `diedAt`, `releasedAt`, `freedAt` of what is still there at the end. */
export const NEVER = 0x7fffffff;

/** What an event is about: the values of `events.kind`. `subject` is a row of the table in brackets, -1 without one. */
export const EVENT = {
  /** A tensor got its block (blocks). */
  allocate: 0,
  /** A block was freed (blocks); a stream may still use it: then it is free at its `diedAt`. */
  free: 1,
  /** An allocation failed (failures). */
  outOfMemory: 2,
  /** The program names a place (markers). */
  marker: 3,
  /** Memory came from the device, or was mapped (segments). */
  segmentTaken: 4,
  /** Memory went back to the device, or was unmapped (segments). */
  segmentGiven: 5,
  /** The cache was told to give its memory back. */
  emptyCache: 6,
  /** The program waited for the device. */
  synchronize: 7,
  /** A stream's use of a block ended, so that it is free now (blocks). */
  completed: 8,
  /** Anything else: a setting, a stream noted, an operation on nothing. */
  other: 9,
} as const;

/** Stretches of addresses, each there from one operation to another. */
interface StretchColumns {
  readonly count: number;
  readonly address: Float64Array<ArrayBuffer>;
  readonly size: Float64Array<ArrayBuffer>;
  readonly createdAt: Int32Array<ArrayBuffer>;
  readonly releasedAt: Int32Array<ArrayBuffer>;
}

/** Address ranges that hold their place on the map. Their `size` is the addresses in which there was memory at some time. */
export interface RangeColumns extends StretchColumns {
  /** 1: addresses into which memory is mapped piece by piece (expandable segments); 0: one piece of memory. */
  readonly expandable: Uint8Array<ArrayBuffer>;
}

/** Pieces of memory of the device: a segment, or a mapped part of an expandable one. */
export interface SegmentColumns extends StretchColumns {
  /** Row of `ranges`. */
  readonly range: Int32Array<ArrayBuffer>;
}

/** Blocks in the order of `bornAt`. */
export interface BlockColumns {
  readonly count: number;
  readonly address: Float64Array<ArrayBuffer>;
  readonly size: Float64Array<ArrayBuffer>;
  /** Bytes that the program asked for. */
  readonly requested: Float64Array<ArrayBuffer>;
  /** -1: before the first operation. */
  readonly bornAt: Int32Array<ArrayBuffer>;
  /** The operation that frees it; it is `pending` from then until `diedAt`. */
  readonly freedAt: Int32Array<ArrayBuffer>;
  readonly diedAt: Int32Array<ArrayBuffer>;
  /** `CATEGORY` of `trace.ts`. */
  readonly category: Uint8Array<ArrayBuffer>;
  /** Number that the program uses for the tensor. */
  readonly id: Float64Array<ArrayBuffer>;
  /** Name of the tensor: a row of `names`, -1 without one. */
  readonly name: Int32Array<ArrayBuffer>;
  /** Call stack that allocated it: a row of `stacks`, -1 where none is known. */
  readonly stack: Int32Array<ArrayBuffer>;
  /** Row of `ranges`. */
  readonly range: Int32Array<ArrayBuffer>;
  /** Place of its address among all addresses of the run: equal for equal addresses. */
  readonly rank: Int32Array<ArrayBuffer>;
}

/** State after each operation; every column has `end` values. */
export interface TrackColumns {
  /** Bytes of blocks in use. */
  readonly allocated: Float64Array<ArrayBuffer>;
  /** Bytes taken from the device. */
  readonly reserved: Float64Array<ArrayBuffer>;
  readonly largestHole: Float64Array<ArrayBuffer>;
  /** Free bytes inside segments. With `allocated` it makes `reserved`, but for bytes that wait for a stream. */
  readonly free: Float64Array<ArrayBuffer>;
  readonly holes: Int32Array<ArrayBuffer>;
  readonly segments: Int32Array<ArrayBuffer>;
}

/** Failed allocations, in order. */
export interface FailureColumns {
  readonly count: number;
  readonly operation: Int32Array<ArrayBuffer>;
  readonly requested: Float64Array<ArrayBuffer>;
  /** Free bytes of the device outside the segments; NaN where it is not known. */
  readonly deviceFree: Float64Array<ArrayBuffer>;
  readonly name: Int32Array<ArrayBuffer>;
  readonly stack: Int32Array<ArrayBuffer>;
}

/** All markers of the program, in order; a run that stopped did not come to the last ones. */
export interface MarkerColumns {
  readonly count: number;
  readonly operation: Int32Array<ArrayBuffer>;
  /** Row of `names`. */
  readonly name: Int32Array<ArrayBuffer>;
}

/** One value an operation. */
export interface EventColumns {
  /** `EVENT`. */
  readonly kind: Uint8Array<ArrayBuffer>;
  readonly subject: Int32Array<ArrayBuffer>;
}

/** The living blocks at moments between which a reader walks: checkpoint i is the state before operation i * interval. */
export interface CheckpointColumns {
  readonly interval: number;
  /** Checkpoint i has rows [starts[i], starts[i + 1]) of `rows`. */
  readonly starts: Int32Array<ArrayBuffer>;
  /** Rows of `blocks`, each checkpoint in order of address. */
  readonly rows: Int32Array<ArrayBuffer>;
  /** Rows of `blocks` that are freed, in the order of `freedAt`. */
  readonly frees: Int32Array<ArrayBuffer>;
  /** Bytes in use of each category before operation i * `categoryInterval`, `CATEGORY_COUNT` values a moment. */
  readonly categoryInterval: number;
  readonly categories: Float64Array<ArrayBuffer>;
}

export const CATEGORY_COUNT = 7;

export interface MemoryRun {
  readonly name: string;
  /** Bytes that the allocator may take from the device; undefined where nothing says so (a snapshot without a failure). */
  readonly capacity: number | undefined;
  /** Operations of the program. */
  readonly operations: number;
  /** Operations that were carried out: fewer than `operations` where the run stopped at a failure. */
  readonly end: number;
  /** What an operation is called: an operation of a program, or an entry of a recorded trace. */
  readonly unit: 'operation' | 'event';
  readonly ranges: RangeColumns;
  readonly segments: SegmentColumns;
  readonly blocks: BlockColumns;
  readonly tracks: TrackColumns;
  readonly failures: FailureColumns;
  readonly markers: MarkerColumns;
  readonly events: EventColumns;
  readonly checkpoints: CheckpointColumns;
  readonly names: readonly string[];
  /** Call stacks in words, innermost frame first. */
  readonly stacks: readonly (readonly string[])[];
  /** Entries that contradict the state before them (a recorded trace that was cut); 0 for every replay. */
  readonly contradictions: number;
}

/** Peak of what was reserved, and of what was allocated. */
export function peaksOf({ tracks, end }: MemoryRun): { readonly reserved: number; readonly allocated: number } {
  let reserved = 0;
  let allocated = 0;
  for (let i = 0; i < end; i++) {
    reserved = Math.max(reserved, tracks.reserved[i]!);
    allocated = Math.max(allocated, tracks.allocated[i]!);
  }
  return { reserved, allocated };
}

/** What moves with a run to another thread. The run is empty here afterwards. */
export function transferablesOf(run: MemoryRun): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const table of Object.values(run) as readonly unknown[]) {
    if (typeof table !== 'object' || table === null || Array.isArray(table)) continue;
    for (const column of Object.values(table) as readonly unknown[]) {
      if (ArrayBuffer.isView(column)) buffers.add(column.buffer as ArrayBuffer);
    }
  }
  return [...buffers];
}
