import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flagsOf, median, quantile, relativeDeviation, summarize } from './statistics.js';

const positives = fc.array(fc.double({ min: 1e-3, max: 1e12, noNaN: true }), { minLength: 1, maxLength: 60 });

describe('summarize', () => {
  it('gives the figures of a small sample', () => {
    const summary = summarize([4, 1, 3, 2, 5]);
    expect(summary).toMatchObject({ n: 5, median: 3, mean: 3, min: 1, max: 5, outliers: 0 });
    expect(summary.cv).toBeCloseTo(Math.sqrt(2.5) / 3, 12);
    expect(summary.p99).toBeCloseTo(4.96, 12);
  });

  it('takes the whole range for fewer than 6 values, and the inner order statistics from 6 on', () => {
    expect(summarize([1, 2, 3, 4, 5]).ci95).toEqual([1, 5]);
    expect(summarize([1, 2, 3, 4, 5, 6]).ci95).toEqual([1, 6]);
    // n = 9: P(X <= 1) = 10/512 = 1.95 %, so the 2nd and 8th values bound it.
    expect(summarize([1, 2, 3, 4, 5, 6, 7, 8, 9]).ci95).toEqual([2, 8]);
    // n = 20: the 6th and 15th (tables of the sign test).
    expect(summarize(Array.from({ length: 20 }, (_, i) => i + 1)).ci95).toEqual([6, 15]);
  });

  it('orders its figures for any sample', () => {
    fc.assert(
      fc.property(positives, (values) => {
        const { min, max, median: middle, ci95, p99, cv, n } = summarize(values);
        expect(n).toBe(values.length);
        expect(min).toBeLessThanOrEqual(ci95[0]);
        expect(ci95[0]).toBeLessThanOrEqual(middle);
        expect(middle).toBeLessThanOrEqual(ci95[1]);
        expect(ci95[1]).toBeLessThanOrEqual(max);
        expect(p99).toBeLessThanOrEqual(max);
        expect(cv).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('covers the true median in about 95 % of samples', () => {
    let covered = 0;
    let state = 1;
    const next = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
    for (let round = 0; round < 2000; round++) {
      const [low, high] = summarize(Array.from({ length: 25 }, next)).ci95;
      if (low <= 0.5 && high >= 0.5) covered += 1;
    }
    expect(covered / 2000).toBeGreaterThan(0.94);
    expect(covered / 2000).toBeLessThan(0.985);
  });

  it('counts an outlier and keeps it', () => {
    const summary = summarize([10, 10.1, 9.9, 10.05, 9.95, 30]);
    expect(summary.outliers).toBe(1);
    expect(summary.max).toBe(30);
    expect(summary.n).toBe(6);
  });

  it('keeps the interval of a mean positive and around it', () => {
    const [low, high] = summarize([1, 100, 1, 100, 1, 100], 'mean').ci95;
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(50.5);
    expect(high).toBeGreaterThan(50.5);
  });

  it('refuses no values', () => {
    expect(() => summarize([])).toThrow('no values');
  });
});

describe('quantile', () => {
  it('goes straight between neighbours', () => {
    expect(quantile([10, 20], 0.5)).toBe(15);
    expect(quantile([3, 1, 2], 0)).toBe(1);
    expect(median([7])).toBe(7);
  });
});

describe('relativeDeviation', () => {
  it('is 0 for one value and for equal ones', () => {
    expect(relativeDeviation([5])).toBe(0);
    expect(relativeDeviation([5, 5, 5])).toBe(0);
  });
});

describe('flagsOf', () => {
  const quiet = [100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.1, 99.9, 100.3, 99.7, 100.4];

  it('has nothing to say about a quiet sample', () => {
    expect(flagsOf(quiet)).toEqual([]);
  });

  it.each([
    ['zero-dominated', [0, 0, 0, 65536, 0, 65536]],
    ['zero-deviation', [5, 5, 5]],
    ['few-distinct', [1, 2, 1, 2, 1, 2, 1, 2, 1, 2]],
    ['slow-first-sample', [150, ...quiet]],
    ['drift', quiet.map((value, i) => (i < 8 ? value : value * 1.07))],
    ['unstable', quiet.map((value, i) => (i % 2 === 0 ? value : value * 1.3))],
    ['outliers', [...quiet, 120, 119]],
  ] as const)('warns of %s', (flag, durations) => {
    expect(flagsOf(durations)).toContain(flag);
  });

  it('lets half zeros, 4 % drift, a cv of 9 %, a first sample 15 % slow and one outlier of 13 pass', () => {
    expect(flagsOf([0, 0, 10, 11])).not.toContain('zero-dominated');
    expect(flagsOf(quiet.map((value, i) => (i < 8 ? value : value * 1.035)))).not.toContain('drift');
    expect(flagsOf(quiet.map((value, i) => (i % 2 === 0 ? value : value * 1.18)))).not.toContain('unstable');
    expect(flagsOf([115, ...quiet])).not.toContain('slow-first-sample');
    expect(flagsOf([...quiet, 120])).not.toContain('outliers');
  });
});
