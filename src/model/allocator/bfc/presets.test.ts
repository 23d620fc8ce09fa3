import { describe, expect, it } from 'vitest';
import { makeAllocator } from '../registry.js';
import { BfcAllocator } from './bfc-allocator.js';
import { findPreset, jaxOomText, PRESETS, systemReserve, tensorFlowMemoryInfo, tensorFlowOomText } from './presets.js';

const MiB = 2 ** 20;
const GiB = 2 ** 30;
const gpu = (freeBytes: number, computeMajor: number) => ({ totalBytes: 80 * GiB, freeBytes, computeMajor });
const limit = (id: string, facts = gpu(78 * GiB, 8), settings = {}) => findPreset(id).limit(facts, settings);

describe('the presets of TensorFlow and JAX', () => {
  it.each([
    [2 * GiB - 1, 9, 225],
    [2 * GiB, 6, 500],
    [2 * GiB, 7, 1050],
    [2 * GiB, 8, 1536],
    [2 * GiB, 9, 1800],
    [2 * GiB, 12, 1800],
  ])('TensorFlow with %i bytes free on compute capability %i leaves %i MiB', (free, major, reserve) => {
    expect(systemReserve(gpu(free, major))).toBe(reserve * MiB);
  });

  it('TensorFlow counts from free memory, or a fraction of the total; JAX from the total', () => {
    expect(limit('tensorflow')).toBe(78 * GiB - 1536 * MiB);
    expect(limit('tensorflow-growth')).toBe(limit('tensorflow'));
    expect(limit('tensorflow', gpu(78 * GiB, 8), { fraction: 0.5 })).toBe(40 * GiB);
    expect(limit('tensorflow-limit', gpu(78 * GiB, 8), { limitBytes: 1024 * MiB })).toBe(GiB);
    expect(limit('jax')).toBe(60 * GiB);
    expect(limit('jax', gpu(GiB, 8))).toBe(60 * GiB);
    expect(limit('jax-fraction', gpu(78 * GiB, 8), { fraction: 0.5 })).toBe(40 * GiB);
    expect(limit('jax-fraction') % (2 * MiB)).toBe(0);
  });

  it('TensorFlow preallocates unless growth is asked for, and collects empty regions; JAX does not collect', () => {
    expect(findPreset('tensorflow').options).toMatchObject({ garbageCollection: true });
    expect(findPreset('tensorflow').options.allowGrowth ?? false).toBe(false);
    expect(findPreset('tensorflow-growth').options.allowGrowth).toBe(true);
    expect(findPreset('jax').options).toMatchObject({ garbageCollection: false });
    expect(findPreset('jax-growth').options.allowGrowth).toBe(true);
    expect(new Set(PRESETS.map(({ id }) => id)).size).toBe(PRESETS.length);
  });

  it('is a setting of bfc, which other keys amend', () => {
    const made = (conf: string) => makeAllocator({ name: 'bfc', conf, capacity: 40 * GiB }).allocator.stats();
    expect(made('preset=jax')['bytes_limit']).toBe(30 * GiB);
    expect(made('preset=tensorflow')['bytes_limit']).toBe(40 * GiB - 1536 * MiB);
    expect(made('preset=jax,memory_limit=1GiB')['bytes_limit']).toBe(GiB);
    expect(() => made('preset=torch')).toThrow(/preset: "torch" is not known; one of tensorflow, /);
    expect(() => made('preset=jax-async')).toThrow(/use --allocator stream-ordered/);
  });

  it('says out of memory in the words of the framework', () => {
    const tensor = { shape: [32, 1024, 64, 64], type: 'float', device: 0, allocator: 'GPU_0_bfc' };
    expect(tensorFlowOomText(tensor)).toBe(
      'OOM when allocating tensor with shape[32,1024,64,64] and type float on ' +
        '/job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc',
    );
    const text = 'RESOURCE_EXHAUSTED: Out of memory while trying to allocate';
    expect(jaxOomText(123, 'to-2025-11')).toBe(`${text} 123 bytes.`);
    expect(jaxOomText(7.34 * GiB, 'from-2025-11')).toBe(`${text} 7.34GiB.`);
    expect(jaxOomText(7.34 * GiB, 'from-2026-07', 1)).toBe(`${text} 7.34GiB with allocator GPU_1_bfc on device 1.`);
  });

  it('get_memory_info is the same for a whole and a torn pool: it does not show fragmentation', () => {
    const [whole, torn] = [new BfcAllocator({ memoryLimit: 8 * MiB }), new BfcAllocator({ memoryLimit: 8 * MiB })];
    const [a, b] = [whole, torn].map((allocator) => Array.from({ length: 8 }, () => allocator.malloc(MiB)));
    a?.slice(0, 4).forEach((handle) => whole.free(handle));
    b?.forEach((handle, i) => i % 2 === 0 && torn.free(handle));
    expect(tensorFlowMemoryInfo(whole.stats())).toEqual({ current: 4 * MiB, peak: 8 * MiB });
    expect(tensorFlowMemoryInfo(torn.stats())).toEqual(tensorFlowMemoryInfo(whole.stats()));
    expect(whole.fragmentation()).toBe(0);
    expect(torn.fragmentation()).toBe(0.75);
    expect(whole.malloc(4 * MiB)).toBeGreaterThanOrEqual(0);
    expect(torn.malloc(4 * MiB)).toBe(-1);
  });
});
