/** destroy() against dropping the last reference. */
import { formatBytes } from '../../base/format.js';
import { say } from '../../base/said.js';
import { MiB } from '../../base/units.js';
import { BufferPool } from '../buffers.js';
import { experimentResult, type Job, type RowContext } from '../suite.js';
import { touch } from './lifecycle.js';

/**
 * Over 32 MiB, from where on the C library of a software adapter's process maps every allocation by itself: smaller ones
 * would stay in its heap after they were freed, and look held.
 */
const SIZE = MiB(40);
const COUNT = 3;
const WAIT_MS = 300;

/** GPU-process memory after buffers were destroyed, and after they were only dropped. */
export function dropJob(): Job {
  const id = 'alloc/destroy-against-drop';
  return {
    id,
    suite: 'alloc',
    kind: 'experiment',
    measures: '',
    run: async (context) => {
      const first = await context.askHost({ kind: 'process-memory' });
      if (first.kind !== 'process-memory') {
        const reason = first.kind === 'unavailable' ? first.reason : say`the memory of the GPU process cannot be read`;
        return experimentResult({ id, suite: 'alloc', status: 'skipped', reason });
      }
      if (SIZE * COUNT > context.request.budgetBytes) {
        return experimentResult({
          id,
          suite: 'alloc',
          status: 'skipped',
          reason: say`needs ${formatBytes(SIZE * COUNT)}; the budget is ${formatBytes(context.request.budgetBytes)}`,
        });
      }
      return experimentResult({
        id,
        suite: 'alloc',
        status: 'measured',
        madeBytes: SIZE * COUNT,
        leftAfterDestroyBytes: await leftBehind(context, true),
        leftAfterDropBytes: await leftBehind(context, false),
        waitMs: WAIT_MS,
      });
    },
  };
}

async function gpuMemory({ askHost }: RowContext): Promise<number> {
  const answer = await askHost({ kind: 'process-memory' });
  return answer.kind === 'process-memory' ? answer.gpuBytes : 0;
}

/** Bytes that the GPU process still holds of what was made. The device goes in the end, and with it the rest. */
async function leftBehind(context: RowContext, destroys: boolean): Promise<number> {
  const device = await context.openDevice();
  const pool = new BufferPool(device, context.request.budgetBytes);
  try {
    const before = await gpuMemory(context);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    for (let i = 0; i < COUNT; i++) {
      context.signal.throwIfAborted();
      const descriptor = { label: 'destroy or drop', size: SIZE, usage };
      const buffer = destroys ? await pool.create(descriptor) : device.createBuffer(descriptor);
      await touch(device, buffer);
    }
    pool.destroyAll();
    device.queue.submit([]);
    await device.queue.onSubmittedWorkDone();
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return Math.max(0, (await gpuMemory(context)) - before);
  } finally {
    pool.destroyAll();
    device.destroy();
  }
}
