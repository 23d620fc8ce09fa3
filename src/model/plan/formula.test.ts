import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, valuesIn, withNumbers } from './formula.js';

describe('formulas', () => {
  it('multiplies and divides before it adds, from left to right', () => {
    expect(evaluate('2 + 3 * 4 - 6 / 2 / 3', {})).toBe(13);
    expect(evaluate('(2 + 3) * (4 - 1)', {})).toBe(15);
  });

  it('knows ceil, min and max', () => {
    expect(evaluate('ceil(P / N) + max(1, 2 * x, 3) - min(4, x)', { P: 7, N: 2, x: 5 })).toBe(10);
  });

  it('computes sums and products of any numbers as the language does', () => {
    const whole = fc.integer({ min: 0, max: 1000 });
    fc.assert(
      fc.property(whole, whole, whole, (a, b, c) => {
        expect(evaluate('a * b + c * (a + b) - 2 * c', { a, b, c })).toBe(a * b + c * (a + b) - 2 * c);
      }),
    );
  });

  it('puts the numbers in and names those that were used', () => {
    const values = { P: 7e9, N: 8, unused: 1 };
    expect(withNumbers('2 * P / ceil(N)', values)).toBe('2 * 7,000,000,000 / ceil(8)');
    expect(valuesIn('2 * P / ceil(N)', values)).toEqual({ P: 7e9, N: 8 });
  });

  it('takes a name without a value, an open bracket or other text for a bug', () => {
    for (const formula of ['2 * Q', '(1 + 2', '1 2', '2 $ 3', '', 'toString']) {
      expect(() => evaluate(formula, {}), formula).toThrow(/^formula "/);
    }
  });
});
