/** What the rows of a sweep come to: the best one, and whether a setting alone is enough. */
import { type WhatIfRow } from '../whatif/run-change.js';

/** Bytes that a row needs: the smallest device, where that was looked for, else its peak; Infinity for one that fails. */
export const needOf = (row: WhatIfRow): number =>
  row.fits === false || row.outcome !== 'completed'
    ? Infinity
    : (row.smallest_capacity ?? row.peak_reserved ?? Infinity);

/** The row that needs least, of those that a person can set or write, if it needs less than the baseline. */
export function bestRow(baseline: WhatIfRow, rows: readonly WhatIfRow[]): WhatIfRow | undefined {
  const best = rows
    .filter(({ allocator, hypothetical }) => allocator === 'caching' && hypothetical !== true)
    .sort((a, b) => needOf(a) - needOf(b))[0];
  return best === undefined || needOf(best) >= needOf(baseline) ? undefined : best;
}

export type Remedy =
  /** As it ran it fits. `retries`: flushes of the whole cache on the way. */
  | { readonly kind: 'fits'; readonly peak: number; readonly capacity: number; readonly retries: number }
  | { readonly kind: 'setting'; readonly row: WhatIfRow; readonly spare: number; readonly tried: number }
  | { readonly kind: 'code'; readonly row: WhatIfRow; readonly spare: number; readonly tried: number }
  /** Nothing that anybody can do, but the program without one place in the code would. */
  | { readonly kind: 'line'; readonly row: WhatIfRow; readonly spare: number; readonly tried: number }
  | { readonly kind: 'nothing'; readonly tried: number; readonly allocated: number };

/**
 * What would have fitted into `capacity`. `settings` and `code` are the rows of PyTorch's allocator with other settings
 * and with other code. Undefined while a row could still change the answer (`isComplete` false and nothing fits yet).
 */
export function remedyOf(
  baseline: WhatIfRow,
  { settings, code }: { readonly settings: readonly WhatIfRow[]; readonly code: readonly WhatIfRow[] },
  capacity: number,
  isComplete: boolean,
): Remedy | undefined {
  if (baseline.fits === true && baseline.peak_reserved !== null) {
    return { kind: 'fits', peak: baseline.peak_reserved, capacity, retries: baseline.retries ?? 0 };
  }
  if (!isComplete) return undefined;
  const written = code.filter(({ hypothetical }) => hypothetical !== true);
  const tried = settings.length + written.length;
  for (const [kind, rows] of [
    ['setting', settings],
    ['code', written],
    ['line', code],
  ] as const) {
    const fitting = rows.filter(({ fits }) => fits === true).sort((a, b) => needOf(a) - needOf(b))[0];
    if (fitting !== undefined)
      return { kind, row: fitting, spare: capacity - (fitting.peak_reserved ?? capacity), tried };
  }
  return { kind: 'nothing', tried, allocated: baseline.peak_allocated ?? 0 };
}
