/**
 * What a comparison of two reports says (facts/measuring.md 10). `a` is the baseline, `b` what is judged against it.
 * Ratios are of time cost whatever a row's unit: 1.05 is 5 % more time, so also 5 % of bandwidth lost.
 */
import * as v from 'valibot';
import { SUITES } from './schema.js';

export const COMPARISON_SCHEMA = 'vramlab-comparison';
export const COMPARISON_VERSION = 1;

export const VERDICTS = ['faster', 'slower', 'same', 'ambiguous', 'not-comparable'] as const;
export type Verdict = (typeof VERDICTS)[number];

const text = v.string();
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const sideSchema = v.object({ value: positive, samples: count });

const rowComparisonSchema = v.object({
  id: text,
  suite: v.picklist(SUITES),
  unit: text,
  verdict: v.picklist(VERDICTS),
  /** Why this verdict, in words. */
  reason: text,
  /** The figures as the reports quote them; absent where a report has none. */
  a: v.optional(sideSchema),
  b: v.optional(sideSchema),
  /** Time cost of `b` over that of `a`, and its 95 % interval; absent where the rows are not comparable. */
  ratio: v.optional(positive),
  interval: v.optional(v.tuple([positive, positive])),
  /** For an ambiguous row: samples on each side that would settle it, were the noise to stay as it is. */
  samplesNeeded: v.optional(count),
  /** True where `a` has a verified figure and `b` failed: a broken row never passes for a fine one. */
  broken: v.optional(v.literal(true)),
});

const sourceSchema = v.object({ name: text, createdAt: text, commit: v.optional(text), flags: v.array(text) });

export const comparisonSchema = v.object({
  schema: v.literal(COMPARISON_SCHEMA),
  version: v.literal(COMPARISON_VERSION),
  /** How much more time counts as a regression: 0.05 is 5 %. */
  threshold: positive,
  /** Seed of the bootstrap. */
  seed: count,
  a: sourceSchema,
  b: sourceSchema,
  /** What forbids comparing the two reports at all; empty where nothing does. */
  obstacles: v.array(text),
  /** What does not forbid it but should be known. */
  warnings: v.array(text),
  counts: v.record(v.picklist(VERDICTS), count),
  rows: v.array(rowComparisonSchema),
});

export type RowComparison = v.InferOutput<typeof rowComparisonSchema>;
export type Comparison = v.InferOutput<typeof comparisonSchema>;
