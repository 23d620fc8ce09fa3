/** What the run's own naming says (experiment `tiers/named`): the tiers of each line, or why there are none. */
import * as v from 'valibot';
import { type Experiment } from '../schema.js';

const ID = 'tiers/named';
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));

const tierSchema = v.object({
  name: v.string(),
  fromBytes: v.optional(positive),
  toBytes: v.optional(positive),
  value: positive,
});
const lineSchema = v.object({
  /** Which line the tiers were read from. */
  line: v.picklist(['kernel', 'copy', 'latency']),
  resolved: v.boolean(),
  reason: v.optional(v.string()),
  tiers: v.array(tierSchema),
});
const namedSchema = v.looseObject({ id: v.literal(ID), lines: v.array(lineSchema) });

export type NamedTier = v.InferOutput<typeof tierSchema>;
export type NamedLine = v.InferOutput<typeof lineSchema>;
export type TierLine = NamedLine['line'];

/** The naming of one line; undefined where the run has none (not run yet, filtered, or a report of another program). */
export function namedLine(experiments: readonly Experiment[], line: TierLine): NamedLine | undefined {
  const found = v.safeParse(
    namedSchema,
    experiments.find((experiment) => experiment.id === ID),
  );
  return found.success ? found.output.lines.find((each) => each.line === line) : undefined;
}
