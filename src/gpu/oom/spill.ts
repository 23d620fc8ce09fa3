/**
 * An allocate-and-touch ramp: after each buffer everything that is held is written once more, and timed. A device that
 * pages buffers out instead of refusing them shows it by a cliff: `spilled`, which is no capacity.
 */
import { AppError, messageOf } from '../../base/errors.js';
import { MiB } from '../../base/units.js';
import { type Cliff, cliffAt, type RampStep } from '../../model/failure/cliff.js';
import { touch } from '../alloc/lifecycle.js';
import { BufferPool } from '../buffers.js';

/** Smaller steps would walk through the caches of a processor, whose own cliffs are none of a device's memory. */
const LEAST_STEP = MiB(64);
const STEPS = 16;
/** The best of so many readings is a step's rate: what else runs on the machine makes one slow. */
const READINGS = 3;

export interface Ramp {
  readonly steps: readonly RampStep[];
  readonly cliff?: Cliff;
  /** Why the device gave no more, where it refused. */
  readonly refusal?: string;
}

/** Bytes of one buffer of the ramp under a budget. */
export const rampStep = (budgetBytes: number, most: number): number =>
  Math.min(most, Math.max(LEAST_STEP, Math.floor(budgetBytes / STEPS / 256) * 256));

/** Goes up to the budget, the first cliff or the first refusal. `onStep`: told before each buffer, with what is held. */
export async function climb(
  device: GPUDevice,
  budgetBytes: number,
  signal: AbortSignal,
  onStep: (nextBytes: number, heldBytes: number) => Promise<void>,
): Promise<Ramp> {
  const pool = new BufferPool(device, budgetBytes);
  const size = rampStep(budgetBytes, device.limits.maxBufferSize);
  const buffers: GPUBuffer[] = [];
  const steps: RampStep[] = [];
  try {
    while (pool.liveBytes + size <= budgetBytes) {
      signal.throwIfAborted();
      await onStep(size, pool.liveBytes);
      try {
        buffers.push(
          await pool.create({ label: 'ramp', size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST }),
        );
      } catch (error) {
        if (error instanceof AppError && error.failure.kind === 'out-of-memory')
          return { steps, refusal: messageOf(error) };
        throw error;
      }
      // The first touch pays the lazy clear and is no reading.
      await touchAll(device, buffers.slice(-1), signal);
      let best = Infinity;
      for (let i = 0; i < READINGS; i++) best = Math.min(best, await touchAll(device, buffers, signal));
      steps.push({ heldBytes: pool.liveBytes, rate: pool.liveBytes / best });
      const cliff = cliffAt(steps);
      if (cliff !== undefined) return { steps, cliff };
    }
    return { steps };
  } finally {
    pool.destroyAll();
    device.queue.submit([]);
    await device.queue.onSubmittedWorkDone();
  }
}

/** Writes all buffers, a submit each, so that a cancel comes through between them. The answer is the time in ns. */
async function touchAll(device: GPUDevice, buffers: readonly GPUBuffer[], signal: AbortSignal): Promise<number> {
  const begin = performance.now();
  for (const buffer of buffers) {
    signal.throwIfAborted();
    await touch(device, buffer);
  }
  return Math.max(1, (performance.now() - begin) * 1e6);
}
