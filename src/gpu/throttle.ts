/**
 * The throttle proxy (facts/measuring.md 5): one fixed kernel of fixed length after every row. When it runs slower than
 * the best so far by more than 5 %, the machine was not the same machine: the row is flagged, and where the preset has
 * the time the machine rests and the row is measured again; both figures are kept.
 */
import { streamKernels } from '../../shaders/index.js';
import { defined } from '../base/errors.js';
import { formatNumber } from '../base/format.js';
import { type MeasuredRow, type Preset, type Row } from '../model/report/schema.js';
import { bindStream, type BoundStream, UNIFORM_BYTES } from './stream.js';
import { type Bench } from './suite.js';

const SIZE = 2 ** 20;
const THREADS = 2 ** 14;
const DRIFT_LIMIT = 0.05;
/** The shortest of so many readings: what disturbs for a moment is no throttling. */
const READINGS = 3;
const SHORTEST_NS = { 'timestamp-query': 2e6, wall: 30e6 } as const;
const GRID_STEPS = 100;
const MOST_STEPS = 2 ** 20;
/** Rest before a second measurement, ms. */
export const COOL_DOWN_MS = 1000;

/** `quick` has no time for a rest: it flags and goes on. */
export const reruns = (preset: Preset): boolean => preset !== 'quick';

export class ThrottleWatch {
  #best: number | undefined;

  private constructor(
    readonly bench: Bench,
    readonly buffers: readonly GPUBuffer[],
    readonly bound: BoundStream,
    readonly steps: number,
  ) {}

  /** Sizes the reference run for the clock in use. */
  static async create(bench: Bench): Promise<ThrottleWatch> {
    const kernel = defined(
      streamKernels.find(({ id }) => id === 'copy/vec4'),
      'copy/vec4',
    );
    const storage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    const label = 'throttle reference';
    const buffers: GPUBuffer[] = [];
    try {
      const create = async (size: number, usage: number): Promise<GPUBuffer> => {
        const buffer = await bench.pool.create({ label, size, usage });
        buffers.push(buffer);
        return buffer;
      };
      const [a, dst] = [await create(SIZE, storage), await create(SIZE, storage)];
      const uniform = await create(UNIFORM_BYTES, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
      const row = { id: label, kernel, size: SIZE, threads: THREADS, seedWrite: 0 };
      const bound = await bindStream(bench.device, row, { uniform, a, dst });
      return new ThrottleWatch(bench, buffers, bound, await stepsFor(bench, bound));
    } catch (error) {
      for (const buffer of buffers) bench.pool.destroy(buffer);
      throw error;
    }
  }

  /** How much slower than its best the reference runs now: 0.07 is 7 %. The first call says 0. */
  async slowdown(): Promise<number> {
    const times: number[] = [];
    for (let i = 0; i < READINGS; i++) times.push(await readOnce(this.bench, this.bound, this.steps));
    const now = Math.min(...times);
    this.#best = Math.min(this.#best ?? now, now);
    return this.#best > 0 ? now / this.#best - 1 : 0;
  }

  destroy(): void {
    for (const buffer of this.buffers) this.bench.pool.destroy(buffer);
  }
}

async function readOnce(bench: Bench, bound: BoundStream, steps: number): Promise<number> {
  bound.prepare(steps);
  const time = await bench.stopwatch.time('throttle reference', (encoder, stamps) =>
    bound.encode(encoder, stamps.pass),
  );
  return bench.clock.durationOf(time) ?? time.wallNs;
}

async function stepsFor(bench: Bench, bound: BoundStream): Promise<number> {
  const target = Math.max(SHORTEST_NS[bench.clock.kind], GRID_STEPS * bench.clock.gridNs);
  let steps = 4;
  let time = await readOnce(bench, bound, steps);
  while (time < target && steps < MOST_STEPS) {
    steps = Math.min(MOST_STEPS, Math.ceil(steps * Math.min(16, Math.max(1.2, (1.2 * target) / Math.max(1, time)))));
    time = await readOnce(bench, bound, steps);
  }
  return steps;
}

export const isThrottled = (slowdown: number): boolean => slowdown > DRIFT_LIMIT;

/** A row with the warning that the reference kernel drifted. */
export const flagged = (row: Row): Row =>
  row.status === 'measured' ? { ...row, flags: [...row.flags, 'throttled'] } : row;

/** The first figure of a row that was measured twice, kept beside the second. */
export const supersededExperiment = (row: MeasuredRow, slowdown: number) => ({
  ...row,
  id: `superseded/${row.id}`,
  reason: `the reference kernel ran ${formatNumber(100 * slowdown, 1)} % slower after this row than at its best; measured again after a rest`,
});
