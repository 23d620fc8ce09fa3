import { describe, expect, it } from 'vitest';
import { BufferPool } from './buffers.js';
import { withBench } from './testing/test-bench.js';

const storage = (): number => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;

describe('BufferPool', () => {
  it('meets a real out of memory as an AppError, counts nothing for it and goes on', async (test) => {
    await withBench(async ({ bench, environment }) => {
      if (environment.adapter.class === 'hardware') test.skip('a hardware adapter may have that much');
      const size = bench.device.limits.maxBufferSize;
      const pool = new BufferPool(bench.device, 2 * size);
      const refused = pool.create({ label: 'largest', size, usage: storage() });
      await expect(refused).rejects.toMatchObject({ failure: { kind: 'out-of-memory', requestedBytes: size } });
      expect(pool).toMatchObject({ liveBytes: 0, liveCount: 0 });
      const small = await pool.create({ label: 'small', size: 1024, usage: storage() });
      expect(pool.liveBytes).toBe(1024);
      pool.destroy(small);
      pool.destroy(small);
      expect(pool.liveBytes).toBe(0);
    });
  });

  it('takes a size past maxBufferSize for a bug of ours, not for an out of memory', async () => {
    await withBench(async ({ bench }) => {
      const size = bench.device.limits.maxBufferSize + 4;
      const pool = new BufferPool(bench.device, 2 * size);
      const invalid = pool.create({ label: 'too large', size, usage: storage() });
      await expect(invalid).rejects.not.toHaveProperty('failure');
    });
  });

  it('keeps the budget to the byte, over all buffers that live', async () => {
    await withBench(async ({ bench }) => {
      const pool = new BufferPool(bench.device, 4096);
      const first = await pool.create({ label: 'first', size: 1024, usage: storage() });
      await expect(pool.create({ label: 'over', size: 3076, usage: storage() })).rejects.toMatchObject({
        failure: { kind: 'out-of-memory' },
        message: expect.stringContaining('budget of 4 KiB') as string,
      });
      await pool.create({ label: 'rest', size: 3072, usage: storage() });
      pool.destroy(first);
      await pool.create({ label: 'again', size: 1024, usage: storage() });
      expect(pool.liveBytes).toBe(4096);
      pool.destroyAll();
      expect(pool).toMatchObject({ liveBytes: 0, liveCount: 0 });
    });
  });

  it('destroys what it lent when the work throws', async () => {
    await withBench(async ({ bench }) => {
      const pool = new BufferPool(bench.device, 4096);
      const work = pool.using({ label: 'lent', size: 64, usage: storage() }, () => Promise.reject(new Error('work')));
      await expect(work).rejects.toThrow('work');
      expect(pool.liveCount).toBe(0);
    });
  });
});
