import { describe, expect, it } from 'vitest';
import { type Heap } from '../allocator/allocator.js';
import { oomStates } from '../snapshot/oom-states.js';
import { readSnapshot } from '../snapshot/read-snapshot.js';
import { recordedHeap } from '../snapshot/recorded-heap.js';
import { type RecordedSnapshot } from '../snapshot/recorded-snapshot.js';
import { expandableFailure } from '../snapshot/testing/expandable-failure.js';
import { pythonPickle } from '../snapshot/testing/python-pickle.js';
import { recordedRun as modelRun, type RunShape } from '../snapshot/testing/recorded-run.js';
import { sampleSnapshot } from '../snapshot/testing/sample-snapshot.js';
import { type MemoryRun } from './memory-run.js';
import { holesOf, largestHoleOf, MomentReader } from './moment.js';
import { recordedRun } from './run-of-recording.js';

const MIB = 2 ** 20;
const SHAPES: readonly RunShape[] = [
  { seed: 1, steps: 300, capacity: 400 * MIB },
  { seed: 2, steps: 300, capacity: 300 * MIB, conf: 'expandable_segments:True' },
  { seed: 3, steps: 300, capacity: 500 * MIB, streams: 3, lost: 150 },
  { seed: 4, steps: 300, capacity: 300 * MIB, conf: 'max_split_size_mb:32', flushEvery: 40, lost: 90 },
  { seed: 5, steps: 300, capacity: 400 * MIB, conf: 'expandable_segments:True', lost: 200, flushEvery: 50 },
];

const inUse = (heap: Heap) =>
  heap.segments.map(({ address, size, blocks }) => [
    address,
    size,
    ...blocks.filter(({ state }) => state !== 'free').map((block) => [block.address, block.size, block.state]),
  ]);

function drawn(run: MemoryRun, reader: MomentReader, event: number) {
  const { blocks } = run;
  const moment = reader.at(event);
  return moment.areas.map(({ address, size, first, end }) => [
    address,
    size,
    ...[...moment.rows.subarray(first, end)].map((row) => [
      blocks.address[row],
      blocks.size[row],
      (blocks.freedAt[row] ?? 0) > event ? 'allocated' : 'pending',
    ]),
  ]);
}

function only(snapshot: RecordedSnapshot) {
  const [trace] = snapshot.traces;
  if (trace === undefined) throw new Error('no trace');
  return { snapshot, trace };
}

describe('a recorded run', () => {
  it.each(SHAPES)('has the heap of the process after every entry (seed $seed $conf)', (shape) => {
    const { snapshot, trace } = only(modelRun(shape));
    const run = recordedRun(snapshot, trace);
    const reader = new MomentReader(run);
    expect(run.end).toBe(trace.count);
    expect(run.contradictions).toBe(0);
    for (let event = -1; event < trace.count; event++) {
      expect(drawn(run, reader, event)).toEqual(inUse(recordedHeap(snapshot, trace, event + 1).heap));
    }
  });

  it.each(SHAPES)('has the figures of every failure (seed $seed $conf)', (shape) => {
    const { snapshot, trace } = only(modelRun({ ...shape, capacity: 150 * MIB }));
    const run = recordedRun(snapshot, trace);
    const states = oomStates(snapshot);
    expect(run.failures.count).toBe(states.length);
    expect(states.length).toBeGreaterThan(0);
    states.forEach((state, row) => {
      const event = run.failures.operation[row] ?? -1;
      expect(event).toBe(state.event);
      expect({
        tried: run.failures.requested[row],
        deviceFree: run.failures.deviceFree[row],
        reserved: run.tracks.reserved[event],
        allocated: run.tracks.allocated[event],
        free: run.tracks.free[event],
        holes: run.tracks.holes[event],
        largest: run.tracks.largestHole[event],
      }).toEqual({
        tried: state.tried_bytes,
        deviceFree: state.device_free_bytes,
        reserved: state.reserved_bytes,
        allocated: state.allocated_bytes,
        free: state.inactive_bytes,
        holes: state.inactive_blocks,
        largest: state.largest_inactive_block,
      });
    });
  });

  it('reads a failure of 80 GB under expandable segments', () => {
    const { snapshot, trace } = only(readSnapshot(expandableFailure(), 'failure'));
    const run = recordedRun(snapshot, trace);
    const moment = new MomentReader(run).at(0);
    expect(largestHoleOf(run, moment)?.size).toBe(17_313_792);
    expect(moment.areas.flatMap((_, area) => holesOf(run, moment, area))).toHaveLength(23);
    expect(run.capacity).toBe(84_202_749_952 + 95_682_560);
  });

  it('counts what contradicts and keeps every entry of a trace that makes no sense', () => {
    const bytes = pythonPickle(sampleSnapshot({ events: 3000, depth: 4, seed: 7 }), 4);
    const { snapshot, trace } = only(readSnapshot(bytes, 'mixed'));
    const run = recordedRun(snapshot, trace);
    expect(run.end).toBe(3000);
    expect(run.events.kind).toHaveLength(3000);
    expect(run.contradictions).toBeGreaterThan(0);
    const reader = new MomentReader(run);
    for (let event = 0; event < run.end; event += 7) {
      const moment = reader.at(event);
      const free = moment.areas.flatMap((_, area) => holesOf(run, moment, area));
      expect(free.reduce((sum, { size }) => sum + size, 0)).toBe(run.tracks.free[event]);
      expect(free).toHaveLength(run.tracks.holes[event] ?? -1);
      let end = 0;
      for (const row of moment.rows) {
        expect(run.blocks.address[row]).toBeGreaterThanOrEqual(end);
        end = (run.blocks.address[row] ?? 0) + (run.blocks.size[row] ?? 0);
      }
    }
  });
});
