import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LargestFirst } from './largest-first.js';

it('gives the largest number that is there, whatever came and went', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 20 })), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (list) => {
      const queue = new LargestFirst();
      const there = new Set<number>();
      for (const [add, value] of list) {
        if (!add) there.delete(value);
        else if (!there.has(value)) {
          there.add(value);
          queue.add(value);
        }
        expect(queue.largest((v) => there.has(v))).toBe(there.size === 0 ? undefined : Math.max(...there));
      }
    }),
  );
});
