/** What the run's own naming says (experiment `tiers/named`, `model/tiers/conclude.ts`), for one line of a chart. */
import * as v from 'valibot';
import { say } from '../../../base/said.js';
import { type Experiment } from '../schema.js';

const ID = 'tiers/named';
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const reach = v.object({ fromBytes: positive, toBytes: positive });

const namedSchema = v.looseObject({
  id: v.literal(ID),
  verdict: v.picklist(['resolved', 'not resolved']),
  sentence: v.string(),
  isInstructionBound: v.boolean(),
  tiers: v.array(v.looseObject({ name: v.string(), capacity: v.optional(reach) })),
  lines: v.array(v.looseObject({ name: v.string(), tiers: v.array(v.object({ ...reach.entries, value: positive })) })),
});
type Named = v.InferOutput<typeof namedSchema>;

export interface NamedTier {
  readonly name: string;
  /** The first and the last working set on the plateau. */
  readonly fromBytes: number;
  readonly toBytes: number;
  /** In the line's unit. */
  readonly value: number;
}

export interface NamedLine {
  /** Empty where this line has no steps, or shows the kernel's instructions and not the memory. */
  readonly tiers: readonly NamedTier[];
  /** Why the run named no tier at all, in words; '' where it named some. */
  readonly reason: string;
}

export type TierLine = 'sweep' | 'copy-buffer' | 'latency';

/** The naming of one line; undefined where the run has none (not run yet, filtered, or a report of another program). */
export function namedLine(experiments: readonly Experiment[], line: TierLine): NamedLine | undefined {
  const read = v.safeParse(
    namedSchema,
    experiments.find((experiment) => experiment.id === ID),
  );
  if (!read.success) return undefined;
  const named = read.output;
  const isBlind = line === 'sweep' && named.isInstructionBound;
  const own = isBlind ? [] : (named.lines.find((each) => each.name === line)?.tiers ?? []);
  return {
    tiers: own.length < 2 ? [] : own.map((tier) => ({ ...tier, name: nameOf(tier.toBytes, named) })),
    reason: named.verdict === 'resolved' ? '' : named.sentence,
  };
}

/** The tier of the whole run that a plateau of one line lies in: the first that it does not reach the end of. */
function nameOf(toBytes: number, { tiers }: Named): string {
  const found = tiers.find(({ capacity }) => capacity === undefined || toBytes < capacity.toBytes);
  const name = found?.name ?? '';
  const number = /^cache (\d+)$/.exec(name)?.[1];
  if (number !== undefined) return say`Cache ${number}`;
  if (name === 'memory') return say`Memory`;
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}
