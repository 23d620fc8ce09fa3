/** A comparison as a table for a terminal. */
import { formatSignificant } from '../../base/format.js';
import type { Comparison, RowComparison, Verdict } from './comparison.js';
import { alignColumns, formatValue } from './present.js';
import { percent } from './verdict.js';

/** Columns are aligned with spaces; nothing is coloured, so that it can be piped. */
export function comparisonToText(comparison: Comparison): string {
  const { a, b, rows, obstacles, warnings } = comparison;
  const lines = [`A: ${a.name} (${a.createdAt})`, `B: ${b.name} (${b.createdAt})`];
  lines.push(...obstacles.map((obstacle) => `NOT COMPARABLE: ${obstacle}`), ...warnings.map((text) => `note: ${text}`));
  if (rows.length > 0) lines.push('', ...alignColumns([HEAD, ...rows.map(comparisonCells)]));
  return `${lines.join('\n')}\n\n${summarizeComparison(comparison)}\n`;
}

const HEAD = ['row', 'A', 'B', 'time', 'verdict', 'why'];

/** Id, both figures, change of time, verdict and reason. */
export function comparisonCells({ id, unit, a, b, ratio, verdict, reason }: RowComparison): readonly string[] {
  const figure = (side: RowComparison['a']) => (side === undefined ? '' : formatValue(side.value, unit));
  return [id, figure(a), figure(b), ratio === undefined ? '' : percent(ratio), verdict, reason];
}

const ORDER: readonly Verdict[] = ['slower', 'faster', 'same', 'ambiguous', 'not-comparable'];

/** `1 slower, 0 faster, 25 same, 2 ambiguous, 0 not comparable (threshold 5 % of time, seed 1)`. */
export function summarizeComparison({ counts, threshold, seed, rows }: Comparison): string {
  const words = ORDER.map((verdict) => `${counts[verdict] ?? 0} ${verdict.replace('-', ' ')}`).join(', ');
  const broken = rows.filter((row) => row.broken === true).length;
  const failed = broken === 0 ? '' : `; ${broken} failed in B that A has a figure for`;
  return `${words}${failed} (threshold ${formatSignificant(100 * threshold)} % of time, seed ${seed})`;
}
