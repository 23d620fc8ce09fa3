/**
 * PyTorch's caching allocator (2.6, cudaMalloc segments) a second time, as plainly as can be: lists, linear search, sums
 * counted anew. Written from the description of its rules and from nothing of `../caching`, so that a mistake would have
 * to be made twice. For tests only: it takes milliseconds where the model takes nanoseconds.
 *
 *     const naive = new NaiveCaching({ capacity: 256 * 2 ** 20, maxSplit: Infinity, divisions: 0, collect: 0 });
 *     const block = naive.malloc(1000, 0); // undefined: out of memory
 */
const KIB = 1024;
const MIB = 1024 * KIB;

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
}

export interface NaiveBlock {
  readonly address: number;
  size: number;
  requested: number;
  isFree: boolean;
  /** Searches of its pool when it became free. */
  freedAt: number;
}

export interface NaiveSegment {
  readonly address: number;
  readonly size: number;
  readonly stream: number;
  readonly pool: NaivePool;
  blocks: NaiveBlock[];
}

interface NaivePool {
  readonly isSmall: boolean;
  /** Number of the private pool; undefined for the common ones. */
  readonly owner: number | undefined;
  searches: number;
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
  #nextAddress = 0;

  constructor(settings: NaiveSettings) {
    this.#settings = settings;
  }

  get reserved(): number {
    return this.segments.reduce((sum, { size }) => sum + size, 0);
  }

  get hasScope(): boolean {
    return this.#scopes.length > 0;
  }

  malloc(size: number, stream: number): NaiveBlock | undefined {
    const rounded = this.#rounded(size);
    const pool = this.#pool(rounded <= MIB, this.#scopes[0]);
    const found = this.#search(pool, stream, rounded) ?? this.#newSegment(pool, stream, rounded);
    if (found === undefined) {
      this.failures++;
      return undefined;
    }
    const [segment, block] = found;
    const rest = block.size - rounded;
    const splits = pool.isSmall ? rest >= 512 : rounded < this.#settings.maxSplit && rest > MIB;
    if (splits) {
      const remainder = {
        address: block.address + rounded,
        size: rest,
        requested: 0,
        isFree: true,
        freedAt: pool.searches,
      };
      segment.blocks.splice(segment.blocks.indexOf(block) + 1, 0, remainder);
      block.size = rounded;
    }
    block.isFree = false;
    block.requested = size;
    return block;
  }

  free(block: NaiveBlock): void {
    const segment = this.segments.find(({ blocks }) => blocks.includes(block));
    if (segment === undefined) throw new Error('no such block');
    block.isFree = true;
    const merged: NaiveBlock[] = [];
    for (const each of segment.blocks) {
      const last = merged[merged.length - 1];
      if (last?.isFree === true && each.isFree) {
        last.size += each.size;
        last.freedAt = segment.pool.searches;
      } else merged.push(each);
    }
    block.freedAt = segment.pool.searches;
    segment.blocks = merged;
  }

  emptyCache(): void {
    this.#release(({ pool }) => pool.owner === undefined || this.#freeable.has(pool.owner));
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
        segment.blocks.filter(({ isFree }) => isFree).map((block): [NaiveSegment, NaiveBlock] => [segment, block]),
      )
      .sort(([, a], [, b]) => a.size - b.size || a.address - b.address);
  }

  /** Only the best fit is looked at: where a rule forbids it, the search has failed. */
  #search(pool: NaivePool, stream: number, rounded: number): [NaiveSegment, NaiveBlock] | undefined {
    const { maxSplit, collect, fraction } = this.#settings;
    if (collect > 0 && fraction !== undefined) pool.searches++;
    const best = this.#freeBlocks(pool, stream).find(([, block]) => block.size >= rounded);
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
    let made = this.#askDevice(pool, stream, size);
    if (made === undefined && this.#settings.maxSplit !== Infinity && this.#releaseOversize(pool, stream, rounded)) {
      made = this.#askDevice(pool, stream, size);
    }
    if (made === undefined && !this.hasScope) {
      this.emptyCache();
      this.retries++;
      made = this.#askDevice(pool, stream, size);
    }
    return made;
  }

  #askDevice(pool: NaivePool, stream: number, size: number): [NaiveSegment, NaiveBlock] | undefined {
    if (this.reserved + size > Math.min(this.#allowed, this.#settings.capacity)) return undefined;
    const block = { address: this.#nextAddress, size, requested: 0, isFree: true, freedAt: pool.searches };
    const segment = { address: block.address, size, stream, pool, blocks: [block] };
    this.#nextAddress += size;
    this.deviceAllocations++;
    this.segments.push(segment);
    return [segment, block];
  }

  /** Gives whole free segments back. */
  #release(which: (segment: NaiveSegment) => boolean): void {
    for (const segment of [...this.segments]) {
      const [first, ...others] = segment.blocks;
      if (first?.isFree !== true || others.length > 0 || !which(segment)) continue;
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
        ({ pool, blocks }) =>
          !pool.isSmall && pool.owner === undefined && blocks.length === 1 && blocks[0]?.isFree === true,
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
