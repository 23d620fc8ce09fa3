/**
 * Which free blocks a request may use: those of its pool (small or large, common or private) and of its stream. Each
 * pair of pool and stream has one `Shelf`; a block names its shelf by number.
 */
import { type BlockTable, ADDRESS, DOUBLES } from './block-table.js';
import { FreeIndex } from './free-index.js';
import { LARGE, SMALL } from './statistics.js';

/** A private pool, as CUDA graphs use them: a small and a large pool of its own. */
export interface PrivatePool {
  readonly id: number;
  readonly small: Pool;
  readonly large: Pool;
  /** Users of the pool; at 0 its memory may go back to the device. */
  useCount: number;
  /** Segments that it holds, as the original counts them. */
  segments: number;
  /** Bytes of expandable segments. They can outlive the count, which a failed request does not raise. */
  mappedBytes: number;
}

export class Shelf {
  /** Free blocks with memory. */
  readonly free: FreeIndex;
  /** Ranges of expandable segments without memory, by address. */
  readonly unmapped: number[] = [];
  readonly isSmall: boolean;
  /** SMALL or LARGE of the statistics. */
  readonly kind: number;

  constructor(
    private readonly table: BlockTable,
    /** Its place in `Shelves.all`. */
    readonly number: number,
    readonly pool: Pool,
    readonly stream: number,
  ) {
    this.free = new FreeIndex(table);
    this.isSmall = pool.isSmall;
    this.kind = pool.isSmall ? SMALL : LARGE;
  }

  addUnmapped(block: number): void {
    this.unmapped.splice(this.#unmappedPlace(block), 0, block);
  }

  removeUnmapped(block: number): void {
    const place = this.#unmappedPlace(block);
    if (this.unmapped[place] !== block) throw new Error(`shelf: block ${block} is not among the unmapped ones`);
    this.unmapped.splice(place, 1);
  }

  /** First place whose block does not lie before this one. */
  #unmappedPlace(block: number): number {
    const f64 = this.table.f64;
    const address = f64[(block << DOUBLES) + ADDRESS]!;
    let low = 0;
    let high = this.unmapped.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (f64[(this.unmapped[middle]! << DOUBLES) + ADDRESS]! < address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class Pool {
  /** Searches so far while garbage collection is on: the clock that ages free blocks. */
  searches = 0;
  /** One a stream, streams ascending (the order of the original's set). */
  readonly shelves: Shelf[] = [];
  readonly owner: PrivatePool | undefined;
  /** The shelf that the last request used: most programs have one stream. */
  #last: Shelf | undefined;
  readonly #byStream = new Map<number, Shelf>();

  constructor(
    private readonly all: Shelf[],
    private readonly table: BlockTable,
    readonly isSmall: boolean,
    owner?: PrivatePool,
  ) {
    this.owner = owner;
  }

  shelf(stream: number): Shelf {
    const last = this.#last;
    if (last?.stream === stream) return last;
    const shelf = this.#byStream.get(stream) ?? this.#open(stream);
    this.#last = shelf;
    return shelf;
  }

  /** All free blocks of the pool in the original's order: stream, size, age, address. */
  freeBlocks(): number[] {
    return this.shelves.flatMap((shelf) => shelf.free.blocks());
  }

  #open(stream: number): Shelf {
    const shelf = new Shelf(this.table, this.all.length, this, stream);
    this.all.push(shelf);
    this.#byStream.set(stream, shelf);
    const after = this.shelves.findIndex((other) => other.stream > stream);
    this.shelves.splice(after < 0 ? this.shelves.length : after, 0, shelf);
    return shelf;
  }
}
