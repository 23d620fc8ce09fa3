/**
 * The throttle proxy (facts/measuring.md 5): one fixed kernel of fixed length between blocks of rows. When it runs slower
 * than the best so far by more than 5 %, the machine was not the same machine: rows that met it so in most of their
 * rounds are flagged, and where the preset has the time the machine rests and the row is measured again; both figures
 * are kept.
 */
import { streamKernels } from '../../shaders/index.js';
import { defined } from '../base/errors.js';
import { say } from '../base/said.js';
import { formatNumber } from '../base/format.js';
import { type MeasuredRow, type Preset } from '../model/report/schema.js';
import { bindStream, type BoundStream, UNIFORM_BYTES } from './stream.js';
import { type Bench } from './suite.js';

const SIZE = 2 ** 20;
const THREADS = 2 ** 14;
const DRIFT_LIMIT = 0.05;
/** Readings that are sent together: what disturbs for a moment is no throttling, so that the shortest counts. */
const READINGS = 4;
const SHORTEST_NS = { 'timestamp-query': 2e6, wall: 30e6 } as const;
const GRID_STEPS = 100;
const MOST_STEPS = 2 ** 20;
/** Rest before a second measurement, ms. */
export const COOL_DOWN_MS = 1000;

/** Rows share a reading until so much time has gone by; with 0 each row has its own. */
export const BLOCK_MS: Readonly<Record<Preset, number>> = { quick: 500, standard: 0, full: 0 };

/** So many rests in a row that did not help show that the machine is busy, not hot. */
const MOST_IN_VAIN = 2;
/** Rests a run may take at once, and one more for each so many rows: they must not become what a run is spent on. */
const FREE_RESTS = 3;
const ROWS_A_REST = 10;

/**
 * Whether a row that met a slow machine is measured again after a rest. `quick` has no time for that: it flags and goes
 * on. So does every run where rests have not helped lately: a neighbour that takes the processor for minutes would else
 * double each row and change nothing. A reading that is fine again makes rests worth a try again.
 */
export class Rests {
  #rows = 0;
  #taken = 0;
  #inVain = 0;

  constructor(readonly preset: Preset) {}

  /** Called after each row, with whether the machine was slow beside it. True: rest, and measure again. */
  isWanted(isSlow: boolean): boolean {
    this.#rows += 1;
    if (!isSlow) this.#inVain = 0;
    const isAllowed = this.#taken < FREE_RESTS + Math.floor(this.#rows / ROWS_A_REST);
    return isSlow && this.preset !== 'quick' && this.#inVain < MOST_IN_VAIN && isAllowed;
  }

  /** Called after the second measurement, with whether the machine was slow beside it too. */
  took(isStillSlow: boolean): void {
    this.#taken += 1;
    this.#inVain = isStillSlow ? this.#inVain + 1 : 0;
  }
}

export class ThrottleWatch {
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

  /** The time of the reference now, in ns. */
  read(): Promise<number> {
    return shortestOf(READINGS, this.bench, this.bound, this.steps);
  }

  destroy(): void {
    for (const buffer of this.buffers) this.bench.pool.destroy(buffer);
  }
}

async function shortestOf(count: number, bench: Bench, bound: BoundStream, steps: number): Promise<number> {
  const times = await bench.stopwatch.timeEach('throttle reference', count, () => {
    bound.prepare(steps);
    return (encoder, stamps) => bound.encode(encoder, stamps.pass);
  });
  return Math.min(...times.map((time) => bench.clock.durationOf(time) ?? time.wallNs));
}

async function stepsFor(bench: Bench, bound: BoundStream): Promise<number> {
  const target = Math.max(SHORTEST_NS[bench.clock.kind], GRID_STEPS * bench.clock.gridNs);
  let steps = 4;
  let time = await shortestOf(1, bench, bound, steps);
  while (time < target && steps < MOST_STEPS) {
    steps = Math.min(MOST_STEPS, Math.ceil(steps * Math.min(16, Math.max(1.2, (1.2 * target) / Math.max(1, time)))));
    time = await shortestOf(1, bench, bound, steps);
  }
  return steps;
}

/**
 * Whether a reference at so many times its best is another machine. `noise` is its usual step from one reading to the
 * next: what a busy machine does all the time says nothing about a row.
 */
export const isThrottled = (ratio: number, noise = 0): boolean => ratio > 1 + driftLimit(noise);

/** 5 %, or three times the usual step where that is more. Heat comes in small steps, so it is seen on a busy machine too. */
export const driftLimit = (noise: number): number => Math.max(DRIFT_LIMIT, 3 * noise);

/** The first figure of a row that was measured twice, kept beside the second. */
export const supersededExperiment = (row: MeasuredRow, ratio: number) => ({
  ...row,
  id: `superseded/${row.id}`,
  reason: say`the reference kernel ran ${formatNumber(100 * (ratio - 1), 1)} % slower after this row than at its best; measured again after a rest`,
});
