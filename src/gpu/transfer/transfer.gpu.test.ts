import { describe, expect, it } from 'vitest';
import { runFloorRow } from '../dispatch/floor-row.js';
import { runSlopeRow } from '../dispatch/slope-row.js';
import { withBench } from '../testing/test-bench.js';
import { Payload } from './payload.js';
import { runTransferRow } from './transfer.js';
import { openWay, WAYS } from './ways.js';

const KiB = 2 ** 10;

describe('every way of a transfer', () => {
  it.each(WAYS.flatMap((way) => [256, 64 * KiB].map((size) => [way, size] as const)))(
    '%s of %d bytes arrives, word by word',
    async (way, size) => {
      await withBench(async (context) => {
        const live = context.bench.pool.liveCount;
        const result = await runTransferRow(context, { id: way, way, size, payload: new Payload(3) });
        expect(result).toMatchObject({ row: { status: 'measured', unit: 'GB/s', checkedElements: size / 4 } });
        expect(context.bench.pool.liveCount).toBe(live);
      });
    },
  );

  it.each(WAYS)('%s sends what it says it sent last', async (way) => {
    await withBench(async ({ bench }) => {
      const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
      await bench.pool.using({ label: 'target', size: 256, usage }, async (target) => {
        const opened = await openWay(way, { bench, label: way, size: 256, payload: new Payload(3), target });
        await opened.take(1);
        const first = [...opened.expected()];
        await opened.take(4);
        expect(opened.expected()).toHaveLength(64);
        if (opened.received() === undefined) expect([...opened.expected()]).not.toEqual(first);
        else expect(opened.received()).toEqual(opened.expected());
        opened.dispose();
      });
    });
  });

  it('finds a transfer that did not happen', async () => {
    await withBench(async (context) => {
      const { queue } = context.bench.device;
      const write = queue.writeBuffer.bind(queue);
      let writes = 0;
      queue.writeBuffer = (...args: Parameters<typeof write>) => {
        writes += 1;
        if (writes === 1) write(...args);
      };
      const failing = runTransferRow(context, { id: 'w', way: 'write-buffer', size: 4 * KiB, payload: new Payload(3) });
      await expect(failing).rejects.toMatchObject({ failure: { kind: 'wrong-data' } });
      queue.writeBuffer = write;
    });
  });
});

describe('dispatch', () => {
  it.each(['dispatch', 'pass', 'submit'] as const)('the cost of a %s by slope, every one counted', async (kind) => {
    await withBench(async (context) => {
      const result = await runSlopeRow(context, { id: kind, kind, count: 40 });
      expect(result).toMatchObject({ row: { status: 'measured', unit: 'ns', repeats: 40, stopReason: 'fixed-count' } });
    });
  });

  it.each(['empty-queue', 'map-4B', 'naive'] as const)('%s is a time above 0', async (kind) => {
    await withBench(async (context) => {
      const result = await runFloorRow(context, { id: kind, kind });
      expect(result).toMatchObject({ row: { status: 'measured', unit: 'ns' } });
    });
  });
});
