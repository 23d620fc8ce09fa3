import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ADDRESS, ChunkTable, NONE, SIZE } from './chunk-table.js';
import { FreeIndex } from './free-index.js';

/** Sizes on both sides of the exact bins (2 MiB), of 2^31 and 2^38, where the bin of a size is computed another way. */
const sizes = fc.oneof(
  fc.integer({ min: 1, max: 20 * 256 }),
  fc.integer({ min: 2 ** 21 - 2000, max: 2 ** 21 + 2000 }),
  fc.integer({ min: 1, max: 2 ** 31 }),
  fc.tuple(fc.integer({ min: 8, max: 51 }), fc.integer({ min: -1, max: 1 })).map(([power, by]) => 2 ** power + by),
);
const steps = fc.array(fc.record({ what: fc.nat(9), size: sizes, pick: fc.nat(1e6) }), {
  maxLength: 200,
  size: 'max',
});

it('finds what a sorted list finds, for chunks of any size', () => {
  fc.assert(
    fc.property(steps, (program) => {
      const chunks = new ChunkTable();
      const index = new FreeIndex(chunks);
      const list: number[] = [];
      const order = (a: number, b: number): number =>
        chunks.size(a) - chunks.size(b) || chunks.address(a) - chunks.address(b);
      let address = 0;
      for (const { what, size, pick } of program) {
        const [removed] = what < 4 && list.length > 0 ? list.splice(pick % list.length, 1) : [];
        if (removed === undefined) {
          const chunk = chunks.take();
          // Addresses neither ascend nor descend: equal sizes are told apart by them.
          address += 256;
          chunks.doubles[chunk * 8 + ADDRESS] = pick % 2 === 0 ? address : 2 ** 40 - address;
          chunks.doubles[chunk * 8 + SIZE] = size;
          index.insert(chunk);
          list.push(chunk);
          list.sort(order);
        } else {
          index.remove(removed);
          chunks.drop(removed);
        }
        expect(index.count).toBe(list.length);
        expect(index.largest()).toBe(list.at(-1) ?? NONE);
        expect(index.atLeast(size)).toBe(list.find((chunk) => chunks.size(chunk) >= size) ?? NONE);
        if (list.length > 0) {
          const at = pick % list.length;
          expect(index.after(list[at] ?? NONE)).toBe(list[at + 1] ?? NONE);
        }
      }
    }),
    { numRuns: 200 },
  );
});

it('answers that nothing is large enough for a request beyond every bin', () => {
  const index = new FreeIndex(new ChunkTable());
  expect([index.atLeast(0), index.atLeast(2 ** 53), index.largest()]).toEqual([NONE, NONE, NONE]);
});
