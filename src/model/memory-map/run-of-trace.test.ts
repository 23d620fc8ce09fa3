import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Allocator, type Heap } from '../allocator/allocator.js';
import { ALLOCATORS, makeAllocator } from '../allocator/registry.js';
import { Replay } from '../trace/replay.js';
import { type Trace } from '../trace/trace.js';
import { type MemoryRun } from './memory-run.js';
import { holesOf, largestHoleOf, MomentReader } from './moment.js';
import { memoryRunOf } from './run-of-trace.js';
import { randomPrograms } from './testing/random-program.js';

const MIB = 2 ** 20;
const SETUPS = [
  ...ALLOCATORS.map(({ name }) => ({ name, conf: '' })),
  { name: 'caching', conf: 'expandable_segments:True' },
  { name: 'caching', conf: 'max_split_size_mb:21,garbage_collection_threshold:0.6' },
  { name: 'bfc', conf: 'allow_growth=true' },
  { name: 'direct', conf: 'granularity=64KiB' },
];
/** `stream-ordered` may use memory again that still waits, on its own stream: such memory counts as free here. */
const hasPending = (name: string) => name === 'caching';

/** Segments with their blocks in order, as the view would draw them. */
function drawn(run: MemoryRun, reader: MomentReader, operation: number) {
  const moment = reader.at(operation);
  return moment.areas.map((area) => [
    area.address,
    area.size,
    ...[...moment.rows.subarray(area.first, area.end)].map((row) => [
      run.blocks.address[row],
      run.blocks.size[row],
      (run.blocks.freedAt[row] ?? 0) > operation,
    ]),
  ]);
}

const drawnHeap = (heap: Heap, name: string) =>
  heap.segments.map(({ address, size, blocks }) => [
    address,
    size,
    ...blocks
      .filter(({ state }) => state === 'allocated' || (state === 'pending' && hasPending(name)))
      .map((block) => [block.address, block.size, block.state === 'allocated']),
  ]);

function figures(heap: Heap, name: string) {
  const holes = heap.segments.flatMap(({ blocks }) => {
    // Free neighbours are one hole.
    const sizes: number[] = [];
    let open = 0;
    for (const { state, size } of blocks) {
      const isFree = state === 'free' || (state === 'pending' && !hasPending(name));
      if (isFree) open += size;
      else {
        sizes.push(open);
        open = 0;
      }
    }
    return [...sizes, open].filter((size) => size > 0);
  });
  return {
    free: holes.reduce((sum, size) => sum + size, 0),
    holes: holes.length,
    largest: Math.max(0, ...holes),
    segments: heap.segments.length,
  };
}

/** Compares a run with a replay that looks at the allocator after every operation. */
function compare(trace: Trace, setup: { readonly name: string; readonly conf: string; readonly capacity: number }) {
  const run = memoryRunOf(trace, setup, { afterFailure: 'go-on' });
  const allocator: Allocator = makeAllocator({ ...setup, trace }).allocator;
  const replay = new Replay(allocator);
  const reader = new MomentReader(run);
  expect(run.end).toBe(trace.length);
  for (let i = 0; i < trace.length; i++) {
    replay.step(trace, i);
    const heap = allocator.heap();
    expect(drawn(run, reader, i)).toEqual(drawnHeap(heap, setup.name));
    const { tracks } = run;
    expect({
      free: tracks.free[i],
      holes: tracks.holes[i],
      largest: tracks.largestHole[i],
      segments: tracks.segments[i],
    }).toEqual(figures(heap, setup.name));
    expect(tracks.allocated[i]).toBe(allocator.totals.allocated);
    expect(tracks.reserved[i]).toBe(allocator.totals.reserved);
  }
  expect(run.failures.count).toBe(replay.result().failures);
}

describe('a run of a program', () => {
  it.each(SETUPS)('has the heap of $name $conf after any operation', ({ name, conf }) => {
    fc.assert(
      fc.property(randomPrograms(90, hasPending(name)), fc.integer({ min: 40, max: 220 }), (trace, budget) => {
        compare(trace, { name, conf, capacity: budget * MIB });
      }),
      { numRuns: 25 },
    );
  });

  it('stops at the first failure unless it is told to go on', () => {
    fc.assert(
      fc.property(randomPrograms(120, false), (trace) => {
        const setup = { name: 'caching', conf: '', capacity: 48 * MIB };
        const all = memoryRunOf(trace, setup, { afterFailure: 'go-on' });
        const run = memoryRunOf(trace, setup);
        const first = all.failures.operation[0];
        expect(run.end).toBe(first === undefined ? trace.length : first + 1);
        expect(run.operations).toBe(trace.length);
        expect(run.failures.count).toBe(first === undefined ? 0 : 1);
      }),
    );
  });

  it('finds the largest hole where the track says so', () => {
    fc.assert(
      fc.property(randomPrograms(80, true), (trace) => {
        const run = memoryRunOf(trace, { name: 'caching', conf: '', capacity: 300 * MIB });
        const reader = new MomentReader(run);
        for (let i = 0; i < run.end; i++) {
          const moment = reader.at(i);
          expect(largestHoleOf(run, moment)?.size ?? 0).toBe(run.tracks.largestHole[i]);
          const free = moment.areas.flatMap((_, area) => holesOf(run, moment, area));
          expect(free).toHaveLength(run.tracks.holes[i] ?? -1);
        }
      }),
      { numRuns: 20 },
    );
  });
});
