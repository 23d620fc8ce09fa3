/**
 * The clock without the GPU: what raw stamps mean, how coarse they are, when they cannot be trusted. A timestamp is
 * floored to a grid (65,536 ns in Chromium without flags), can run backwards or be reset elsewhere, and may not be in ns
 * at all; the wall clock beside it is the judge.
 */
import { median, quantile } from '../base/statistics.js';
import { elapsed } from '../base/units.js';
import { type ClockFacts } from '../model/report/schema.js';

export type ClockKind = ClockFacts['kind'];

/** Both ends of one timed piece of work as the GPU gave them (0n where there is no GPU clock), and the wall time. */
export interface RawTime {
  readonly beginStamp: bigint;
  readonly endStamp: bigint;
  /** From submit to done, ns. */
  readonly wallNs: number;
}

const gcd = (a: bigint, b: bigint): bigint => {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
};

/**
 * The grid of a clock in ns: the greatest common divisor of the differences of raw stamps. Undefined when no two stamps
 * differ (then the clock is no clock). Stamps of 0 are resets and left out.
 */
export function gridOf(stamps: readonly bigint[]): number | undefined {
  let grid = 0n;
  const [first, ...rest] = stamps.filter((stamp) => stamp !== 0n);
  for (const stamp of rest) {
    const difference = stamp - (first ?? 0n);
    grid = gcd(grid, difference < 0n ? -difference : difference);
  }
  return grid === 0n ? undefined : Number(grid);
}

/** The step of a clock that is read as a number (`performance.now()` in ns): the median of its positive steps. */
export function stepOf(readings: readonly number[]): number | undefined {
  const steps = readings.flatMap((reading, i) => {
    const step = reading - (readings[i - 1] ?? reading);
    return step > 0 ? [step] : [];
  });
  return steps.length === 0 ? undefined : Math.max(1, Math.round(median(steps)));
}

/** GPU / wall of the same work outside these means that the GPU clock is not in ns (wgpu#6719). */
const RATIO_LIMITS = [0.2, 1.1] as const;
/** A submit polls for up to 2.4 ms; four times that make it a small part. */
const COMPARED_FROM_NS = 10e6;
const COMPARED_MOST = 255;
/** Above this share of dropped pairs the GPU clock is given up. */
const DROPPED_LIMIT = 0.05;
/** Before this many pairs a share says nothing. */
const JUDGED_FROM = 20;

export interface ClockSetup {
  /** Undefined where there is no GPU clock. */
  readonly gpuGridNs: number | undefined;
  readonly wallGridNs: number;
  /** Submit-to-done times of empty submits, ns. */
  readonly emptySubmitNs: readonly number[];
}

export class Clock {
  readonly #setup: ClockSetup;
  #kind: ClockKind;
  #pairs = 0;
  #dropped = 0;
  /** GPU / wall of readings that are long enough to compare, the newest last. */
  readonly #ratios: number[] = [];

  constructor(setup: ClockSetup) {
    this.#setup = setup;
    this.#kind = setup.gpuGridNs === undefined ? 'wall' : 'timestamp-query';
  }

  /** The wall clock of the same machine: for what the page waits for, whatever the GPU does meanwhile. */
  wallClock(): Clock {
    return new Clock({ ...this.#setup, gpuGridNs: undefined });
  }

  get kind(): ClockKind {
    return this.#kind;
  }
  /** The grid of the clock in use, ns. */
  get gridNs(): number {
    return this.#kind === 'wall' ? this.#setup.wallGridNs : (this.#setup.gpuGridNs ?? this.#setup.wallGridNs);
  }
  get dropped(): number {
    return this.#dropped;
  }
  /** GPU / wall time of the same work: the median over long readings. Undefined without a GPU clock or such readings. */
  get gpuOverWall(): number | undefined {
    return this.#ratios.length === 0 ? undefined : median(this.#ratios);
  }
  get suspect(): boolean {
    const ratio = this.gpuOverWall;
    return ratio !== undefined && (ratio < RATIO_LIMITS[0] || ratio > RATIO_LIMITS[1]);
  }

  /**
   * The duration in ns, 0 included. Undefined for a pair that ran backwards or lost an end: it is dropped and counted,
   * and past 5 % of all pairs the wall clock takes over.
   */
  durationOf({ beginStamp, endStamp, wallNs }: RawTime): number | undefined {
    if (this.#kind === 'wall') return wallNs;
    this.#pairs += 1;
    if (endStamp >= beginStamp && beginStamp !== 0n) {
      const duration = elapsed(beginStamp, endStamp);
      this.#compare(duration, wallNs);
      return duration;
    }
    this.#dropped += 1;
    if (this.#pairs >= JUDGED_FROM && this.#dropped > DROPPED_LIMIT * this.#pairs) this.#kind = 'wall';
    return undefined;
  }

  facts(): ClockFacts {
    const empty = this.#setup.emptySubmitNs;
    // A coarse wall clock can read 0 for an empty submit; its own step is then the honest bound.
    const at = (q: number): number => Math.max(Math.round(quantile(empty, q)), this.#setup.wallGridNs);
    const ratio = this.gpuOverWall;
    return {
      kind: this.#kind,
      gridNs: this.gridNs,
      emptySubmitNs: at(0.5),
      emptySubmit: { p10Ns: at(0.1), p50Ns: at(0.5), p90Ns: at(0.9) },
      wallGridNs: this.#setup.wallGridNs,
      ...(ratio === undefined ? {} : { gpuOverWall: ratio }),
      suspect: this.suspect,
      ...(this.#dropped === 0 ? {} : { dropped: this.#dropped }),
    };
  }

  /** Work that lasts long against a submit of nothing is timed by both clocks, and the last readings are compared. */
  #compare(gpuNs: number, wallNs: number): void {
    const isLong = Math.max(gpuNs, wallNs) >= COMPARED_FROM_NS;
    if (!isLong || gpuNs === 0) return;
    this.#ratios.push(gpuNs / wallNs);
    if (this.#ratios.length > COMPARED_MOST) this.#ratios.shift();
  }
}
