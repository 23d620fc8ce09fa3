/** Everything that belongs to one device, made at the start and again after a loss. */
import { BufferPool } from './buffers.js';
import { probe } from './probe.js';
import { type GpuSession } from './session.js';
import { Stopwatch } from './stopwatch.js';
import { type Bench } from './suite.js';

/** Memory for the clock and a probe: what a run needs before its first row. */
export const PROBE_BYTES = 2 ** 20;

/** Proves a device by a small verified run. */
export async function proveDevice(device: GPUDevice): Promise<void> {
  const pool = new BufferPool(device, PROBE_BYTES);
  try {
    await probe(device, pool);
  } finally {
    pool.destroyAll();
  }
}

/** Calibrates the clock and compares it with the wall on a verified run. Leaves nothing behind when that fails. */
export async function openBench(session: GpuSession, budgetBytes: number): Promise<Bench> {
  const { device } = session;
  const pool = new BufferPool(device, budgetBytes);
  try {
    const stopwatch = await session.guard(Stopwatch.create(device, pool));
    const clock = await session.guard(stopwatch.calibrate());
    await session.guard(probe(device, pool, { stopwatch, clock }));
    return { device, pool, stopwatch, clock };
  } catch (error) {
    pool.destroyAll();
    throw error;
  }
}

export function closeBench(bench: Bench): void {
  bench.stopwatch.destroy(bench.pool);
  bench.pool.destroyAll();
}
