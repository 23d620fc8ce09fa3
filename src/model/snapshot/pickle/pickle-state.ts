/**
 * What a pickle machine works on: the file, its position, the stack of values (tags and values side by side), marks,
 * memo, and the tables that values go to. Fields are public because the opcodes live in several files; nothing outside
 * this folder holds one.
 */
import { type AppError, badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { formatNumber } from '../../../base/format.js';
import { grownBytes, grownDoubles, grownInts } from './grow.js';
import { KIND, type ObjectTable, TAG } from './object-table.js';
import { type BlockTable, EventTable, type SegmentTable } from './record-tables.js';
import { StackTable } from './stack-table.js';
import { StringTable } from './string-table.js';
import { decimalInteger, lineEnd } from './text-opcodes.js';
import { keepWorkbench, takeWorkbench } from './workbench.js';

/** What to do about a file that cannot be read. */
const REMEDY = say`Save it again, or paste the OOM text.`;
/** Values on the stack at once. Real files stay under a few thousand: containers are filled in batches of 1,000. */
const DEEPEST_STACK = 2 ** 22;

export class PickleState {
  readonly data: Uint8Array;
  readonly view: DataView;
  readonly name: string;
  /** Bytes done. */
  at = 0;

  // What a read leaves behind.
  readonly strings: StringTable;
  readonly stacks: StackTable;
  readonly events: EventTable;
  readonly bigs: bigint[] = [];
  /** Places of byte strings: offset and length in turn. */
  readonly blobs: number[] = [];
  /** Pool pairs: first and second in turn. */
  readonly pairs: number[] = [];
  readonly pairNumbers = new Map<number, number>();

  // What goes back to the workbench.
  readonly #bench = takeWorkbench();
  readonly objects: ObjectTable;
  readonly blocks: BlockTable;
  readonly segments: SegmentTable;
  tags: Uint8Array<ArrayBuffer>;
  values: Float64Array<ArrayBuffer>;
  top = 0;
  marks: Int32Array<ArrayBuffer>;
  markCount = 0;
  memoTags: Uint8Array<ArrayBuffer>;
  memoValues: Float64Array<ArrayBuffer>;
  /**
   * What the loops over frames, stacks and records have found out about memo entries: frame number + 1 of a frame, -1 - role
   * of a text, 0 where none has looked yet.
   */
  memoNotes: Int32Array<ArrayBuffer>;
  memoCount = 0;
  /** Frames of the call stack in hand, their count and hash. */
  readonly scratch: Int32Array<ArrayBuffer>;
  scratchCount = 0;
  scratchHash = 0;
  /** Container that `readFrame` or `readRecord` made last. */
  made = 0;
  /** Value that `readRecord` met last: a number of the file, or that of a text, stack, pair or list. */
  read = 0;

  /** `name` stands in messages. Throws `AppError` (`bad-input`) for a file of 2 GiB or more. */
  constructor(data: Uint8Array, name: string) {
    if (data.length >= 2 ** 31)
      throw badInput(name, say`${name}: ${data.length} bytes are more than the 2 GiB that are read`);
    this.data = data;
    this.name = name;
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const bench = this.#bench;
    // Real files have a memo entry in 40 to 120 bytes: room for them at once saves growing, and small files stay cheap.
    bench.clear(Math.min(2 ** 16, Math.max(256, data.length >> 6)));
    this.strings = new StringTable(data, this.view, bench.stringSlots);
    this.events = new EventTable(data.length);
    this.stacks = new StackTable(bench.frameSlots, bench.stackSlots, data.length);
    this.objects = bench.objects;
    this.blocks = bench.blocks;
    this.segments = bench.segments;
    this.tags = bench.tags;
    this.values = bench.values;
    this.marks = bench.marks;
    this.memoTags = bench.memoTags;
    this.memoValues = bench.memoValues;
    this.memoNotes = bench.memoNotes;
    this.scratch = bench.callStack;
  }

  /** Keeps the working memory for the next file: containers and stack must not be looked at afterwards. */
  release(): void {
    const bench = this.#bench;
    bench.tags = this.tags;
    bench.values = this.values;
    bench.marks = this.marks;
    bench.memoTags = this.memoTags;
    bench.memoValues = this.memoValues;
    bench.memoNotes = this.memoNotes;
    keepWorkbench(bench);
  }

  memoize(slot: number, tag: number, value: number): void {
    if (slot >= this.memoTags.length) this.growMemo(slot + 1);
    if (slot > this.memoCount) {
      this.memoTags.fill(TAG.unset, this.memoCount, slot);
      this.memoNotes.fill(0, this.memoCount, slot);
    }
    this.memoTags[slot] = tag;
    this.memoValues[slot] = value;
    this.memoNotes[slot] = 0;
    if (slot >= this.memoCount) this.memoCount = slot + 1;
  }

  /** The next memo entry: what `MEMOIZE` does. */
  remember(tag: number, value: number): void {
    const slot = this.memoCount++;
    if (slot === this.memoTags.length) this.growMemo(slot + 1);
    this.memoTags[slot] = tag;
    this.memoValues[slot] = value;
    this.memoNotes[slot] = 0;
  }

  /** Role of a text in the memo as a key; -1 for anything else. */
  roleInMemo(slot: number): number {
    if (this.memoTags[slot] !== TAG.string) return -1;
    const role = this.strings.role(this.memoValues[slot]!);
    this.memoNotes[slot] = -1 - role;
    return role;
  }

  growMemo(needed: number): void {
    this.memoTags = grownBytes(this.memoTags, needed);
    this.memoValues = grownDoubles(this.memoValues, needed);
    this.memoNotes = grownInts(this.memoNotes, needed);
  }

  push(tag: number, value: number, start: number): void {
    if (this.top === this.tags.length) this.growStack(start);
    this.tags[this.top] = tag;
    this.values[this.top++] = value;
  }

  container(kind: number, start: number): number {
    const id = this.objects.add(kind, 0);
    if (id === -1) throw this.bad(start, say`more lists and dictionaries than any snapshot has`);
    return id;
  }

  popMark(top: number, start: number): number {
    if (this.markCount === 0) throw this.bad(start, say`there is no MARK for it on the stack`);
    const mark = this.marks[--this.markCount]!;
    if (mark > top) throw this.bad(start, say`its MARK is above the top of the stack`);
    return mark;
  }

  /**
   * Forgets memo entries and containers made since there were so many: the file is read again from there in another way.
   * Strings, frames and stacks stay interned, the same ones will be asked for again.
   */
  takeBack(memoCount: number, containers: number): void {
    this.memoCount = memoCount;
    this.objects.count = containers;
  }

  needOne(start: number): void {
    const floor = this.markCount > 0 ? this.marks[this.markCount - 1]! : 0;
    if (this.top <= floor) throw this.empty(start);
  }

  /** The next `length` bytes: where they begin. */
  take(length: number, start: number): number {
    const from = this.at;
    if (from + length > this.data.length) throw this.cut(start);
    this.at = from + length;
    return from;
  }

  length8(at: number, start: number): number {
    const length = this.view.getUint32(at + 4, true) * 2 ** 32 + this.view.getUint32(at, true);
    if (length > this.data.length) throw this.cut(start);
    return length;
  }

  line(start: number): string {
    const from = this.at;
    const to = lineEnd(this.data, from);
    if (to === -1) throw this.cut(start);
    this.at = to + 1;
    return new TextDecoder().decode(this.data.subarray(from, to)).replace(/\r$/, '');
  }

  lineInteger(start: number): number {
    const value = decimalInteger(this.line(start));
    if (typeof value !== 'number') throw this.bad(start, say`a memo number that is none`);
    return value;
  }

  growStack(start: number): void {
    if (this.tags.length >= DEEPEST_STACK)
      throw this.bad(start, say`more than ${DEEPEST_STACK} values on the stack at once`);
    this.tags = grownBytes(this.tags, 0);
    this.values = grownDoubles(this.values, 0);
  }

  growMarks(start: number): void {
    if (this.marks.length >= DEEPEST_STACK)
      throw this.bad(start, say`containers nested more than ${DEEPEST_STACK} deep`);
    this.marks = grownInts(this.marks, 0);
  }

  cut(start: number): AppError {
    return this.ended(start);
  }

  empty(start: number): AppError {
    return this.bad(start, say`there is nothing on the stack for it`);
  }

  noMemo(slot: number, start: number): AppError {
    return this.bad(start, say`memo number ${slot} was never stored`);
  }

  bad(at: number, what: string): AppError {
    return badInput(this.name, say`${this.name}: damaged or no snapshot: at byte ${at}: ${what}. ${REMEDY}`);
  }

  /** The file ends before its value does; `start` is where a value begins that runs past the end. */
  ended(start?: number): AppError {
    const end = formatNumber(this.data.length);
    const open = this.marks[this.markCount - 1] ?? 0;
    const kind =
      this.markCount > 0 && this.tags[open - 1] === TAG.object ? this.objects.kinds[this.values[open - 1]!] : undefined;
    const what = kind === KIND.list ? say`a list` : kind === KIND.dict ? say`a dictionary` : say`a value`;
    return badInput(
      this.name,
      start === undefined
        ? say`${this.name} stops at byte ${end} in the middle of ${what}. ${REMEDY}`
        : say`${this.name} stops at byte ${end} in the middle of ${what}: the value at byte ${formatNumber(start)} runs past the end. ${REMEDY}`,
    );
  }
}
