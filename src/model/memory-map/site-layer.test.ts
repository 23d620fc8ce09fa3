import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CATEGORY_COUNT, type MemoryRun } from './memory-run.js';
import { memoryRunOf } from './run-of-trace.js';
import { siteLayer } from './site-layer.js';
import { randomPrograms } from './testing/random-program.js';

const MIB = 2 ** 20;

/** Blocks of random programs under two names. */
const named = (run: MemoryRun): MemoryRun => ({
  ...run,
  names: ['app/model.py:39 forward', 'app/nn_utils.py:6 exp'],
  blocks: { ...run.blocks, name: run.blocks.name.map((_, row) => (row % 3) % 2) },
});

/** Bytes in use of each category of the blocks of a name, summed from scratch. */
function summed({ blocks }: MemoryRun, name: number, operation: number): number[] {
  const sums = new Array<number>(CATEGORY_COUNT).fill(0);
  for (let row = 0; row < blocks.count; row++) {
    if (blocks.name[row] !== name || (blocks.bornAt[row] ?? 0) > operation) continue;
    if ((blocks.freedAt[row] ?? 0) > operation) sums[blocks.category[row] ?? 0]! += blocks.size[row] ?? 0;
  }
  return sums;
}

describe('the layer of a place in the code', () => {
  it('holds what its blocks hold after every operation', () => {
    fc.assert(
      fc.property(randomPrograms(120, false), (trace) => {
        const run = named(memoryRunOf(trace, { name: 'caching', conf: '', capacity: 400 * MIB }));
        run.names.forEach((name, row) => {
          const layer = siteLayer(run, name);
          if (layer === undefined) {
            expect(run.blocks.name.includes(row)).toBe(false);
            return;
          }
          for (let operation = -1; operation < run.end; operation++) {
            const wanted = summed(run, row, operation);
            expect([...layer.categoriesAt(operation)]).toEqual(wanted);
            expect(layer.bytesAt(operation)).toBe(wanted.reduce((sum, bytes) => sum + bytes, 0));
          }
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is not there for a name that no block has, and is called by its file and line', () => {
    const [trace] = fc.sample(randomPrograms(40, false), { numRuns: 1, seed: 3 });
    if (trace === undefined) throw new Error('no program');
    const run = named(memoryRunOf(trace, { name: 'caching', conf: '', capacity: 400 * MIB }));
    expect(siteLayer(run, 'elsewhere.py:1')).toBeUndefined();
    expect(siteLayer(run, 'app/model.py:39 forward')?.shortName).toBe('model.py:39');
  });
});
