import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../base/errors.js';
import { WORKLOADS } from '../../workload/catalogue.js';
import { traceOf } from '../../workload/trace-program.js';
import { BumpMemory } from '../bfc/bump-memory.js';
import { ArenaAllocator } from './arena-allocator.js';
import { type Lifetimes, lifetimesOf, maxLive } from './lifetimes.js';
import { type ArenaPlan, planArena } from './plan.js';

const lifetimes = (tensors: readonly (readonly [size: number, begin: number, end: number])[]): Lifetimes => ({
  count: tensors.length,
  sizes: Float64Array.from(tensors, ([size]) => size),
  requested: Float64Array.from(tensors, ([size]) => size),
  begins: Int32Array.from(tensors, ([, begin]) => begin),
  ends: Int32Array.from(tensors, ([, , end]) => end),
});

/** Pairs of tensors that live at the same time and share bytes. */
function overlaps(of: Lifetimes, plan: ArenaPlan): number {
  const events: (readonly [time: number, isBegin: number, tensor: number])[] = [];
  for (let i = 0; i < of.count; i++) {
    if (of.sizes[i] === 0) continue;
    events.push([of.begins[i] ?? 0, 1, i], [of.ends[i] ?? 0, 0, i]);
  }
  events.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const live = new Set<number>();
  let found = 0;
  const end = (i: number): number => (plan.offsets[i] ?? 0) + (of.sizes[i] ?? 0);
  for (const [, isBegin, i] of events) {
    if (isBegin === 0) {
      live.delete(i);
      continue;
    }
    for (const j of live) if ((plan.offsets[i] ?? 0) < end(j) && (plan.offsets[j] ?? 0) < end(i)) found++;
    live.add(i);
  }
  return found;
}

/** Tensors one operation apart, as a trace has them: one begins or ends at each time. */
const random = fc
  .array(fc.record({ size: fc.integer({ min: 0, max: 40 }), life: fc.integer({ min: 1, max: 30 }) }), {
    maxLength: 60,
    size: 'max',
  })
  .map((tensors) => lifetimes(tensors.map(({ size, life }, i) => [size * 256, i, i + life] as const)));

describe('the offline plan', () => {
  it('never overlaps, never takes less than the bound, holds every tensor', () => {
    fc.assert(
      fc.property(random, fc.constantFrom(0, 1e9), (tensors, work) => {
        const plan = planArena(tensors, work);
        expect(overlaps(tensors, plan)).toBe(0);
        expect(plan.lowerBound).toBe(maxLive(tensors));
        expect(plan.size).toBeGreaterThanOrEqual(plan.lowerBound);
        const top = plan.offsets.reduce((most, offset, i) => Math.max(most, offset + (tensors.sizes[i] ?? 0)), 0);
        expect(plan.size).toBe(top);
      }),
      { numRuns: 300 },
    );
  });

  it('finds the bound where placing tensors as they come does not', () => {
    // A short one first makes the online plan put the long ones above it.
    const tensors = lifetimes([
      [2, 0, 2],
      [4, 1, 10],
      [6, 3, 9],
    ]);
    const online = planArena(tensors, 0);
    expect(online).toMatchObject({ order: 'start', skipped: ['size', 'area', 'duration', 'breadth'] });
    const plan = planArena(tensors);
    expect(plan.size).toBe(plan.lowerBound);
    expect(online.size).toBeGreaterThan(plan.size);
  });

  const training = WORKLOADS.filter(({ id }) =>
    ['case13b', 'lesson-loop', 'transformer', 'evaluation', 'zero3-gather', 'gradient-buckets', 'train'].includes(id),
  );
  it.each(training.map((workload) => [workload.id, workload] as const))(
    'is within 5 % of the bound on %s',
    { timeout: 60_000 },
    (_, workload) => {
      const tensors = lifetimesOf(traceOf(workload), 256);
      const plan = planArena(tensors);
      expect(overlaps(tensors, plan)).toBe(0);
      expect(plan.size).toBeGreaterThanOrEqual(plan.lowerBound);
      expect(plan.size).toBeLessThanOrEqual(plan.lowerBound * 1.05);
    },
  );
});

describe('the arena', () => {
  const tensors = lifetimes([
    [512, 0, 2],
    [256, 1, 3],
  ]);

  it('takes one segment and refuses a program that it was not planned for', () => {
    const arena = new ArenaAllocator(new BumpMemory(4096), tensors, planArena(tensors));
    arena.malloc(512);
    expect(arena.totals).toMatchObject({ reserved: 768, segments: 1 });
    expect(() => arena.malloc(257)).toThrow(AppError);
    arena.malloc(256);
    expect(() => arena.malloc(256)).toThrow(/the plan has no more/);
  });

  it('is out of memory when the device is smaller than the plan', () => {
    const arena = new ArenaAllocator(new BumpMemory(767), tensors, planArena(tensors));
    expect(arena.malloc(512)).toBe(-1);
    expect(arena.lastFailure()).toMatchObject({ requested: 512, deviceFree: 767 });
  });
});
