import { describe, expect, it } from 'vitest';
import { quietMoments, siteGrowth } from './site-growth.js';
import { TraceBuilder } from './trace-builder.js';
import { type Trace } from './trace.js';

const MIB = 2 ** 20;
const STEPS = 8;

/** Steps of a program: activations come and go, `kept` bytes of each step stay. */
function stepping(kept: (step: number) => number): Trace {
  const builder = new TraceBuilder('steps');
  builder.allocate(0, 100 * MIB);
  for (let step = 0; step < STEPS; step++) {
    for (let i = 1; i <= 10; i++) builder.allocate(1000 + i, 50 * MIB);
    builder.allocate(2000 + step, kept(step));
    for (let i = 1; i <= 10; i++) builder.free(1000 + i);
  }
  return builder.finish();
}

const sitesOf = (trace: Trace): Int32Array => Int32Array.from(trace.ids, (id) => (id < 1000 ? 1 : id < 2000 ? 2 : 3));

describe('places that grow step over step', () => {
  it('are those whose tensors stay', () => {
    const trace = stepping(() => 2 * MIB);
    const moments = quietMoments(trace, 1, STEPS);
    expect(moments).toHaveLength(STEPS);
    const [growth, ...more] = siteGrowth(trace, sitesOf(trace), moments);
    expect(more).toEqual([]);
    expect(growth).toMatchObject({ site: 3, tensors: STEPS });
    expect(growth?.bytes).toEqual(Array.from({ length: STEPS }, (_, step) => 2 * MIB * step));
  });

  it('do not include what rises by less than 1 MiB in all', () => {
    const trace = stepping(() => MIB / 8 - 1);
    expect(siteGrowth(trace, sitesOf(trace), quietMoments(trace, 1, STEPS))).toEqual([]);
  });

  it('do not include what rises only once', () => {
    const trace = stepping((step) => (step === 3 ? 50 * MIB : 0));
    expect(siteGrowth(trace, sitesOf(trace), quietMoments(trace, 1, STEPS))).toEqual([]);
  });
});
