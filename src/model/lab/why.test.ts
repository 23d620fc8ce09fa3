/** Every figure of the Why panel is found again here in another way: on an allocator of its own, by hand. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defined } from '../../base/errors.js';
import { MiB } from '../../base/units.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { type Trace } from '../trace/trace.js';
import { findWorkload } from '../workload/catalogue.js';
import { type LabProgram, traceOfProgram } from './lab-program.js';
import { labFits } from './lab-fits.js';
import { type LabFailure, labRun } from './lab-run.js';
import { freeBlocks, mostlyEmptyOf, runByHand, sum } from './testing/by-hand.js';
import { whyOf } from './why.js';

const workload = (id: string, parameters: Readonly<Record<string, unknown>> = {}): LabProgram => ({
  kind: 'workload',
  workload: id,
  parameters,
});

function byHand(trace: Trace, capacity: number, at: number, before: readonly number[] = []) {
  const allocator = new CachingAllocator({ capacity });
  return { allocator, ...runByHand(allocator, trace, at, before) };
}

function checkFigures(trace: Trace, capacity: number, failure: LabFailure): void {
  const why = whyOf(failure);
  const { allocator, isServed } = byHand(trace, capacity, failure.operation);
  expect(isServed).toBe(false);
  const heap = allocator.heap();
  const holes = freeBlocks(heap);
  const left = capacity - sum(heap.segments.map(({ size }) => size));
  const request = Math.max(512, Math.ceil((trace.size[failure.operation] ?? 0) / 512) * 512);
  expect(why.bars).toEqual({
    needed: request,
    largestHole: Math.max(0, ...holes),
    holeShort: Math.max(0, request - Math.max(0, ...holes)),
    notReserved: left,
    notReservedShort: Math.max(0, segmentOf(request) - left),
  });
  const free = sum(holes) + left;
  const pieces = holes.length + (left > 0 ? 1 : 0);
  if (why.head.kind === 'in-pieces') expect(why.head).toMatchObject({ request, free, pieces });
  if (why.head.kind === 'too-little') expect(why.head).toMatchObject({ request, free, short: request - free });
  expect(why.flush?.mostlyEmpty ?? 0).toBe(mostlyEmptyOf(heap).length);
}

/** PyTorch's rule: 2 MiB under 1 MiB, 20 MiB under 10 MiB, else whole steps of 2 MiB. */
function segmentOf(size: number): number {
  if (size <= MiB(1)) return MiB(2);
  return size < MiB(10) ? MiB(20) : Math.ceil(size / MiB(2)) * MiB(2);
}

/** Each set is enough on the model, its sizes add up, and what it says of segments and holes is there. */
function checkFrees(trace: Trace, capacity: number, failure: LabFailure): void {
  const { frees } = whyOf(failure);
  const { allocator, handles } = byHand(trace, capacity, failure.operation);
  const { segments } = allocator.heap();
  const left = capacity - sum(segments.map(({ size }) => size));
  for (const { tensors, bytes, how, room, need } of frees?.sets ?? []) {
    const ids = tensors.map(({ id }) => id);
    expect(byHand(trace, capacity, failure.operation, ids).isServed).toBe(true);
    const addresses = new Set(ids.map((id) => allocator.addressOf(handles.get(id) ?? -1)));
    const sizes = ids.map((id) => allocator.sizeOf(handles.get(id) ?? -1));
    expect(bytes).toBe(sum(sizes));
    expect(room).toBeGreaterThanOrEqual(need);
    const hosts = segments.filter(({ blocks }) => blocks.some(({ address }) => addresses.has(address)));
    if (how.kind === 'gives-back') {
      expect(how.left).toBe(left);
      expect(room).toBe(left + sum(how.segments));
      expect([...how.segments].sort()).toEqual(hosts.map(({ size }) => size).sort());
    } else {
      expect(room).toBe(bytes + sum(how.holes));
      const holes = hosts.flatMap(({ blocks }) =>
        blocks.filter(({ state }) => state === 'free').map(({ size }) => size),
      );
      for (const hole of how.holes) expect(holes).toContain(hole);
    }
  }
}

const CASES: readonly (readonly [string, Readonly<Record<string, unknown>>, number])[] = [
  ['lesson-loop', {}, MiB(992)],
  ['case13b', { seed: 2, steps: 3 }, MiB(39_310)],
  ['layer-bank', {}, MiB(448)],
  ['zero3-gather', {}, findWorkload('zero3-gather').capacity],
  ['gradient-buckets', {}, MiB(1024)],
  ['pinning', {}, MiB(512)],
];

describe('at a failure', () => {
  it.each(CASES)('of %s %j every figure and every set of frees is found again by hand', (id, parameters, capacity) => {
    const trace = traceOfProgram(workload(id, parameters));
    const { failure, run } = labRun(trace, { name: 'caching', capacity });
    if (failure === undefined) throw new Error(`${id} did not fail`);
    expect(run.end).toBe(failure.operation + 1);
    checkFigures(trace, capacity, failure);
    checkFrees(trace, capacity, failure);
    expect(failure.frees?.length).toBeGreaterThan(0);
  });

  it('of any small program the same holds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 40, max: 200 }), (seed, mib) => {
        const parameters = { seed, ops: 800, smallest: '1MiB', largest: '24MiB', max_live: 24 };
        const trace = traceOfProgram(workload('churn', parameters));
        const { failure } = labRun(trace, { name: 'caching', capacity: MiB(mib) });
        if (failure === undefined) return;
        checkFigures(trace, MiB(mib), failure);
        checkFrees(trace, MiB(mib), failure);
      }),
      { numRuns: 40 },
    );
  });

  it('names the old copy only where its free alone is enough', () => {
    const trace = traceOfProgram(workload('lesson-loop'));
    const failure = defined(labRun(trace, { name: 'caching', capacity: MiB(992) }).failure, 'a failure');
    const { asked } = whyOf(failure);
    expect(asked?.other.label).toBe('bank = cat(bank, features), step 15');
    expect(byHand(trace, MiB(992), failure.operation, [asked?.other.id ?? -1]).isServed).toBe(true);
  });

  it('on an allocator whose rule is not known tells what is free, and offers no frees', () => {
    const { failure } = labRun(traceOfProgram(workload('lesson-loop')), { name: 'buddy', capacity: MiB(600) });
    expect(whyOf(defined(failure, 'a failure')).frees).toBeUndefined();
    expect(failure?.story.largestHole).toBeLessThan(failure?.story.needed ?? 0);
  });
});

describe('what fits', () => {
  it('each change of the flagship peaks where a run of its own does', () => {
    const trace = traceOfProgram(workload('case13b', { seed: 2, steps: 3 }));
    const setup = { name: 'caching', capacity: MiB(39_310) };
    const rows = [...labFits(trace, setup)];
    const double = rows.find(({ change }) => change === 'variant=prealloc b=8');
    expect(double).toMatchObject({ outcome: 'completed', peakReserved: MiB(38_378) });
    const own = traceOfProgram(workload('case13b', { seed: 2, steps: 3, variant: 'prealloc', b: 8 }));
    expect(labRun(own, setup).peakReserved).toBe(double?.peakReserved);
    const conf = 'expandable_segments:True';
    const row = rows.find(({ change }) => change === conf);
    expect(labRun(trace, { ...setup, conf }).peakReserved).toBe(row?.peakReserved);
  });
});
