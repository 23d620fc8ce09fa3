import { describe, expect, it } from 'vitest';
import { BumpMemory } from '../bfc/bump-memory.js';
import { StreamPoolAllocator } from './stream-pool.js';

const MiB = 2 ** 20;
const make = (options = {}, capacity = 256 * MiB) => new StreamPoolAllocator(new BumpMemory(capacity), options);

describe('the stream-ordered pool', () => {
  it('reuses memory on its own stream at once, on another after a synchronisation', () => {
    const pool = make({ releaseThreshold: 256 * MiB, segmentSize: 4 * MiB });
    const block = pool.malloc(4 * MiB, 1);
    const address = pool.addressOf(block);
    pool.free(block);
    const other = pool.malloc(4 * MiB, 2);
    expect(pool.addressOf(other)).not.toBe(address);
    const same = pool.malloc(4 * MiB, 1);
    expect(pool.addressOf(same)).toBe(address);
    pool.free(same);
    pool.controls.synchronize?.(2);
    expect(pool.addressOf(pool.malloc(4 * MiB, 2))).not.toBe(address);
    pool.controls.synchronize?.(1);
    expect(pool.addressOf(pool.malloc(4 * MiB, 2))).toBe(address);
  });

  it.each([
    [0, 0],
    [64 * MiB, 64 * MiB],
    [96 * MiB, 96 * MiB],
    [200 * MiB, 128 * MiB],
  ])('with a release threshold of %i keeps %i of 128 MiB at a synchronisation', (releaseThreshold, kept) => {
    const pool = make({ releaseThreshold });
    const handles = Array.from({ length: 4 }, () => pool.malloc(32 * MiB));
    for (const handle of handles) pool.free(handle);
    expect(pool.totals.reserved).toBe(128 * MiB); // a free alone gives nothing back
    pool.controls.synchronize?.();
    expect(pool.totals.reserved).toBe(kept);
  });

  it('keeps a segment that a block pins, and gives the others back before it fails', () => {
    const pool = make({ releaseThreshold: 256 * MiB }, 96 * MiB);
    const small = [0, 1, 2].flatMap(() => [pool.malloc(MiB), pool.malloc(31 * MiB)]);
    small.forEach((handle, i) => i !== 2 && pool.free(handle));
    pool.controls.synchronize?.();
    expect(pool.totals).toMatchObject({ reserved: 96 * MiB, allocated: MiB });
    expect(pool.malloc(96 * MiB)).toBe(-1);
    expect(pool.malloc(64 * MiB)).toBeGreaterThanOrEqual(0);
    expect(pool.totals.reserved).toBe(96 * MiB);
  });

  it('takes what the device still has when it is less than a segment', () => {
    const pool = make({}, 40 * MiB);
    pool.malloc(32 * MiB);
    expect(pool.malloc(8 * MiB)).toBeGreaterThanOrEqual(0);
    expect(pool.malloc(1)).toBe(-1);
  });
});
