/**
 * Finds the best fit among the free blocks of one pool and one stream: the smallest block that is large enough, of
 * equal ones that of the oldest segment (2.14), then the lowest address. The original keeps one `std::set`; here sizes
 * fall into bins, a bitmap of three levels finds the next bin that holds something in three steps, and inside a bin a
 * treap (a search tree balanced by pseudo-random priorities) keeps the order.
 *
 *     size      512 B .. 2 MiB: one bin a size        from 2 MiB: 128 bins a power of two
 *     bitmap    1 word  ->  8 words  ->  256 words  ->  8,192 bins, each the root of a treap
 *
 * Most bins hold one block or none, so that most searches touch one record.
 */
import { ADDRESS, AGE, type BlockTable, DOUBLES, FREE, INTS, LEFT, RIGHT, SIZE, STATE, UNIT } from './block-table.js';

/** Sizes under this many units (2 MiB) have a bin each. */
const EXACT = 4096;
const EXACT_LOG2 = 12;
/** Bins of one power of two above that: 2^7. */
const WIDE_LOG2 = 7;
const BINS = 8192;

const binOf = (units: number): number => {
  if (units < EXACT) return units;
  const log2 = 31 - Math.clz32(units);
  return EXACT + ((log2 - EXACT_LOG2) << WIDE_LOG2) + ((units >>> (log2 - WIDE_LOG2)) & 127);
};

/** Pseudo-random, and the same for the same record, so that it needs no room in it. */
const priority = (block: number): number => {
  const mixed = Math.imul(block, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

/** Index of the lowest bit that is set; `word` is not 0. */
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);

export class FreeIndex {
  readonly #roots = new Int32Array(BINS);
  /** A bit a bin that holds blocks. */
  readonly #bits = new Int32Array(BINS >> 5);
  /** A bit a word of `#bits` that is not 0. */
  readonly #words = new Int32Array(BINS >> 10);
  /** A bit a word of `#words` that is not 0. */
  #top = 0;

  constructor(private readonly table: BlockTable) {}

  /** Adds a free block and marks it FREE. */
  insert(block: number): void {
    const i32 = this.table.i32;
    const at = block << INTS;
    i32[at + STATE] = FREE;
    const bin = binOf(i32[at + SIZE]!);
    const root = this.#roots[bin]!;
    if (root === 0) {
      i32[at + LEFT] = 0;
      i32[at + RIGHT] = 0;
      this.#roots[bin] = block;
      this.#bits[bin >> 5]! |= 1 << (bin & 31);
      this.#words[bin >> 10]! |= 1 << ((bin >> 5) & 31);
      this.#top |= 1 << (bin >> 10);
    } else {
      this.#roots[bin] = this.#insertBelow(root, block);
    }
  }

  /** Takes a block out. It must be in this index, with the size it had when it was added. */
  remove(block: number): void {
    const i32 = this.table.i32;
    const at = block << INTS;
    const bin = binOf(i32[at + SIZE]!);
    const root = this.#roots[bin]!;
    if (root !== block) {
      this.#removeBelow(root, block);
      return;
    }
    const left = i32[at + LEFT]!;
    const right = i32[at + RIGHT]!;
    const rest = left === 0 ? right : right === 0 ? left : this.#join(left, right);
    this.#roots[bin] = rest;
    if (rest === 0) this.#clear(bin);
  }

  /** The best fit for `units`, or 0. */
  lowerBound(units: number): number {
    const bin = binOf(units);
    const root = this.#roots[bin]!;
    if (root !== 0) {
      const found = bin < EXACT ? this.#first(root) : this.#atLeast(root, units);
      if (found !== 0) return found;
    }
    const next = this.#nextBin(bin + 1);
    return next < 0 ? 0 : this.#first(this.#roots[next]!);
  }

  /** The block after this one in the order of the index, or 0. */
  successor(block: number): number {
    const bin = binOf(this.table.i32[(block << INTS) + SIZE]!);
    let node = this.#roots[bin]!;
    let found = 0;
    while (node !== 0) {
      if (this.#less(block, node)) {
        found = node;
        node = this.table.i32[(node << INTS) + LEFT]!;
      } else {
        node = this.table.i32[(node << INTS) + RIGHT]!;
      }
    }
    if (found !== 0) return found;
    const next = this.#nextBin(bin + 1);
    return next < 0 ? 0 : this.#first(this.#roots[next]!);
  }

  /** All blocks in order. For rare work: flushes, garbage collection, statistics. */
  blocks(): number[] {
    const found: number[] = [];
    const walk = (node: number): void => {
      if (node === 0) return;
      walk(this.table.i32[(node << INTS) + LEFT]!);
      found.push(node);
      walk(this.table.i32[(node << INTS) + RIGHT]!);
    };
    for (let bin = this.#nextBin(0); bin >= 0; bin = this.#nextBin(bin + 1)) walk(this.#roots[bin]!);
    return found;
  }

  /** Bytes of the largest free block, 0 if there is none. */
  largest(): number {
    if (this.#top === 0) return 0;
    const group = 31 - Math.clz32(this.#top);
    const word = (group << 5) + 31 - Math.clz32(this.#words[group]!);
    let node = this.#roots[(word << 5) + 31 - Math.clz32(this.#bits[word]!)]!;
    const i32 = this.table.i32;
    for (let right = node; right !== 0; right = i32[(node << INTS) + RIGHT]!) node = right;
    return i32[(node << INTS) + SIZE]! * UNIT;
  }

  /** First bin from `bin` on that holds a block, or -1. */
  #nextBin(bin: number): number {
    if (bin >= BINS) return -1;
    let word = bin >> 5;
    let bits = this.#bits[word]! & (-1 << (bin & 31));
    if (bits === 0) {
      let group = word >> 5;
      let words = this.#words[group]! & (-2 << (word & 31));
      if (words === 0) {
        const groups = this.#top & (-2 << group);
        if (groups === 0) return -1;
        group = lowestBit(groups);
        words = this.#words[group]!;
      }
      word = (group << 5) + lowestBit(words);
      bits = this.#bits[word]!;
    }
    return (word << 5) + lowestBit(bits);
  }

  #clear(bin: number): void {
    const word = bin >> 5;
    this.#bits[word]! &= ~(1 << (bin & 31));
    if (this.#bits[word] !== 0) return;
    const group = bin >> 10;
    this.#words[group]! &= ~(1 << (word & 31));
    if (this.#words[group] === 0) this.#top &= ~(1 << group);
  }

  #less(a: number, b: number): boolean {
    const i32 = this.table.i32;
    const sizes = i32[(a << INTS) + SIZE]! - i32[(b << INTS) + SIZE]!;
    if (sizes !== 0) return sizes < 0;
    const ages = i32[(a << INTS) + AGE]! - i32[(b << INTS) + AGE]!;
    if (ages !== 0) return ages < 0;
    const f64 = this.table.f64;
    return f64[(a << DOUBLES) + ADDRESS]! < f64[(b << DOUBLES) + ADDRESS]!;
  }

  #first(node: number): number {
    const i32 = this.table.i32;
    let first = node;
    for (let left = i32[(node << INTS) + LEFT]!; left !== 0; left = i32[(left << INTS) + LEFT]!) first = left;
    return first;
  }

  /** First node of a tree whose size is at least `units`, or 0. */
  #atLeast(root: number, units: number): number {
    const i32 = this.table.i32;
    let node = root;
    let found = 0;
    while (node !== 0) {
      const at = node << INTS;
      if (i32[at + SIZE]! >= units) {
        found = node;
        node = i32[at + LEFT]!;
      } else {
        node = i32[at + RIGHT]!;
      }
    }
    return found;
  }

  /** Puts `block` into the tree and returns its root: down to where its priority is higher, then split what is below. */
  #insertBelow(root: number, block: number): number {
    const i32 = this.table.i32;
    const mine = priority(block);
    // The root is held by record 0, so that every link is a slot of the table.
    i32[RIGHT] = root;
    let link = RIGHT;
    let node = root;
    while (node !== 0 && priority(node) >= mine) {
      link = (node << INTS) + (this.#less(block, node) ? LEFT : RIGHT);
      node = i32[link]!;
    }
    i32[link] = block;
    let leftLink = (block << INTS) + LEFT;
    let rightLink = (block << INTS) + RIGHT;
    while (node !== 0) {
      if (this.#less(block, node)) {
        i32[rightLink] = node;
        rightLink = (node << INTS) + LEFT;
        node = i32[rightLink]!;
      } else {
        i32[leftLink] = node;
        leftLink = (node << INTS) + RIGHT;
        node = i32[leftLink]!;
      }
    }
    i32[leftLink] = 0;
    i32[rightLink] = 0;
    return i32[RIGHT];
  }

  #removeBelow(root: number, block: number): void {
    const i32 = this.table.i32;
    let node = root;
    let link = 0;
    while (node !== block) {
      link = (node << INTS) + (this.#less(block, node) ? LEFT : RIGHT);
      node = i32[link]!;
      if (node === 0) throw new Error(`free index: block ${block} is not in its bin`);
    }
    i32[link] = this.#join(i32[(block << INTS) + LEFT]!, i32[(block << INTS) + RIGHT]!);
  }

  /** One tree of two, all of `left` before all of `right`. */
  #join(left: number, right: number): number {
    const i32 = this.table.i32;
    let link = RIGHT;
    while (left !== 0 && right !== 0) {
      if (priority(left) >= priority(right)) {
        i32[link] = left;
        link = (left << INTS) + RIGHT;
        left = i32[link]!;
      } else {
        i32[link] = right;
        link = (right << INTS) + LEFT;
        right = i32[link]!;
      }
    }
    i32[link] = left === 0 ? right : left;
    return i32[RIGHT]!;
  }
}
