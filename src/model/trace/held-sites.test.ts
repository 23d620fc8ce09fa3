import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heldSites, peakOperation } from './held-sites.js';
import { withoutTensors } from './pick-operations.js';
import { TraceBuilder } from './trace-builder.js';
import { OPERATION, type Trace } from './trace.js';

/** Programs of allocations (positive sizes) and frees of the oldest live tensor (0). */
const programs = fc.array(fc.nat(50), { minLength: 1, maxLength: 120 }).map((steps) => {
  const builder = new TraceBuilder('program');
  const live: number[] = [];
  steps.forEach((size, step) => {
    if (size > 0) {
      builder.allocate(step, size);
      live.push(step);
    } else {
      const oldest = live.shift();
      if (oldest !== undefined) builder.free(oldest);
    }
  });
  return builder.finish();
});
const SITES = 4;
const sitesOf = (trace: Trace): Int32Array => Int32Array.from(trace.ids, (id) => (id % SITES) - 1);

/** Live tensors after an operation, the slow way. */
function liveAfter(trace: Trace, operation: number): Map<number, number> {
  const live = new Map<number, number>();
  for (let i = 0; i <= operation; i++) {
    if (trace.kind[i] === OPERATION.allocate) live.set(trace.tensor[i] ?? -1, trace.size[i] ?? 0);
    else live.delete(trace.tensor[i] ?? -1);
  }
  return live;
}
const bytesOf = (live: Map<number, number>): number => [...live.values()].reduce((sum, size) => sum + size, 0);

describe('places that hold memory', () => {
  it('hold what is live of them at any operation', () => {
    fc.assert(
      fc.property(programs, fc.nat(200), (trace, at) => {
        const operation = at % Math.max(1, trace.length);
        const sites = sitesOf(trace);
        const live = liveAfter(trace, operation);
        const expected = [0, 1, 2].map((site) => {
          const own = [...live].filter(([tensor]) => sites[tensor] === site);
          return { site, bytes: bytesOf(new Map(own)), tensors: own.length };
        });
        expect([...heldSites(trace, sites, 0, operation)].sort((a, b) => a.site - b.site)).toEqual(
          expected.filter(({ tensors }) => tensors > 0),
        );
      }),
    );
  });

  it('leave out what was there before the first operation that counts', () => {
    const builder = new TraceBuilder('start');
    builder.allocate(1, 10);
    builder.allocate(2, 20);
    builder.free(1);
    const trace = builder.finish();
    expect(heldSites(trace, Int32Array.of(0, 0), 1, 2)).toEqual([{ site: 0, bytes: 20, tensors: 1 }]);
  });

  it('are asked about where most is live', () => {
    fc.assert(
      fc.property(programs, (trace) => {
        const all = Array.from({ length: trace.length }, (_, i) => bytesOf(liveAfter(trace, i)));
        expect(all[peakOperation(trace)] ?? 0).toBe(Math.max(0, ...all));
      }),
    );
  });
});

describe('a trace without some tensors', () => {
  it('keeps the operations of all others, in order', () => {
    fc.assert(
      fc.property(programs, (trace) => {
        const rest = withoutTensors(trace, (tensor) => tensor % 2 === 1);
        const shown = (some: Trace) =>
          Array.from({ length: some.length }, (_, i) => [some.kind[i], some.tensor[i], some.size[i]]);
        expect(shown(rest)).toEqual(shown(trace).filter(([, tensor]) => (tensor ?? 0) % 2 === 0));
      }),
    );
  });
});
