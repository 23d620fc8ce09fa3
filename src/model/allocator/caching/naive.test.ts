import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NaiveCaching, type NaiveSettings } from '../testing/naive-caching.js';
import { type NaiveBlock, type NaiveSegment } from '../testing/naive-heap.js';
import { CachingAllocator } from './caching-allocator.js';

const KIB = 1024;
const MIB = 1024 * KIB;

const cudaMalloc: fc.Arbitrary<NaiveSettings> = fc.record({
  capacity: fc.integer({ min: 8, max: 120 }).map((steps) => steps * 2 * MIB),
  maxSplit: fc.constantFrom(Infinity, 21 * MIB, 32 * MIB, 64 * MIB),
  divisions: fc.constantFrom(0, 2, 4, 16),
  collect: fc.constantFrom(0, 0, 0.3, 0.8),
  fraction: fc.constantFrom(undefined, undefined, 1, 0.75, 0.5),
  expandable: fc.constant(false),
});

/** 2.6 asserts where max_split_size and expandable segments meet. */
const expandable: fc.Arbitrary<NaiveSettings> = cudaMalloc.map((chosen) => ({
  ...chosen,
  maxSplit: Infinity,
  expandable: true,
}));

/** Around the places where the allocator rounds, splits and changes pools. */
const size = fc.oneof(
  fc.integer({ min: 1, max: 4 * KIB }),
  fc.integer({ min: 1, max: 3 * MIB }),
  fc.integer({ min: 1, max: 48 * MIB }),
  // Segments of just this size, so that sums and limits are met exactly.
  fc.integer({ min: 5, max: 40 }).map((steps) => steps * 2 * MIB),
  fc
    .tuple(
      fc.constantFrom(512, MIB, 2 * MIB, 10 * MIB, 20 * MIB, 21 * MIB, 32 * MIB),
      fc.integer({ min: -513, max: 513 }),
    )
    .map(([edge, by]) => Math.max(1, edge + by)),
);

type What = 'malloc' | 'free' | 'record' | 'synchronize' | 'flush' | 'begin' | 'end' | 'release' | 'turn';

interface Step {
  readonly what: What;
  readonly size: number;
  readonly pick: number;
  readonly stream: number;
}

/** What a program does, and how often. */
const WEIGHTS: readonly (readonly [What, number])[] = [
  ['malloc', 55],
  ['free', 28],
  ['record', 12],
  ['synchronize', 4],
  ['flush', 3],
  ['begin', 2],
  ['end', 3],
  ['release', 2],
  ['turn', 1],
];
const stepOf = (but: readonly What[]): fc.Arbitrary<Step> =>
  fc.record({
    what: fc.oneof(
      ...WEIGHTS.filter(([what]) => !but.includes(what)).map(([what, weight]) => ({
        weight,
        arbitrary: fc.constant(what),
      })),
    ),
    size,
    pick: fc.nat(1000),
    stream: fc.constantFrom(0, 0, 0, 1, 2),
  });

function confOf({ maxSplit, divisions, collect }: NaiveSettings, isExpandable: boolean): string {
  return [
    `expandable_segments:${isExpandable ? 'True' : 'False'}`,
    ...(maxSplit === Infinity ? [] : [`max_split_size_mb:${maxSplit / MIB}`]),
    ...(divisions === 0 ? [] : [`roundup_power2_divisions:${divisions}`]),
    ...(collect === 0 ? [] : [`garbage_collection_threshold:${collect}`]),
  ].join(',');
}

/** Both models, fed the same program. */
class Pair {
  readonly #chosen: NaiveSettings;
  readonly #naive: NaiveCaching;
  readonly #fast: CachingAllocator;
  #live: { readonly naive: NaiveBlock; readonly fast: number }[] = [];
  #open: number[] = [];
  #closed: number[] = [];
  #nextPool = 1;
  #isExpandable: boolean;

  constructor(chosen: NaiveSettings) {
    const { capacity, fraction, expandable: isExpandable } = chosen;
    this.#chosen = chosen;
    this.#isExpandable = isExpandable;
    this.#naive = new NaiveCaching(chosen);
    this.#fast = new CachingAllocator({ capacity, conf: confOf(chosen, isExpandable), fraction });
  }

  run({ what, size: bytes, pick, stream }: Step): void {
    switch (what) {
      case 'malloc':
        this.#malloc(bytes, stream);
        break;
      case 'free':
        this.#free(pick);
        break;
      case 'record':
        this.#record(pick, stream);
        break;
      case 'synchronize':
        this.#synchronize(pick % 2 === 0 ? undefined : stream);
        break;
      case 'flush':
        this.#emptyCache();
        break;
      case 'turn':
        this.#turn();
        break;
      default:
        this.#pools(what);
    }
    this.#compare();
  }

  #malloc(bytes: number, stream: number): void {
    const naive = this.#naive.malloc(bytes, stream);
    const fast = this.#fast.malloc(bytes, stream);
    expect(fast < 0).toBe(naive === undefined);
    if (naive === undefined) return;
    expect(this.#fast.addressOf(fast)).toBe(naive.address);
    this.#live.push({ naive, fast });
  }

  #free(pick: number): void {
    const [block] = this.#live.splice(pick % Math.max(1, this.#live.length), 1);
    if (block === undefined) return;
    this.#naive.free(block.naive);
    this.#fast.free(block.fast);
  }

  #record(pick: number, stream: number): void {
    const block = this.#live[pick % Math.max(1, this.#live.length)];
    if (block === undefined) return;
    this.#naive.recordStream(block.naive, stream);
    this.#fast.recordStream(block.fast, stream);
  }

  #synchronize(stream: number | undefined): void {
    this.#naive.synchronize(stream);
    this.#fast.synchronize(stream);
  }

  /** The program turns expandable segments on or off. */
  #turn(): void {
    this.#isExpandable = !this.#isExpandable;
    this.#naive.setExpandable(this.#isExpandable);
    this.#fast.setSettings(confOf(this.#chosen, this.#isExpandable));
  }

  #emptyCache(): void {
    if (this.#naive.hasScope) return;
    this.#naive.emptyCache();
    this.#fast.flush();
  }

  /** A private pool is begun, ended, and let go, each once. */
  #pools(what: 'begin' | 'end' | 'release'): void {
    if (what === 'begin') {
      const pool = this.#nextPool++;
      this.#open.push(pool);
      this.#naive.begin(pool);
      this.#fast.beginAllocateToPool(pool);
    } else if (what === 'end') {
      const pool = this.#open.pop();
      if (pool === undefined) return;
      this.#closed.push(pool);
      this.#naive.end(pool);
      this.#fast.endAllocateToPool(pool);
    } else {
      const pool = this.#closed.pop();
      if (pool === undefined) return;
      this.#naive.releasePool(pool);
      this.#fast.releasePool(pool);
    }
  }

  #compare(): void {
    const segments = this.#naive.segments.flatMap(mappedRuns).sort((a, b) => a.address - b.address);
    expect(
      this.#fast.heap().segments.map(({ address, stream, pool, privatePool, expandable: isExpandable, blocks }) => ({
        address,
        stream,
        pool,
        privatePool,
        isExpandable,
        blocks: blocks.map((block) => [block.address, block.size, block.state]),
      })),
    ).toEqual(
      segments.map(({ address, stream, pool, page, blocks }) => ({
        address,
        stream,
        pool: pool.isSmall ? 'small' : 'large',
        privatePool: pool.owner,
        isExpandable: page !== undefined,
        blocks: blocks.map((block) => [block.address, block.size, STATES[block.state]]),
      })),
    );
    const plain = segments.filter(({ page }) => page === undefined);
    const blocks = segments.flatMap((segment) => segment.blocks);
    const used = blocks.filter(({ state }) => state === 'used');
    const active = blocks.filter(({ state }) => state !== 'free');
    const split = plain.flatMap((segment) =>
      segment.blocks.length > 1 ? segment.blocks.filter(({ state }) => state === 'free') : [],
    );
    const sum = (some: readonly NaiveBlock[], of: 'size' | 'requested'): number =>
      some.reduce((total, block) => total + block[of], 0);
    const stats = this.#fast.stats();
    expect({
      reserved: stats['reserved_bytes.all.current'],
      segments: stats['segment.all.current'],
      allocated: stats['allocated_bytes.all.current'],
      active: stats['active_bytes.all.current'],
      requested: stats['requested_bytes.all.current'],
      blocks: stats['allocation.all.current'],
      activeBlocks: stats['active.all.current'],
      split: stats['inactive_split.all.current'],
      splitBytes: stats['inactive_split_bytes.all.current'],
      retries: stats['num_alloc_retries'],
      failures: stats['num_ooms'],
      deviceAllocations: stats['num_device_alloc'],
      deviceFrees: stats['num_device_free'],
    }).toEqual({
      reserved: this.#naive.reserved,
      segments: plain.length,
      allocated: sum(used, 'size'),
      active: sum(active, 'size'),
      requested: sum(active, 'requested'),
      blocks: used.length,
      activeBlocks: active.length,
      split: split.length,
      splitBytes: sum(split, 'size'),
      retries: this.#naive.retries,
      failures: this.#naive.failures,
      deviceAllocations: this.#naive.deviceAllocations,
      deviceFrees: this.#naive.deviceFrees,
    });
  }
}

const STATES = { used: 'allocated', free: 'free', awaiting: 'pending', unmapped: 'unmapped' } as const;

/** A segment as a snapshot shows it: one for each run of blocks with memory behind them. */
function mappedRuns(segment: NaiveSegment): readonly NaiveSegment[] {
  const runs: { address: number; blocks: NaiveBlock[] }[] = [];
  let last: NaiveBlock['state'] = 'unmapped';
  for (const block of segment.blocks) {
    if (block.state !== 'unmapped') {
      if (last === 'unmapped') runs.push({ address: block.address, blocks: [] });
      runs.at(-1)?.blocks.push(block);
    }
    last = block.state;
  }
  return runs.map((run) => ({ ...segment, ...run }));
}

const check = (chosen: fc.Arbitrary<NaiveSettings>, but: readonly What[], numRuns: number): void => {
  fc.assert(
    fc.property(chosen, fc.array(stepOf(but), { maxLength: 90, size: 'max' }), (settings, steps) => {
      const pair = new Pair(settings);
      for (const each of steps) pair.run(each);
    }),
    { numRuns },
  );
};

describe('the caching model and a naive one written apart from it', { timeout: 120_000 }, () => {
  it('agree after every operation: segments, blocks, statistics, failures', () => {
    check(cudaMalloc, ['record', 'synchronize', 'turn'], 300);
  });

  it('agree where streams use the blocks of others', () => {
    check(cudaMalloc, ['turn'], 300);
  });

  it('agree with expandable segments', () => {
    check(expandable, ['turn', 'begin', 'end', 'release'], 300);
  });

  it('agree where expandable segments are turned on and off under way', () => {
    check(
      cudaMalloc.map((chosen) => ({ ...chosen, maxSplit: Infinity })),
      ['begin', 'end', 'release'],
      200,
    );
  });
});
