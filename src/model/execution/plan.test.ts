import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MiB } from '../../base/units.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { replay } from '../trace/replay.js';
import { TraceBuilder } from '../trace/trace-builder.js';
import { type Trace } from '../trace/trace.js';
import { largestFitting } from './largest-batch.js';
import { plantOverlap } from './overlap.js';
import { PLACEMENTS } from './placement.js';
import { type ExecutionPlan, planExecution, segmentOver } from './plan.js';
import { scaleTrace } from './scale.js';
import { traceOfLoop, variantsFor } from './variants.js';

const BUDGET = MiB(8);

/** A random program of up to 60 tensors. */
const programs = fc
  .array(fc.record({ size: fc.integer({ min: 0, max: MiB(2) }), free: fc.nat(), frees: fc.boolean() }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((choices) => {
    const builder = new TraceBuilder('random');
    const live: number[] = [];
    choices.forEach(({ size, free, frees }, id) => {
      builder.allocate(id, size);
      live.push(id);
      if (frees) builder.free(live.splice(free % live.length, 1)[0] ?? 0);
    });
    return builder.finish();
  });

/** Carries a plan out on paper; throws where it does what no device can do. */
function walk(plan: ExecutionPlan): { readonly peak: number; readonly checked: number } {
  const segments = new Map<number, number>();
  const alive = new Map<number, { segment: number; from: number; to: number }>();
  let held = 0;
  let peak = 0;
  let checked = 0;
  for (const step of plan.steps) {
    if (step.kind === 'create') {
      segments.set(step.segment, step.size);
      held += step.size;
      peak = Math.max(peak, held);
      if (held > plan.scaled.capacity) throw new Error('over the budget');
    } else if (step.kind === 'refuse') {
      if (held + step.size <= plan.scaled.capacity) throw new Error('refused although there is room');
    } else if (step.kind === 'destroy') {
      for (const range of alive.values())
        if (range.segment === step.segment) throw new Error('destroyed under a tensor');
      held -= segments.get(step.segment) ?? NaN;
      segments.delete(step.segment);
    } else if (step.kind === 'produce') {
      const place = plan.tensors[step.tensor];
      const size = segments.get(place?.segment ?? -1);
      if (place === undefined || size === undefined) throw new Error('placed in no segment');
      const range = { segment: place.segment, from: place.offset, to: place.offset + place.bytes };
      if (range.from % 256 !== 0 || range.to > size) throw new Error('placed badly');
      for (const other of alive.values()) {
        if (other.segment === range.segment && other.from < range.to && range.from < other.to)
          throw new Error('overlap');
      }
      if (step.work.kind === 'map' && !alive.has(step.work.source)) throw new Error('reads what is gone');
      alive.set(step.tensor, range);
    } else if (step.kind === 'check') {
      if (!alive.delete(step.tensor)) throw new Error('checked twice, or never made');
      checked += 1;
    }
  }
  if (alive.size > 0) throw new Error('not checked');
  return { peak, checked };
}

describe('planExecution', () => {
  it.each(PLACEMENTS)('makes plans that a device can carry out (%s)', (placement) => {
    fc.assert(
      fc.property(programs, fc.constantFrom(1, 4, 64), (trace, scale) => {
        const plan = planExecution(scaleTrace(trace, BUDGET * scale, BUDGET), placement);
        const { peak } = walk(plan);
        expect(peak).toBe(plan.predicted.peakReserved);
      }),
      { numRuns: 60 },
    );
  });

  it('decides as the unscaled allocator does where no size is clamped', () => {
    fc.assert(
      fc.property(programs, (trace) => {
        const whole: Trace = { ...trace, size: trace.size.map((size) => Math.ceil(size / 2048) * 2048 * 16) };
        const plan = planExecution(scaleTrace(whole, BUDGET * 8, BUDGET), 'caching');
        const result = replay(whole, new CachingAllocator({ capacity: BUDGET * 8 }));
        expect(plan.predicted.outcome).toBe(result.outcome.status);
        if (result.outcome.status === 'completed') expect(plan.predicted.peakReserved * 8).toBe(result.peakReserved);
        else expect(plan.predicted.failure?.operation).toBe(result.outcome.operation);
      }),
    );
  });

  it('names the first segment that no buffer can hold', () => {
    const builder = new TraceBuilder('large');
    builder.allocate(1, MiB(3));
    builder.allocate(2, MiB(4));
    const plan = planExecution(scaleTrace(builder.finish(), BUDGET, BUDGET), 'direct');
    expect(segmentOver(plan, MiB(4))).toBeUndefined();
    expect(segmentOver(plan, MiB(4) - 1)).toBe(MiB(4));
  });
});

describe('the variants of the lab', () => {
  const planOf = (id: string) => {
    const variant = variantsFor('quick').find((each) => each.id === id);
    if (variant === undefined) throw new Error(`no variant ${id}`);
    return planExecution(scaleTrace(traceOfLoop(variant.loop), variant.loop.capacity, MiB(40)), variant.placement);
  };

  it('runs out of memory with concats while more is free than was asked for', () => {
    for (const id of ['concat-caching', 'case13b-concat-caching']) {
      const { failure } = planOf(id).predicted;
      expect(failure?.freeInSegments ?? 0).toBeGreaterThan(failure?.requested ?? Infinity);
    }
  });
  it('completes on the same budget with the buffer made once', () => {
    expect(planOf('prealloc-caching').predicted.outcome).toBe('completed');
    expect(planOf('case13b-prealloc-b8-caching').predicted.outcome).toBe('completed');
  });
  it('moves old bytes again for concats alone', () => {
    const recopied = (id: string) =>
      planOf(id).steps.reduce(
        (sum, step) => sum + (step.kind === 'produce' && step.work.kind === 'concat' ? step.work.recopied : 0),
        0,
      );
    expect(recopied('concat-caching')).toBeGreaterThan(MiB(1));
    expect(recopied('prealloc-caching')).toBe(0);
    expect(recopied('case13b-prealloc-b8-caching')).toBe(0);
  });
  it('writes slices into the buffer made once', () => {
    expect(planOf('prealloc-caching').steps.filter(({ kind }) => kind === 'slice')).toHaveLength(20);
    expect(planOf('case13b-prealloc-b8-caching').steps.filter(({ kind }) => kind === 'slice')).toHaveLength(120);
  });
});

describe('plantOverlap', () => {
  it('moves one tensor 256 bytes into the one before it', () => {
    const builder = new TraceBuilder('two');
    builder.allocate(1, 1024);
    builder.allocate(2, 1024);
    const plan = planExecution(scaleTrace(builder.finish(), BUDGET, BUDGET), 'caching');
    const planted = plantOverlap(plan);
    expect(planted).toMatchObject({ victim: 0, moved: 1, bytes: 256 });
    expect(planted?.plan.tensors[1]?.offset).toBe(1024 - 256);
    expect(() => walk(planted?.plan ?? plan)).toThrow('overlap');
  });
  it('finds no pair where every tensor has a buffer of its own', () => {
    const builder = new TraceBuilder('two');
    builder.allocate(1, 1024);
    builder.allocate(2, 1024);
    expect(plantOverlap(planExecution(scaleTrace(builder.finish(), BUDGET, BUDGET), 'direct'))).toBeUndefined();
  });
});

describe('largestFitting', () => {
  it('finds every border', async () => {
    for (let border = 0; border <= 17; border++) {
      const asked: number[] = [];
      const found = await largestFitting(16, (batch) => {
        asked.push(batch);
        return Promise.resolve(batch <= border);
      });
      expect(found).toBe(Math.min(border, 16));
      expect(Math.max(...asked)).toBeLessThanOrEqual(16);
      expect(asked.length).toBeLessThanOrEqual(10);
    }
  });
});

it('says of an arena over the budget that all of it was asked for, not its first tensor', () => {
  const builder = new TraceBuilder('two');
  builder.allocate(0, 512);
  builder.allocate(1, MiB(9));
  const { predicted } = planExecution(scaleTrace(builder.finish(), MiB(8), MiB(8)), 'arena');
  expect(predicted).toMatchObject({ outcome: 'out-of-memory', refusals: 1 });
  expect(predicted.failure?.requested).toBeGreaterThan(MiB(9));
  expect(predicted.failure?.freeOutside).toBe(MiB(8));
});
