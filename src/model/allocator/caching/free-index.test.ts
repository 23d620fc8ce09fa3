import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ADDRESS, AGE, BlockTable, DOUBLES, INTS, SIZE } from './block-table.js';
import { FreeIndex } from './free-index.js';

/** Sizes in units around the edge of exact and wide bins, and few of them, so that bins fill. */
const units = fc.oneof(
  fc.integer({ min: 1, max: 8 }),
  fc.integer({ min: 4090, max: 4100 }),
  fc.integer({ min: 5000, max: 5100 }),
  fc.integer({ min: 1, max: 2 ** 31 - 1 }),
);
const steps = fc.array(
  fc.record({ adds: fc.boolean(), units, age: fc.nat(2), address: fc.nat(60), pick: fc.nat(1e6) }),
  {
    maxLength: 200,
    size: 'max',
  },
);

describe('FreeIndex', () => {
  it('finds what a sorted list finds: the smallest that fits, then the oldest segment, then the lowest address', () => {
    fc.assert(
      fc.property(steps, units, (program, wanted) => {
        const table = new BlockTable();
        const index = new FreeIndex(table);
        const sizeOf = (block: number) => table.i32[(block << INTS) + SIZE] ?? NaN;
        const keyOf = (block: number) => [
          sizeOf(block),
          table.i32[(block << INTS) + AGE] ?? NaN,
          table.f64[(block << DOUBLES) + ADDRESS] ?? NaN,
        ];
        const inOrder = (a: number, b: number) => {
          const [left, right] = [keyOf(a), keyOf(b)];
          const place = left.findIndex((value, at) => value !== right[at]);
          return (left[place] ?? 0) - (right[place] ?? 0);
        };
        const held: number[] = [];
        for (const [at, step] of program.entries()) {
          if (step.adds || held.length === 0) {
            const block = table.take();
            table.i32[(block << INTS) + SIZE] = step.units;
            table.i32[(block << INTS) + AGE] = step.age;
            table.f64[(block << DOUBLES) + ADDRESS] = step.address * 1000 + at;
            index.insert(block);
            held.push(block);
          } else {
            const [block = 0] = held.splice(step.pick % held.length, 1);
            index.remove(block);
            table.giveBack(block);
          }
          held.sort(inOrder);
          expect(index.lowerBound(wanted)).toBe(held.find((block) => sizeOf(block) >= wanted) ?? 0);
          expect(index.lowerBound(step.units)).toBe(held.find((block) => sizeOf(block) >= step.units) ?? 0);
        }
        expect(index.blocks()).toEqual(held);
        expect(index.largest()).toBe(held.length === 0 ? 0 : sizeOf(held[held.length - 1] ?? 0) * 512);
        for (const [at, block] of held.entries()) expect(index.successor(block)).toBe(held[at + 1] ?? 0);
      }),
    );
  });
});
