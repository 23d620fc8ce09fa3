/**
 * A memory snapshot that PyTorch wrote, of any version: segments, their blocks as columns, and a trace per device as
 * columns. Strings and call stacks are numbers into the tables of the file.
 */
import { type StackTable } from './pickle/stack-table.js';
import { type StringTable } from './pickle/string-table.js';

/** What a block is doing, as the column `state` holds it. */
export const BLOCK = { inactive: 0, pending: 1, allocated: 2, unknown: 3 } as const;

/** Actions of a trace, as the column `action` holds them; anything else is `other`. */
export const ACTIONS = [
  'alloc',
  'free_requested',
  'free_completed',
  'segment_alloc',
  'segment_free',
  'segment_map',
  'segment_unmap',
  'oom',
  'snapshot',
  'other',
] as const;
export const ACTION = {
  alloc: 0,
  freeRequested: 1,
  freeCompleted: 2,
  segmentAlloc: 3,
  segmentFree: 4,
  segmentMap: 5,
  segmentUnmap: 6,
  oom: 7,
  snapshot: 8,
  other: 9,
} as const;

export interface RecordedSegment {
  readonly device: number;
  readonly address: number;
  readonly size: number;
  readonly stream: number;
  /** `large` or `small`. */
  readonly type: string;
  readonly pool: readonly [number, number];
  readonly expandable: boolean;
  /** What the file itself gives as the sum of its blocks; undefined where it does not. */
  readonly allocated: number | undefined;
  readonly active: number | undefined;
  /** Stack number of the allocation that made it, -1 without. */
  readonly stack: number;
  /** Its blocks are rows [firstBlock, firstBlock + blockCount) of the block columns. */
  readonly firstBlock: number;
  readonly blockCount: number;
}

export interface RecordedBlocks {
  readonly count: number;
  readonly address: Float64Array;
  readonly size: Float64Array;
  /** Bytes asked for; of an inactive block what its last tensor asked for; NaN where the version has none. */
  readonly requested: Float64Array;
  /** `BLOCK`. */
  readonly state: Uint8Array;
  readonly stack: Int32Array;
  readonly segment: Int32Array;
}

export interface RecordedTrace {
  readonly device: number;
  readonly count: number;
  /** `ACTION`. */
  readonly action: Uint8Array;
  /** Address; of `oom` the device's free bytes; NaN where the entry has neither. */
  readonly addr: Float64Array;
  readonly size: Float64Array;
  readonly stream: Float64Array;
  readonly time: Float64Array;
  readonly stack: Int32Array;
  /** String numbers, -1 without. */
  readonly metadata: Int32Array;
  readonly context: Int32Array;
  /** Pool pair number, -1 without. */
  readonly pool: Int32Array;
}

/** The allocator settings in force when the file was written; undefined where the version does not give one. */
export interface RecordedSettings {
  /** Settings variables with their text, in the order in which they count. */
  readonly variables: readonly { readonly variable: string; readonly text: string }[];
  /** Bytes; -1 without a limit. */
  readonly maxSplitSize: number | undefined;
  readonly garbageCollectionThreshold: number | undefined;
  readonly expandable: boolean;
  /** Sizes in MiB and the divisions from there, in turn. */
  readonly divisions: readonly number[];
}

export interface RecordedSnapshot {
  readonly name: string;
  /** `segments-list`: what `torch.cuda.memory_snapshot()` gives, segments without a trace. */
  readonly form: 'snapshot-dict' | 'segments-list';
  readonly segments: readonly RecordedSegment[];
  readonly blocks: RecordedBlocks;
  readonly traces: readonly RecordedTrace[];
  /** undefined where the version has none. */
  readonly settings: RecordedSettings | undefined;
  readonly annotations: readonly unknown[];
  readonly strings: StringTable;
  readonly stacks: StackTable;
  /** Pool pairs of trace entries, two numbers each. */
  readonly poolPairs: readonly number[];
}

/** The trace of a device that recorded none. */
export const emptyTrace = (device: number): RecordedTrace => ({
  device,
  count: 0,
  action: new Uint8Array(0),
  addr: new Float64Array(0),
  size: new Float64Array(0),
  stream: new Float64Array(0),
  time: new Float64Array(0),
  stack: new Int32Array(0),
  metadata: new Int32Array(0),
  context: new Int32Array(0),
  pool: new Int32Array(0),
});
