/** What the rows of `tiers` say together: warnings on rows that cannot be what they seem, and the experiment that names the tiers. */
import { type AdapterFacts, type Experiment, type MeasuredRow, type Row } from '../report/schema.js';
import { type Card, cardOf } from './cards.js';
import { type NamedTiers, nameTiers } from './name-tiers.js';

/** A figure may pass the tier that is faster by so much before it is a wonder: medians of shared machines differ. */
const TIER_MARGIN = 1.25;
/** Working sets of at least so many times the last cache are memory's. */
const PAST_CACHE = 4;

export interface TiersConclusion {
  readonly rows: readonly Row[];
  readonly experiments: readonly Experiment[];
}

export function concludeTiers(rows: readonly Row[], adapter: AdapterFacts): TiersConclusion {
  const named = nameTiers(rows);
  const card = adapter.class === 'hardware' ? cardOf(adapter) : undefined;
  return {
    rows: rows.map((row) => (row.status === 'measured' ? withWarnings(row, named, card) : row)),
    experiments: named.lines.length === 0 ? [] : [experimentOf(named, card)],
  };
}

function withWarnings(row: MeasuredRow, named: NamedTiers, card: Card | undefined): MeasuredRow {
  const flags: string[] = [];
  if (named.isInstructionBound && row.id.startsWith('tiers/sweep/')) flags.push('instruction-bound');
  if (card !== undefined && isAbovePeak(row, card)) flags.push('above-peak');
  if (isAboveFasterTier(row, named)) flags.push('above-faster-tier');
  return flags.length === 0 ? row : { ...row, flags: [...flags, ...row.flags] };
}

/** Faster than the card's memory can be, on a working set that no cache of it holds. */
const isAbovePeak = ({ unit, value, workingSet = 0 }: MeasuredRow, { peakGBps, lastCacheBytes }: Card): boolean =>
  unit === 'GB/s' && workingSet >= PAST_CACHE * lastCacheBytes && value > peakGBps;

/** Faster than the same line in the tier before. */
function isAboveFasterTier(row: MeasuredRow, { lines, isInstructionBound }: NamedTiers): boolean {
  const line = lines.find(({ name }) => row.id.startsWith(`tiers/${name}/`));
  if (line === undefined || line.unit !== 'GB/s' || (isInstructionBound && line.name === 'sweep')) return false;
  const at = line.tiers.findIndex(({ fromBytes, toBytes }) => within(row.workingSet ?? 0, fromBytes, toBytes));
  const faster = line.tiers[at - 1];
  return faster !== undefined && row.value > TIER_MARGIN * faster.value;
}

const within = (size: number, from: number, to: number): boolean => size >= from && size <= to;

function experimentOf(named: NamedTiers, card: Card | undefined): Experiment {
  const { verdict, tiers, isInstructionBound, lines, sentence } = named;
  return {
    id: 'tiers/named',
    suite: 'tiers',
    status: 'measured',
    verdict,
    sentence,
    tiers,
    isInstructionBound,
    lines: lines.map(({ name, unit, tiers: own, boundaries }) => ({ name, unit, tiers: own, boundaries })),
    ...(card === undefined ? {} : { card: { name: card.name, peakGBps: card.peakGBps, source: card.source } }),
  };
}
