import fc from 'fast-check';
import { expect, test } from 'vitest';
import { combinations } from './combinations.js';

test('takes every pair once, in order', () => {
  expect([...combinations(['a', 'b', 'c'], 2)]).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
  ]);
});

test('gives nothing where there are too few, and the empty choice of nothing', () => {
  expect([...combinations(['a'], 2)]).toEqual([]);
  expect([...combinations([], 0)]).toEqual([[]]);
});

test('there are as many as the binomial coefficient says, and none twice', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }), (n, k) => {
      const all = [...combinations([...Array(n).keys()], k)].map((each) => each.join());
      let ways = k > n ? 0 : 1;
      for (let i = 0; i < k && k <= n; i++) ways = (ways * (n - i)) / (i + 1);
      expect(new Set(all).size).toBe(all.length);
      expect(all.length).toBe(ways);
    }),
  );
});
