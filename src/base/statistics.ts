/**
 * Figures over samples, and what to warn about (facts/measuring.md 1 and 3). Values keep the unit they come in.
 * Outliers are counted and shown, never dropped.
 */
export interface Summary {
  readonly n: number;
  readonly median: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  readonly p99: number;
  /** Standard deviation (n - 1) / mean. */
  readonly cv: number;
  /** 95 % interval of the median by order statistics; of the mean by the normal law where `center` is `mean`. */
  readonly ci95: [number, number];
  /** Values outside 1.5 interquartile ranges (Tukey). */
  readonly outliers: number;
}

const ascending = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();
const at = (sorted: Float64Array, index: number): number => sorted[index] ?? Number.NaN;

/** The quantile `q` in [0, 1] of sorted values, between neighbours in a straight line. NaN for none. */
function quantileOfSorted(sorted: Float64Array, q: number): number {
  const position = (sorted.length - 1) * q;
  const low = Math.floor(position);
  return at(sorted, low) + (at(sorted, Math.ceil(position)) - at(sorted, low)) * (position - low);
}

/** The quantile `q` in [0, 1] of values in any order. NaN for none. */
export const quantile = (values: readonly number[], q: number): number => quantileOfSorted(ascending(values), q);

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Standard deviation (n - 1) / mean: 0 for fewer than two values or a mean of 0. */
export function relativeDeviation(values: readonly number[]): number {
  const center = mean(values);
  if (values.length < 2 || center === 0) return 0;
  const squares = values.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1)) / Math.abs(center);
}

/**
 * How many order statistics to go in from each end for a 95 % interval of the median: the largest k with
 * P(Binomial(n, 1/2) < k) <= 2.5 %. 0 (the whole range) for n < 6, where no pair of values covers 95 %.
 */
function medianRank(n: number): number {
  let logChoose = 0;
  let below = 0;
  for (let k = 0; k < n / 2; k++) {
    below += Math.exp(logChoose - n * Math.LN2);
    if (below > 0.025) return k;
    logChoose += Math.log((n - k) / (k + 1));
  }
  return 0;
}

/** Summarises at least one value. `center` says which centre the interval is for. */
export function summarize(values: readonly number[], center: 'median' | 'mean' = 'median'): Summary {
  if (values.length === 0) throw new Error('summarize: no values');
  const sorted = ascending(values);
  const n = sorted.length;
  const average = mean(values);
  const cv = relativeDeviation(values);
  const rank = medianRank(n);
  const margin = (1.96 * cv * Math.abs(average)) / Math.sqrt(n);
  const lowest = at(sorted, 0);
  const interval: [number, number] =
    center === 'median'
      ? [at(sorted, Math.max(0, rank - 1)), at(sorted, n - 1 - Math.max(0, rank - 1))]
      : [Math.max(average - margin, Math.min(lowest, average)), average + margin];
  const [q1, q3] = [quantileOfSorted(sorted, 0.25), quantileOfSorted(sorted, 0.75)];
  const reach = 1.5 * (q3 - q1);
  return {
    n,
    median: quantileOfSorted(sorted, 0.5),
    mean: average,
    min: lowest,
    max: at(sorted, n - 1),
    p99: quantileOfSorted(sorted, 0.99),
    cv,
    ci95: interval,
    outliers: sorted.filter((value) => value < q1 - reach || value > q3 + reach).length,
  };
}

/** The 97.5 % quantile of Student's t for 1 to 5 degrees of freedom, where the expansion below is too coarse. */
const STUDENT_SMALL = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706] as const;
const NORMAL_975 = 1.959964;

/**
 * The 97.5 % quantile of Student's t with `freedom` degrees of freedom (fractions allowed, taken as 1 below 1), within
 * 1 % of the tables: Abramowitz and Stegun 26.7.5; the table, in a straight line of 1 / freedom, up to 5.
 */
export function studentQuantile(freedom: number): number {
  const f = Math.max(1, freedom);
  if (f >= STUDENT_SMALL.length) {
    const z = NORMAL_975;
    const first = (z ** 3 + z) / 4;
    const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
    const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
    return z + first / f + second / f ** 2 + third / f ** 3;
  }
  const below = Math.floor(f);
  const [low = 0, high = 0] = STUDENT_SMALL.slice(below - 1, below + 1);
  const share = (1 / below - 1 / f) / (1 / below - 1 / (below + 1));
  return low + (high - low) * share;
}

export type SampleFlag =
  'zero-dominated' | 'few-distinct' | 'zero-deviation' | 'slow-first-sample' | 'drift' | 'unstable' | 'outliers';

/** How far the medians of the last and the first quarter may lie apart. */
const DRIFT_LIMIT = 0.05;
const UNSTABLE_CV = 0.1;
const SLOW_FIRST = 1.2;
const OUTLIER_SHARE = 0.1;

/**
 * What is suspicious about raw durations, in the order in which they were taken.
 * Drift needs 8 samples, distinct values 10, the others 2.
 */
export function flagsOf(durations: readonly number[]): SampleFlag[] {
  const flags: SampleFlag[] = [];
  const n = durations.length;
  if (durations.filter((value) => value === 0).length * 2 > n) flags.push('zero-dominated');
  if (n < 2) return flags;
  const distinct = new Set(durations).size;
  if (distinct === 1) flags.push('zero-deviation');
  else if (n >= 10 && distinct * 4 <= n) flags.push('few-distinct');
  const [first = 0, ...rest] = durations;
  if (first > SLOW_FIRST * median(rest) && first > Math.max(...rest)) flags.push('slow-first-sample');
  if (n >= 8) {
    const quarter = Math.floor(n / 4);
    const start = median(durations.slice(0, quarter));
    const end = median(durations.slice(n - quarter));
    if (Math.abs(end - start) > DRIFT_LIMIT * start) flags.push('drift');
  }
  const { cv, outliers } = summarize(durations);
  if (cv > UNSTABLE_CV) flags.push('unstable');
  // Of 20 quiet samples one or two lie outside as a rule.
  if (outliers > OUTLIER_SHARE * n) flags.push('outliers');
  return flags;
}

/** The least-squares line through at least two points of different x: its slope, and the share of variance it explains. */
export function slopeOf(points: readonly { readonly x: number; readonly y: number }[]): { slope: number; fit: number } {
  const [centerX, centerY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  const sum = (term: (dx: number, dy: number) => number): number =>
    points.reduce((total, { x, y }) => total + term(x - centerX, y - centerY), 0);
  const [xx, xy, yy] = [sum((dx) => dx * dx), sum((dx, dy) => dx * dy), sum((_, dy) => dy * dy)];
  if (!(xx > 0)) throw new Error('slopeOf: needs two points of different x');
  return { slope: xy / xx, fit: yy > 0 ? (xy * xy) / (xx * yy) : 1 };
}
