import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mulberry32, unitInterval } from '../../base/random.js';
import { type Direction, type LinePoint, plateausOf } from './change-points.js';

const directions: readonly Direction[] = ['falls', 'rises'];

/** A staircase: plateaus of so many points, each `ratio` times off the one before, with noise of so much. */
function staircase(
  lengths: readonly number[],
  ratios: readonly number[],
  direction: Direction,
  noise: number,
  seed: number,
) {
  const random = mulberry32(seed);
  const normal = (): number => Array.from({ length: 12 }, () => unitInterval(random)).reduce((a, b) => a + b, -6);
  let [level, size] = [100, 4096];
  return lengths.flatMap((length, i): LinePoint[] => {
    const ratio = i === 0 ? 1 : (ratios[i - 1] ?? 1);
    level = direction === 'falls' ? level / ratio : level * ratio;
    return Array.from({ length }, () => {
      size *= 2;
      return { workingSet: size, value: level * Math.max(0.5, 1 + noise * normal()) };
    });
  });
}

const startsOf = (points: readonly LinePoint[], direction: Direction): readonly number[] =>
  plateausOf(points, direction).map(({ begin }) => begin);

describe('the plateaus of a staircase', () => {
  it('are recovered wherever steps of 1.6 and more were planted, with 3 % of noise', () => {
    const stairs = fc.record({
      lengths: fc.array(fc.integer({ min: 3, max: 6 }), { minLength: 2, maxLength: 4 }),
      ratios: fc.array(fc.double({ min: 1.6, max: 8, noNaN: true }), { minLength: 3, maxLength: 3 }),
      direction: fc.constantFrom(...directions),
      seed: fc.integer(),
    });
    fc.assert(
      fc.property(stairs, ({ lengths, ratios, direction, seed }) => {
        const planted = lengths.map((_, i) => lengths.slice(0, i).reduce((sum, length) => sum + length, 0));
        expect(startsOf(staircase(lengths, ratios, direction, 0.03, seed), direction)).toEqual(planted);
      }),
      { numRuns: 300 },
    );
  });

  it('are one where the line is flat, with noise of up to 15 %', () => {
    const flat = fc.record({
      points: fc.integer({ min: 1, max: 20 }),
      noise: fc.double({ min: 0, max: 0.15, noNaN: true }),
      direction: fc.constantFrom(...directions),
      seed: fc.integer(),
    });
    let stepped = 0;
    const runs = 500;
    fc.assert(
      fc.property(flat, ({ points, noise, direction, seed }) => {
        if (startsOf(staircase([points], [], direction, noise, seed), direction).length > 1) stepped += 1;
      }),
      { numRuns: runs },
    );
    expect(stepped / runs).toBeLessThan(0.02);
  });

  it('are one where the steps go the other way: an inverse staircase is no memory', () => {
    const points = staircase([4, 4, 4], [2, 2], 'rises', 0.01, 5);
    expect(startsOf(points, 'falls')).toEqual([0]);
    expect(startsOf(points, 'rises')).toEqual([0, 4, 8]);
  });

  it('hold the geometric mean, and cover every point once', () => {
    const points = [40, 40, 10, 10, 10, 2.5, 2.5].map((value, i) => ({ workingSet: 2 ** (12 + i), value }));
    const plateaus = plateausOf(points, 'falls');
    expect(plateaus.map(({ begin, end }) => [begin, end])).toEqual([
      [0, 2],
      [2, 5],
      [5, 7],
    ]);
    expect(plateaus.map(({ value }) => value)).toEqual([expect.closeTo(40), expect.closeTo(10), expect.closeTo(2.5)]);
  });

  it('ignore one point that a burst held up', () => {
    const points = staircase([6, 6], [3], 'falls', 0.01, 9).map((point, i) =>
      i === 3 ? { ...point, value: point.value * 0.8 } : point,
    );
    expect(startsOf(points, 'falls')).toEqual([0, 6]);
  });

  it.each([
    [1.2, [0]],
    [1.35, [0, 6]],
  ])('want more than 25 %%: a step of %d', (ratio, starts) => {
    expect(startsOf(staircase([6, 6], [ratio], 'rises', 0, 1), 'rises')).toEqual(starts);
  });

  it('are none without points', () => {
    expect(plateausOf([], 'falls')).toEqual([]);
  });
});
