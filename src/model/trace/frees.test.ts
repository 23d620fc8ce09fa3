import { expect, test } from 'vitest';
import { MiB } from '../../base/units.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { findWorkload } from '../workload/catalogue.js';
import { traceOf } from '../workload/trace-program.js';
import { type FailureStory, storyOf } from './failure-story.js';
import { Replay } from './replay.js';
import { TraceBuilder } from './trace-builder.js';
import { idOf, OPERATION, type Trace } from './trace.js';

/** The story of the first failure of a trace. */
function storyIn(trace: Trace, capacity: number): { story: FailureStory; operation: number } {
  const allocator = new CachingAllocator({ capacity });
  let story: FailureStory | undefined;
  const replay = new Replay(allocator, {
    onFailure: (first) => (story = storyOf({ ...first, allocator, allowed: capacity })),
  });
  replay.run(trace);
  const { outcome } = replay.result();
  if (story === undefined || outcome.status === 'completed') throw new Error('the trace did not fail');
  return { story, operation: outcome.operation };
}

/** Whether the request of an operation succeeds when some tensors are freed right before it. */
function succeedsAfterFreeing(trace: Trace, capacity: number, operation: number, ids: readonly number[]): boolean {
  const allocator = new CachingAllocator({ capacity });
  const handles = new Map<number, number>();
  for (let i = 0; i < operation; i++) {
    const id = idOf(trace, trace.tensor[i] ?? -1);
    if (trace.kind[i] === OPERATION.allocate) handles.set(id, allocator.malloc(trace.size[i] ?? 0));
    if (trace.kind[i] === OPERATION.free) {
      allocator.free(handles.get(id) ?? -1);
      handles.delete(id);
    }
  }
  for (const id of ids) allocator.free(handles.get(id) ?? -1);
  return allocator.malloc(trace.size[operation] ?? 0) !== -1;
}

/** Tensors alive before an operation. */
function aliveBefore(trace: Trace, operation: number): number[] {
  const alive = new Set<number>();
  for (let i = 0; i < operation; i++) {
    if (trace.kind[i] === OPERATION.allocate) alive.add(idOf(trace, trace.tensor[i] ?? -1));
    if (trace.kind[i] === OPERATION.free) alive.delete(idOf(trace, trace.tensor[i] ?? -1));
  }
  return [...alive];
}

test('the workshop loop fails for 72 MiB; one free of 6 MiB would have been enough, in two ways', () => {
  const { story } = storyIn(traceOf(findWorkload('layer-bank')), MiB(448));
  expect(story).toMatchObject({
    kind: 'fragmentation',
    needed: MiB(72),
    free: MiB(182),
    holes: 6,
    largestHole: MiB(60),
    notReserved: MiB(22),
    mostlyEmpty: 4,
  });
  expect(story.refused.label).toBe('bank3_12');
  const sets = story.frees?.map(({ tensors, bytes, kind, room }) => ({
    names: tensors.map(({ label }) => label),
    bytes,
    kind,
    room,
  }));
  expect(sets).toEqual([
    { names: ['x3_11'], bytes: MiB(6), kind: 'release', room: MiB(88) },
    { names: ['x3_10'], bytes: MiB(6), kind: 'join', room: MiB(72) },
  ]);
});

test('where no single free helps, the cheapest pair empties a segment', () => {
  const builder = new TraceBuilder('two frees');
  const ids = new Map<string, number>();
  const make = (name: string, mib: number) => {
    ids.set(name, ids.size + 1);
    builder.allocate(ids.size, MiB(mib), 0, undefined, name);
  };
  const free = (name: string) => builder.free(ids.get(name) ?? -1);
  make('A', 60);
  make('B', 60);
  free('A');
  make('a1', 4);
  make('t1', 52);
  make('a2', 4);
  free('B');
  make('b1', 3);
  make('t2', 50);
  make('b2', 7);
  free('t1');
  free('t2');
  make('z', 64);
  const { story } = storyIn(builder.finish(), MiB(160));
  expect(story).toMatchObject({ free: MiB(102), notReserved: MiB(40), largestHole: MiB(52) });
  expect(story.frees?.map(({ tensors, bytes }) => [...tensors.map(({ label }) => label), bytes])).toEqual([
    ['a1', 'a2', MiB(8)],
    ['b1', 'b2', MiB(10)],
  ]);
});

test.each([
  ['layer-bank', {}],
  ['layer-bank', { weights: 6, steps: 6 }],
  ['lesson-loop', {}],
  ['pinning', {}],
  ['churn', { seed: 3, ops: 3000, smallest: '1MiB' }],
  ['churn', { seed: 8, ops: 3000, smallest: '2MiB', largest: '32MiB', max_live: 80 }],
] as const)(
  '%s %j: each set is enough on the model, and no other single free is',
  (id, given) => {
    const workload = findWorkload(id);
    const trace = traceOf(workload, given);
    const { story, operation } = storyIn(trace, workload.capacity);
    const frees = story.frees ?? [];
    for (const { tensors } of frees) {
      const ids = tensors.map((tensor) => tensor.id);
      expect([ids, succeedsAfterFreeing(trace, workload.capacity, operation, ids)]).toEqual([ids, true]);
    }
    const named = new Set(frees.filter(({ blocks }) => blocks.length === 1).map(({ tensors }) => tensors[0]?.id));
    const others = aliveBefore(trace, operation).filter((tensor) => !named.has(tensor));
    const enough = others.filter((tensor) => succeedsAfterFreeing(trace, workload.capacity, operation, [tensor]));
    expect(enough).toEqual([]);
  },
  60_000,
);
