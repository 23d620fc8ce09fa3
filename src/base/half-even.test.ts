import { describe, expect, it } from 'vitest';
import { fixedHalfEven } from './half-even.js';

describe('fixedHalfEven', () => {
  it('sends an exact tie to the even digit', () => {
    expect([0.25, 0.75, 1.25, -0.25].map((value) => fixedHalfEven(value, 1))).toEqual(['0.2', '0.8', '1.2', '-0.2']);
    expect([2.125, 2.375, 1023.625].map((value) => fixedHalfEven(value, 2))).toEqual(['2.12', '2.38', '1023.62']);
  });

  it('rounds what is next to a tie to the nearest', () => {
    const last = 2 ** -40;
    expect(fixedHalfEven(2.125 + last, 2)).toBe('2.13');
    expect(fixedHalfEven(2.125 - last, 2)).toBe('2.12');
    // No double is exactly 1.005: it lies under the tie.
    expect(fixedHalfEven(1.005, 2)).toBe('1.00');
  });

  it('keeps whole numbers and carries into the next digit', () => {
    expect(fixedHalfEven(3, 1)).toBe('3.0');
    expect(fixedHalfEven(9.96, 1)).toBe('10.0');
  });
});
