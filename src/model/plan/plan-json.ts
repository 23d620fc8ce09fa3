/** A plan as the data of `vramlab plan --json` (schema `vramlab-plan`). Sizes are bytes. */
import { storyJson } from '../trace/failure-story.js';
import type { ChangeRow } from './advice.js';
import { withNumbers } from './formula.js';
import { type Plan } from './plan.js';
import type { PlanReplay } from './replay-plan.js';
import { SYMBOLS } from './shape.js';
import { type Term } from './term.js';

const SCHEMA = 'vramlab-plan';
const VERSION = 1;

/** What was found beside the formulas, as far as it was asked for. */
export interface PlanFindings {
  /** The replay, or why there is none. */
  readonly replay: PlanReplay | string;
  readonly capacity?: number | undefined;
  readonly largestBatch?: number | undefined;
  readonly changes?: readonly ChangeRow[] | undefined;
}

/** The object behind `--json`. */
export function planJson(plan: Plan, findings: PlanFindings): Record<string, unknown> {
  const { model, settings, terms, total } = plan;
  const { replay, capacity, largestBatch, changes } = findings;
  const fits = fitsIn(plan, findings);
  return {
    schema: SCHEMA,
    version: VERSION,
    model: { name: model.name, parameters: model.parameters, architecture: model.architecture ?? null },
    settings: Object.fromEntries(Object.entries(settings).map(([key, value]) => [snake(key), value ?? null])),
    terms: terms.map(termJson),
    total_bytes: total,
    unknown: terms.filter(({ bytes }) => bytes === undefined).map(({ id }) => id),
    symbols: symbolsOf(terms),
    ...(capacity === undefined ? {} : { capacity, fits: fits ?? null }),
    ...(typeof replay === 'string' ? { replay_reason: replay } : { replay: replayJson(replay) }),
    ...(largestBatch === undefined ? {} : { largest_batch: largestBatch }),
    ...(changes === undefined ? {} : { changes: changes.map(changeJson) }),
  };
}

/** Whether the card is enough: by the replay, or by the sum where there is none; undefined where that says nothing. */
export function fitsIn(plan: Plan, { replay, capacity }: PlanFindings): boolean | undefined {
  if (capacity === undefined) return undefined;
  if (typeof replay !== 'string') return replay.card?.result.failures === 0;
  // The states alone are too much; what is not known could only add to them.
  return plan.total > capacity ? false : undefined;
}

function termJson(term: Term): Record<string, unknown> {
  return {
    id: term.id,
    bytes: term.bytes ?? null,
    ...(term.reason === undefined ? {} : { reason: term.reason }),
    formula: term.formula,
    numbers: withNumbers(term.formula, term.values),
    values: term.values,
    grows_with_batch: term.grows.batch,
    grows_with_sequence: term.grows.sequence,
    shrinks: term.shrinks,
    source: term.source,
    in_cache: term.inCache,
  };
}

function replayJson({ allocator, step, needed, reconciliation, card }: PlanReplay): Record<string, unknown> {
  const { result } = card ?? reconciliation;
  const { outcome } = result;
  const { story } = card ?? {};
  return {
    allocator: allocator.name,
    conf: allocator.conf ?? '',
    operations: step.trace.length,
    outcome: outcome.status,
    peak_allocated: result.peakAllocated,
    peak_reserved: result.peakReserved,
    needed: { peak_allocated: needed.peakAllocated, peak_reserved: needed.peakReserved },
    ...(card === undefined ? {} : { available: card.available }),
    peak: { operation: reconciliation.operation, phase: reconciliation.phase },
    terms: reconciliation.terms.map(({ id, formula, most, atPeak }) => ({
      id,
      formula_bytes: formula,
      most_bytes: most,
      at_peak_bytes: atPeak,
    })),
    not_at_peak_bytes: reconciliation.notAtPeak,
    rounding_bytes: reconciliation.rounding,
    unexplained_bytes: reconciliation.unexplained,
    ...(outcome.status === 'completed'
      ? {}
      : {
          oom: {
            operation: outcome.operation,
            requested: outcome.failure.requested,
            error: outcome.failure.text,
            story: story === undefined ? null : storyJson(story),
          },
        }),
  };
}

const changeJson = ({ change, costs, fits, peakAllocated, peakReserved }: ChangeRow) => ({
  change,
  cost: costs.join('; '),
  fits: fits ?? null,
  peak_allocated: peakAllocated ?? null,
  peak_reserved: peakReserved ?? null,
});

/** The symbols that the formulas use, with what they stand for. */
export function symbolsOf(terms: readonly Term[]): Record<string, string> {
  const known = terms.filter(({ bytes }) => bytes !== undefined);
  const used = new Set(known.flatMap(({ formula }) => formula.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? []));
  return Object.fromEntries(Object.entries(SYMBOLS).filter(([symbol]) => used.has(symbol)));
}

const snake = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
