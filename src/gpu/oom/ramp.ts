/** Bounded searches for what a device gives, called `observed`: no browser tells how much memory there is. */
import { BufferPool } from '../buffers.js';
import { AppError } from '../../base/errors.js';

const usage = (): number => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
const STEP = 2 ** 20;

/**
 * The largest single buffer between `stepBytes` and `most`, in multiples of `stepBytes` (1 MiB unless given); 0 when not
 * even one is given. The bound itself is asked for first.
 */
export async function largestBuffer(
  device: GPUDevice,
  most: number,
  signal: AbortSignal,
  stepBytes = STEP,
): Promise<number> {
  const gives = async (size: number): Promise<boolean> => {
    signal.throwIfAborted();
    const pool = new BufferPool(device, most);
    try {
      await pool.create({ label: 'largest buffer', size, usage: usage() });
      return true;
    } catch (error) {
      if (error instanceof AppError && error.failure.kind === 'out-of-memory') return false;
      throw error;
    } finally {
      pool.destroyAll();
      device.queue.submit([]);
      await device.queue.onSubmittedWorkDone();
    }
  };
  const bound = Math.floor(most / stepBytes);
  if (bound > 0 && (await gives(bound * stepBytes))) return bound * stepBytes;
  let [good, bad] = [0, bound];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await gives(middle * stepBytes)) good = middle;
    else bad = middle;
  }
  return good * stepBytes;
}

export interface Total {
  readonly bytes: number;
  readonly buffers: number;
  /** The search ended at the budget, not at a refusal. */
  readonly endedByBudget: boolean;
}

/** Buffers of `size` bytes until the device refuses or the budget ends. `onStep`: told before each, with what is held. */
export async function largestTotal(
  device: GPUDevice,
  size: number,
  budgetBytes: number,
  signal: AbortSignal,
  onStep: (nextBytes: number, heldBytes: number) => Promise<void> = () => Promise.resolve(),
): Promise<Total> {
  const pool = new BufferPool(device, budgetBytes);
  try {
    while (pool.liveBytes + size <= budgetBytes) {
      signal.throwIfAborted();
      await onStep(size, pool.liveBytes);
      try {
        await pool.create({ label: 'largest total', size, usage: usage() });
      } catch (error) {
        if (!(error instanceof AppError) || error.failure.kind !== 'out-of-memory') throw error;
        return { bytes: pool.liveBytes, buffers: pool.liveCount, endedByBudget: false };
      }
    }
    return { bytes: pool.liveBytes, buffers: pool.liveCount, endedByBudget: true };
  } finally {
    pool.destroyAll();
    device.queue.submit([]);
    await device.queue.onSubmittedWorkDone();
  }
}
