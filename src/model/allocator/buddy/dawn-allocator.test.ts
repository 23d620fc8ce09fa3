import { describe, expect, it } from 'vitest';
import { BumpMemory } from '../bfc/bump-memory.js';
import { type DawnBackend, DawnAllocator } from './dawn-allocator.js';

const KiB = 1024;
const MiB = 1024 * KiB;

const dawn = (backend: DawnBackend = 'vulkan', capacity = 4096 * MiB) =>
  new DawnAllocator(new BumpMemory(capacity), { backend });

const many = (allocator: DawnAllocator, count: number, size: number): number[] =>
  Array.from({ length: count }, () => allocator.malloc(size));

describe("Dawn's sub-allocator", () => {
  it('takes 400 MiB of heaps for 200 buffers of 1 MiB + 4 KiB', () => {
    const allocator = dawn();
    many(allocator, 200, MiB + 4 * KiB);
    expect(allocator.totals).toMatchObject({ reserved: 400 * MiB, segments: 50, requested: 200 * (MiB + 4 * KiB) });
  });

  it('takes 200 MiB for 200 buffers of 1 MiB: eight to a heap, so every eighth create takes one', () => {
    const allocator = dawn();
    const grew = Array.from({ length: 32 }, () => {
      const before = allocator.totals.segments;
      allocator.malloc(MiB);
      return allocator.totals.segments - before;
    });
    expect(grew.flatMap((by, i) => (by > 0 ? [i] : []))).toEqual([0, 8, 16, 24]);
    many(allocator, 168, MiB);
    expect(allocator.totals.reserved).toBe(200 * MiB);
  });

  it('gets new heaps for double the size after every other buffer is freed', () => {
    const allocator = dawn();
    const handles = many(allocator, 2000, 64 * KiB);
    const filled = allocator.totals.reserved;
    expect(filled).toBe(Math.ceil((2000 * 64 * KiB) / (8 * MiB)) * 8 * MiB);
    handles.forEach((handle, i) => i % 2 === 0 && allocator.free(handle));
    expect(allocator.totals.reserved).toBe(filled);
    // As many bytes as are free, in pieces that no hole is large enough for.
    many(allocator, 500, 128 * KiB);
    expect(allocator.totals.reserved).toBeGreaterThanOrEqual(filled + 56 * MiB);
    expect(allocator.totals.allocated).toBeLessThanOrEqual(filled);
  });

  it('keeps emptied heaps until the device ends, and uses them again', () => {
    const allocator = dawn();
    const handles = many(allocator, 16, MiB);
    for (const handle of handles) allocator.free(handle);
    expect(allocator.pooledHeaps).toBe(2);
    allocator.flush();
    expect(allocator.totals).toMatchObject({ allocated: 0, reserved: 16 * MiB });
    many(allocator, 16, MiB);
    expect(allocator.totals.reserved).toBe(16 * MiB);
  });

  it('is pinned by one small buffer a heap', () => {
    const allocator = dawn();
    const handles = many(allocator, 8 * 10, MiB);
    handles.forEach((handle, i) => i % 8 !== 3 && allocator.free(handle));
    expect(allocator.totals).toMatchObject({ reserved: 80 * MiB, allocated: 10 * MiB });
    expect(allocator.pooledHeaps).toBe(0);
  });

  it.each([
    // Vulkan sub-allocates under 4 MiB, D3D12 up to it, Metal never.
    ['vulkan', 4 * MiB - 256, 8 * MiB, 4 * MiB],
    ['vulkan', 4 * MiB, 4 * MiB, 4 * MiB],
    ['vulkan', 4 * MiB + 1, 4 * MiB + 256, 4 * MiB + 256],
    ['vulkan', 1, 8 * MiB, 256],
    ['d3d12', 4 * MiB, 4 * MiB, 4 * MiB],
    ['d3d12', 4 * MiB + 1, 4 * MiB + 64 * KiB, 4 * MiB + 64 * KiB],
    ['d3d12', 1, 4 * MiB, 64 * KiB],
    ['d3d12', 64 * KiB + 1, 4 * MiB, 128 * KiB],
    ['metal', 1, 256, 256],
  ] as const)('%s: %i bytes take a segment of %i and a block of %i', (backend, size, segment, block) => {
    const allocator = dawn(backend);
    const handle = allocator.malloc(size);
    expect(allocator.totals).toMatchObject({ reserved: segment, segments: 1 });
    expect(allocator.sizeOf(handle)).toBe(block);
  });

  it('gives the block back when the device refuses a heap', () => {
    const allocator = dawn('vulkan', 16 * MiB);
    const own = allocator.malloc(4 * MiB);
    many(allocator, 8, MiB);
    expect(allocator.malloc(MiB)).toBe(-1); // a second heap of 8 MiB, with 4 MiB left
    expect(allocator.lastFailure()).toMatchObject({ requested: MiB, totalFree: 0, deviceFree: 4 * MiB });
    allocator.free(own);
    const handle = allocator.malloc(MiB);
    expect(allocator.addressOf(handle) % (8 * MiB)).toBe((2 ** 40 + 12 * MiB) % (8 * MiB));
    expect(allocator.totals).toMatchObject({ reserved: 16 * MiB, segments: 2 });
  });

  it('gives a buffer memory of its own once the range of the buddy system is full', () => {
    const allocator = dawn('vulkan', 9 * MiB);
    many(allocator, 8, MiB);
    const handle = allocator.malloc(MiB);
    expect(allocator.sizeOf(handle)).toBe(MiB);
    expect(allocator.totals).toMatchObject({ reserved: 9 * MiB, segments: 2 });
  });
});
