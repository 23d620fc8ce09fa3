/**
 * A dispatch that takes longer than anybody waits: what a driver that hangs looks like from a page. It is bounded: one
 * thread follows a cycle of loads, whose pace is measured before, for a few seconds. On Windows and some drivers a watchdog
 * ends it earlier and the device is lost, which is a result too.
 */
import { chaseProgram } from '../../../shaders/index.js';
import { BufferPool } from '../buffers.js';
import { pipelineOf } from '../pipeline.js';
import { attempt, type Seen, type WatchedDevice } from './attempt.js';

/** What the dispatch should take, and after how long it counts as hanging. */
const HANG_MS = 2500;
export const HANG_LIMIT_MS = 800;
/** A pace is known from a run of at least this long. */
const PACE_MS = 40;
const FIRST_STEPS = 2 ** 14;
const MOST_STEPS = 2 ** 31;
const RING_BYTES = 64;

export interface HangSeen extends Seen {
  /** Bound of the dispatch, and the wait after which it counts as hanging. */
  readonly boundMs: number;
  readonly limitMs: number;
}

/** Sends the long dispatch and waits for it until the limit. Rejects with the signal's reason on abort. */
export async function provokeHang(watched: WatchedDevice, signal: AbortSignal): Promise<HangSeen> {
  const { device } = watched;
  const pool = new BufferPool(device, 2 ** 16);
  const chase = await pipelineOf(device, 'hang', chaseProgram);
  const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
  try {
    const ring = await pool.create({ label: 'hang ring', size: RING_BYTES, usage: storage });
    const state = await pool.create({ label: 'hang state', size: 8, usage: storage });
    const uniform = await pool.create({
      label: 'hang steps',
      size: 8,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    // A ring of zeros: line 0 leads to line 0.
    const group = chase.bind('hang', [uniform, ring, state]);
    const dispatch = async (steps: number): Promise<number> => {
      signal.throwIfAborted();
      device.queue.writeBuffer(uniform, 0, Uint32Array.of(steps));
      const encoder = device.createCommandEncoder({ label: 'hang' });
      const pass = encoder.beginComputePass({ label: 'hang' });
      pass.setPipeline(chase.pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(1);
      pass.end();
      const begin = performance.now();
      device.queue.submit([encoder.finish()]);
      await device.queue.onSubmittedWorkDone();
      return performance.now() - begin;
    };
    let steps = FIRST_STEPS;
    let took = await dispatch(steps);
    while (took < PACE_MS && steps < MOST_STEPS / 4) {
      steps *= 4;
      took = await dispatch(steps);
    }
    // What else runs makes a pace look slow, and the dispatch too short.
    for (let i = 0; i < 2; i++) took = Math.min(took, await dispatch(steps));
    const wanted = Math.min(MOST_STEPS, Math.round((steps * HANG_MS) / took));
    const seen = await attempt(watched, () => dispatch(wanted), { limitMs: HANG_LIMIT_MS, signal });
    return { ...seen, boundMs: HANG_MS, limitMs: HANG_LIMIT_MS };
  } finally {
    pool.destroyAll();
  }
}
