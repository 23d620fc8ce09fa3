import { expect, it } from 'vitest';
import { MiB } from '../../base/units.js';
import { BufferPool } from '../buffers.js';
import { type RowContext } from '../suite.js';
import { withBench } from '../testing/test-bench.js';
import { alloc } from './alloc.js';
import { checkTouch, live, type SampleCount, turnover } from './lifecycle.js';

async function rowOf(context: RowContext, id: string) {
  const job = alloc.rows(context.environment, context.request).jobs.find((each) => each.id === id);
  return job?.run(context);
}

const exactly = (count: number): SampleCount => ({ most: count, least: count, limitMs: 0 });

it.each([256, MiB(1), MiB(9)])('checks every word of what churn and reuse have written (%i bytes)', (size) =>
  withBench(async ({ bench: { device }, signal }) => {
    const pool = new BufferPool(device, MiB(64));
    for (const reuse of [false, true]) {
      const { values, checkedElements, wrong } = await turnover(pool, size, exactly(3), reuse, signal);
      expect([values.length, checkedElements, wrong]).toEqual([3, size / 4, 0]);
      for (const value of values) expect(value).toBeGreaterThan(0);
    }
    const { times, checkedElements, wrong } = await live(pool, size, exactly(2), signal);
    expect([times.release.length, checkedElements, wrong]).toEqual([2, size / 4, 0]);
    expect([pool.liveCount, pool.liveBytes]).toEqual([0, 0]);
  }),
);

it('ends a size after its time once it has the least that it needs, with the last one checked', () =>
  withBench(async ({ bench: { device }, signal }) => {
    const pool = new BufferPool(device, MiB(64));
    const count = { most: 1000, least: 3, limitMs: 0 };
    const { times, checkedElements, wrong } = await live(pool, 256, count, signal);
    expect([times.create.length, times.release.length, checkedElements, wrong]).toEqual([3, 3, 64, 0]);
    expect((await turnover(pool, 256, count, true, signal)).values).toHaveLength(3);
    expect(pool.liveCount).toBe(0);
  }));

it('finds a touch that leaves words out', () =>
  withBench(async ({ bench: { device }, signal }) => {
    const pool = new BufferPool(device, MiB(64));
    const size = MiB(2);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    await pool.using({ label: 'test', size, usage }, async (buffer) => {
      const create = device.createCommandEncoder.bind(device);
      device.createCommandEncoder = (descriptor) => {
        const encoder = create(descriptor);
        const clear = encoder.clearBuffer.bind(encoder);
        // The last 256 bytes are forgotten.
        encoder.clearBuffer = (target) => clear(target, 0, size - 256);
        return encoder;
      };
      expect(await checkTouch(pool, buffer, size, signal)).toMatchObject({ checked: size / 4, wrong: 1 });
      device.createCommandEncoder = create;
    });
  }));

it('measures anew what a run may come back to, and marks the rows that cannot', () =>
  withBench(async (context) => {
    const { jobs } = alloc.rows(context.environment, context.request);
    const rows = jobs.filter(({ id, kind }) => kind !== 'experiment' && id.endsWith('/256B'));
    const shared: string[] = [];
    for (const job of rows) {
      const [first, second] = [await job.run(context), await job.run(context)];
      if (first.kind !== 'row' || second.kind !== 'row') throw new Error('no row');
      if (first.row.status !== 'measured' || second.row.status !== 'measured') throw new Error('not measured');
      if (job.isShared === true) shared.push(job.id);
      if (job.isShared === true) expect(second.row.samples).toEqual(first.row.samples);
      else expect(second.row.samples).not.toEqual(first.row.samples);
    }
    expect(shared).toEqual(['alloc/first-touch/256B', 'alloc/steady/256B', 'alloc/release/256B']);
  }));

it('counts the bytes of mappings as memory of the page, until they end', () =>
  withBench(async (context) => {
    const result = await rowOf(context, 'alloc/mapped-bytes');
    if (result?.kind !== 'experiment') throw new Error('no experiment');
    const both = MiB(80);
    expect(result.experiment).toMatchObject({
      status: 'measured',
      mapped: { deviceBytes: both, hostBytes: both },
      unmapped: { deviceBytes: both, hostBytes: 0 },
      released: { deviceBytes: 0, hostBytes: 0 },
    });
  }));

it('goes up to the largest buffer that the budget holds in `full`, 2,000 times for a size', () =>
  withBench((context) => {
    const budgetBytes = 2 ** 31;
    const { jobs } = alloc.rows(context.environment, { ...context.request, preset: 'full', budgetBytes });
    const sizes = jobs.flatMap(({ id }) => /^alloc\/create\/(.*)/.exec(id)?.[1] ?? []);
    expect(sizes).toEqual(['256B', '4KiB', '64KiB', '1MiB', '4MiB', '16MiB', '64MiB', '256MiB', '1GiB']);
    return Promise.resolve();
  }));

it('takes 2,000 samples of a size in `full`', () =>
  withBench(async (context) => {
    const full = { ...context, request: { ...context.request, preset: 'full' as const } };
    const result = await rowOf(full, 'alloc/create/256B');
    expect(result).toMatchObject({ row: { status: 'measured', stats: { n: 2000 }, checkedElements: 64 } });
  }));
