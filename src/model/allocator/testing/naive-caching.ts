/**
 * PyTorch's caching allocator (2.6, cudaMalloc and expandable segments, record_stream, private pools) a second time, as
 * plainly as can be: lists, linear search, sums counted anew. Written from the description of its rules and from nothing of `../caching`, so that a mistake would have
 * to be made twice. For tests only: it takes milliseconds where the model takes nanoseconds.
 *
 *     const naive = new NaiveCaching({ capacity: 2 ** 28, maxSplit: Infinity, divisions: 0, collect: 0, expandable: false });
 *     const block = naive.malloc(1000, 0); // undefined: out of memory
 */
import { NaiveEvents } from './naive-events.js';
import { chooseFitting, findRoom, grow, pageOf, rangeSize, unmapFree } from './naive-expandable.js';
import { join, mappedBytes, type NaiveBlock, type NaivePool, type NaiveSegment, newBlock } from './naive-heap.js';

const MIB = 2 ** 20;

export interface NaiveSettings {
  readonly capacity: number;
  /** Bytes; Infinity is the default. */
  readonly maxSplit: number;
  /** roundup_power2_divisions for every size; 0 is the default. */
  readonly divisions: number;
  /** garbage_collection_threshold; 0 is off. */
  readonly collect: number;
  /** set_per_process_memory_fraction; undefined: never called. */
  readonly fraction?: number | undefined;
  /** expandable_segments at the start. Then `maxSplit` is Infinity: 2.6 asserts where both meet. */
  readonly expandable: boolean;
}

export class NaiveCaching {
  readonly segments: NaiveSegment[] = [];
  retries = 0;
  failures = 0;
  deviceAllocations = 0;
  deviceFrees = 0;
  readonly #settings: NaiveSettings;
  readonly #pools: NaivePool[] = [];
  /** Open private pools, the first is the one in use. */
  readonly #scopes: number[] = [];
  readonly #freeable = new Set<number>();
  readonly #events = new NaiveEvents((block) => {
    this.#setFree(block);
  });
  #nextAddress = 0;
  #expandable: boolean;

  constructor(settings: NaiveSettings) {
    this.#settings = settings;
    this.#expandable = settings.expandable;
  }

  get reserved(): number {
    return this.segments.reduce((sum, segment) => sum + mappedBytes(segment), 0);
  }

  get hasScope(): boolean {
    return this.#scopes.length > 0;
  }

  malloc(size: number, stream: number): NaiveBlock | undefined {
    if (!this.hasScope) this.#events.process();
    const rounded = this.#rounded(size);
    const pool = this.#pool(rounded <= MIB, this.#scopes[0]);
    const found = this.#search(pool, stream, rounded) ?? this.#newSegment(pool, stream, rounded);
    if (found === undefined) {
      this.failures++;
      return undefined;
    }
    const [segment, block] = found;
    const rest = block.size - rounded;
    const splits = pool.isSmall || this.#expandable ? rest >= 512 : rounded < this.#settings.maxSplit && rest > MIB;
    if (splits) {
      const remainder = newBlock(block.address + rounded, rest, 'free', pool.searches);
      segment.blocks.splice(segment.blocks.indexOf(block) + 1, 0, remainder);
      block.size = rounded;
    }
    block.state = 'used';
    block.requested = size;
    return block;
  }

  free(block: NaiveBlock): void {
    if (block.streams.size === 0) {
      this.#setFree(block);
      return;
    }
    block.state = 'awaiting';
    this.#events.wait(block, this.hasScope);
  }

  /** The block is used on a stream too; its own does not count. */
  recordStream(block: NaiveBlock, stream: number): void {
    if (this.#segmentOf(block).stream === stream) return;
    block.streams.set(stream, this.hasScope || block.streams.get(stream) === true);
  }

  synchronize(stream: number | undefined): void {
    this.#events.complete(stream);
  }

  setExpandable(on: boolean): void {
    this.#expandable = on;
  }

  emptyCache(): void {
    this.#events.synchronize();
    const isOpen = ({ pool }: NaiveSegment): boolean => pool.owner === undefined || this.#freeable.has(pool.owner);
    this.#release(isOpen);
    for (const range of this.segments.filter((segment) => segment.page !== undefined && isOpen(segment))) {
      const unmapped = unmapFree(range);
      this.deviceFrees += unmapped;
      // A range that never had memory keeps its addresses.
      if (unmapped > 0 && range.blocks.every(({ state }) => state === 'unmapped')) {
        this.segments.splice(this.segments.indexOf(range), 1);
      }
    }
  }

  begin(owner: number): void {
    this.#scopes.push(owner);
  }

  end(owner: number): void {
    this.#scopes.splice(this.#scopes.indexOf(owner), 1);
  }

  /** The one user of a private pool lets it go. */
  releasePool(owner: number): void {
    this.#freeable.add(owner);
  }

  #segmentOf(block: NaiveBlock): NaiveSegment {
    const segment = this.segments.find(({ blocks }) => blocks.includes(block));
    if (segment === undefined) throw new Error('no such block');
    return segment;
  }

  #setFree(block: NaiveBlock): void {
    const segment = this.#segmentOf(block);
    block.state = 'free';
    block.freedAt = segment.pool.searches;
    join(segment);
  }

  #rounded(size: number): number {
    const { divisions } = this.#settings;
    if (size < 512) return 512;
    if (divisions > 1 && size > 512 * divisions) {
      const power = 2 ** Math.floor(Math.log2(size));
      if (power === size) return size;
      return Math.ceil(size / (power / divisions)) * (power / divisions);
    }
    return Math.ceil(size / 512) * 512;
  }

  #pool(isSmall: boolean, owner: number | undefined): NaivePool {
    const known = this.#pools.find((pool) => pool.isSmall === isSmall && pool.owner === owner);
    if (known !== undefined) return known;
    const made = { isSmall, owner, searches: 0 };
    this.#pools.push(made);
    return made;
  }

  get #allowed(): number {
    const { capacity, fraction } = this.#settings;
    return fraction === undefined ? Infinity : Math.floor(fraction * capacity);
  }

  /** Free blocks of one pool and stream, the smallest first, then the lowest. */
  #freeBlocks(pool: NaivePool, stream: number): [NaiveSegment, NaiveBlock][] {
    return this.segments
      .filter((segment) => segment.pool === pool && segment.stream === stream)
      .flatMap((segment) =>
        segment.blocks
          .filter(({ state }) => state === 'free')
          .map((block): [NaiveSegment, NaiveBlock] => [segment, block]),
      )
      .sort(([, a], [, b]) => a.size - b.size || a.address - b.address);
  }

  /** Only the best fit is looked at: where a rule forbids it, the search has failed. */
  #search(pool: NaivePool, stream: number, rounded: number): [NaiveSegment, NaiveBlock] | undefined {
    const { maxSplit, collect, fraction } = this.#settings;
    if (collect > 0 && fraction !== undefined) pool.searches++;
    const best = chooseFitting(
      this.#freeBlocks(pool, stream).filter(([, block]) => block.size >= rounded),
      this.#expandable,
    );
    if (best === undefined) return undefined;
    const { size } = best[1];
    if (rounded < maxSplit && size >= maxSplit) return undefined;
    if (rounded >= maxSplit && size >= rounded + 20 * MIB) return undefined;
    return best;
  }

  #newSegment(pool: NaivePool, stream: number, rounded: number): [NaiveSegment, NaiveBlock] | undefined {
    this.#collectGarbage();
    const large = rounded < 10 * MIB ? 20 * MIB : Math.ceil(rounded / (2 * MIB)) * 2 * MIB;
    const size = pool.isSmall ? 2 * MIB : large;
    let made = this.#askDevice(pool, stream, size, rounded);
    if (made === undefined && this.#settings.maxSplit !== Infinity && this.#releaseOversize(pool, stream, rounded)) {
      made = this.#askDevice(pool, stream, size, rounded);
    }
    if (made === undefined && !this.hasScope) {
      this.emptyCache();
      this.retries++;
      made = this.#askDevice(pool, stream, size, rounded);
    }
    return made;
  }

  #askDevice(pool: NaivePool, stream: number, size: number, rounded: number): [NaiveSegment, NaiveBlock] | undefined {
    if (this.reserved + size > this.#allowed) return undefined;
    if (this.#expandable) return this.#expand(pool, stream, rounded);
    if (this.reserved + size > this.#settings.capacity) return undefined;
    const block = newBlock(this.#nextAddress, size, 'free', pool.searches);
    this.#nextAddress += size;
    this.deviceAllocations++;
    const segment = { address: block.address, size, stream, pool, page: undefined, blocks: [block] };
    this.segments.push(segment);
    return [segment, block];
  }

  #expand(pool: NaivePool, stream: number, rounded: number): [NaiveSegment, NaiveBlock] | undefined {
    const ranges = this.segments
      .filter((segment) => segment.page !== undefined && segment.pool === pool && segment.stream === stream)
      .sort((a, b) => a.address - b.address);
    const [range, start] = findRoom(ranges, rounded) ?? this.#newRange(pool, stream);
    const block = grow(range, start.address, rounded, (bytes) => {
      if (this.reserved + bytes > this.#settings.capacity) return false;
      this.deviceAllocations++;
      return true;
    });
    return block === undefined ? undefined : [range, block];
  }

  #newRange(pool: NaivePool, stream: number): [NaiveSegment, NaiveBlock] {
    const page = pageOf(pool);
    const size = rangeSize(this.#settings.capacity, page);
    const block = newBlock(this.#nextAddress, size, 'unmapped', 0);
    this.#nextAddress += Math.ceil(size / (2 * MIB)) * 2 * MIB;
    const range = { address: block.address, size, stream, pool, page, blocks: [block] };
    this.segments.push(range);
    return [range, block];
  }

  /** Gives whole free segments back; ranges are not among them. */
  #release(which: (segment: NaiveSegment) => boolean): void {
    for (const segment of [...this.segments]) {
      const [first, ...others] = segment.blocks;
      if (first?.state !== 'free' || others.length > 0 || segment.page !== undefined || !which(segment)) continue;
      this.segments.splice(this.segments.indexOf(segment), 1);
      this.deviceFrees++;
    }
  }

  /** One block that is large enough by itself, else the largest ones until they are together. */
  #releaseOversize(pool: NaivePool, stream: number, rounded: number): boolean {
    const { maxSplit } = this.#settings;
    const wanted = Math.max(rounded, maxSplit);
    const free = this.#freeBlocks(pool, stream);
    const enough = free.find(([, block]) => block.size >= wanted);
    if (enough !== undefined) {
      this.#release((segment) => segment === enough[0]);
      return true;
    }
    let released = 0;
    for (const [segment, block] of free.reverse()) {
      if (released >= wanted || block.size < maxSplit) break;
      this.#release((each) => each === segment);
      released += block.size;
    }
    return released >= wanted;
  }

  /** Rounds over the whole free segments of the common large pool: all at least as old as the mean go. */
  #collectGarbage(): void {
    const { collect, fraction } = this.#settings;
    if (collect === 0 || fraction === undefined) return;
    const target = this.reserved - Math.floor(collect * this.#allowed);
    if (target <= 0) return;
    let reclaimed = 0;
    while (reclaimed < target) {
      const whole = this.segments.filter(
        ({ pool, page, blocks }) =>
          !pool.isSmall &&
          pool.owner === undefined &&
          page === undefined &&
          blocks.length === 1 &&
          blocks[0]?.state === 'free',
      );
      const age = ({ pool, blocks }: NaiveSegment): number => pool.searches - (blocks[0]?.freedAt ?? 0);
      const mean = whole.reduce((sum, segment) => sum + age(segment), 0) / whole.length;
      const old = whole.filter((segment) => age(segment) >= mean);
      if (old.length === 0) return;
      reclaimed += old.reduce((sum, { size }) => sum + size, 0);
      this.#release((segment) => old.includes(segment));
    }
  }
}
