/** The life of a buffer, timed in its four parts by the wall clock: creation, first touch, steady use, release. */
import { type BufferPool } from '../buffers.js';
import { verify } from '../verify.js';

export const PHASES = ['create', 'first-touch', 'steady', 'release'] as const;
export type Phase = (typeof PHASES)[number];

/** How many samples: `most`, or fewer (but at least `least`) when they take longer than `limitMs`. */
export interface SampleCount {
  readonly most: number;
  readonly least: number;
  readonly limitMs: number;
}

/** Says after each sample whether it was the last. */
function counter({ most, least, limitMs }: SampleCount): (taken: number) => boolean {
  const begin = performance.now();
  return (taken) => taken >= most || (taken >= least && performance.now() - begin > limitMs);
}

export interface Lifecycle {
  /** ns, one a buffer, in order. */
  readonly times: Readonly<Record<Phase, readonly number[]>>;
  readonly checkedElements: number;
  readonly wrong: number;
}

const usage = (): number => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;

/** Does something, and notes how long it took, in ns. */
async function timed<T>(into: number[], work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  into.push(Math.max(1, Math.round((performance.now() - begin) * 1e6)));
  return result;
}

/** Writes all of a buffer and waits until that is done. */
export async function touch(device: GPUDevice, buffer: GPUBuffer): Promise<void> {
  const encoder = device.createCommandEncoder({ label: 'touch' });
  encoder.clearBuffer(buffer);
  device.queue.submit([encoder.finish()]);
  await device.queue.onSubmittedWorkDone();
}

/** Destroy, an empty submit, and its completion: only then is the memory back. */
export async function release(pool: BufferPool, buffer: GPUBuffer): Promise<void> {
  pool.destroy(buffer);
  pool.device.queue.submit([]);
  await pool.device.queue.onSubmittedWorkDone();
}

/** Lets buffers of `size` bytes live, one after the other. The last one is checked before it goes. */
export async function live(
  pool: BufferPool,
  size: number,
  count: SampleCount,
  signal: AbortSignal,
): Promise<Lifecycle> {
  const { device } = pool;
  const times: Record<Phase, number[]> = { create: [], 'first-touch': [], steady: [], release: [] };
  let checkedElements = 0;
  let wrong = 0;
  const isEnough = counter(count);
  for (let isLast = false; !isLast;) {
    signal.throwIfAborted();
    const buffer = await timed(times.create, () => pool.create({ label: 'lifecycle', size, usage: usage() }));
    await timed(times['first-touch'], () => touch(device, buffer));
    await timed(times.steady, () => touch(device, buffer));
    isLast = isEnough(times.steady.length);
    if (isLast) ({ checked: checkedElements, wrong } = await checkTouch(pool, buffer, size, signal));
    await timed(times.release, () => release(pool, buffer));
  }
  return { times, checkedElements, wrong };
}

/** Marks are put so far apart, so that every piece of a buffer that a touch could leave out holds one. */
const MARK_EVERY = 2 ** 20;

/**
 * Whether `touch` writes all of a buffer: words are set all over it, it is touched, and every word must be zero. A new
 * buffer is zero by itself, so that without the marks nothing would be proven.
 */
export async function checkTouch(pool: BufferPool, buffer: GPUBuffer, size: number, signal: AbortSignal) {
  const { device } = pool;
  const mark = Uint32Array.of(0xffffffff);
  for (let at = 0; at < size; at += MARK_EVERY) device.queue.writeBuffer(buffer, at, mark);
  device.queue.writeBuffer(buffer, size - 4, mark);
  await touch(device, buffer);
  const reference = (_first: number, expected: Float32Array | Uint32Array): void => void expected.fill(0);
  return verify(device, pool, { label: 'touched', buffer, words: size / 4, type: 'u32', reference }, signal);
}

export interface Turnover {
  /** GB/s, one a piece of work. */
  readonly values: readonly number[];
  readonly checkedElements: number;
  readonly wrong: number;
}

/**
 * GB/s that work on a buffer gets when each piece of work makes its own, or when all share one. The last piece's buffer is
 * checked, after its time was taken.
 */
export async function turnover(
  pool: BufferPool,
  size: number,
  count: SampleCount,
  reuse: boolean,
  signal: AbortSignal,
): Promise<Turnover> {
  const values: number[] = [];
  const make = (label: string): Promise<GPUBuffer> => pool.create({ label, size, usage: usage() });
  const shared = reuse ? await make('reuse') : undefined;
  if (shared !== undefined) await touch(pool.device, shared);
  const isEnough = counter(count);
  while (!isEnough(values.length)) {
    signal.throwIfAborted();
    const begin = performance.now();
    const buffer = shared ?? (await make('churn'));
    await touch(pool.device, buffer);
    if (shared === undefined) await release(pool, buffer);
    values.push(size / Math.max(1, (performance.now() - begin) * 1e6));
  }
  const last = shared ?? (await make('churn, checked'));
  const { checked: checkedElements, wrong } = await checkTouch(pool, last, size, signal);
  await release(pool, last);
  return { values, checkedElements, wrong };
}
