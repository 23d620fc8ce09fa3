/**
 * Compares two reports of one machine row by row.
 *
 *     const { rows, counts } = compareReports(before, after, { threshold: 0.05, seed: 1 });
 */
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
import { type Cost, costOf, costRounds, moderate, ratioOf } from './cost-ratio.js';
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
}

/** `a` is the baseline. Never throws on reports that keep their schema: what cannot be compared says why. */
export function compareReports(a: Report, b: Report, options: CompareOptions = {}): Comparison {
  const { threshold = DEFAULT_THRESHOLD, seed = 1, names = ['A', 'B'] } = options;
  const obstacles = reportObstacles(a, b);
  const rows = obstacles.length > 0 ? allBarred(a, b, obstacles) : compareRows(a, b, threshold, seed);
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

function compareRows(a: Report, b: Report, threshold: number, seed: number): readonly RowComparison[] {
  const pairs = pairRows(a, b).map((pair) => ({ pair, found: comparableOf(pair) }));
  const comparable = pairs.flatMap(({ found }) => (typeof found === 'string' ? [] : [found]));
  // Each side draws from the same seed, so that a report against itself has the same error twice.
  const [drawA, drawB] = [mulberry32(seed), mulberry32(seed)];
  const costsA = moderate(comparable.map((row) => costOf(row.a, row.roundsA, drawA)));
  const costsB = moderate(comparable.map((row) => costOf(row.b, row.roundsB, drawB)));
  const judged = new Map(comparable.map((row, i) => [row.a.id, judgeRow(row, costsA[i], costsB[i], threshold)]));
  return pairs.map(({ pair, found }) => {
    if (typeof found === 'string') return barred(pair, found);
    return judged.get(found.a.id) ?? barred(pair, 'not judged');
  });
}

/** The two rows, or why they cannot be compared. */
function comparableOf({ a, b }: RowPair): Comparable | string {
  if (a === undefined) return 'only in the second report';
  if (b === undefined) return 'only in the first report';
  if (a.status !== 'measured') return `${a.status} in the first report: ${a.reason}`;
  if (b.status !== 'measured') return `${b.status} in the second report: ${b.reason}`;
  const obstacle = rowObstacle(a, b);
  if (obstacle !== undefined) return obstacle;
  const [roundsA, roundsB] = [costRounds(a), costRounds(b)];
  if (roundsA === undefined || roundsB === undefined) {
    return `the unit ${a.unit} is neither a time nor a rate: more of it is neither faster nor slower`;
  }
  return { a, b, roundsA, roundsB };
}

function judgeRow(
  { a, b }: Comparable,
  costA: Cost | undefined,
  costB: Cost | undefined,
  threshold: number,
): RowComparison {
  const common = { id: a.id, suite: a.suite, unit: a.unit, ...sidesOf(a, b) };
  const ratio = costA === undefined || costB === undefined ? undefined : ratioOf(costA, costB);
  if (ratio === undefined) {
    const reason = 'a single sample says nothing about the noise; at least 2 samples a side are needed';
    return { ...common, verdict: 'ambiguous', reason, samplesNeeded: 2 };
  }
  const samples = Math.min(a.samples.length, b.samples.length);
  return { ...common, ...judge(ratio, threshold, samples), ratio: ratio.ratio, interval: [...ratio.interval] };
}
