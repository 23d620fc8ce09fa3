import fc from 'fast-check';
import { expect, it } from 'vitest';
import { streamTime } from './training-stream.js';

const ADAM_7B = { parameters: 7e9, weights: 2, gradients: 2, optimiser: 8 };

it('moves 84 GB in 182 ms at 462.8 GB/s, and says how much of the device that is', () => {
  const { bytes, timeNs, terms, device } = streamTime(ADAM_7B, 462.8, 24 * 2 ** 30);
  expect(bytes).toBe(84e9);
  expect(timeNs / 1e6).toBeCloseTo(181.5, 1);
  expect(terms.map(({ part, bytes: own }) => [part, own])).toEqual([
    ['weights', 14e9],
    ['gradients', 14e9],
    ['optimiser', 56e9],
  ]);
  expect(device?.share).toBeCloseTo(3.26, 2);
  expect((device?.timeNs ?? 0) / 1e6).toBeCloseTo(55.7, 1);
});

it('leaves out what takes no bytes and a device that is not known', () => {
  const { terms, device } = streamTime({ ...ADAM_7B, gradients: 0 }, 100);
  expect(terms.map(({ part }) => part)).toEqual(['weights', 'optimiser']);
  expect(device).toBeUndefined();
});

it('is the sum of its parts at any bandwidth', () => {
  const size = fc.double({ min: 0, max: 16, noNaN: true });
  fc.assert(
    fc.property(
      size,
      size,
      size,
      fc.double({ min: 0.1, max: 1e5, noNaN: true }),
      (weights, gradients, optimiser, rate) => {
        const { terms, bytes, timeNs } = streamTime({ parameters: 1e9, weights, gradients, optimiser }, rate);
        expect(terms.reduce((sum, term) => sum + term.timeNs, 0)).toBeCloseTo(timeNs, 3);
        expect(timeNs * rate).toBeCloseTo(bytes, 0);
      },
    ),
  );
});
