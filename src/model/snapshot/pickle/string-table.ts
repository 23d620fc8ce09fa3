/**
 * The strings of a pickle by number, equal bytes once. Only places in the file are kept; text is made when it is asked
 * for, so that a million repeated names cost nothing.
 */
import { grownBytes, grownInts } from './grow.js';
import { HashSlots } from './hash-slots.js';
import { roleOf, roleOfBytes } from './roles.js';

const DECODER = new TextDecoder();

export class StringTable {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  readonly #slots: HashSlots;
  #offsets: Int32Array<ArrayBuffer>;
  #lengths: Int32Array<ArrayBuffer>;
  #hashes: Int32Array<ArrayBuffer>;
  #texts: (string | undefined)[] = [];
  #count = 0;
  /** Role of each string as a key (`ROLE`). */
  roles: Uint8Array<ArrayBuffer>;

  constructor(data: Uint8Array, room: number) {
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.#slots = new HashSlots(room);
    this.#offsets = new Int32Array(room);
    this.#lengths = new Int32Array(room);
    this.#hashes = new Int32Array(room);
    this.roles = new Uint8Array(room);
  }

  get count(): number {
    return this.#count;
  }

  /** The number of the string at `offset`. */
  intern(offset: number, length: number): number {
    const hash = this.#hash(offset, length);
    const slots = this.#slots;
    let slot = slots.first(hash);
    for (let step = 0; slot !== -1; step++) {
      const known = slots.at(slot);
      if (known === -1) break;
      if (this.#hashes[known] === hash && this.#lengths[known] === length && this.#same(known, offset)) return known;
      slot = slots.next(slot, step);
    }
    const made = this.#add(offset, length, hash);
    if (slot !== -1) slots.put(slot, made, (value) => this.#hashes[value]!);
    return made;
  }

  /** A string that stands in the file in another form (escaped): always a number of its own. */
  literal(text: string): number {
    const made = this.#add(0, 0, 0);
    this.#texts[made] = text;
    this.roles[made] = roleOf(text);
    return made;
  }

  text(index: number): string {
    const known = this.#texts[index];
    if (known !== undefined) return known;
    const offset = this.#offsets[index]!;
    const text = DECODER.decode(this.#data.subarray(offset, offset + this.#lengths[index]!));
    this.#texts[index] = text;
    return text;
  }

  /** Four bytes a step; the rotation lets a step's high bytes reach the low bits. */
  #hash(offset: number, length: number): number {
    const view = this.#view;
    const end = offset + length;
    let hash = Math.imul(length + 1, 0x9e3779b1);
    let at = offset;
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ view.getInt32(at, true), 0x01000193);
    }
    for (; at < end; at++) hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ this.#data[at]!, 0x01000193);
    return hash ^ (hash >>> 13);
  }

  #same(known: number, offset: number): boolean {
    const data = this.#data;
    const from = this.#offsets[known]!;
    for (let i = 0, length = this.#lengths[known]!; i < length; i++) {
      if (data[from + i] !== data[offset + i]) return false;
    }
    return true;
  }

  #add(offset: number, length: number, hash: number): number {
    const made = this.#count++;
    if (made === this.#offsets.length) {
      this.#offsets = grownInts(this.#offsets, 0);
      this.#lengths = grownInts(this.#lengths, 0);
      this.#hashes = grownInts(this.#hashes, 0);
      this.roles = grownBytes(this.roles, 0);
    }
    this.#offsets[made] = offset;
    this.#lengths[made] = length;
    this.#hashes[made] = hash;
    this.roles[made] = roleOfBytes(this.#data, offset, length);
    return made;
  }
}
