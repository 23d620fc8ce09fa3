import { describe, expect, it } from 'vitest';
import { AppError, badInput } from '../base/errors.js';
import { EXIT, describeError } from './exit-codes.js';

describe('describeError', () => {
  it.each([
    [badInput('--out', 'two\nlines'), EXIT.wrongUsage],
    [new AppError({ kind: 'unsupported', missing: 'browser' }, 'none'), EXIT.cannotRunHere],
    [new AppError({ kind: 'timeout', seconds: 3 }, 'late'), EXIT.checkFailed],
    [new AppError({ kind: 'wrong-data', wrong: 1, checked: 2 }, 'wrong'), EXIT.checkFailed],
    [new Error('ours'), EXIT.ourBug],
    ['a string', EXIT.ourBug],
  ])('gives %s its code', (error, code) => {
    expect(describeError(error).code).toBe(code);
  });

  it('puts a mistake of the person on one line, and the stack of a bug of ours on several', () => {
    expect(describeError(badInput('--out', 'two\nlines')).line).toBe('two lines');
    expect(describeError(new Error('ours')).line).toContain('\n    at ');
  });
});
