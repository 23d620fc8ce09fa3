import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../base/random.js';
import { abOrder } from './ab-order.js';

const seeds = Array.from({ length: 40 }, (_, seed) => seed);
const text = (rounds: number, seed: number): string =>
  abOrder(rounds, mulberry32(seed))
    .map(([first]) => first)
    .join('');

describe('the order of the two sides', () => {
  it('has both in every round, and each first equally often', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(), (rounds, seed) => {
        const order = abOrder(rounds, mulberry32(seed));
        expect(order.map((round) => [...round].sort())).toEqual(Array.from({ length: rounds }, () => ['a', 'b']));
        const firstA = order.filter(([first]) => first === 'a').length;
        expect(Math.abs(2 * firstA - rounds)).toBeLessThanOrEqual(rounds % 2);
      }),
    );
  });

  it('is the same for a seed and differs between seeds, up to every balanced order', () => {
    expect(seeds.map((seed) => text(4, seed))).toEqual(seeds.map((seed) => text(4, seed)));
    expect(new Set(seeds.map((seed) => text(4, seed)))).toEqual(
      new Set(['aabb', 'abab', 'abba', 'baab', 'baba', 'bbaa']),
    );
  });

  it('does not favour a side where the rounds are odd', () => {
    const firstA = seeds.filter((seed) => text(1, seed) === 'a').length;
    expect(firstA).toBeGreaterThan(8);
    expect(firstA).toBeLessThan(32);
  });
});
