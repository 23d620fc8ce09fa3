import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Pyramid } from './pyramid.js';

it('has the smallest and the largest of every stretch', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1e6), { minLength: 1, maxLength: 700, size: 'max' }),
      fc.nat(1e6),
      fc.nat(1e6),
      (values, a, b) => {
        const pyramid = new Pyramid(Float64Array.from(values));
        const from = a % values.length;
        const to = from + 1 + (b % (values.length - from));
        pyramid.look(from, to);
        const part = values.slice(from, to);
        expect([pyramid.least, pyramid.most]).toEqual([Math.min(...part), Math.max(...part)]);
      },
    ),
    { numRuns: 500 },
  );
});
