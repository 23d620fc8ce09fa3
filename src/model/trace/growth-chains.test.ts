import { describe, expect, it } from 'vitest';
import { growthChains, preallocated } from './growth-chains.js';
import { TraceBuilder } from './trace-builder.js';
import { OPERATION, type Trace } from './trace.js';

const CAT = 7;
const OTHER = 8;

/** A cache that grows by `torch.cat`, with a temporary at each step. */
function growing(steps: number, options: { readonly freesLate?: boolean; readonly shrinks?: boolean } = {}): Trace {
  const builder = new TraceBuilder('growing');
  builder.allocate(0, 100);
  for (let step = 1; step <= steps; step++) {
    builder.allocate(1000 + step, 5);
    builder.allocate(step, options.shrinks === true ? 100 - step : 100 + step);
    if (options.freesLate === true) {
      for (let i = 0; i < 20; i++) {
        builder.allocate(5000 + 100 * step + i, 1);
        builder.free(5000 + 100 * step + i);
      }
    }
    builder.free(step - 1);
    builder.free(1000 + step);
  }
  builder.free(steps);
  return builder.finish();
}

const sitesOf = (trace: Trace): Int32Array => Int32Array.from(trace.ids, (id) => (id < 1000 ? CAT : OTHER));

describe('tensors that grow by copy', () => {
  it('are one chain from the first size to the last', () => {
    const trace = growing(5);
    const [chain, ...more] = growthChains(trace, sitesOf(trace));
    expect(more).toEqual([]);
    expect(chain).toMatchObject({ site: CAT, firstSize: 100, lastSize: 105 });
    expect(chain?.tensors.map((tensor) => trace.ids[tensor])).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it.each([
    ['that do not grow', growing(5, { shrinks: true })],
    ['freed long after the copy', growing(5, { freesLate: true })],
    ['of two steps', growing(1)],
  ])('are none where tensors are %s', (_, trace) => {
    expect(growthChains(trace, sitesOf(trace))).toEqual([]);
  });

  it('are none where the place in the code is not known', () => {
    const trace = growing(5);
    expect(growthChains(trace, new Int32Array(trace.ids.length).fill(-1))).toEqual([]);
  });

  it('preallocated are one tensor of the last size; all else stays', () => {
    const trace = growing(3);
    const changed = preallocated(trace, growthChains(trace, sitesOf(trace)));
    const shown = Array.from(
      { length: changed.length },
      (_, i) =>
        `${changed.kind[i] === OPERATION.allocate ? 'a' : 'f'}${changed.ids[changed.tensor[i] ?? 0] ?? ''}` +
        (changed.kind[i] === OPERATION.allocate ? `:${changed.size[i] ?? 0}` : ''),
    );
    expect(shown.join(' ')).toBe('a0:103 a1001:5 f1001 a1002:5 f1002 a1003:5 f1003 f0');
  });
});
