/** How many buffers a device keeps at once, whatever their bytes: some drivers end at a number, not at a size. */
import { AppError, messageOf } from '../../base/errors.js';
import { BufferPool } from '../buffers.js';

const SIZE = 256;
/** Past this the number is of no interest to anybody. */
export const MOST_OBJECTS = 20_000;

export interface ObjectCount {
  readonly objects: number;
  /** Why the search ended, where the device did not give them all. */
  readonly refusal?: string;
}

/** Creates tiny buffers until the device refuses or `most` are there, and gives them all back. */
export async function countObjects(device: GPUDevice, most: number, signal: AbortSignal): Promise<ObjectCount> {
  const pool = new BufferPool(device, most * SIZE);
  try {
    while (pool.liveCount < most) {
      signal.throwIfAborted();
      try {
        await pool.create({ label: 'object count', size: SIZE, usage: GPUBufferUsage.STORAGE });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { objects: pool.liveCount, refusal: messageOf(error) };
      }
    }
    return { objects: pool.liveCount };
  } finally {
    pool.destroyAll();
    device.queue.submit([]);
    await device.queue.onSubmittedWorkDone();
  }
}
