import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeX, rangeY, ticksX, ticksY } from './scales.js';

describe('axes', () => {
  it('hold the data with room on either side, for any data', () => {
    const positive = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [from, to] = rangeY(low, high);
        expect(from).toBeLessThan(low);
        expect(to).toBeGreaterThan(high);
        expect(Math.log10(to / from)).toBeGreaterThan(0.999);
        const ticks = ticksY(from, to);
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.every((tick) => tick >= from && tick <= to)).toBe(true);
      }),
    );
  });

  it('have a tick at every power of two', () => {
    expect(ticksX(...rangeX(2 ** 16, 2 ** 19)).map(Math.log2)).toEqual([16, 17, 18, 19]);
  });

  it('are there before any data', () => {
    expect(ticksX(...rangeX(null, null)).length).toBeGreaterThan(5);
    expect(ticksY(...rangeY(null, null))).toContain(100);
  });
});
