/** Steps that every judgement has: a test with its answer, and what it all comes to. */
import { assertNever } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { type Verdict } from './diagnosis.js';

/** A test and its answer. */
export const answered = (test: string, holds: boolean): string => (holds ? say`${test}: yes` : say`${test}: no`);

/** The last step. */
export function verdictStep(verdict: Verdict): string {
  switch (verdict) {
    case 'fragmentation':
      return say`verdict: fragmentation`;
    case 'true-shortage':
      return say`verdict: true-shortage`;
    case 'limit-set':
      return say`verdict: limit-set`;
    case 'other-process':
      return say`verdict: other-process`;
    case 'unknown':
      return say`verdict: unknown`;
    default:
      return assertNever(verdict);
  }
}
