/**
 * Free chunks ordered by (size, address), which is the order in which BFC looks at them: its 21 bins partition the
 * sizes, so "first fit in the first bin" is the smallest fitting chunk at the lowest address.
 *
 * 8,192 exact bins (one a 256-byte unit, under 2 MiB) and above that 128 bins a power of two; a three-level bitmap finds
 * the next filled bin in three words; a bin is a treap whose priorities are a hash of the handle.
 */
import { ADDRESS, BINNED, type ChunkTable, LEFT, LOOSE, NONE, RIGHT, SIZE, STATE } from './chunk-table.js';

const UNIT = 256;
const EXACT_BINS = 8192;
/** 8,192 exact bins, then exponents 13 to 44: sizes to 2^53 bytes. */
const BINS = EXACT_BINS + 32 * 128;
const WORDS = BINS / 32;
const GROUPS = WORDS / 32;

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits);
const priority = (chunk: number): number => Math.imul(chunk + 1, 0x9e3779b1);

function binOf(size: number): number {
  const units = size * (1 / UNIT);
  if (units < EXACT_BINS) return units | 0;
  let shift = 0;
  let narrow = units;
  if (units >= 2 ** 30) {
    shift = 20;
    narrow = units / 2 ** 20;
  }
  const exponent = 31 - Math.clz32(narrow);
  return EXACT_BINS + (exponent + shift - 13) * 128 + ((narrow >>> (exponent - 7)) & 127);
}

export class FreeIndex {
  /** Free chunks in it. */
  count = 0;
  readonly #chunks: ChunkTable;
  readonly #roots = new Int32Array(BINS).fill(NONE);
  readonly #filled = new Int32Array(WORDS);
  readonly #filledWords = new Int32Array(GROUPS);
  #filledGroups = 0;

  constructor(chunks: ChunkTable) {
    this.#chunks = chunks;
  }

  insert(chunk: number): void {
    const { doubles, words } = this.#chunks;
    words[chunk * 16 + STATE] = BINNED;
    this.count++;
    const bin = binOf(doubles[chunk * 8 + SIZE]!);
    let node = this.#roots[bin]!;
    if (node === NONE) {
      words[chunk * 16 + LEFT] = NONE;
      words[chunk * 16 + RIGHT] = NONE;
      this.#roots[bin] = chunk;
      this.#mark(bin);
      return;
    }
    const size = doubles[chunk * 8 + SIZE]!;
    const address = doubles[chunk * 8 + ADDRESS]!;
    const mine = priority(chunk);
    let link = NONE;
    while (node !== NONE && priority(node) > mine) {
      const other = doubles[node * 8 + SIZE]!;
      const left = size < other || (size === other && address < doubles[node * 8 + ADDRESS]!);
      link = node * 16 + (left ? LEFT : RIGHT);
      node = words[link]!;
    }
    if (link === NONE) this.#roots[bin] = chunk;
    else words[link] = chunk;
    // What hung there is split around the new chunk.
    let left = chunk * 16 + LEFT;
    let right = chunk * 16 + RIGHT;
    while (node !== NONE) {
      const other = doubles[node * 8 + SIZE]!;
      if (other < size || (other === size && doubles[node * 8 + ADDRESS]! < address)) {
        words[left] = node;
        left = node * 16 + RIGHT;
        node = words[left]!;
      } else {
        words[right] = node;
        right = node * 16 + LEFT;
        node = words[right]!;
      }
    }
    words[left] = NONE;
    words[right] = NONE;
  }

  /** Takes a chunk out; its size and address must be what they were when it went in. */
  remove(chunk: number): void {
    const { doubles, words } = this.#chunks;
    words[chunk * 16 + STATE] = LOOSE;
    this.count--;
    const size = doubles[chunk * 8 + SIZE]!;
    const bin = binOf(size);
    let link = NONE;
    let node = this.#roots[bin]!;
    if (node !== chunk) {
      const address = doubles[chunk * 8 + ADDRESS]!;
      do {
        const other = doubles[node * 8 + SIZE]!;
        const left = size < other || (size === other && address < doubles[node * 8 + ADDRESS]!);
        link = node * 16 + (left ? LEFT : RIGHT);
        node = words[link]!;
      } while (node !== chunk);
    }
    let left = words[chunk * 16 + LEFT]!;
    let right = words[chunk * 16 + RIGHT]!;
    while (left !== NONE && right !== NONE) {
      const leftWins = priority(left) > priority(right);
      const winner = leftWins ? left : right;
      if (link === NONE) this.#roots[bin] = winner;
      else words[link] = winner;
      link = winner * 16 + (leftWins ? RIGHT : LEFT);
      if (leftWins) left = words[link]!;
      else right = words[link]!;
    }
    const rest = left === NONE ? right : left;
    if (link !== NONE) words[link] = rest;
    else {
      this.#roots[bin] = rest;
      if (rest === NONE) this.#unmark(bin);
    }
  }

  /** The first chunk of at least `size` bytes in (size, address) order; NONE when there is none. */
  atLeast(size: number): number {
    const bin = binOf(size);
    if (bin >= BINS) return NONE;
    const found = this.#lowerBound(bin, size, 0);
    return found === NONE ? this.#firstFrom(bin + 1) : found;
  }

  /** The chunk after this one in (size, address) order; NONE at the end. */
  after(chunk: number): number {
    const size = this.#chunks.size(chunk);
    const bin = binOf(size);
    const found = this.#lowerBound(bin, size, this.#chunks.address(chunk) + 1);
    return found === NONE ? this.#firstFrom(bin + 1) : found;
  }

  /** The last chunk in (size, address) order; NONE when there is none. */
  largest(): number {
    if (this.#filledGroups === 0) return NONE;
    const group = 31 - Math.clz32(this.#filledGroups);
    const word = group * 32 + 31 - Math.clz32(this.#filledWords[group]!);
    let node = this.#roots[word * 32 + 31 - Math.clz32(this.#filled[word]!)]!;
    const { words } = this.#chunks;
    for (;;) {
      const right = words[node * 16 + RIGHT]!;
      if (right === NONE) return node;
      node = right;
    }
  }

  #lowerBound(bin: number, size: number, address: number): number {
    const { doubles, words } = this.#chunks;
    let node = this.#roots[bin]!;
    let best = NONE;
    while (node !== NONE) {
      const other = doubles[node * 8 + SIZE]!;
      if (other > size || (other === size && doubles[node * 8 + ADDRESS]! >= address)) {
        best = node;
        node = words[node * 16 + LEFT]!;
      } else {
        node = words[node * 16 + RIGHT]!;
      }
    }
    return best;
  }

  #firstFrom(bin: number): number {
    const filled = this.#nextFilled(bin);
    if (filled === NONE) return NONE;
    const { words } = this.#chunks;
    let node = this.#roots[filled]!;
    for (;;) {
      const left = words[node * 16 + LEFT]!;
      if (left === NONE) return node;
      node = left;
    }
  }

  #nextFilled(bin: number): number {
    if (bin >= BINS) return NONE;
    let word = bin >>> 5;
    let bits = this.#filled[word]! & (-1 << (bin & 31));
    if (bits !== 0) return word * 32 + lowestBit(bits);
    word++;
    let group = word >>> 5;
    if (group >= GROUPS) return NONE;
    bits = this.#filledWords[group]! & (-1 << (word & 31));
    if (bits === 0) {
      bits = this.#filledGroups & (-2 << group);
      if (bits === 0) return NONE;
      group = lowestBit(bits);
      bits = this.#filledWords[group]!;
    }
    word = group * 32 + lowestBit(bits);
    return word * 32 + lowestBit(this.#filled[word]!);
  }

  #mark(bin: number): void {
    const word = bin >>> 5;
    this.#filled[word]! |= 1 << (bin & 31);
    this.#filledWords[word >>> 5]! |= 1 << (word & 31);
    this.#filledGroups |= 1 << (word >>> 5);
  }

  #unmark(bin: number): void {
    const word = bin >>> 5;
    const bits = this.#filled[word]! & ~(1 << (bin & 31));
    this.#filled[word] = bits;
    if (bits !== 0) return;
    const group = word >>> 5;
    const words = this.#filledWords[group]! & ~(1 << (word & 31));
    this.#filledWords[group] = words;
    if (words === 0) this.#filledGroups &= ~(1 << group);
  }
}
