/**
 * The lines of a report over working sets, and what each says on its own: tiers where it has plateaus with steps between
 * them, or nothing. A line is read from the better samples of its rows: what disturbs a shared machine only ever slows.
 */
import { quantile } from '../../base/statistics.js';
import { type MeasuredRow, type Row } from '../report/schema.js';
import { type Direction, type LinePoint, plateausOf } from './change-points.js';

export const LINE_NAMES = ['sweep', 'copy-buffer', 'clear-buffer', 'latency'] as const;
export type LineName = (typeof LINE_NAMES)[number];

export interface LineTier {
  /** The first and the last working set on the plateau, bytes. */
  readonly fromBytes: number;
  readonly toBytes: number;
  readonly value: number;
}

/**
 * Where a line leaves a tier: at `fromBytes` it is still nearer to that tier's value, at `toBytes` to the next one's
 * (on a scale of logarithms). Between two plateaus a line often goes down over several sizes, because others share the
 * cache; half way down, half of the working set misses it.
 */
export interface Boundary {
  readonly fromBytes: number;
  readonly toBytes: number;
}

export interface Line {
  readonly name: LineName;
  readonly unit: string;
  readonly points: readonly LinePoint[];
  readonly tiers: readonly LineTier[];
  readonly boundaries: readonly Boundary[];
}

/** Fewer points show no plateaus. */
export const LEAST_POINTS = 6;
/** A plateau between two others of fewer points is the way down from one to the other. */
const LEAST_INNER = 3;
/** A last plateau of one point may be a burst. */
const LEAST_LAST = 2;
/** Small copies are bound by the command's own cost: the line begins where it first comes near its best. */
const NEAR_BEST = 0.8;
/** Share of the better samples that a point stands for. */
const BETTER = 0.1;

const directionOf = (name: LineName): Direction => (name === 'latency' ? 'rises' : 'falls');

/** The lines that a report has rows for, analysed. */
export function linesOf(rows: readonly Row[]): readonly Line[] {
  return LINE_NAMES.flatMap((name) => {
    const own = rows.flatMap((row): SizedRow[] =>
      row.status === 'measured' && row.workingSet !== undefined && /^tiers\/([^/]+)\/[^/]+$/.exec(row.id)?.[1] === name
        ? [{ ...row, workingSet: row.workingSet }]
        : [],
    );
    return own.length === 0 ? [] : [analysed(name, own)];
  });
}

type SizedRow = MeasuredRow & { readonly workingSet: number };

function analysed(name: LineName, rows: readonly SizedRow[]): Line {
  const direction = directionOf(name);
  const sorted = rows.map((row) => pointOf(row, direction)).toSorted((a, b) => a.workingSet - b.workingSet);
  const points = direction === 'falls' ? withoutHead(sorted) : sorted;
  const { tiers, boundaries } = points.length < LEAST_POINTS ? NO_STEPS : stepsOf(points, direction);
  return { name, unit: rows[0]?.unit ?? '', points, tiers, boundaries };
}

const NO_STEPS = { tiers: [], boundaries: [] } as const;

function pointOf(row: SizedRow, direction: Direction): LinePoint {
  const value = quantile(row.samples, direction === 'falls' ? 1 - BETTER : BETTER);
  const [low, high] = row.stats.ci95;
  return { workingSet: row.workingSet, value, noise: Math.log2(high / low) / 2 };
}

function withoutHead(points: readonly LinePoint[]): readonly LinePoint[] {
  const best = Math.max(...points.map(({ value }) => value));
  return points.slice(points.findIndex(({ value }) => value >= NEAR_BEST * best));
}

/** Plateaus as tiers; short ones between two others belong to the step. */
export function stepsOf(
  points: readonly LinePoint[],
  direction: Direction,
): { readonly tiers: readonly LineTier[]; readonly boundaries: readonly Boundary[] } {
  const plateaus = plateausOf(points, direction);
  const sizeAt = (index: number): number => points[index]?.workingSet ?? 0;
  const tiers = plateaus.flatMap(({ begin, end, value }, i) => {
    const least = i === 0 ? 1 : i === plateaus.length - 1 ? LEAST_LAST : LEAST_INNER;
    return end - begin < least ? [] : [{ fromBytes: sizeAt(begin), toBytes: sizeAt(end - 1), value }];
  });
  const boundaries = tiers.slice(1).flatMap((next, i) => {
    const tier = tiers[i];
    return tier === undefined ? [] : [halfWay(points, tier, next, direction)];
  });
  return { tiers, boundaries };
}

/** The two neighbouring sizes between which a line is half way from one tier to the next. */
function halfWay(points: readonly LinePoint[], tier: LineTier, next: LineTier, direction: Direction): Boundary {
  const half = Math.sqrt(tier.value * next.value);
  const isPast = (value: number): boolean => (direction === 'falls' ? value < half : value > half);
  const between = points.filter(({ workingSet }) => workingSet >= tier.toBytes && workingSet <= next.fromBytes);
  const at = between.findIndex(({ value }, i) => i > 0 && isPast(value));
  const [from, to] = at < 0 ? [tier.toBytes, next.fromBytes] : [between[at - 1]?.workingSet, between[at]?.workingSet];
  return { fromBytes: from ?? tier.toBytes, toBytes: to ?? next.fromBytes };
}

/** How many times the first tier of a line is better than its last; 1 where it has no steps. */
export function fallOf(line: Line): number {
  const [first, last] = [line.tiers[0], line.tiers.at(-1)];
  if (first === undefined || last === undefined) return 1;
  return directionOf(line.name) === 'falls' ? first.value / last.value : last.value / first.value;
}
