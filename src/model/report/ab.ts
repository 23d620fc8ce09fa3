/** The file of `vramlab bench --ab`: two browser configurations measured in turn, and how they compare. */
import * as v from 'valibot';
import { comparisonSchema } from './comparison.js';
import { reportSchema } from './schema.js';

export const AB_SCHEMA = 'vramlab-ab';
export const AB_VERSION = 1;

const side = v.picklist(['a', 'b']);

export const abSchema = v.object({
  schema: v.literal(AB_SCHEMA),
  version: v.literal(AB_VERSION),
  /** Seed of the order and of the resampling. */
  seed: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** The browser flags that each side has beyond those that both have. */
  flags: v.object({ a: v.array(v.string()), b: v.array(v.string()) }),
  /** Which side ran first and second, by round. */
  order: v.array(v.tuple([side, side])),
  a: reportSchema,
  b: reportSchema,
  /** Paired by round. */
  comparison: comparisonSchema,
});

export type AbReport = v.InferOutput<typeof abSchema>;
export type AbSide = v.InferOutput<typeof side>;
