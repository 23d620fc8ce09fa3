/**
 * One bar a tier, from the fastest to the slowest: registers (derived), workgroup memory, the caches that the run named,
 * and global memory by kernel and by copyBufferToBuffer.
 */
import { formatBytes } from '../../../base/format.js';
import { type Experiment, type MeasuredRow, type Row } from '../schema.js';
import { type TierBar } from './bar-chart.js';
import { bandwidthLines } from './bandwidth-lines.js';
import { globalFigures } from './global-figures.js';
import { type NamedTier, namedLine } from './named-tiers.js';
import { pointOf, type SizedPoint, whiskerOf } from './sized-point.js';

/** The words of the chart, given by who draws it: the page's are translated. */
export interface TierBarWords {
  readonly register: string;
  readonly workgroup: string;
  readonly global: string;
  readonly caches: string;
  readonly notMeasured: string;
  readonly instructionBound: string;
  /** How a figure was got. */
  readonly kernel: string;
  readonly copy: string;
  /** A sentence of the models: a tier's name, why there is no figure. */
  readonly said: (english: string) => string;
}

export const ENGLISH_TIER_WORDS: TierBarWords = {
  register: 'Register',
  workgroup: 'Workgroup',
  global: 'Global',
  caches: 'Caches',
  notMeasured: 'not measured in this run',
  instructionBound: 'not resolved: instruction bound',
  kernel: 'kernel',
  copy: 'copy',
  said: (english) => english,
};

/** Empty before there is any figure in GB/s of the suite `tiers`. */
export function tierBars(
  rows: readonly Row[],
  experiments: readonly Experiment[],
  words: TierBarWords = ENGLISH_TIER_WORDS,
): readonly TierBar[] {
  const rates = rows.filter((row) => row.suite === 'tiers' && row.unit === 'GB/s');
  if (!rates.some((row) => row.status === 'measured')) return [];
  return [
    fastest(rates, 'tiers/register', words.register, words),
    fastest(rates, 'tiers/workgroup', words.workgroup, words),
    ...cacheBars(rows, experiments, words),
    ...globalBars(rows, words),
  ];
}

function fastest(rows: readonly Row[], stem: string, name: string, words: TierBarWords): TierBar {
  const own = rows.filter((row) => row.id === stem || row.id.startsWith(`${stem}/`));
  const measured = own.filter((row): row is MeasuredRow => row.status === 'measured');
  const [best] = [...measured].sort((a, b) => b.value - a.value);
  const tail = (id: string) => id.slice(stem.length + 1);
  if (best === undefined) {
    const why = own.flatMap((row) => (row.status === 'measured' ? [] : [row.reason]));
    return {
      name,
      detail: '',
      kind: 'not-resolved',
      reason: why[0] === undefined ? words.notMeasured : words.said(why[0]),
    };
  }
  if (best.flags.includes('instruction-bound')) {
    return { name, detail: tail(best.id), kind: 'not-resolved', reason: words.instructionBound };
  }
  const derived = best.flags.includes('derived');
  return {
    name,
    detail: tail(best.id),
    kind: 'measured',
    id: best.id,
    value: best.value,
    ...whiskerOf(best),
    derived,
    source: 'kernel',
  };
}

const LINE_OF = { kernel: 'sweep', copy: 'copy-buffer' } as const;

/** The tiers of the kernel line; where it names none, those of the copy line; where neither does, one bar with why. */
function cacheBars(rows: readonly Row[], experiments: readonly Experiment[], words: TierBarWords): readonly TierBar[] {
  const lines = bandwidthLines(rows);
  for (const source of ['kernel', 'copy'] as const) {
    const named = namedLine(experiments, LINE_OF[source]);
    const bars = (named?.tiers ?? []).flatMap((tier) => barOf(tier, source, lines[source], words));
    // The slowest tier is the device's memory, which has bars of its own.
    if (bars.length > 1) return bars.slice(0, -1);
  }
  const why = namedLine(experiments, 'sweep')?.reason ?? '';
  const unnamed = why === '' ? words.notMeasured : words.said(why);
  const reason = lines.instructionBound ? words.instructionBound : unnamed;
  return [{ name: words.caches, detail: '', kind: 'not-resolved', reason }];
}

/** The point nearest to the middle of the tier stands for it, so that the whisker is a measured one. */
function barOf(
  tier: NamedTier,
  source: 'kernel' | 'copy',
  points: readonly SizedPoint[],
  words: TierBarWords,
): readonly TierBar[] {
  const inside = points.filter(({ workingSet }) => workingSet >= tier.fromBytes && workingSet <= tier.toBytes);
  const distance = (point: SizedPoint) => Math.abs(Math.log(point.value / tier.value));
  const [best] = [...inside].sort((a, b) => distance(a) - distance(b));
  if (best === undefined) return [];
  const { id, low, high, basis } = best;
  const detail = `${words[source]}, ${formatBytes(best.workingSet)}`;
  const name = words.said(tier.name);
  return [{ name, detail, kind: 'measured', id, value: best.value, low, high, basis, derived: false, source }];
}

function globalBars(rows: readonly Row[], words: TierBarWords): readonly TierBar[] {
  const figures = globalFigures(rows);
  const isCopy = (id: string) => id.startsWith('tiers/copy-buffer/');
  const kernel =
    figures.find(({ row }) => row.id.startsWith('tiers/global/triad/')) ?? figures.find(({ row }) => !isCopy(row.id));
  const copy = figures.find(({ row }) => isCopy(row.id));
  return [kernel, copy].flatMap((figure, i): TierBar[] => {
    if (figure === undefined) return [];
    const point = pointOf(figure.row);
    const name = figure.row.id.split('/')[i === 0 ? 2 : 1] ?? '';
    const detail = `${i === 0 ? name : words.copy}, ${formatBytes(point.workingSet)}`;
    const { id, value, low, high, basis } = point;
    const source = i === 0 ? 'kernel' : 'copy';
    return [{ name: words.global, detail, kind: 'measured', id, value, low, high, basis, derived: false, source }];
  });
}
