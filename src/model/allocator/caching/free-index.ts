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
import { listHeap, meld, removeFromHeap } from './exact-bin.js';
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

/** One array holds it all: the root of each bin's heap or treap (0 for an empty one), then the bitmap, level by level. */
const BITS = BINS;
const WORDS = BITS + (BINS >> 5);
const TOP = WORDS + (BINS >> 10);

export class FreeIndex {
  private readonly cells = new Int32Array(TOP + 1);

  constructor(private readonly table: BlockTable) {}

  /** Adds a block and marks it FREE. */
  insert(block: number): void {
    const { cells } = this;
    const { i32 } = this.table;
    const at = block << INTS;
    i32[at + STATE] = FREE;
    i32[at + LEFT] = 0;
    i32[at + RIGHT] = 0;
    const bin = binOf(i32[at + SIZE]!);
    const root = cells[bin]!;
    if (root !== 0) {
      const { f64 } = this.table;
      cells[bin] = bin < EXACT ? meld(i32, f64, root, block) : addToTreap(i32, f64, root, block);
      return;
    }
    cells[bin] = block;
    // A shift looks at the lowest five bits of its count only, so that `1 << bin` is the bin's bit in its word.
    const word = BITS + (bin >> 5);
    const bits = cells[word]!;
    cells[word] = bits | (1 << bin);
    if (bits !== 0) return;
    cells[WORDS + (bin >> 10)]! |= 1 << (bin >> 5);
    cells[TOP]! |= 1 << (bin >> 10);
  }

  /** Takes a block out. It must be in this index, with the size it had when it was added. */
  remove(block: number): void {
    const { cells } = this;
    const { i32 } = this.table;
    const at = block << INTS;
    const bin = binOf(i32[at + SIZE]!);
    const root = cells[bin]!;
    if (root === block && (i32[at + LEFT]! | i32[at + RIGHT]!) === 0) {
      cells[bin] = 0;
      const word = BITS + (bin >> 5);
      const bits = cells[word]! & ~(1 << bin);
      cells[word] = bits;
      if (bits === 0) this.clearWord(bin);
    } else if (bin < EXACT) {
      cells[bin] = removeFromHeap(i32, this.table.f64, root, block);
    } else {
      cells[bin] = removeFromTreap(i32, this.table.f64, root, block);
    }
  }

  /** The best fit for `units`, or 0. */
  lowerBound(units: number): number {
    const bin = binOf(units);
    const root = this.cells[bin]!;
    if (root !== 0) {
      if (bin < EXACT) return root;
      const found = firstAtLeast(this.table.i32, root, units);
      if (found !== 0) return found;
    }
    return this.firstFrom(bin + 1);
  }

  /** The block after this one in the order of the index, or 0. Not for hot loops where sizes are equal. */
  successor(block: number): number {
    const bin = binOf(this.table.i32[(block << INTS) + SIZE]!);
    const root = this.cells[bin]!;
    let next: number;
    if (bin < EXACT) {
      const heap = listHeap(this.table.i32, this.table.f64, root);
      next = heap[heap.indexOf(block) + 1] ?? 0;
    } else {
      next = nextInTreap(this.table.i32, this.table.f64, root, block);
    }
    return next === 0 ? this.firstFrom(bin + 1) : next;
  }

  /** All blocks in order. For rare work: flushes, garbage collection, failures. */
  blocks(): number[] {
    const found: number[] = [];
    for (let bin = this.nextBin(0); bin >= 0; bin = this.nextBin(bin + 1)) {
      const root = this.cells[bin]!;
      for (const block of bin < EXACT
        ? listHeap(this.table.i32, this.table.f64, root)
        : listTreap(this.table.i32, root))
        found.push(block);
    }
    return found;
  }

  /** Bytes of the largest free block, 0 if there is none. */
  largest(): number {
    const { cells } = this;
    const top = cells[TOP]!;
    if (top === 0) return 0;
    const group = highestBit(top);
    const word = (group << 5) + highestBit(cells[WORDS + group]!);
    const bin = (word << 5) + highestBit(cells[BITS + word]!);
    const { i32 } = this.table;
    let node = cells[bin]!;
    if (bin >= EXACT) {
      for (let right = i32[(node << INTS) + RIGHT]!; right !== 0; right = i32[(right << INTS) + RIGHT]!) node = right;
    }
    return i32[(node << INTS) + SIZE]! * UNIT;
  }

  /** First block of the bins from `bin` on, or 0. */
  private firstFrom(bin: number): number {
    const next = this.nextBin(bin);
    if (next < 0) return 0;
    const root = this.cells[next]!;
    return next < EXACT ? root : firstOfTreap(this.table.i32, root);
  }

  /** First bin from `bin` on that holds a block, or -1. */
  private nextBin(bin: number): number {
    if (bin >= BINS) return -1;
    const { cells } = this;
    let word = bin >> 5;
    let bits = cells[BITS + word]! & (-1 << bin);
    if (bits === 0) {
      let group = word >> 5;
      let words = cells[WORDS + group]! & (-2 << word);
      if (words === 0) {
        const groups = cells[TOP]! & (-2 << group);
        if (groups === 0) return -1;
        group = lowestBit(groups);
        words = cells[WORDS + group]!;
      }
      word = (group << 5) + lowestBit(words);
      bits = cells[BITS + word]!;
    }
    return (word << 5) + lowestBit(bits);
  }

  /** The word of the bitmap that this bin is in has become empty. */
  private clearWord(bin: number): void {
    const { cells } = this;
    const words = WORDS + (bin >> 10);
    cells[words]! &= ~(1 << (bin >> 5));
    if (cells[words] === 0) cells[TOP]! &= ~(1 << (bin >> 10));
  }
}
