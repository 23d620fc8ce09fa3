/**
 * The condition of a measured step: what must hold of the rows of this machine.
 *
 *     latency(256MiB) >= 2 * latency(64KiB)
 *     rate(16MiB) > rate(256MiB), or not resolved
 *
 * `latency(SIZE)` and `rate(SIZE)` are the values of the row whose id ends in SIZE. Anything else is a sentence for
 * people: it is shown, and nothing is checked.
 */
import { AppError } from '../../base/errors.js';
import { type Row } from '../report/schema.js';
import { compare } from './expression.js';
import { type Step } from './schema.js';

export type Measure = NonNullable<Step['measure']>;

export interface MeasureCheck {
  /** The comparison; undefined for a sentence. */
  readonly comparison: string | undefined;
  /** Tiers that cannot be told apart are an answer too. */
  readonly orUnresolved: boolean;
}

export type CheckOutcome =
  | { readonly kind: 'holds' }
  | { readonly kind: 'fails' }
  /** The condition does not hold, and the lesson allows for it: this machine does not show the tiers. */
  | { readonly kind: 'unresolved' }
  | { readonly kind: 'missing'; readonly rows: readonly string[] }
  | { readonly kind: 'sentence' };

const UNRESOLVED = /,\s*or (?:the plot says that the tiers are )?not resolved(?: with a reason)?$/;
const FUNCTIONS = ['latency', 'rate', 'value'] as const;
const LOOKS_LIKE_ONE = /\b(?:latency|rate|value)\s*\(/;

/** Reads a condition. Throws `AppError` (`bad-input`) for one that begins as a comparison and cannot be read. */
export function readCheck(text: string): MeasureCheck {
  const comparison = text.replace(UNRESOLVED, '').trim();
  if (!LOOKS_LIKE_ONE.test(comparison)) return { comparison: undefined, orUnresolved: false };
  compare(
    comparison,
    functionsOf(() => 1),
  );
  return { comparison, orUnresolved: comparison !== text.trim() };
}

/** The row ids (their ends) that a condition compares, in order. */
export function sizesOf({ comparison }: MeasureCheck): readonly string[] {
  const sizes: string[] = [];
  if (comparison === undefined) return sizes;
  compare(
    comparison,
    functionsOf((size) => {
      if (!sizes.includes(size)) sizes.push(size);
      return 1;
    }),
  );
  return sizes;
}

/** The rows of a measured step, those with a value and those without. */
export const rowsOf = (measure: Measure, rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ id }) => measure.ids.some((start) => id.startsWith(`${start}/`)));

/** Whether the condition holds on these rows. */
export function checkMeasure(measure: Measure, rows: readonly Row[]): CheckOutcome {
  const check = readCheck(measure.check);
  if (check.comparison === undefined) return { kind: 'sentence' };
  const own = rowsOf(measure, rows);
  const missing = sizesOf(check).filter((size) => valueAt(own, size) === undefined);
  if (missing.length > 0) return { kind: 'missing', rows: missing };
  const holds = compare(
    check.comparison,
    functionsOf((size) => valueAt(own, size) ?? Number.NaN),
  );
  if (holds) return { kind: 'holds' };
  return { kind: check.orUnresolved ? 'unresolved' : 'fails' };
}

/** The value of the row that ends in `/size`; undefined where it was not measured. */
export function valueAt(rows: readonly Row[], size: string): number | undefined {
  const row = rows.find(({ id }) => id.endsWith(`/${size}`));
  return row?.status === 'measured' ? row.value : undefined;
}

const functionsOf = (value: (size: string) => number) =>
  Object.fromEntries(FUNCTIONS.map((name) => [name, (size = '') => value(size)]));

/** Whether a condition is one that a machine can check. */
export function isCheckable(measure: Measure): boolean {
  try {
    return readCheck(measure.check).comparison !== undefined;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
