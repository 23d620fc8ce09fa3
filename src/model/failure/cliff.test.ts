import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cliffAt } from './cliff.js';

const ramp = (...rates: readonly number[]) => rates.map((rate, i) => ({ heldBytes: (i + 1) * 2 ** 26, rate }));

describe('cliffAt', () => {
  it('names what was held when the rate fell, and what was held before', () => {
    expect(cliffAt(ramp(400, 410, 390, 12))).toEqual({
      heldBytes: 4 * 2 ** 26,
      lastGoodBytes: 3 * 2 ** 26,
      usualRate: 400,
      rate: 12,
    });
  });
  it('is a fall to a quarter and not a hair less', () => {
    expect(cliffAt(ramp(400, 400, 400, 100))).toBeDefined();
    expect(cliffAt(ramp(400, 400, 400, 100.1))).toBeUndefined();
  });
  it('needs three steps to know what is usual', () => {
    expect(cliffAt(ramp(400, 400, 1))).toBeUndefined();
    expect(cliffAt([])).toBeUndefined();
  });
  it('takes a slow first step, or the caches of a processor, for none', () => {
    expect(cliffAt(ramp(5, 400, 400, 390))).toBeUndefined();
    expect(cliffAt(ramp(62, 39, 25, 18))).toBeUndefined();
  });
  it('does not depend on the unit of the rates', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1, max: 1000, noNaN: true }), { minLength: 4, maxLength: 9 }), (rates) => {
        const scaled = rates.map((rate) => rate * 8);
        expect(cliffAt(ramp(...rates)) === undefined).toBe(cliffAt(ramp(...scaled)) === undefined);
      }),
    );
  });
});
