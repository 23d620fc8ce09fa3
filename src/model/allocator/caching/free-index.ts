/**
 * Finds the best fit among the free blocks of one pool and one stream: the smallest block that is large enough, of
 * equal ones that of the oldest segment (2.14), then the lowest address. The original keeps one `std::set`; here sizes
 * fall into bins, and a bitmap of three levels finds the next bin that holds something in three steps.
 *
 *     size      512 B .. 2 MiB: one bin a size, a heap      from 2 MiB: 128 bins a power of two, a treap each
 *     bitmap    1 word  ->  8 words  ->  256 words  ->  8,192 bins
 *
 * Most bins hold one block or none, so that most searches touch one record.
 */
import { type BlockTable, FREE, INTS, LEFT, RIGHT, SIZE, STATE, UNIT } from './block-table.js';
import { addToHeap, listHeap, removeFromHeap } from './exact-bin.js';
import { addToTreap, firstAtLeast, firstOfTreap, listTreap, nextInTreap, removeFromTreap } from './wide-bin.js';

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

/** Place of the lowest bit that is set; `word` is not 0. */
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);
const highestBit = (word: number): number => 31 - Math.clz32(word);

export class FreeIndex {
  /** Root of each bin's heap or treap, 0 for an empty one. */
  private readonly roots = new Int32Array(BINS);
  /** A bit a bin that holds blocks. */
  private readonly bits = new Int32Array(BINS >> 5);
  /** A bit a word of `bits` that is not 0. */
  private readonly words = new Int32Array(BINS >> 10);
  /** A bit a word of `words` that is not 0. */
  private top = 0;

  constructor(private readonly table: BlockTable) {}

  /** Adds a block and marks it FREE. */
  insert(block: number): void {
    const i32 = this.table.i32;
    const at = block << INTS;
    i32[at + STATE] = FREE;
    const bin = binOf(i32[at + SIZE]!);
    const root = this.roots[bin]!;
    if (root !== 0) {
      this.roots[bin] = bin < EXACT ? addToHeap(i32, this.table.f64, root, block) : addToTreap(this.table, root, block);
      return;
    }
    i32[at + LEFT] = 0;
    i32[at + RIGHT] = 0;
    this.roots[bin] = block;
    const word = bin >> 5;
    const bits = this.bits[word]!;
    this.bits[word] = bits | (1 << (bin & 31));
    if (bits !== 0) return;
    this.words[word >> 5]! |= 1 << (word & 31);
    this.top |= 1 << (word >> 5);
  }

  /** Takes a block out. It must be in this index, with the size it had when it was added. */
  remove(block: number): void {
    const i32 = this.table.i32;
    const at = block << INTS;
    const bin = binOf(i32[at + SIZE]!);
    const root = this.roots[bin]!;
    if (root === block && (i32[at + LEFT]! | i32[at + RIGHT]!) === 0) {
      this.roots[bin] = 0;
      this.clear(bin);
    } else if (bin < EXACT) {
      this.roots[bin] = removeFromHeap(i32, this.table.f64, root, block);
    } else {
      this.roots[bin] = removeFromTreap(this.table, root, block);
    }
  }

  /** The best fit for `units`, or 0. */
  lowerBound(units: number): number {
    const bin = binOf(units);
    const root = this.roots[bin]!;
    if (root !== 0) {
      if (bin < EXACT) return root;
      const found = firstAtLeast(this.table, root, units);
      if (found !== 0) return found;
    }
    return this.firstFrom(bin + 1);
  }

  /** The block after this one in the order of the index, or 0. Not for hot loops where sizes are equal. */
  successor(block: number): number {
    const bin = binOf(this.table.i32[(block << INTS) + SIZE]!);
    const root = this.roots[bin]!;
    let next: number;
    if (bin < EXACT) {
      const heap = listHeap(this.table.i32, this.table.f64, root);
      next = heap[heap.indexOf(block) + 1] ?? 0;
    } else {
      next = nextInTreap(this.table, root, block);
    }
    return next === 0 ? this.firstFrom(bin + 1) : next;
  }

  /** All blocks in order. For rare work: flushes, garbage collection, failures. */
  blocks(): number[] {
    const found: number[] = [];
    for (let bin = this.nextBin(0); bin >= 0; bin = this.nextBin(bin + 1)) {
      const root = this.roots[bin]!;
      for (const block of bin < EXACT ? listHeap(this.table.i32, this.table.f64, root) : listTreap(this.table, root))
        found.push(block);
    }
    return found;
  }

  /** Bytes of the largest free block, 0 if there is none. */
  largest(): number {
    if (this.top === 0) return 0;
    const group = highestBit(this.top);
    const word = (group << 5) + highestBit(this.words[group]!);
    const bin = (word << 5) + highestBit(this.bits[word]!);
    const i32 = this.table.i32;
    let node = this.roots[bin]!;
    if (bin >= EXACT) {
      for (let right = i32[(node << INTS) + RIGHT]!; right !== 0; right = i32[(right << INTS) + RIGHT]!) node = right;
    }
    return i32[(node << INTS) + SIZE]! * UNIT;
  }

  /** First block of the bins from `bin` on, or 0. */
  private firstFrom(bin: number): number {
    const next = this.nextBin(bin);
    if (next < 0) return 0;
    const root = this.roots[next]!;
    return next < EXACT ? root : firstOfTreap(this.table, root);
  }

  /** First bin from `bin` on that holds a block, or -1. */
  private nextBin(bin: number): number {
    if (bin >= BINS) return -1;
    let word = bin >> 5;
    let bits = this.bits[word]! & (-1 << (bin & 31));
    if (bits === 0) {
      let group = word >> 5;
      let words = this.words[group]! & (-2 << (word & 31));
      if (words === 0) {
        const groups = this.top & (-2 << group);
        if (groups === 0) return -1;
        group = lowestBit(groups);
        words = this.words[group]!;
      }
      word = (group << 5) + lowestBit(words);
      bits = this.bits[word]!;
    }
    return (word << 5) + lowestBit(bits);
  }

  private clear(bin: number): void {
    const word = bin >> 5;
    this.bits[word]! &= ~(1 << (bin & 31));
    if (this.bits[word] !== 0) return;
    const group = bin >> 10;
    this.words[group]! &= ~(1 << (word & 31));
    if (this.words[group] === 0) this.top &= ~(1 << group);
  }
}
