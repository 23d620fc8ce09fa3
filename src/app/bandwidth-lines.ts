/**
 * The two lines of "Bandwidth by working set", taken from the rows of a run: a kernel and copyBufferToBuffer beside it.
 * On an adapter that is bound by instructions the kernel line is flat whatever the memory does (facts/webgpu.md); then
 * the figures are kept and the chart says so.
 */
import { type MeasuredRow, type Row } from '../model/report/schema.js';

export interface BandwidthPoint {
  readonly id: string;
  /** Bytes. */
  readonly workingSet: number;
  /** Decimal GB/s, as are the ends of the whisker. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** What the whisker is: the 95 % interval, or the range where there are under 10 samples. */
  readonly basis: 'interval' | 'range';
  readonly samples: number;
}

export interface BandwidthLines {
  /** The id that the kernel line's rows share, such as `tiers/global/triad/vec4`; '' when there is no such line. */
  readonly kernelStem: string;
  readonly kernel: readonly BandwidthPoint[];
  readonly copy: readonly BandwidthPoint[];
  readonly instructionBound: boolean;
}

const COPY = 'tiers/copy-buffer';
/** Best first: the sweep is made for this chart; of the others the fuller line is taken, and this order decides. */
const KERNEL_STEMS = ['tiers/sweep', 'tiers/global/triad', 'tiers/global/copy', 'tiers/global/read', 'tiers/global'];
const FEW_SAMPLES = 10;
/** A line counts as flat when its largest value is under this many times its smallest, as stepped from the other on. */
const FLAT = 1.6;
const STEPPED = 1.8;
const LEAST_POINTS = 3;

type SizedRow = MeasuredRow & { readonly workingSet: number };
const isSized = (row: Row): row is SizedRow =>
  row.status === 'measured' && row.unit === 'GB/s' && row.workingSet !== undefined;

export function bandwidthLines(rows: readonly Row[]): BandwidthLines {
  const groups = new Map<string, BandwidthPoint[]>();
  const flagged = new Set<string>();
  for (const row of rows.filter(isSized)) {
    const stem = row.id.slice(0, row.id.lastIndexOf('/'));
    const group = groups.get(stem) ?? [];
    groups.set(stem, group);
    group.push(pointOf(row));
    if (row.flags.includes('instruction-bound')) flagged.add(stem);
  }
  for (const group of groups.values()) group.sort((a, b) => a.workingSet - b.workingSet);
  const kernelStem = chooseKernel(groups);
  const kernel = groups.get(kernelStem) ?? [];
  const copy = groups.get(COPY) ?? [];
  const instructionBound = flagged.has(kernelStem) || (isFlat(kernel) && isStepped(copy));
  return { kernelStem, kernel, copy, instructionBound };
}

function pointOf(row: SizedRow): BandwidthPoint {
  const { n, min, max, ci95 } = row.stats;
  const basis = n < FEW_SAMPLES ? 'range' : 'interval';
  const [low, high] = basis === 'range' ? [min, max] : ci95;
  return { id: row.id, workingSet: row.workingSet, value: row.value, low, high, basis, samples: n };
}

function chooseKernel(groups: ReadonlyMap<string, readonly BandwidthPoint[]>): string {
  const rank = (stem: string) => KERNEL_STEMS.findIndex((known) => stem === known || stem.startsWith(`${known}/`));
  const size = (stem: string) => groups.get(stem)?.length ?? 0;
  const stems = [...groups.keys()].filter((stem) => rank(stem) >= 0);
  const sweeps = stems.filter((stem) => rank(stem) === 0);
  const [best = ''] = (sweeps.length > 0 ? sweeps : stems).sort(
    (a, b) => size(b) - size(a) || rank(a) - rank(b) || b.localeCompare(a),
  );
  return best;
}

function spreadOf(points: readonly BandwidthPoint[]): number | undefined {
  if (points.length < LEAST_POINTS) return undefined;
  const values = points.map((point) => point.value);
  return Math.max(...values) / Math.min(...values);
}
const isFlat = (points: readonly BandwidthPoint[]): boolean => (spreadOf(points) ?? Infinity) < FLAT;
const isStepped = (points: readonly BandwidthPoint[]): boolean => (spreadOf(points) ?? 0) >= STEPPED;
