/**
 * The strings of a pickle by number, equal bytes once. Only places in the file are kept; text is made when it is asked
 * for, so that a million repeated names cost nothing.
 */
import { grownInts } from './grow.js';
import { type HashSlots } from './hash-slots.js';
import { roleOf, roleOfBytes } from './roles.js';

const DECODER = new TextDecoder();
/** Columns of the table: offset and length in the file, role as a key (`ROLE`). */
const WIDTH = 3;
/** Real files have a string in 150 bytes or more: small ones should neither pay for room that they do not fill nor grow. */
const FILE_BYTES_A_ROW = 128;
const LEAST_ROWS = 64;
const MOST_FIRST_ROWS = 2 ** 12;
/** Up to this length every byte is hashed; of longer strings this many words, spread evenly, and the last. */
const WHOLE_HASH = 40;
const SAMPLED_WORDS = 8;
/** Up to this length plain text is made letter by letter, which is faster than a decoder's call. */
const SHORT_TEXT = 24;

export class StringTable {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  readonly #slots: HashSlots;
  #rows: Int32Array<ArrayBuffer>;
  readonly #texts = new Map<number, string>();
  #count = 0;

  /** `slots` has to be empty, and is used only until the last `intern`. */
  constructor(data: Uint8Array, view: DataView, slots: HashSlots) {
    this.#data = data;
    this.#view = view;
    this.#slots = slots;
    const rows = Math.min(MOST_FIRST_ROWS, Math.max(LEAST_ROWS, Math.floor(data.length / FILE_BYTES_A_ROW)));
    this.#rows = new Int32Array(WIDTH * rows);
  }

  get count(): number {
    return this.#count;
  }

  /** The number of the string at `offset`. */
  intern(offset: number, length: number): number {
    const hash = this.#hash(offset, length);
    const slots = this.#slots;
    const rows = this.#rows;
    let slot = slots.first(hash);
    for (let step = 0; slot !== -1; step++) {
      const known = slots.at(slot);
      if (known === -1) break;
      if (slots.hashAt(slot) !== hash) {
        slot = slots.next(slot, step);
        continue;
      }
      const row = WIDTH * known;
      if (rows[row + 1] === length && this.#same(rows[row]!, offset, length)) return known;
      slot = slots.next(slot, step);
    }
    const made = this.#add(offset, length, roleOfBytes(this.#data, offset, length));
    if (slot !== -1) slots.put(slot, made, hash);
    return made;
  }

  /** A string that stands in the file in another form (escaped): always a number of its own. */
  literal(text: string): number {
    const made = this.#add(0, 0, roleOf(text));
    this.#texts.set(made, text);
    return made;
  }

  /** What a string means as a key (`ROLE`). */
  role(index: number): number {
    return this.#rows[WIDTH * index + 2]!;
  }

  text(index: number): string {
    const known = this.#texts.get(index);
    if (known !== undefined) return known;
    const offset = this.#rows[WIDTH * index]!;
    const length = this.#rows[WIDTH * index + 1]!;
    const text = this.#shortText(offset, length) ?? DECODER.decode(this.#data.subarray(offset, offset + length));
    this.#texts.set(index, text);
    return text;
  }

  /** Short ASCII; undefined for anything else. */
  #shortText(offset: number, length: number): string | undefined {
    if (length > SHORT_TEXT) return undefined;
    let text = '';
    for (let at = offset; at < offset + length; at++) {
      const code = this.#data[at]!;
      if (code >= 0x80) return undefined;
      text += String.fromCharCode(code);
    }
    return text;
  }

  /**
   * Four bytes a step; the rotation lets a step's high bytes reach the low bits. A long name is known by samples: names
   * with the same samples only share a chain, whose length is bounded.
   */
  #hash(offset: number, length: number): number {
    const view = this.#view;
    const end = offset + length;
    let hash = Math.imul(length + 1, 0x9e3779b1);
    if (length > WHOLE_HASH) {
      const stride = Math.floor(length / SAMPLED_WORDS);
      for (let at = offset, word = 0; word < SAMPLED_WORDS; word++, at += stride) {
        hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ view.getInt32(at, true), 0x01000193);
      }
      hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ view.getInt32(end - 4, true), 0x01000193);
      return hash ^ (hash >>> 13);
    }
    let at = offset;
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ view.getInt32(at, true), 0x01000193);
    }
    for (; at < end; at++) hash = Math.imul(((hash << 13) | (hash >>> 19)) ^ this.#data[at]!, 0x01000193);
    return hash ^ (hash >>> 13);
  }

  #same(from: number, offset: number, length: number): boolean {
    const view = this.#view;
    const words = length & ~3;
    let i = 0;
    for (; i < words; i += 4) if (view.getInt32(from + i) !== view.getInt32(offset + i)) return false;
    for (; i < length; i++) if (this.#data[from + i] !== this.#data[offset + i]) return false;
    return true;
  }

  #add(offset: number, length: number, role: number): number {
    const made = this.#count++;
    const row = WIDTH * made;
    if (row === this.#rows.length) this.#rows = grownInts(this.#rows, 0);
    const rows = this.#rows;
    rows[row] = offset;
    rows[row + 1] = length;
    rows[row + 2] = role;
    return made;
  }
}
