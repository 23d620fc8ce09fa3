import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BumpMemory } from '../bfc/bump-memory.js';
import { BufferCacheAllocator } from './buffer-cache-allocator.js';
import { BUCKETS, CACHE_NAMES, CACHE_RULES, type CacheName } from './cache-rules.js';

const MiB = 2 ** 20;
const make = (name: CacheName, capacity = 1024 * MiB, options = {}) => {
  const memory = new BumpMemory(capacity);
  return { memory, cache: new BufferCacheAllocator(name, memory, options) };
};

/** Ten rounds of one tensor, freed before the next. */
function rounds(name: CacheName, size: number) {
  const { memory, cache } = make(name);
  for (let i = 0; i < 10; i++) {
    cache.free(cache.malloc(size));
    cache.controls.synchronize?.();
  }
  return { created: cache.stats()['num_device_alloc'], held: cache.totals.reserved, free: memory.info().free };
}

describe('the buffer caches of web-ML runtimes', () => {
  it('none and lazy release make a buffer a round and keep none', () => {
    expect(rounds('cache-none', MiB)).toEqual({ created: 10, held: 0, free: 1024 * MiB });
    expect(rounds('cache-lazy', MiB)).toEqual({ created: 10, held: 0, free: 1024 * MiB });
  });

  it.each(['cache-exact', 'cache-bucket', 'cache-tfjs'] as const)('%s makes one and keeps it', (name) => {
    expect(rounds(name, MiB)).toEqual({ created: 1, held: MiB, free: 1023 * MiB });
  });

  it('the exact caches keep a buffer for every size they have seen, buckets share them', () => {
    const held = (name: CacheName): number => {
      const { cache } = make(name);
      for (let i = 1; i <= 32; i++) {
        cache.free(cache.malloc(MiB - i * 1024));
        cache.controls.synchronize?.();
      }
      return cache.totals.segments;
    };
    expect(held('cache-exact')).toBe(32);
    expect(held('cache-tfjs')).toBe(32);
    expect(held('cache-bucket')).toBe(1);
  });

  it('onnxruntime rounds to 16 bytes, tfjs does not: sizes 16 bytes apart or closer tell them apart', () => {
    const reused = (name: CacheName): boolean => {
      const { cache } = make(name);
      cache.free(cache.malloc(1000));
      cache.controls.synchronize?.();
      cache.malloc(1004);
      return cache.totals.segments === 1;
    };
    expect(reused('cache-exact')).toBe(true);
    expect(reused('cache-tfjs')).toBe(false);
  });

  it('does not reuse a buffer before the commands that use it are submitted', () => {
    const { cache } = make('cache-exact', 1024 * MiB, { flushEvery: 4 });
    cache.free(cache.malloc(MiB)); // 1
    cache.malloc(MiB); // 2: the first is not submitted yet
    cache.malloc(2 * MiB); // 3
    expect(cache.totals.segments).toBe(3);
    cache.malloc(MiB); // 4: a flush comes first
    expect(cache.totals.segments).toBe(3);
  });

  it('a bucket keeps its limit of buffers and destroys the rest', () => {
    const [size, limit] = BUCKETS.find(([bytes]) => bytes === 44236800) ?? [0, 0];
    const { cache } = make('cache-bucket');
    const handles = Array.from({ length: limit + 3 }, () => cache.malloc(size));
    for (const handle of handles) cache.free(handle);
    cache.controls.synchronize?.();
    expect(cache.totals).toMatchObject({ reserved: limit * size, segments: limit });
  });

  it('every size gets a buffer of at least it, whole in 4 bytes, and the largest bucket ends the rounding', () => {
    fc.assert(
      fc.property(fc.constantFrom(...CACHE_NAMES), fc.integer({ min: 1, max: 2 ** 31 }), (name, requested) => {
        const size = CACHE_RULES[name].bufferSize(requested);
        expect(size).toBeGreaterThanOrEqual(requested);
        expect(size % 4).toBe(0);
      }),
    );
    const { bufferSize } = CACHE_RULES['cache-bucket'];
    expect([bufferSize(512), bufferSize(513)]).toEqual([512, 2048]);
    expect([bufferSize(167772160), bufferSize(167772161)]).toEqual([167772160, 167772176]);
  });

  it('is out of memory over cached buffers of other sizes, unless it flushes and tries again', () => {
    for (const retryAfterFlush of [false, true]) {
      const { cache } = make('cache-exact', 8 * MiB, { retryAfterFlush });
      for (let i = 1; i <= 3; i++) {
        cache.free(cache.malloc(i * MiB));
        cache.controls.synchronize?.();
      }
      const handle = cache.malloc(4 * MiB);
      expect(handle >= 0).toBe(retryAfterFlush);
      if (!retryAfterFlush) expect(cache.lastFailure()).toMatchObject({ totalFree: 6 * MiB, largestFree: 3 * MiB });
    }
  });
});
