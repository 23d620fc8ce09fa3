/**
 * Steps of a line over working sets. The line is cut into plateaus by dynamic programming on logarithms: the cut with the
 * least squared distance to the plateaus' means plus a price for each step, where every step goes the way that memory
 * goes (bandwidth falls with the working set, latency rises) and is larger than noise. A line without such steps is one
 * plateau.
 */
import { median } from '../../base/statistics.js';

export interface LinePoint {
  /** Bytes. */
  readonly workingSet: number;
  /** Positive: GB/s or ns. */
  readonly value: number;
  /** The noise of the value in log2 as its own samples show it, where they are known. */
  readonly noise?: number;
}

/** What the value does when the working set leaves a cache. */
export type Direction = 'falls' | 'rises';

export interface Plateau {
  /** Index of its first point, and of the one after its last. */
  readonly begin: number;
  readonly end: number;
  /** Geometric mean of its values. */
  readonly value: number;
}

/** A step is at least 25 %: below that a run's own drift and a cache's associativity look the same. */
export const LEAST_STEP = Math.log2(1.25);
/** The price of a step in squared noise: about what the best false step of 30 noisy points gains. */
const NOISE_PRICE = 12;
/** A step must be so many times the noise of a point, whatever its plateaus' lengths. */
const NOISE_STEP = 2;

/**
 * The noise of a point in log2. Neighbours tell it where the line has plateaus (the median is not moved by a few steps)
 * and overstate it on a ramp; the points' own samples understate it where the machine changed between rows.
 */
function noiseOf(points: readonly LinePoint[], logs: readonly number[]): number {
  const jumps = logs.slice(1).map((value, i) => Math.abs(value - (logs[i] ?? value)));
  const byNeighbours = jumps.length === 0 ? 0 : median(jumps) / 0.954;
  const own = points.flatMap(({ noise }) => (noise === undefined ? [] : [noise]));
  return own.length < points.length ? byNeighbours : Math.min(byNeighbours, 2 * median(own));
}

interface Best {
  readonly cost: number;
  /** Where the plateau before begins; undefined for the first plateau. */
  readonly previous: number | undefined;
}

/** The plateaus of a line that is sorted by working set, in order; one for a line without steps, none without points. */
export function plateausOf(points: readonly LinePoint[], direction: Direction): readonly Plateau[] {
  const sign = direction === 'falls' ? -1 : 1;
  const logs = points.map(({ value }) => sign * Math.log2(value));
  const n = logs.length;
  if (n === 0) return [];
  const sums = prefix(logs);
  const squares = prefix(logs.map((value) => value * value));
  const between = (table: readonly number[], i: number, j: number): number => (table[j] ?? 0) - (table[i] ?? 0);
  const meanOf = (i: number, j: number): number => between(sums, i, j) / (j - i);
  const costOf = (i: number, j: number): number =>
    Math.max(0, between(squares, i, j) - between(sums, i, j) ** 2 / (j - i));
  const noise = noiseOf(points, logs);
  const price = Math.max(LEAST_STEP ** 2, NOISE_PRICE * noise ** 2);
  const least = Math.max(LEAST_STEP, NOISE_STEP * noise);

  // best[j][i]: points before j, the last plateau beginning at i.
  const best: (Best | undefined)[][] = Array.from({ length: n + 1 }, () => []);
  for (let j = 1; j <= n; j++) {
    for (let i = 0; i < j; i++) {
      let found: Best | undefined = i === 0 ? { cost: 0, previous: undefined } : undefined;
      for (let k = 0; k < i; k++) {
        const before = best[i]?.[k];
        if (before === undefined || meanOf(i, j) - meanOf(k, i) < least) continue;
        const cost = before.cost + price;
        if (found === undefined || cost < found.cost) found = { cost, previous: k };
      }
      if (found !== undefined) (best[j] ??= [])[i] = { ...found, cost: found.cost + costOf(i, j) };
    }
  }
  let begin = 0;
  let cost = Infinity;
  best[n]?.forEach((candidate, i) => {
    if (candidate !== undefined && candidate.cost < cost) [begin, cost] = [i, candidate.cost];
  });
  const plateaus: Plateau[] = [];
  for (let end = n, at: number | undefined = begin; at !== undefined;) {
    plateaus.unshift({ begin: at, end, value: 2 ** (sign * meanOf(at, end)) });
    const previous: number | undefined = best[end]?.[at]?.previous;
    [end, at] = [at, previous];
  }
  return plateaus;
}

function prefix(values: readonly number[]): readonly number[] {
  const sums = [0];
  for (const value of values) sums.push((sums.at(-1) ?? 0) + value);
  return sums;
}
