/**
 * Memory that reading one pickle needs and that no result keeps: stack, memo, containers, slots. One set is kept for the
 * next file, because making thirty arrays takes longer than reading a small one.
 *
 *     const bench = takeWorkbench(); // a reader that fails simply drops it
 *     ...
 *     keepWorkbench(bench);
 */
import { HashSlots } from './hash-slots.js';
import { ObjectTable } from './object-table.js';
import { BlockTable, SegmentTable } from './record-tables.js';

/** Frames of one call stack that the reading loop takes. */
export const LONGEST_CALL_STACK = 4096;
const FIRST_ROWS = 256;
/** A set that a large file made bigger than this is not kept. */
const MOST_KEPT_BYTES = 2 ** 22;

export class Workbench {
  tags = new Uint8Array(FIRST_ROWS);
  values = new Float64Array(FIRST_ROWS);
  marks = new Int32Array(FIRST_ROWS);
  memoTags = new Uint8Array(FIRST_ROWS);
  memoValues = new Float64Array(FIRST_ROWS);
  memoNotes = new Int32Array(FIRST_ROWS);
  readonly callStack = new Int32Array(LONGEST_CALL_STACK);
  readonly objects = new ObjectTable();
  /** On their way to the snapshot: how many there are is known only at the end. */
  readonly blocks = new BlockTable();
  readonly segments = new SegmentTable();
  readonly stringSlots = new HashSlots();
  readonly frameSlots = new HashSlots();
  readonly stackSlots = new HashSlots();

  /** Empties what has to be empty, with room for about `rows` memo entries, containers and items. */
  clear(rows: number): void {
    if (this.memoTags.length < rows) {
      this.memoTags = new Uint8Array(rows);
      this.memoValues = new Float64Array(rows);
      this.memoNotes = new Int32Array(rows);
    }
    this.objects.clear(rows);
    this.blocks.count = 0;
    this.segments.count = 0;
    this.stringSlots.clear(rows >> 1);
    this.frameSlots.clear(rows >> 1);
    this.stackSlots.clear(rows >> 2);
  }

  get bytes(): number {
    const slots = this.stringSlots.bytes + this.frameSlots.bytes + this.stackSlots.bytes;
    const tables = this.objects.bytes + this.blocks.bytes + this.segments.bytes;
    return 9 * this.tags.length + 4 * this.marks.length + 13 * this.memoTags.length + tables + slots;
  }
}

let kept: Workbench | undefined;

/** The kept set, or a new one; two reads at a time never share one. */
export function takeWorkbench(): Workbench {
  const bench = kept ?? new Workbench();
  kept = undefined;
  return bench;
}

/** Gives a set back; nothing may read from it afterwards. */
export function keepWorkbench(bench: Workbench): void {
  kept = bench.bytes > MOST_KEPT_BYTES ? undefined : bench;
}
