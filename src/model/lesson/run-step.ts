/**
 * Runs a step of a lesson on the models: every number of its reveal is derived anew and laid beside the one that the
 * lesson expects.
 *
 *     const result = runStep(step);
 *     result.numbers.get('gap'); // { value: 190840832, expected: 190840832, agrees: true, shown: '182 MiB', ... }
 *     fillText(step.reveal.en, result); // 'Out of memory in step 3 ...: 72 MiB needed, 182 MiB free ...'
 */
import { AppError } from '../../base/errors.js';
import { evaluate } from './expression.js';
import { triedFrees, type TriedSet } from './frees-search.js';
import { metricOf, placeOf, type Value } from './metrics.js';
import { recordRun, type RunRecord } from './record-run.js';
import { type Expectation, type Metric, type MetricExpectation, type Step } from './schema.js';
import { showValue } from './show-value.js';

/** Where a number comes from. */
export type Origin =
  /** A run on a model, just made. */
  | { readonly kind: 'run'; readonly run: string; readonly metric: Metric; readonly at: string }
  | { readonly kind: 'arithmetic'; readonly expression: string }
  /** Measured elsewhere, for orientation; never checked. */
  | { readonly kind: 'reference' };

export interface StepNumber {
  readonly name: string;
  /** As derived; undefined where the run has no such number (`problem` says why). */
  readonly value: Value | undefined;
  /** As the lesson says; undefined for a reference. */
  readonly expected: Value | undefined;
  readonly agrees: boolean;
  /** For people: with its unit. */
  readonly shown: string;
  readonly origin: Origin;
  readonly problem?: string;
}

export interface StepResult {
  readonly numbers: ReadonlyMap<string, StepNumber>;
  /** Smallest sets of frees, where the step asks for them. */
  readonly frees: readonly TriedSet[] | undefined;
  /** True when every number, and the sets of frees, are as the lesson says. */
  readonly agrees: boolean;
}

/** Shares of a difference that doubles may have where arithmetic is done in another order. */
const TOLERANCE = 1e-12;

/** Runs a step. Throws `AppError` (`bad-input`) for a run that cannot be made; a number that differs is a result. */
export function runStep(step: Step): StepResult {
  const records = recordRuns(step);
  const numbers = new Map<string, StepNumber>();
  for (const [name, expectation] of Object.entries(step.expect)) {
    numbers.set(name, numberOf(name, expectation, records));
  }
  const frees = freesOf(step, records);
  const agrees = [...numbers.values()].every((number) => number.agrees) && sameSets(frees, step.frees?.sets);
  return { numbers, frees, agrees };
}

function recordRuns({ runs, expect }: Step): ReadonlyMap<string, RunRecord> {
  const asked = Object.values(expect).filter(isMetric);
  return new Map(
    runs.map((run) => {
      const places = asked.filter((expectation) => expectation.run === run.id).map(placeOf);
      const labels = new Set(places.flatMap((place) => place.labels));
      const tensors = new Set(places.flatMap((place) => place.tensors));
      return [run.id, recordRun(run, { labels, tensors })];
    }),
  );
}

/** Whether an expectation is read from a run. */
export const isMetric = (expectation: Expectation): expectation is MetricExpectation => 'metric' in expectation;

function numberOf(name: string, expectation: Expectation, records: ReadonlyMap<string, RunRecord>): StepNumber {
  if ('reference' in expectation) {
    const { reference, unit } = expectation;
    const shown = showValue(reference, unit);
    return { name, value: reference, expected: undefined, agrees: true, shown, origin: { kind: 'reference' } };
  }
  const { value: expected, unit } = expectation;
  const origin: Origin =
    'calc' in expectation
      ? { kind: 'arithmetic', expression: expectation.calc }
      : { kind: 'run', run: expectation.run, metric: expectation.metric, at: expectation.at };
  try {
    const value =
      'calc' in expectation ? evaluate(expectation.calc) : metricOf(expectation, recordOf(expectation, records));
    return { name, value, expected, agrees: isSame(value, expected), shown: showValue(value, unit), origin };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { name, value: undefined, expected, agrees: false, shown: '?', origin, problem: error.message };
  }
}

function recordOf({ run }: MetricExpectation, records: ReadonlyMap<string, RunRecord>): RunRecord {
  const record = records.get(run);
  if (record === undefined) throw new Error(`no run ${run}: a checked lesson names only runs that it has`);
  return record;
}

function isSame(value: Value, expected: Value): boolean {
  if (typeof value === 'string' || typeof expected === 'string') return value === expected;
  return Math.abs(value - expected) <= TOLERANCE * Math.abs(expected);
}

function freesOf({ frees }: Step, records: ReadonlyMap<string, RunRecord>): readonly TriedSet[] | undefined {
  if (frees === undefined) return undefined;
  const record = records.get(frees.run);
  if (record?.failed === undefined) return [];
  return triedFrees(record.run, record.trace, record.failed, frees.limit) ?? [];
}

function sameSets(found: readonly TriedSet[] | undefined, expected: readonly TriedSet[] | undefined): boolean {
  if (found === undefined || expected === undefined) return found === expected;
  const keys = (sets: readonly TriedSet[]) =>
    sets.map(({ tensors, bytes }) => `${[...tensors].sort().join()} ${bytes}`);
  return keys(found).sort().join(';') === keys(expected).sort().join(';');
}
