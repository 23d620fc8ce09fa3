/**
 * Containers of a pickle by number. A dictionary begins empty and becomes, once its items are known, a frame, a trace
 * event, a block, a segment or a plain one; a list becomes a call stack or a plain one. Items of plain ones lie in one arena as tags and
 * values; a container that grows in several steps has several pieces.
 */
import { grownBytes, grownDoubles, grownInts } from './grow.js';

/** Kinds of value on the stack, in the memo and in containers; `unset` is a memo entry that was never stored. */
export const TAG = {
  unset: 0,
  none: 1,
  false: 2,
  true: 3,
  integer: 4,
  float: 5,
  string: 6,
  bytes: 7,
  big: 8,
  object: 9,
} as const;
/** Kinds of container. */
export const KIND = {
  dict: 0,
  list: 1,
  tuple: 2,
  set: 3,
  frame: 4,
  stack: 5,
  event: 6,
  pair: 7,
  block: 8,
  segment: 9,
} as const;

/** More containers than any snapshot has: 2^26 need 600 MiB of tables. */
const MOST_OBJECTS = 2 ** 26;
const FIRST_ROWS = 256;

export class ObjectTable {
  kinds = new Uint8Array(FIRST_ROWS);
  /** Number of the frame, stack, event, pair, block or segment; of plain containers where their items begin in the arena. */
  payload = new Int32Array(FIRST_ROWS);
  /** Items of a plain container (a dictionary's keys and values count apart); 0 for the others. */
  lengths = new Int32Array(FIRST_ROWS);
  count = 0;

  itemTags = new Uint8Array(FIRST_ROWS);
  itemValues = new Float64Array(FIRST_ROWS);
  itemCount = 0;
  /** Containers whose items are not in one piece: starts and lengths in turn. */
  readonly pieces = new Map<number, number[]>();

  /** Empties it, with room for about `room` containers and items; memory of an earlier use is taken again. */
  clear(room: number): void {
    this.count = 0;
    this.itemCount = 0;
    this.pieces.clear();
    if (this.kinds.length < room) {
      this.kinds = new Uint8Array(room);
      this.payload = new Int32Array(room);
      this.lengths = new Int32Array(room);
    }
    if (this.itemTags.length < room) {
      this.itemTags = new Uint8Array(room);
      this.itemValues = new Float64Array(room);
    }
  }

  /** Bytes of memory that it holds. */
  get bytes(): number {
    return 9 * (this.kinds.length + this.itemTags.length);
  }

  /** A new container; -1 when there are too many. */
  add(kind: number, payload: number): number {
    const made = this.count;
    if (made >= MOST_OBJECTS) return -1;
    this.count++;
    if (made === this.kinds.length) {
      this.kinds = grownBytes(this.kinds, 0);
      this.payload = grownInts(this.payload, 0);
      this.lengths = grownInts(this.lengths, 0);
    }
    this.kinds[made] = kind;
    this.payload[made] = payload;
    this.lengths[made] = 0;
    return made;
  }

  /** Appends items to a plain container. */
  append(id: number, tags: Uint8Array, values: Float64Array, from: number, to: number): void {
    const start = this.itemCount;
    const added = to - from;
    if (start + added > this.itemTags.length) {
      this.itemTags = grownBytes(this.itemTags, start + added);
      this.itemValues = grownDoubles(this.itemValues, start + added);
    }
    const { itemTags, itemValues } = this;
    for (let i = 0; i < added; i++) {
      itemTags[start + i] = tags[from + i]!;
      itemValues[start + i] = values[from + i]!;
    }
    this.itemCount = start + added;
    const length = this.lengths[id]!;
    if (length === 0) this.payload[id] = start;
    else this.#addPiece(id, length, start, added);
    this.lengths[id] = length + added;
  }

  /** Appends a container to the items that `takeItems` gives to a list. */
  putItem(id: number): void {
    const at = this.itemCount++;
    if (at === this.itemTags.length) {
      this.itemTags = grownBytes(this.itemTags, 0);
      this.itemValues = grownDoubles(this.itemValues, 0);
    }
    this.itemTags[at] = TAG.object;
    this.itemValues[at] = id;
  }

  /** Gives the empty list `id` all items from `start`. */
  takeItems(id: number, start: number): void {
    this.payload[id] = start;
    this.lengths[id] = this.itemCount - start;
  }

  #addPiece(id: number, length: number, start: number, added: number): void {
    const pieces = this.pieces.get(id);
    const lastStart = pieces === undefined ? this.payload[id]! : pieces[pieces.length - 2]!;
    const lastLength = pieces === undefined ? length : pieces[pieces.length - 1]!;
    if (lastStart + lastLength === start) {
      if (pieces !== undefined) pieces[pieces.length - 1] = lastLength + added;
    } else if (pieces === undefined) this.pieces.set(id, [lastStart, lastLength, start, added]);
    else pieces.push(start, added);
  }

  /** Where the items of a container lie in the arena: starts and lengths in turn. */
  piecesOf(id: number): readonly number[] {
    return this.pieces.get(id) ?? [this.payload[id]!, this.lengths[id]!];
  }

  /** Calls `visit` with the place of every item in the arena, in order. */
  forEachItem(id: number, visit: (at: number) => void): void {
    const pieces = this.piecesOf(id);
    for (let i = 0; i < pieces.length; i += 2) {
      const start = pieces[i]!;
      const end = start + pieces[i + 1]!;
      for (let at = start; at < end; at++) visit(at);
    }
  }
}
