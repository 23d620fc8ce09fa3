/**
 * The figures of the Why panel on every kind of allocator, at a failure and at any moment, found again from the trace and
 * the allocator's own state alone: the run is made by hand, call by call.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MiB } from '../../base/units.js';
import { makeAllocator } from '../allocator/registry.js';
import { MomentReader } from '../memory-map/moment.js';
import { type Trace } from '../trace/trace.js';
import { traceOfProgram, type LabSetup } from './lab-program.js';
import { labRun } from './lab-run.js';
import { momentWhy } from './moment-why.js';
import { freeBlocks, mostlyEmptyOf, runByHand, sum } from './testing/by-hand.js';
import { whyOf } from './why.js';

const KINDS = [
  { name: 'caching', conf: '' },
  { name: 'caching', conf: 'expandable_segments:True' },
  { name: 'bfc', conf: '' },
  { name: 'bfc', conf: 'allow_growth=true' },
  { name: 'arena', conf: '' },
  { name: 'direct', conf: '' },
] as const;
/** Blocks are multiples of this, in bytes. */
const UNITS: Readonly<Record<string, number>> = { caching: 512, bfc: 256 };
const LOOP = traceOfProgram({ kind: 'workload', workload: 'lesson-loop', parameters: {} });
const churn = (seed: number): Trace =>
  traceOfProgram({
    kind: 'workload',
    workload: 'churn',
    parameters: { seed, ops: 600, smallest: '1MiB', largest: '24MiB', max_live: 24 },
  });

function handOf(trace: Trace, setup: LabSetup, at: number, before: readonly number[] = []) {
  const { allocator } = makeAllocator({ ...setup, trace });
  return { allocator, ...runByHand(allocator, trace, at, before) };
}

/** What the panel says of the failure, against the allocator right after it; false where the program completes. */
function checkFailure(trace: Trace, setup: LabSetup): boolean {
  const { failure } = labRun(trace, setup);
  if (failure === undefined) {
    expect(handOf(trace, setup, trace.length - 1).isServed).toBe(true);
    return false;
  }
  const { allocator, isServed } = handOf(trace, setup, failure.operation);
  expect(isServed).toBe(false);
  const { head, bars, flush, frees } = whyOf(failure);
  const heap = allocator.heap();
  const holes = freeBlocks(heap);
  const left = setup.capacity - sum(heap.segments.map(({ size }) => size));
  const asked = trace.size[failure.operation] ?? 0;
  const unit = UNITS[setup.name] ?? 1;
  const request = Math.ceil(asked / unit) * unit;
  const largestHole = Math.max(0, ...holes);
  expect(bars).toMatchObject({
    needed: request,
    largestHole,
    holeShort: Math.max(0, request - largestHole),
    notReserved: left,
  });
  const free = sum(holes) + left;
  switch (head.kind) {
    case 'in-pieces':
      expect(head).toEqual({ kind: head.kind, request, free, pieces: holes.length + (left > 0 ? 1 : 0) });
      expect(request).toBeLessThanOrEqual(free);
      break;
    case 'too-little':
    case 'limit':
      expect(head).toEqual({ kind: head.kind, request, free, short: request - free });
      expect(request).toBeGreaterThan(free);
      break;
    case 'segment-step':
      expect(head).toMatchObject({ request, left });
      expect(left).toBeGreaterThanOrEqual(request);
  }
  expect(flush?.mostlyEmpty ?? 0).toBe(mostlyEmptyOf(heap).length);
  for (const { tensors } of frees?.sets ?? []) {
    const ids = tensors.map(({ id }) => id);
    expect(handOf(trace, setup, failure.operation, ids).isServed).toBe(true);
  }
  return true;
}

describe.each(KINDS)('on $name "$conf"', (kind) => {
  it('the figures of the failure are those of the allocator', () => {
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 40, max: 260 }), (seed, mib) => {
        outcomes.add(checkFailure(churn(seed), { ...kind, capacity: MiB(mib) }));
      }),
      { numRuns: 25 },
    );
    expect(outcomes).toContain(true);
    checkFailure(LOOP, { ...kind, capacity: MiB(640) });
  });

  it('the figures of a moment are those of the allocator then', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.double({ min: 0, max: 1, noNaN: true }), (seed, share) => {
        const trace = churn(seed);
        const setup = { ...kind, capacity: MiB(2048) };
        const { run } = labRun(trace, setup);
        const at = Math.floor(share * (run.end - 1));
        const heap = handOf(trace, setup, at).allocator.heap();
        const holes = freeBlocks(heap);
        const kept = mostlyEmptyOf(heap).sort((a, b) => b - a);
        const { pins, ...figures } = momentWhy(run, new MomentReader(run).at(at));
        expect(figures).toEqual({
          free: sum(holes),
          holes: holes.length,
          largestHole: Math.max(0, ...holes),
          notReserved: setup.capacity - sum(heap.segments.map(({ size }) => size)),
          pinned: kept.length,
          kept: sum(kept),
        });
        expect(pins.map(({ segmentFree }) => segmentFree)).toEqual(kept.slice(0, pins.length));
        for (const { segment, segmentFree, size, blocks } of pins) {
          const alike = heap.segments.filter((each) => each.size === segment).map((each) => each.blocks);
          const found = alike.some((all) => {
            const live = all.filter(({ state }) => state === 'allocated');
            return (
              live.length === blocks &&
              Math.max(...live.map((block) => block.size)) === size &&
              segment - sum(live.map((block) => block.size)) === segmentFree
            );
          });
          expect(found).toBe(true);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('a program that fits peaks where it does by hand', () => {
    const setup = { ...kind, capacity: MiB(4096) };
    const { failure, peakReserved } = labRun(LOOP, setup);
    expect(failure).toBeUndefined();
    expect(peakReserved).toBe(handOf(LOOP, setup, LOOP.length - 1).peakReserved);
  });
});
