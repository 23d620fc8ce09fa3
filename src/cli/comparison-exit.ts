/** Exit code of a comparison (DESIGN section 5). */
import type { Comparison } from '../model/report/comparison.js';
import { EXIT } from './exit-codes.js';

/**
 * 1 when a row is slower past the threshold or has failed where the baseline has a figure, 2 when nothing could be
 * compared, else 0.
 */
export function comparisonExitCode({ obstacles, rows, counts }: Comparison): number {
  if (obstacles.length > 0) return EXIT.wrongUsage;
  if (rows.some(({ verdict, broken }) => verdict === 'slower' || broken === true)) return EXIT.checkFailed;
  return (counts['not-comparable'] ?? 0) === rows.length ? EXIT.wrongUsage : EXIT.ok;
}
