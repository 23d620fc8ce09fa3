import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../base/errors.js';
import { type Heap, NULL_BLOCK } from '../allocator.js';
import { CachingAllocator, type CachingOptions } from './caching-allocator.js';

const MiB = 2 ** 20;
const make = (options: Partial<CachingOptions> = {}) => new CachingAllocator({ capacity: 64 * MiB, ...options });

/** Allocates what must fit. */
function place(allocator: CachingAllocator, size: number, stream = 0): number {
  const handle = allocator.malloc(size, stream);
  expect(handle).toBeGreaterThanOrEqual(0);
  return handle;
}

/** A drawing of the heap: one segment a word, one letter a block (Allocated, pending, .). */
const draw = (heap: Heap): string =>
  heap.segments
    .map(({ blocks }) =>
      blocks.map(({ state }) => (state === 'allocated' ? 'A' : state === 'pending' ? 'p' : '.')).join(''),
    )
    .join(' ');

describe('rounding and segments', () => {
  it.each([
    [1, 512],
    [512, 512],
    [513, 1024],
    [MiB, MiB],
    [MiB + 1, MiB + 512],
  ])('hands out %i bytes as a block of %i', (size, block) => {
    const allocator = make();
    expect(allocator.sizeOf(place(allocator, size))).toBe(block);
  });

  it.each([
    [MiB, 2 * MiB],
    [MiB + 1, 20 * MiB],
    [10 * MiB - 512, 20 * MiB],
    [10 * MiB, 10 * MiB],
    [10 * MiB + 1, 12 * MiB],
  ])('takes for %i bytes a segment of %i', (size, segment) => {
    const allocator = make();
    place(allocator, size);
    expect(allocator.totals.reserved).toBe(segment);
  });

  it('keeps a remainder of 1 MiB in the block and splits a larger one off', () => {
    const kept = make();
    place(kept, 19 * MiB + 512);
    expect(draw(kept.heap())).toBe('A');
    const tight = make();
    tight.free(place(tight, 12 * MiB));
    expect(tight.sizeOf(place(tight, 11 * MiB))).toBe(12 * MiB);
    tight.free(0);
    expect(tight.sizeOf(place(tight, 11 * MiB - 512))).toBe(11 * MiB - 512);
    expect(draw(tight.heap())).toBe('A.');
  });
});

describe('best fit', () => {
  it('takes the smallest block that fits, of equal ones the lowest address', () => {
    const allocator = make();
    const blocks = Array.from({ length: 5 }, () => place(allocator, 4096));
    const [, second = -1, , fourth = -1] = blocks;
    const address = allocator.addressOf(second);
    allocator.free(fourth);
    allocator.free(second);
    expect(draw(allocator.heap())).toBe('A.A.A.');
    expect(allocator.addressOf(place(allocator, 4000))).toBe(address);
  });

  it('does not search again after the flush, as in the original', () => {
    const allocator = make({ capacity: 4 * MiB });
    const onStream = place(allocator, MiB, 1);
    allocator.recordStream(onStream, 2);
    place(allocator, MiB, 1);
    allocator.free(onStream);
    place(allocator, MiB, 0);
    expect(allocator.malloc(MiB, 1)).toBe(-1); // the flush frees a block that fits
    expect(draw(allocator.heap())).toBe('.A A.');
    expect(allocator.lastFailure()?.largestFree).toBe(MiB);
  });
});

describe('streams', () => {
  it('holds a freed block until the events of other streams are complete', () => {
    const allocator = make();
    const handle = place(allocator, 512);
    allocator.recordStream(handle, 1);
    allocator.free(handle);
    expect(draw(allocator.heap())).toBe('p.');
    expect(allocator.totals).toMatchObject({ allocated: 0, active: 512 });
    allocator.synchronize(2);
    place(allocator, MiB + 1);
    expect(draw(allocator.heap())).toBe('p. A.');
    allocator.synchronize(1);
    place(allocator, 512);
    expect(draw(allocator.heap())).toBe('A. A.');
  });
});

describe('bad input', () => {
  it.each([-1, 0.5, NaN, Infinity, 2 ** 53])('refuses a size of %d in one line', (size) => {
    expect(() => make().malloc(size)).toThrow(/^size: .*whole number of bytes/);
  });
  it.each([-1, 0.5, NaN, 1.1, 2 ** 40])('refuses handle %d', (handle) => {
    const allocator = make();
    place(allocator, 1);
    expect(() => allocator.free(handle)).toThrow(AppError);
  });
  it('refuses a second free, also of a block that waits for a stream', () => {
    const allocator = make();
    const handle = place(allocator, 1);
    allocator.recordStream(handle, 3);
    allocator.free(handle);
    expect(() => allocator.free(handle)).toThrow(/^handle \d+: no live block/);
  });
  it.each([0, -5, 1.5, NaN, 2 ** 45])('refuses a capacity of %d', (capacity) => {
    expect(() => make({ capacity })).toThrow(/^capacity: /);
  });
  it.each([-0.1, 1.1, NaN])('refuses a fraction of %d', (fraction) => {
    expect(() => make({ fraction })).toThrow(/^fraction: /);
  });
  it('answers size 0 with the null block, which may be freed', () => {
    const allocator = make();
    expect(allocator.malloc(0)).toBe(NULL_BLOCK);
    allocator.free(NULL_BLOCK);
    expect(allocator.stats()['allocation.all.allocated']).toBe(0);
  });
  it('fails a request of 2^53 - 1 bytes like any that does not fit', () => {
    for (const conf of ['', 'expandable_segments:True', 'max_split_size_mb:21']) {
      const allocator = make({ conf });
      expect(allocator.malloc(2 ** 53 - 1)).toBe(-1);
      place(allocator, 1);
    }
  });
});

/** Programs with everything that changes state: sizes, streams, private pools, settings, fractions, flushes. */
const CONFS = [
  '',
  'expandable_segments:True',
  'max_split_size_mb:21',
  'garbage_collection_threshold:0.4',
  'roundup_power2_divisions:4',
  'max_split_size_mb:30,expandable_segments:True',
];
const steps = fc.array(
  fc.record({
    what: fc.nat(99),
    size: fc.oneof(fc.integer({ min: 0, max: 4096 }), fc.integer({ min: 1, max: 24 * MiB })),
    pick: fc.nat(1e6),
    stream: fc.nat(2),
  }),
  { maxLength: 150, size: 'max' },
);

/** Current values, from the blocks themselves. */
function recompute(heap: Heap) {
  const sums = { allocated: 0, active: 0, reserved: 0, requested: 0, segments: 0, inactiveSplit: 0, inactiveBlocks: 0 };
  for (const { size, blocks, expandable } of heap.segments) {
    sums.reserved += size;
    if (!expandable) sums.segments += 1;
    for (const block of blocks) {
      if (block.state === 'allocated') sums.allocated += block.size;
      if (block.state !== 'free') {
        sums.active += block.size;
        sums.requested += block.requested;
      } else if (!expandable && blocks.length > 1) {
        sums.inactiveSplit += block.size;
        sums.inactiveBlocks += 1;
      }
    }
  }
  return sums;
}

function claimed(allocator: CachingAllocator) {
  const stats = allocator.stats();
  const { allocated, active, reserved, requested, segments } = allocator.totals;
  const inactiveSplit = stats['inactive_split_bytes.all.current'] ?? NaN;
  return {
    allocated,
    active,
    reserved,
    requested,
    segments,
    inactiveSplit,
    inactiveBlocks: stats['inactive_split.all.current'] ?? NaN,
  };
}

function expectSumsOfPools(stats: Record<string, number>): void {
  for (const [key, value] of Object.entries(stats)) {
    const [name = '', kind, what = ''] = key.split('.');
    if (kind !== 'all' || what === 'peak') continue;
    const parts = (stats[`${name}.small_pool.${what}`] ?? NaN) + (stats[`${name}.large_pool.${what}`] ?? NaN);
    expect(value, key).toBe(parts);
    if (what === 'current') expect(value, key).toBeLessThanOrEqual(stats[`${name}.all.peak`] ?? NaN);
  }
}

it('gives back what a failed request left mapped in a private pool', () => {
  const allocator = make({ conf: 'max_split_size_mb:30,expandable_segments:True', torch: '2.14' });
  allocator.beginAllocateToPool(1);
  const sizes = [20 * MiB + 1, MiB + 1, MiB + 1, MiB + 1];
  const live = sizes.map((size, i) => allocator.malloc(size, i % 2)).filter((handle) => handle >= 0);
  allocator.endAllocateToPool(1);
  allocator.releasePool(1);
  for (const handle of live) {
    allocator.flush();
    allocator.free(handle);
  }
  allocator.flush();
  expect(allocator.heap().segments).toEqual([]);
});

describe.each(['2.6', '2.14'] as const)('any program, %s', (torch) => {
  it('has statistics that equal recomputed ones, and gives everything back', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(...CONFS), (program, conf) => {
        const allocator = make({ conf, torch });
        const live: number[] = [];
        let pool = 0;
        let isOpen = false;
        for (const { what, size, pick, stream } of program) {
          const chosen = live[pick % Math.max(1, live.length)];
          if (what < 50) {
            const handle = allocator.malloc(size, stream);
            if (handle >= 0) live.push(handle);
          } else if (what < 80 && chosen !== undefined) {
            live.splice(live.indexOf(chosen), 1);
            allocator.free(chosen);
          } else if (what < 86 && chosen !== undefined) allocator.recordStream(chosen, stream);
          else if (what < 88) allocator.synchronize(stream);
          else if (what < 90 && !(isOpen && torch === '2.6')) allocator.flush();
          else if (what < 92) allocator.setSettings(CONFS[pick % CONFS.length] ?? '');
          else if (what < 94) allocator.setMemoryFraction([0.5, 0.9, 1][pick % 3] ?? 1);
          else if (what < 96) allocator.resetPeakStats();
          else if (what < 98) {
            if (isOpen) {
              allocator.endAllocateToPool(pool);
              allocator.releasePool(pool);
            } else allocator.beginAllocateToPool(++pool);
            isOpen = !isOpen;
          }
          expect(claimed(allocator)).toEqual(recompute(allocator.heap()));
        }
        expectSumsOfPools(allocator.stats());
        if (isOpen) {
          allocator.endAllocateToPool(pool);
          allocator.releasePool(pool);
        }
        for (const handle of live) allocator.free(handle);
        allocator.flush();
        expect(allocator.heap().segments).toEqual([]);
        expect(allocator.totals).toMatchObject({ allocated: 0, active: 0, reserved: 0, requested: 0, segments: 0 });
        expect(allocator.memory.info().free).toBe(64 * MiB);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
