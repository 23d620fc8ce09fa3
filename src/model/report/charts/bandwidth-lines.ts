/**
 * The two lines of "Bandwidth by working set", taken from the rows of a run: a kernel and copyBufferToBuffer beside it.
 * On an adapter that is bound by instructions the kernel line is flat whatever the memory does (facts/webgpu.md); then
 * the figures are kept and the chart says so.
 */
import { type Row } from '../schema.js';
import { bySize, isSizedIn, pointOf, type SizedPoint, stemOf } from './sized-point.js';

export interface BandwidthLines {
  /** The id that the kernel line's rows share, such as `tiers/global/triad/vec4`; '' when there is no such line. */
  readonly kernelStem: string;
  readonly kernel: readonly SizedPoint[];
  readonly copy: readonly SizedPoint[];
  readonly instructionBound: boolean;
}

const COPY = 'tiers/copy-buffer';
/** Best first: the sweep is made for this chart; of the others the fuller line is taken, and this order decides. */
const KERNEL_STEMS = ['tiers/sweep', 'tiers/global/triad', 'tiers/global/copy', 'tiers/global/read', 'tiers/global'];
/** A line counts as flat when its largest value is under this many times its smallest, as stepped from the other on. */
const FLAT = 1.6;
const STEPPED = 1.8;
const LEAST_POINTS = 3;

export function bandwidthLines(rows: readonly Row[]): BandwidthLines {
  const groups = new Map<string, SizedPoint[]>();
  const flagged = new Set<string>();
  for (const row of rows.filter(isSizedIn('GB/s'))) {
    const stem = stemOf(row.id);
    const group = groups.get(stem) ?? [];
    groups.set(stem, group);
    group.push(pointOf(row));
    if (row.flags.includes('instruction-bound')) flagged.add(stem);
  }
  for (const group of groups.values()) group.sort(bySize);
  const kernelStem = chooseKernel(groups);
  const kernel = groups.get(kernelStem) ?? [];
  const copy = groups.get(COPY) ?? [];
  const instructionBound = flagged.has(kernelStem) || (isFlat(kernel) && isStepped(copy));
  return { kernelStem, kernel, copy, instructionBound };
}

function chooseKernel(groups: ReadonlyMap<string, readonly SizedPoint[]>): string {
  const rank = (stem: string) => KERNEL_STEMS.findIndex((known) => stem === known || stem.startsWith(`${known}/`));
  const size = (stem: string) => groups.get(stem)?.length ?? 0;
  const stems = [...groups.keys()].filter((stem) => rank(stem) >= 0);
  const sweeps = stems.filter((stem) => rank(stem) === 0);
  const [best = ''] = (sweeps.length > 0 ? sweeps : stems).sort(
    (a, b) => size(b) - size(a) || rank(a) - rank(b) || b.localeCompare(a),
  );
  return best;
}

function spreadOf(points: readonly SizedPoint[]): number | undefined {
  if (points.length < LEAST_POINTS) return undefined;
  const values = points.map((point) => point.value);
  return Math.max(...values) / Math.min(...values);
}
const isFlat = (points: readonly SizedPoint[]): boolean => (spreadOf(points) ?? Infinity) < FLAT;
const isStepped = (points: readonly SizedPoint[]): boolean => (spreadOf(points) ?? 0) >= STEPPED;
