import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NaiveBlock, NaiveCaching, type NaiveSettings } from '../testing/naive-caching.js';
import { CachingAllocator } from './caching-allocator.js';

const KIB = 1024;
const MIB = 1024 * KIB;

const settings: fc.Arbitrary<NaiveSettings> = fc.record({
  capacity: fc.integer({ min: 8, max: 120 }).map((steps) => steps * 2 * MIB),
  maxSplit: fc.constantFrom(Infinity, 21 * MIB, 32 * MIB, 64 * MIB),
  divisions: fc.constantFrom(0, 2, 4, 16),
  collect: fc.constantFrom(0, 0, 0.3, 0.8),
  fraction: fc.constantFrom(undefined, undefined, 1, 0.75, 0.5),
});

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

const step = fc.record({ what: fc.nat(99), size, pick: fc.nat(1000), stream: fc.constantFrom(0, 0, 0, 1, 2) });

function confOf({ maxSplit, divisions, collect }: NaiveSettings): string {
  return [
    ...(maxSplit === Infinity ? [] : [`max_split_size_mb:${maxSplit / MIB}`]),
    ...(divisions === 0 ? [] : [`roundup_power2_divisions:${divisions}`]),
    ...(collect === 0 ? [] : [`garbage_collection_threshold:${collect}`]),
  ].join(',');
}

/** Both models, fed the same program. */
class Pair {
  readonly #naive: NaiveCaching;
  readonly #fast: CachingAllocator;
  #live: { readonly naive: NaiveBlock; readonly fast: number }[] = [];
  #open: number[] = [];
  #closed: number[] = [];
  #nextPool = 1;

  constructor(chosen: NaiveSettings) {
    this.#naive = new NaiveCaching(chosen);
    this.#fast = new CachingAllocator({ capacity: chosen.capacity, conf: confOf(chosen), fraction: chosen.fraction });
  }

  run({ what, size: bytes, pick, stream }: { what: number; size: number; pick: number; stream: number }): void {
    if (what < 55) this.#malloc(bytes, stream);
    else if (what < 90) this.#free(pick);
    else if (what < 93) this.#emptyCache();
    else this.#pools(what);
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

  #emptyCache(): void {
    if (this.#naive.hasScope) return;
    this.#naive.emptyCache();
    this.#fast.flush();
  }

  /** A private pool is begun, ended, and let go, each once. */
  #pools(what: number): void {
    if (what < 95) {
      const pool = this.#nextPool++;
      this.#open.push(pool);
      this.#naive.begin(pool);
      this.#fast.beginAllocateToPool(pool);
    } else if (what < 98) {
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
    const naive = [...this.#naive.segments].sort((a, b) => a.address - b.address);
    expect(
      this.#fast.heap().segments.map(({ address, size: bytes, stream, pool, privatePool, blocks }) => ({
        address,
        size: bytes,
        stream,
        pool,
        privatePool,
        blocks: blocks.map((block) => [block.address, block.size, block.state === 'free']),
      })),
    ).toEqual(
      naive.map(({ address, size: bytes, stream, pool, blocks }) => ({
        address,
        size: bytes,
        stream,
        pool: pool.isSmall ? 'small' : 'large',
        privatePool: pool.owner,
        blocks: blocks.map((block) => [block.address, block.size, block.isFree]),
      })),
    );
    const blocks = naive.flatMap((segment) => segment.blocks.map((block) => ({ segment, block })));
    const used = blocks.filter(({ block }) => !block.isFree);
    const split = blocks.filter(({ segment, block }) => block.isFree && segment.blocks.length > 1);
    const sum = (some: readonly { readonly block: NaiveBlock }[], of: 'size' | 'requested'): number =>
      some.reduce((total, { block }) => total + block[of], 0);
    const stats = this.#fast.stats();
    expect({
      reserved: stats['reserved_bytes.all.current'],
      segments: stats['segment.all.current'],
      allocated: stats['allocated_bytes.all.current'],
      requested: stats['requested_bytes.all.current'],
      blocks: stats['allocation.all.current'],
      split: stats['inactive_split.all.current'],
      splitBytes: stats['inactive_split_bytes.all.current'],
      retries: stats['num_alloc_retries'],
      failures: stats['num_ooms'],
      deviceAllocations: stats['num_device_alloc'],
      deviceFrees: stats['num_device_free'],
    }).toEqual({
      reserved: this.#naive.reserved,
      segments: naive.length,
      allocated: sum(used, 'size'),
      requested: sum(used, 'requested'),
      blocks: used.length,
      split: split.length,
      splitBytes: sum(split, 'size'),
      retries: this.#naive.retries,
      failures: this.#naive.failures,
      deviceAllocations: this.#naive.deviceAllocations,
      deviceFrees: this.#naive.deviceFrees,
    });
  }
}

describe('the caching model and a naive one written apart from it', { timeout: 120_000 }, () => {
  it('agree after every operation: segments, blocks, statistics, failures', () => {
    fc.assert(
      fc.property(settings, fc.array(step, { maxLength: 90, size: 'max' }), (chosen, steps) => {
        const pair = new Pair(chosen);
        for (const each of steps) pair.run(each);
      }),
      { numRuns: 300 },
    );
  });
});
