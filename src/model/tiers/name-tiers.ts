/**
 * The tiers of a memory, named from what the lines of a report show together: capacity, bandwidth and latency of each,
 * and which lines showed its end. Where no line has steps, or the kernels cannot see the memory, it says so.
 */
import { formatBytes, formatDuration, formatSignificant } from '../../base/format.js';
import { say } from '../../base/said.js';
import { median } from '../../base/statistics.js';
import { type Row } from '../report/schema.js';
import { type Boundary, fallOf, LEAST_POINTS, type Line, type LineName, linesOf } from './lines.js';

export interface NamedTier {
  /** `cache 1`, `cache 2`, ..., `memory`. */
  readonly name: string;
  /** Its capacity lies between these; absent for memory, whose end no working set reached. */
  readonly capacity?: Boundary;
  /** Of the kernels where they can see the memory, of copyBufferToBuffer otherwise. Decimal GB/s. */
  readonly bandwidthGBps?: number;
  readonly latencyNs?: number;
  /** The lines that show where it ends. */
  readonly shownBy: readonly LineName[];
}

export interface NamedTiers {
  readonly verdict: 'resolved' | 'not resolved';
  readonly tiers: readonly NamedTier[];
  /** True where the read kernel shows its own instructions, not the memory. */
  readonly isInstructionBound: boolean;
  readonly lines: readonly Line[];
  /** What was found, or why nothing was, in words. */
  readonly sentence: string;
}

/** A kernel line that falls less than this is flat, a copy line that falls more has steps. */
const FLAT = 1.6;
const STEPPED = 1.8;

/** Names the tiers from the rows of a report. */
export function nameTiers(rows: readonly Row[]): NamedTiers {
  const lines = linesOf(rows);
  const isBound = isInstructionBound(lines);
  const seeing = lines.filter(({ name }) => !(isBound && name === 'sweep'));
  const ends = joinBoundaries(seeing);
  const tiers = ends.length === 0 ? [] : tiersBetween(ends, seeing);
  const found = tiers.length === 0 ? say`Tiers not resolved: ${whyNot(lines, isBound)}.` : describe(tiers);
  return {
    verdict: tiers.length === 0 ? 'not resolved' : 'resolved',
    tiers,
    isInstructionBound: isBound,
    lines,
    sentence: isBound
      ? say`${found} The read kernel is instruction bound on this adapter: its line shows the kernel, not the memory, and names no tiers.`
      : found,
  };
}

/** The kernels are flat where copies have steps, or slower in cache than copies in memory. */
function isInstructionBound(lines: readonly Line[]): boolean {
  const kernel = lines.find(({ name }) => name === 'sweep');
  const copy = lines.find(({ name }) => name === 'copy-buffer');
  if (kernel === undefined || copy === undefined || fallOf(copy) < STEPPED) return false;
  const best = Math.max(...kernel.points.map(({ value }) => value));
  const slowestCopy = copy.tiers.at(-1)?.value ?? 0;
  return fallOf(kernel) < FLAT || best < slowestCopy;
}

interface End extends Boundary {
  readonly shownBy: readonly LineName[];
}

/** Boundaries of several lines that overlap are one: their common part. Ascending. */
function joinBoundaries(lines: readonly Line[]): readonly End[] {
  const all = lines
    .flatMap(({ name, boundaries }) => boundaries.map((boundary): End => ({ ...boundary, shownBy: [name] })))
    .toSorted((a, b) => a.toBytes - b.toBytes || a.fromBytes - b.fromBytes);
  const joined: End[] = [];
  for (const next of all) {
    const last = joined.at(-1);
    // They overlap where one begins before the other has ended.
    if (last === undefined || next.fromBytes >= last.toBytes || last.shownBy.includes(next.shownBy[0] ?? 'sweep')) {
      joined.push(next);
      continue;
    }
    joined[joined.length - 1] = {
      fromBytes: Math.max(last.fromBytes, next.fromBytes),
      toBytes: Math.min(last.toBytes, next.toBytes),
      shownBy: [...last.shownBy, ...next.shownBy],
    };
  }
  return joined;
}

function tiersBetween(ends: readonly End[], lines: readonly Line[]): readonly NamedTier[] {
  return [...ends, undefined].map((end, i) => {
    const from = ends[i - 1]?.toBytes ?? 0;
    const to = end?.fromBytes ?? Infinity;
    const level = (name: LineName): number | undefined => {
      const points = lines.find((line) => line.name === name)?.points ?? [];
      const values = points.flatMap(({ workingSet, value }) => (workingSet >= from && workingSet <= to ? [value] : []));
      return values.length === 0 ? undefined : median(values);
    };
    const bandwidth = level('sweep') ?? level('copy-buffer');
    const latency = level('latency');
    return {
      name: end === undefined ? say`memory` : say`cache ${i + 1}`,
      ...(end === undefined ? {} : { capacity: { fromBytes: end.fromBytes, toBytes: end.toBytes } }),
      ...(bandwidth === undefined ? {} : { bandwidthGBps: bandwidth }),
      ...(latency === undefined ? {} : { latencyNs: latency }),
      shownBy: end?.shownBy ?? [],
    };
  });
}

function describe(tiers: readonly NamedTier[]): string {
  const parts = tiers.map(({ name, capacity, bandwidthGBps, latencyNs, shownBy }) => {
    const figures = [
      bandwidthGBps === undefined ? '' : `${formatSignificant(bandwidthGBps)} GB/s`,
      latencyNs === undefined ? '' : formatDuration(latencyNs),
    ].filter((text) => text !== '');
    const found = figures.length === 0 ? say`no figure` : figures.join(', ');
    if (capacity === undefined) return say`${name} beyond: ${found}`;
    const [from, to] = [formatBytes(capacity.fromBytes), formatBytes(capacity.toBytes)];
    return say`${name} ends between ${from} and ${to} (shown by ${shownBy.join(', ')}): ${found}`;
  });
  return say`${tiers.length} tiers: ${parts.join('; ')}.`;
}

function whyNot(lines: readonly Line[], isBound: boolean): string {
  const enough = lines.filter(({ points }) => points.length >= LEAST_POINTS);
  if (enough.length === 0) return say`no line has ${LEAST_POINTS} working sets`;
  const names = enough.map(({ name }) => name).join(', ');
  return isBound
    ? say`only the kernel line has steps`
    : say`no steps in ${names}: every working set that was measured is one tier`;
}
