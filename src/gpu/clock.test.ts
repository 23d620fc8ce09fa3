import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Clock, gridOf, type RawTime, stepOf } from './clock.js';

const setup = { gpuGridNs: 65536, wallGridNs: 5000, emptySubmitNs: [100e3, 200e3, 300e3] };
const pair = (beginStamp: bigint, endStamp: bigint, wallNs = 1e6): RawTime => ({ beginStamp, endStamp, wallNs });

describe('gridOf', () => {
  it.each([65536n, 100_000n, 1n, 83n])('finds a grid of %d ns in 200 stamps', (grid) => {
    let state = 1n;
    const stamps = Array.from({ length: 200 }, (_, i) => {
      state = (state * 48271n) % 2147483647n;
      return ((123456789n + BigInt(i) * 150_000n + (state % 90_000n)) / grid) * grid;
    });
    expect(gridOf(stamps)).toBe(Number(grid));
  });

  it('does not mind where the clock started', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 62n }),
        fc.array(fc.bigInt({ min: 0n, max: 1000n })),
        (start, steps) => {
          const stamps = [0n, 1n, ...steps].map((step) => start + step * 65536n);
          expect(gridOf(stamps)).toBe(65536);
        },
      ),
    );
  });

  it('leaves out resets', () => {
    expect(gridOf([5n, 0n, 105n, 0n, 205n])).toBe(100);
  });

  it('says nothing when no two stamps differ', () => {
    expect(gridOf([7n, 7n, 7n])).toBeUndefined();
    expect(gridOf([0n, 0n])).toBeUndefined();
    expect(gridOf([])).toBeUndefined();
  });
});

describe('stepOf', () => {
  it('is the step of a clock that is read faster than it ticks', () => {
    const readings = Array.from({ length: 500 }, (_, i) => Math.floor(i / 10) * 100_000);
    expect(stepOf(readings)).toBe(100_000);
  });
  it('says nothing about a clock that stands', () => {
    expect(stepOf([1, 1, 1])).toBeUndefined();
  });
});

describe('Clock', () => {
  it('takes the GPU clock where its grid is known, the wall clock otherwise', () => {
    expect(new Clock(setup)).toMatchObject({ kind: 'timestamp-query', gridNs: 65536 });
    expect(new Clock({ ...setup, gpuGridNs: undefined })).toMatchObject({ kind: 'wall', gridNs: 5000 });
  });

  it('subtracts stamps past 2^53 exactly', () => {
    const clock = new Clock(setup);
    expect(clock.durationOf(pair(2n ** 60n, 2n ** 60n + 65536n))).toBe(65536);
  });

  it('keeps zeros, drops and counts pairs that ran backwards or were reset', () => {
    const clock = new Clock(setup);
    expect(clock.durationOf(pair(65536n, 65536n))).toBe(0);
    expect(clock.durationOf(pair(131072n, 65536n))).toBeUndefined();
    expect(clock.durationOf(pair(131072n, 0n))).toBeUndefined();
    expect(clock.durationOf(pair(0n, 131072n))).toBeUndefined();
    expect(clock.facts().dropped).toBe(3);
  });

  it('stays with 5 % of dropped pairs and goes to the wall clock past it', () => {
    const clock = new Clock(setup);
    const good = pair(1n, 65537n);
    const bad = pair(9n, 3n);
    for (let i = 0; i < 38; i++) clock.durationOf(good);
    clock.durationOf(bad);
    clock.durationOf(bad);
    expect(clock.kind).toBe('timestamp-query');
    clock.durationOf(bad);
    expect(clock).toMatchObject({ kind: 'wall', gridNs: 5000, dropped: 3 });
    expect(clock.durationOf(pair(9n, 3n, 123))).toBe(123);
  });

  it.each([
    [0.19, true],
    [0.21, false],
    [1.09, false],
    [1.11, true],
  ])('with GPU / wall %d is suspect: %s', (ratio, suspect) => {
    const clock = new Clock(setup);
    clock.durationOf(pair(1n, 1n + BigInt(Math.round(ratio * 1e8)), 1e8));
    expect(clock.suspect).toBe(suspect);
    expect(clock.facts().gpuOverWall).toBeCloseTo(ratio, 6);
  });

  it('judges by the median of long readings: one held-up submit and short work say nothing', () => {
    const clock = new Clock(setup);
    for (const wallNs of [21e6, 900e6, 22e6]) clock.durationOf(pair(1n, 20_000_001n, wallNs));
    clock.durationOf(pair(1n, 65537n, 5e6));
    expect(clock.gpuOverWall).toBeCloseTo(20 / 22, 6);
    expect(clock.suspect).toBe(false);
  });

  it('gives no zero where an empty submit is below the wall clock’s step', () => {
    const { emptySubmit, emptySubmitNs } = new Clock({ ...setup, emptySubmitNs: [0, 0, 100e3] }).facts();
    expect(emptySubmit).toEqual({ p10Ns: 5000, p50Ns: 5000, p90Ns: 80e3 });
    expect(emptySubmitNs).toBe(5000);
  });
});
