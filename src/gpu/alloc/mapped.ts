/** What buffers hold that are mapped at creation: their bytes on the device, and once more in the memory of the page. */
import { formatBytes } from '../../base/format.js';
import { say } from '../../base/said.js';
import { MiB } from '../../base/units.js';
import { BufferPool } from '../buffers.js';
import { experimentResult, type Job, type RowContext } from '../suite.js';
import { release } from './lifecycle.js';

const SIZE = MiB(40);
const COUNT = 2;
const ID = 'alloc/mapped-bytes';

/** Both counters of the pool at each step, beside the memory of the processes where a program can look at it. */
export function mappedJob(): Job {
  return {
    id: ID,
    suite: 'alloc',
    kind: 'experiment',
    measures: '',
    run: async (context) => {
      if (SIZE * COUNT > context.request.budgetBytes) {
        const reason = say`needs ${formatBytes(SIZE * COUNT)}; the budget is ${formatBytes(context.request.budgetBytes)}`;
        return experimentResult({ id: ID, suite: 'alloc', status: 'skipped', reason });
      }
      const { mapped, unmapped, released } = await mapAndRelease(context);
      const isCounted =
        mapped.hostBytes === SIZE * COUNT &&
        unmapped.hostBytes === 0 &&
        released.deviceBytes + released.hostBytes === 0;
      return experimentResult({
        id: ID,
        suite: 'alloc',
        ...(isCounted
          ? { status: 'measured' as const }
          : { status: 'failed' as const, reason: say`the counters did not follow the mappings` }),
        madeBytes: SIZE * COUNT,
        mapped,
        unmapped,
        released,
      });
    },
  };
}

interface Held {
  /** As the pool counts. */
  readonly deviceBytes: number;
  readonly hostBytes: number;
  /** Growth since before, of the GPU process and of the browser's other processes; absent where nobody can look. */
  readonly gpuProcessBytes?: number;
  readonly otherProcessesBytes?: number;
}

async function mapAndRelease(context: RowContext): Promise<Record<'mapped' | 'unmapped' | 'released', Held>> {
  const device = await context.openDevice();
  const pool = new BufferPool(device, context.request.budgetBytes);
  try {
    const before = await processes(context);
    const look = async (): Promise<Held> => {
      const counted = { deviceBytes: pool.liveBytes, hostBytes: pool.hostBytes };
      const now = await processes(context);
      if (before === undefined || now === undefined) return counted;
      return {
        ...counted,
        gpuProcessBytes: Math.max(0, now.gpu - before.gpu),
        otherProcessesBytes: Math.max(0, now.others - before.others),
      };
    };
    const buffers: GPUBuffer[] = [];
    for (let i = 0; i < COUNT; i++) {
      context.signal.throwIfAborted();
      const buffer = pool.createMapped({ label: 'mapped', size: SIZE, usage: GPUBufferUsage.COPY_SRC });
      new Uint32Array(buffer.getMappedRange()).fill(i + 1);
      buffers.push(buffer);
    }
    const mapped = await look();
    for (const buffer of buffers) pool.unmap(buffer);
    await device.queue.onSubmittedWorkDone();
    const unmapped = await look();
    for (const buffer of buffers) await release(pool, buffer);
    return { mapped, unmapped, released: await look() };
  } finally {
    pool.destroyAll();
    device.destroy();
  }
}

async function processes({ askHost }: RowContext): Promise<{ gpu: number; others: number } | undefined> {
  const answer = await askHost({ kind: 'process-memory' });
  if (answer.kind !== 'process-memory') return undefined;
  return { gpu: answer.gpuBytes, others: answer.totalBytes - answer.gpuBytes };
}
