/**
 * How much more time one row takes than another, and how sure that is. Made for machines that others share, where what
 * disturbs only ever adds time, comes in bursts and lasts longer than a round (docs/COMPARING.md has the evidence):
 *
 * - The cost of a row is a low quantile of its samples' time, pooled over the rounds of a run. A burst spoils a round,
 *   seldom all of them, and the low quantile looks at the ones that were spared.
 * - Its error comes from a bootstrap over rounds, then over the samples of each: samples of one round share their luck.
 * - A row whose few rounds happen to agree is not trusted further than the run's rows are on the whole: its variance is
 *   moderated by theirs (Smyth 2004, Statistical Applications in Genetics 3:3), but only ever upwards.
 */
import { type Random } from '../../base/random.js';
import { mean, median, quantile, studentQuantile } from '../../base/statistics.js';
import type { MeasuredRow } from './schema.js';

const LOW_QUANTILE = 0.25;
const RESAMPLES = 200;
/** How many degrees of freedom the other rows count for, where there are enough of them. */
const PRIOR_FREEDOM = 4;
const ROWS_FOR_PRIOR = 5;
/** Samples taken in one go are cut into so many rounds, so that drift within them counts as between rounds. */
const PARTS_OF_ONE_GO = 3;
const LEAST_IN_A_PART = 2;
/** What differs between runs comes in steps (one core or two), so its tails are heavy: those of Student's t with this. */
const FREEDOM_BETWEEN_RUNS = 3;
/** Half of a normal law lies within so many standard deviations. */
const MIDDLE_HALF = 0.6745;

/** Logarithm of a row's time cost with its error. */
export interface Cost {
  readonly log: number;
  /** Standard error of `log`; undefined where a single sample tells nothing about it. */
  readonly error: number | undefined;
  readonly freedom: number;
}

/** Time costs by round, whatever the unit: the reciprocal of a rate. Undefined for a unit that is neither. */
export function costRounds(row: MeasuredRow): readonly (readonly number[])[] | undefined {
  const direction = directionOf(row.unit);
  if (direction === undefined) return undefined;
  const costs = direction === 'time' ? row.samples : row.samples.map((value) => 1 / value);
  return splitRounds(costs, row.rounds);
}

function directionOf(unit: string): 'time' | 'rate' | undefined {
  if (/^(ns|us|\u00b5s|ms|s)(\/|$)/.test(unit)) return 'time';
  return unit.endsWith('/s') ? 'rate' : undefined;
}

function splitRounds(samples: readonly number[], counts: readonly number[] | undefined): number[][] {
  const known = counts !== undefined && counts.reduce((sum, n) => sum + n, 0) === samples.length ? counts : undefined;
  const parts = samples.length >= PARTS_OF_ONE_GO * LEAST_IN_A_PART ? PARTS_OF_ONE_GO : 1;
  const lengths = known ?? evenParts(samples.length, parts);
  let start = 0;
  return lengths.map((length) => samples.slice(start, (start += length)));
}

const evenParts = (n: number, parts: number): number[] =>
  Array.from({ length: parts }, (_, i) => Math.floor(((i + 1) * n) / parts) - Math.floor((i * n) / parts));

/** Whether a row's figure is a mean (dithered readings), which a quantile would not respect. */
const isMean = (row: MeasuredRow): boolean => row.flags.includes('timer-limited');

/** The cost of each row by itself. */
export function costOf(row: MeasuredRow, rounds: readonly (readonly number[])[], random: Random): Cost {
  const center = isMean(row) ? mean : lowQuantile;
  const log = Math.log(center(rounds.flat()));
  const units = rounds.length > 1 ? rounds : (rounds[0] ?? []).map((sample) => [sample]);
  if (units.length < 2) return { log, error: undefined, freedom: 0 };
  const logs: number[] = [];
  for (let i = 0; i < RESAMPLES; i++) {
    const drawn = resample(units, random).flatMap((unit) => resample(unit, random));
    logs.push(Math.log(center(drawn)));
  }
  // A bootstrap over few units is too narrow by this factor.
  const correction = Math.sqrt(units.length / (units.length - 1));
  return { log, error: deviation(logs) * correction, freedom: units.length - 1 };
}

/** The difference of two rows that were measured round by round in turn: as many rounds, at least 2, on both sides. */
export function costDifference(
  row: MeasuredRow,
  roundsA: readonly (readonly number[])[],
  roundsB: readonly (readonly number[])[],
): Cost {
  const center = isMean(row) ? mean : lowQuantile;
  const differences = roundsA.map((round, i) => Math.log(center(roundsB[i] ?? []) / center(round)));
  const error = deviation(differences) / Math.sqrt(differences.length);
  return { log: mean(differences), error, freedom: differences.length - 1 };
}

const lowQuantile = (values: readonly number[]): number => quantile(values, LOW_QUANTILE);

const resample = <T>(items: readonly T[], random: Random): T[] => items.map(() => items[random() % items.length] as T);

function deviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1));
}

/** What the rows of a run are like: the middle of their squared errors. Undefined where there are too few to tell. */
export function priorOf(costs: readonly Cost[]): number | undefined {
  const known = costs.flatMap(({ error }) => (error === undefined ? [] : [error ** 2]));
  return known.length < ROWS_FOR_PRIOR ? undefined : median(known);
}

/** Widens the error of a row that looks better than rows like it do on the whole (`priorOf`). */
export function moderate(cost: Cost, prior: number | undefined): Cost {
  const { log, error, freedom } = cost;
  if (error === undefined || prior === undefined) return cost;
  const blended = (freedom * error ** 2 + PRIOR_FREEDOM * prior) / (freedom + PRIOR_FREEDOM);
  return { log, error: Math.sqrt(Math.max(error ** 2, blended)), freedom: freedom + PRIOR_FREEDOM };
}

/** The logarithm of a ratio of two costs, before it is known how much two runs differ by themselves. */
export interface LogRatio {
  readonly log: number;
  readonly variance: number;
  readonly freedom: number;
}

/** `b` over `a` (Welch); undefined where one of them has no error. */
export function logRatioOf(a: Cost, b: Cost): LogRatio | undefined {
  if (a.error === undefined || b.error === undefined) return undefined;
  const [va, vb] = [a.error ** 2, b.error ** 2];
  const variance = va + vb;
  const freedom = variance === 0 ? 1 : variance ** 2 / (va ** 2 / a.freedom + vb ** 2 / b.freedom);
  return { log: b.log - a.log, variance, freedom };
}

/**
 * The variance that two runs have beyond what shows within each of them: where a process got its memory, which cores its
 * threads met. It is what the rows' ratios scatter around their median by, beyond their own errors, such that half of
 * them lie within the middle half of a normal law. One change common to all rows does not count, nor do changes of fewer
 * than half of them. Undefined where there are too few rows to tell.
 */
export function varianceBetweenRuns(ratios: readonly LogRatio[]): number | undefined {
  if (ratios.length < ROWS_FOR_PRIOR) return undefined;
  const center = median(ratios.map(({ log }) => log));
  const scatter = (between: number) =>
    median(ratios.map(({ log, variance }) => Math.abs(log - center) / Math.sqrt(variance + between + Number.EPSILON)));
  if (scatter(0) <= MIDDLE_HALF) return 0;
  let [low, high] = [0, Math.max(...ratios.map(({ log }) => (log - center) ** 2)) / MIDDLE_HALF ** 2];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (scatter(middle) > MIDDLE_HALF) low = middle;
    else high = middle;
  }
  return high;
}

export interface Ratio {
  /** Time of `b` over time of `a`. */
  readonly ratio: number;
  /** 95 % interval of the ratio. */
  readonly interval: readonly [number, number];
}

/** The ratio with its 95 % interval. */
export function ratioOf({ log, variance, freedom }: LogRatio, between: number): Ratio {
  const total = variance + between;
  const joint = total === 0 ? 1 : total ** 2 / (variance ** 2 / freedom + between ** 2 / FREEDOM_BETWEEN_RUNS);
  const half = studentQuantile(joint) * Math.sqrt(total);
  return { ratio: Math.exp(log), interval: [Math.exp(log - half), Math.exp(log + half)] };
}
