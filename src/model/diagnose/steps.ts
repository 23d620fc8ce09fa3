/** Steps that every judgement has: a test with its answer, and what it all comes to. */
import { assertNever } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { type Verdict } from './diagnosis.js';

/** A test and its answer. */
export const answered = (test: string, holds: boolean): string => (holds ? say`${test}: yes` : say`${test}: no`);

/** A verdict as steps name it. */
export function verdictWord(verdict: Verdict): string {
  switch (verdict) {
    case 'fragmentation':
      return say`fragmentation`;
    case 'true-shortage':
      return say`true-shortage`;
    case 'limit-set':
      return say`limit-set`;
    case 'other-process':
      return say`other-process`;
    case 'unknown':
      return say`unknown`;
    default:
      return assertNever(verdict);
  }
}

/** The last step. */
export const verdictStep = (verdict: Verdict): string => say`verdict: ${verdictWord(verdict)}`;
