/**
 * Compares two reports of one machine row by row.
 *
 *     const { rows, counts } = compareReports(before, after, { threshold: 0.05, seed: 1 });
 */
import { defined } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { mulberry32 } from '../../base/random.js';
import { reportObstacles, reportWarnings, rowObstacle } from './comparability.js';
import {
  COMPARISON_SCHEMA,
  COMPARISON_VERSION,
  type Comparison,
  type RowComparison,
  type Verdict,
  VERDICTS,
} from './comparison.js';
import {
  type Cost,
  costDifference,
  costOf,
  costRounds,
  moderate,
  priorOf,
  type LogRatio,
  logRatioOf,
  type Ratio,
  ratioOf,
  varianceBetweenRuns,
} from './cost-ratio.js';
import type { MeasuredRow, Report, Row } from './schema.js';
import { judge } from './verdict.js';

export const DEFAULT_THRESHOLD = 0.05;

export interface CompareOptions {
  /** How much more time is a regression: 0.05 is 5 %. */
  readonly threshold?: number;
  /** Seed of the bootstrap. */
  readonly seed?: number;
  /** What to call the two: file names, say. */
  readonly names?: readonly [a: string, b: string];
  /** True where round k of both was measured at the same time: what happened then to both cancels out. */
  readonly isPaired?: boolean;
}

/** `a` is the baseline. Never throws on reports that keep their schema: what cannot be compared says why. */
export function compareReports(a: Report, b: Report, options: CompareOptions = {}): Comparison {
  const { threshold = DEFAULT_THRESHOLD, seed = 1, names = ['A', 'B'], isPaired = false } = options;
  const obstacles = reportObstacles(a, b);
  const rows = obstacles.length > 0 ? allBarred(a, b, obstacles) : compareRows(a, b, { threshold, seed, isPaired });
  return {
    schema: COMPARISON_SCHEMA,
    version: COMPARISON_VERSION,
    threshold,
    seed,
    a: sourceOf(a, names[0]),
    b: sourceOf(b, names[1]),
    obstacles: [...obstacles],
    warnings: [...reportWarnings(a, b)],
    counts: countVerdicts(rows),
    rows: [...rows],
  };
}

/** How many rows got which verdict. */
export function countVerdicts(rows: readonly RowComparison[]): Record<Verdict, number> {
  const counts: Record<Verdict, number> = { faster: 0, slower: 0, same: 0, ambiguous: 0, 'not-comparable': 0 };
  for (const verdict of VERDICTS) counts[verdict] = rows.filter((row) => row.verdict === verdict).length;
  return counts;
}

function sourceOf(report: Report, name: string): Comparison['a'] {
  const { commit } = report.tool;
  const flags = report.environment?.browser.flags ?? [];
  return { name, createdAt: report.createdAt, ...(commit === undefined ? {} : { commit }), flags: [...flags] };
}

function allBarred(a: Report, b: Report, obstacles: readonly string[]): readonly RowComparison[] {
  return pairRows(a, b).map((pair) => barred(pair, obstacles.join('; ')));
}

interface RowPair {
  readonly a: Row | undefined;
  readonly b: Row | undefined;
}

/** Rows of one id side by side: in the order of `a`, then what only `b` has. */
function pairRows(a: Report, b: Report): readonly RowPair[] {
  const [inA, inB] = [rowsById(a), rowsById(b)];
  return [...new Set([...inA.keys(), ...inB.keys()])].map((id) => ({ a: inA.get(id), b: inB.get(id) }));
}

const rowsById = (report: Report): ReadonlyMap<string, Row> => new Map(report.results.map((row) => [row.id, row]));

function barred({ a, b }: RowPair, reason: string): RowComparison {
  const row = a ?? b;
  if (row === undefined) throw new Error('a pair without a row');
  return {
    id: row.id,
    suite: row.suite,
    unit: row.unit,
    verdict: 'not-comparable',
    reason,
    ...sidesOf(a, b),
    ...(a?.status === 'measured' && b?.status === 'failed' ? { broken: true as const } : {}),
  };
}

function sidesOf(a: Row | undefined, b: Row | undefined): Pick<RowComparison, 'a' | 'b'> {
  return {
    ...(a?.status === 'measured' ? { a: sideOf(a) } : {}),
    ...(b?.status === 'measured' ? { b: sideOf(b) } : {}),
  };
}

const sideOf = (row: MeasuredRow) => ({ value: row.value, samples: row.samples.length });

/** Two measured rows whose samples tell of the same thing, by round. */
interface Comparable {
  readonly a: MeasuredRow;
  readonly b: MeasuredRow;
  readonly roundsA: readonly (readonly number[])[];
  readonly roundsB: readonly (readonly number[])[];
}

type Rules = Required<Pick<CompareOptions, 'threshold' | 'seed' | 'isPaired'>>;

function compareRows(a: Report, b: Report, { threshold, seed, isPaired }: Rules): readonly RowComparison[] {
  const pairs = pairRows(a, b).map((pair) => ({ pair, found: comparableOf(pair) }));
  const comparable = pairs.flatMap(({ found }) => (typeof found === 'string' ? [] : [found]));
  const ratios = isPaired && comparable.every(isPairable) ? pairedRatios(comparable) : separateRatios(comparable, seed);
  const between = tellByStem(comparable, ratios, (some) =>
    varianceBetweenRuns(some.filter((ratio) => ratio !== undefined)),
  );
  const judged = new Map(
    comparable.map((row, i) => [row.a.id, judgeRow(row, widen(ratios[i], between[i] ?? 0), threshold)]),
  );
  return pairs.map(({ pair, found }) => {
    if (typeof found === 'string') return barred(pair, found);
    return judged.get(found.a.id) ?? barred(pair, say`not judged`);
  });
}

/** Rows of one stem (`tiers/latency`) meet what disturbs alike: one thread or all, the caches or memory. */
const stemOf = ({ a }: Comparable): string => a.id.split('/').slice(0, 2).join('/');

/**
 * What the rows like each row say together: those of its stem, or all where `tell` finds those of its stem too few and
 * says nothing.
 */
function tellByStem<Each, Told>(
  rows: readonly Comparable[],
  each: readonly Each[],
  tell: (some: readonly Each[]) => Told | undefined,
): readonly (Told | undefined)[] {
  const stems = rows.map(stemOf);
  const told = new Map([...new Set(stems)].map((stem) => [stem, tell(each.filter((_, i) => stems[i] === stem))]));
  const all = tell(each);
  return stems.map((stem) => told.get(stem) ?? all);
}

function moderateAll(rows: readonly Comparable[], costs: readonly Cost[]): readonly Cost[] {
  const priors = tellByStem(rows, costs, priorOf);
  return costs.map((cost, i) => moderate(cost, priors[i]));
}

const widen = (ratio: LogRatio | undefined, between: number): Ratio | undefined =>
  ratio === undefined ? undefined : ratioOf(ratio, between);

/** Each side draws from the same seed, so that a report against itself has the same error twice. */
function separateRatios(rows: readonly Comparable[], seed: number): readonly (LogRatio | undefined)[] {
  const [drawA, drawB] = [mulberry32(seed), mulberry32(seed)];
  const costsA = moderateAll(
    rows,
    rows.map((row) => costOf(row.a, row.roundsA, drawA)),
  );
  const costsB = moderateAll(
    rows,
    rows.map((row) => costOf(row.b, row.roundsB, drawB)),
  );
  return costsA.map((cost, i) => logRatioOf(cost, defined(costsB[i], 'cost')));
}

const isPairable = ({ roundsA, roundsB }: Comparable): boolean =>
  roundsA.length === roundsB.length && roundsA.length > 1;

function pairedRatios(rows: readonly Comparable[]): readonly (LogRatio | undefined)[] {
  const differences = moderateAll(
    rows,
    rows.map(({ a, roundsA, roundsB }) => costDifference(a, roundsA, roundsB)),
  );
  return differences.map((difference) => logRatioOf({ log: 0, error: 0, freedom: 1 }, difference));
}

const statusOf = ({ status }: Row): string => (status === 'skipped' ? say`skipped` : say`failed`);

/** The two rows, or why they cannot be compared. */
function comparableOf({ a, b }: RowPair): Comparable | string {
  if (a === undefined) return say`only in the second report`;
  if (b === undefined) return say`only in the first report`;
  if (a.status !== 'measured') return say`${statusOf(a)} in the first report: ${a.reason}`;
  if (b.status !== 'measured') return say`${statusOf(b)} in the second report: ${b.reason}`;
  const obstacle = rowObstacle(a, b);
  if (obstacle !== undefined) return obstacle;
  const [roundsA, roundsB] = [costRounds(a), costRounds(b)];
  if (roundsA === undefined || roundsB === undefined) {
    return say`the unit ${a.unit} is neither a time nor a rate: more of it is neither faster nor slower`;
  }
  return { a, b, roundsA, roundsB };
}

function judgeRow({ a, b }: Comparable, ratio: Ratio | undefined, threshold: number): RowComparison {
  const common = { id: a.id, suite: a.suite, unit: a.unit, ...sidesOf(a, b) };
  if (ratio === undefined) {
    const reason = say`a single sample says nothing about the noise; at least 2 samples a side are needed`;
    return { ...common, verdict: 'ambiguous', reason, samplesNeeded: 2 };
  }
  const samples = Math.min(a.samples.length, b.samples.length);
  return { ...common, ...judge(ratio, threshold, samples), ratio: ratio.ratio, interval: [...ratio.interval] };
}
