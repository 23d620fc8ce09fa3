/**
 * Working versions of the stress cases that WebGPU's conformance suite leaves open: creation without end, with and without
 * destroy, one after the other and many at once; all within the budget.
 */
import { MiB } from '../../base/units.js';
import { type Preset } from '../../model/report/schema.js';
import { AppError } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { BufferPool } from '../buffers.js';
import { type Job, type RowContext } from '../suite.js';
import { oomJob, recover } from './oom-job.js';

/** Bytes of one buffer, where the budget holds what is in flight at once; a part of the budget elsewhere. */
const SIZE = MiB(4);
const ROUNDS: Readonly<Record<Preset, number>> = { quick: 32, standard: 256, full: 1024 };
/** Most that a stress case holds: it shows order of events, not amounts. */
const MOST_HELD = MiB(128);

interface Stress {
  readonly id: string;
  readonly about: string;
  readonly destroys: boolean;
  readonly together: number;
}

const STRESSES: readonly Stress[] = [
  { id: 'churn', about: 'create and destroy, one after the other', destroys: true, together: 1 },
  { id: 'concurrent', about: 'many creations in flight at once, then all destroyed', destroys: true, together: 8 },
  {
    id: 'without-destroy',
    about: 'create until the budget refuses; nothing is destroyed',
    destroys: false,
    together: 1,
  },
];

export const stressJobs = (preset: Preset): readonly Job[] =>
  STRESSES.map((stress) => oomJob(`stress/${stress.id}`, (context) => run(context, stress, ROUNDS[preset])));

async function run(context: RowContext, stress: Stress, rounds: number) {
  const device = await context.openDevice();
  const budget = Math.min(context.request.budgetBytes, MOST_HELD);
  const pool = new BufferPool(device, budget);
  const size = Math.min(SIZE, Math.floor(budget / stress.together / 4) * 4);
  const most = stress.destroys ? rounds : Math.floor(budget / size) + 1;
  let created = 0;
  let refused = 0;
  try {
    while (created + refused < most) {
      context.signal.throwIfAborted();
      const wanted = Math.min(stress.together, most - created - refused);
      const outcomes = await Promise.allSettled(Array.from({ length: wanted }, () => createOne(pool, size)));
      const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
      for (const outcome of outcomes) if (outcome.status === 'rejected') demandRefusal(outcome.reason);
      created += made.length;
      refused += outcomes.length - made.length;
      if (stress.destroys) await destroyAll(device, pool, made);
    }
    const heldBytes = pool.liveBytes;
    pool.destroyAll();
    const recovery = await recover(context);
    const isRight = stress.destroys ? refused === 0 && heldBytes === 0 : refused === 1 && heldBytes <= budget;
    return {
      ...(isRight
        ? { status: 'measured' as const }
        : { status: 'failed' as const, reason: say`${refused} of ${most} creations were refused` }),
      about: stress.about,
      sizeBytes: size,
      created,
      refused,
      heldBytes,
      budgetBytes: budget,
      ...recovery,
    };
  } finally {
    pool.destroyAll();
    device.destroy();
  }
}

const createOne = (pool: BufferPool, size: number): Promise<GPUBuffer> =>
  pool.create({ label: 'stress', size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST });

async function destroyAll(device: GPUDevice, pool: BufferPool, buffers: readonly GPUBuffer[]): Promise<void> {
  for (const buffer of buffers) pool.destroy(buffer);
  device.queue.submit([]);
  await device.queue.onSubmittedWorkDone();
}

function demandRefusal(error: unknown): void {
  if (!(error instanceof AppError && error.failure.kind === 'out-of-memory')) throw error;
}
