/**
 * What a pickle machine works on: the file, its position, the stack of values (tags and values side by side), marks,
 * memo, and the tables that values go to. Fields are public because the opcodes live in several files; nothing outside
 * this folder holds one.
 */
import { type AppError, badInput } from '../../../base/errors.js';
import { formatNumber } from '../../../base/format.js';
import { EventTable } from './event-table.js';
import { grownBytes, grownDoubles, grownInts } from './grow.js';
import { KIND, ObjectTable, TAG } from './object-table.js';
import { StackTable } from './stack-table.js';
import { StringTable } from './string-table.js';
import { decimalInteger, lineEnd } from './text-opcodes.js';

/** What to do about a file that cannot be read. */
const REMEDY = 'Save it again, or paste the OOM text.';
/** Frames of one call stack that the reading loop takes. */
export const LONGEST_CALL_STACK = 4096;
/** Values on the stack at once. Real files stay under a few thousand: containers are filled in batches of 1,000. */
const DEEPEST_STACK = 2 ** 22;

export class PickleState {
  readonly strings: StringTable;
  readonly stacks = new StackTable();
  readonly events = new EventTable();
  readonly objects: ObjectTable;
  readonly bigs: bigint[] = [];
  /** Places of byte strings: offset and length in turn. */
  readonly blobs: number[] = [];
  /** Pool pairs: first and second in turn. */
  readonly pairs: number[] = [];
  readonly pairNumbers = new Map<number, number>();

  readonly data: Uint8Array;
  readonly view: DataView;
  readonly name: string;
  /** Bytes done. */
  at = 0;
  tags = new Uint8Array(256);
  values = new Float64Array(256);
  top = 0;
  marks = new Int32Array(256);
  markCount = 0;
  memoTags: Uint8Array<ArrayBuffer>;
  memoValues: Float64Array<ArrayBuffer>;
  /** Frame number + 1 of memo entries that are frames: what the loop over a call stack reads. */
  memoFrames: Int32Array<ArrayBuffer>;
  memoCount = 0;
  readonly scratch = new Int32Array(LONGEST_CALL_STACK);

  /** `name` stands in messages. Throws `AppError` (`bad-input`) for a file of 2 GiB or more. */
  constructor(data: Uint8Array, name: string) {
    if (data.length >= 2 ** 31)
      throw badInput(name, `${name}: ${data.length} bytes are more than the 2 GiB that are read`);
    this.data = data;
    this.name = name;
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    // Real files have a memo entry in 40 to 120 bytes: room for them at once saves growing, and small files stay cheap.
    const room = Math.min(2 ** 16, Math.max(256, data.length >> 6));
    this.strings = new StringTable(data, room >> 1);
    this.objects = new ObjectTable(room);
    this.memoTags = new Uint8Array(room);
    this.memoValues = new Float64Array(room);
    this.memoFrames = new Int32Array(room);
  }

  memoize(slot: number, tag: number, value: number): void {
    if (slot >= this.memoTags.length) {
      this.memoTags = grownBytes(this.memoTags, slot + 1);
      this.memoValues = grownDoubles(this.memoValues, slot + 1);
      this.memoFrames = grownInts(this.memoFrames, slot + 1);
    }
    this.memoTags[slot] = tag;
    this.memoValues[slot] = value;
    this.memoFrames[slot] = 0;
    if (slot >= this.memoCount) this.memoCount = slot + 1;
  }

  push(tag: number, value: number, start: number): void {
    if (this.top === this.tags.length) this.growStack(start);
    this.tags[this.top] = tag;
    this.values[this.top++] = value;
  }

  container(kind: number, start: number): number {
    const id = this.objects.add(kind, 0);
    if (id === -1) throw this.bad(start, 'more lists and dictionaries than any snapshot has');
    return id;
  }

  popMark(top: number, start: number): number {
    if (this.markCount === 0) throw this.bad(start, 'there is no MARK for it on the stack');
    const mark = this.marks[--this.markCount]!;
    if (mark > top) throw this.bad(start, 'its MARK is above the top of the stack');
    return mark;
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
    if (typeof value !== 'number') throw this.bad(start, 'a memo number that is none');
    return value;
  }

  growStack(start: number): void {
    if (this.tags.length >= DEEPEST_STACK)
      throw this.bad(start, `more than ${DEEPEST_STACK} values on the stack at once`);
    this.tags = grownBytes(this.tags, 0);
    this.values = grownDoubles(this.values, 0);
  }

  growMarks(start: number): void {
    if (this.marks.length >= DEEPEST_STACK) throw this.bad(start, `containers nested more than ${DEEPEST_STACK} deep`);
    this.marks = grownInts(this.marks, 0);
  }

  cut(start: number): AppError {
    return this.ended(`: the value at byte ${formatNumber(start)} runs past the end`);
  }

  empty(start: number): AppError {
    return this.bad(start, 'there is nothing on the stack for it');
  }

  noMemo(slot: number, start: number): AppError {
    return this.bad(start, `memo number ${slot} was never stored`);
  }

  bad(at: number, what: string): AppError {
    return badInput(this.name, `${this.name}: damaged or no snapshot: at byte ${at}: ${what}. ${REMEDY}`);
  }

  /** The file ends before its value does. `why` is the end of the sentence. */
  ended(why = ''): AppError {
    const open = this.marks[this.markCount - 1] ?? 0;
    const kind =
      this.markCount > 0 && this.tags[open - 1] === TAG.object ? this.objects.kinds[this.values[open - 1]!] : undefined;
    const what = kind === KIND.list ? 'a list' : kind === KIND.dict ? 'a dictionary' : 'a value';
    return badInput(
      this.name,
      `${this.name} stops at byte ${formatNumber(this.data.length)} in the middle of ${what}${why}. ${REMEDY}`,
    );
  }
}
