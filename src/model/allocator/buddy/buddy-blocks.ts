/**
 * A buddy system as Dawn has it: blocks are powers of two, a free list a size, last freed first used, and two free
 * halves join at once. It hands out offsets; what stands behind them is the caller's matter.
 */
interface FreeBlock {
  readonly offset: number;
  previous: FreeBlock | undefined;
  next: FreeBlock | undefined;
}

/** Free blocks of one size, last in first out, any of them removable. */
class FreeList {
  #head: FreeBlock | undefined;
  readonly #known = new Map<number, FreeBlock>();

  get first(): number | undefined {
    return this.#head?.offset;
  }

  push(offset: number): void {
    const block: FreeBlock = { offset, previous: undefined, next: this.#head };
    if (this.#head !== undefined) this.#head.previous = block;
    this.#head = block;
    this.#known.set(offset, block);
  }

  /** False when no block starts there. */
  remove(offset: number): boolean {
    const block = this.#known.get(offset);
    if (block === undefined) return false;
    this.#known.delete(offset);
    if (block.previous === undefined) this.#head = block.next;
    else block.previous.next = block.next;
    if (block.next !== undefined) block.next.previous = block.previous;
    return true;
  }
}

export class BuddyBlocks {
  readonly #size: number;
  /** By level: level 0 is the whole range, each level half of the one before. */
  readonly #lists: FreeList[] = [new FreeList()];

  /** `size` is a power of two. */
  constructor(size: number) {
    this.#size = size;
    this.#list(0).push(0);
  }

  /** Offset of a block of `size` bytes (a power of two) at the alignment; undefined when there is none. */
  allocate(size: number, alignment: number): number | undefined {
    if (size > this.#size) return undefined;
    const wanted = Math.round(Math.log2(this.#size / size));
    let level = wanted;
    // Only the head of a list is looked at, also where an aligned block lies behind it.
    while (level >= 0 && !isAligned(this.#list(level).first, alignment)) level--;
    const offset = level < 0 ? undefined : this.#list(level).first;
    if (offset === undefined) return undefined;
    this.#list(level).remove(offset);
    for (; level < wanted; level++) this.#list(level + 1).push(offset + this.#size / 2 ** (level + 1));
    return offset;
  }

  /** Frees a block that `allocate` gave for this size. */
  free(offset: number, size: number): void {
    let level = Math.round(Math.log2(this.#size / size));
    let start = offset;
    let length = size;
    while (level > 0) {
      const buddy = (start / length) % 2 === 0 ? start + length : start - length;
      if (!this.#list(level).remove(buddy)) break;
      start = Math.min(start, buddy);
      length *= 2;
      level--;
    }
    this.#list(level).push(start);
  }

  #list(level: number): FreeList {
    return (this.#lists[level] ??= new FreeList());
  }
}

const isAligned = (offset: number | undefined, alignment: number): boolean =>
  offset !== undefined && offset % alignment === 0;

/** The smallest power of two that is no smaller; for sizes from 1 to 2^31. */
export const nextPowerOfTwo = (size: number): number => 2 ** (32 - Math.clz32(size - 1));
