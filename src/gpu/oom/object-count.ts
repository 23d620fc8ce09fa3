/** How many buffers a device keeps at once, whatever their bytes: some drivers end at a number, not at a size. */
import { AppError, messageOf } from '../../base/errors.js';
import { BufferPool } from '../buffers.js';

const SIZE = 256;
/**
 * What a tiny buffer takes of the machine beside its bytes, in the browser's processes: 40,000 of them took 218 MiB
 * (facts/webgpu.md), 5.7 KB each.
 */
const OVERHEAD = 8192;
/** Past this the number is of no interest to anybody. */
const MOST_OBJECTS = 20_000;
/** Created at once: one after the other would wait for an answer each. */
const TOGETHER = 200;

export interface ObjectCount {
  readonly objects: number;
  /** Why the search ended, where the device did not give them all. */
  readonly refusal?: string;
}

/** Buffers that a budget allows the search. */
export const mostObjects = (budgetBytes: number): number =>
  Math.min(MOST_OBJECTS, Math.floor(budgetBytes / (SIZE + OVERHEAD)));

/**
 * Creates tiny buffers until the device refuses or `most` are there, and gives them all back. `pool` is where they come
 * from; a pool of just that size unless given.
 */
export async function countObjects(
  device: GPUDevice,
  most: number,
  signal: AbortSignal,
  pool = new BufferPool(device, most * SIZE),
): Promise<ObjectCount> {
  const create = (): Promise<GPUBuffer> =>
    pool.create({ label: 'object count', size: SIZE, usage: GPUBufferUsage.STORAGE });
  try {
    while (pool.liveCount < most) {
      signal.throwIfAborted();
      const wanted = Math.min(TOGETHER, most - pool.liveCount);
      const outcomes = await Promise.allSettled(Array.from({ length: wanted }, create));
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      for (const error of refused) if (!(error instanceof AppError)) throw error;
      if (refused.length > 0) return { objects: pool.liveCount, refusal: messageOf(refused[0]) };
    }
    return { objects: pool.liveCount };
  } finally {
    pool.destroyAll();
    device.queue.submit([]);
    await device.queue.onSubmittedWorkDone();
  }
}
