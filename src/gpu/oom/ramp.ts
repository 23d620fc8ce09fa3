/** Bounded searches for what a device gives, called `observed`: no browser tells how much memory there is. */
import { BufferPool } from '../buffers.js';
import { AppError } from '../../base/errors.js';

const usage = (): number => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
const STEP = 2 ** 20;

/** The largest single buffer, to the MiB, between 1 MiB and `most` bytes; 0 when not even that is given. */
export async function largestBuffer(device: GPUDevice, most: number, signal: AbortSignal): Promise<number> {
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
  let [good, bad] = [0, Math.floor(most / STEP) + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await gives(middle * STEP)) good = middle;
    else bad = middle;
  }
  return good * STEP;
}

export interface Total {
  readonly bytes: number;
  readonly buffers: number;
  /** The search ended at the budget, not at a refusal. */
  readonly endedByBudget: boolean;
}

/** Buffers of `size` bytes until the device refuses or the budget ends. */
export async function largestTotal(
  device: GPUDevice,
  size: number,
  budgetBytes: number,
  signal: AbortSignal,
): Promise<Total> {
  const pool = new BufferPool(device, budgetBytes);
  try {
    while (pool.liveBytes + size <= budgetBytes) {
      signal.throwIfAborted();
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
