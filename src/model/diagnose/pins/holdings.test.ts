import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MomentReader } from '../../memory-map/moment.js';
import { recordedRun as runOf } from '../../memory-map/run-of-recording.js';
import { callSite } from '../../snapshot/call-site.js';
import { readSnapshot } from '../../snapshot/read-snapshot.js';
import { recordedHeap } from '../../snapshot/recorded-heap.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from '../../snapshot/recorded-snapshot.js';
import { recordedRun } from '../../snapshot/testing/recorded-run.js';
import { trainingSample } from '../sample/training-sample.js';
import { holdingsOf } from './holdings.js';

const MIB = 2 ** 20;

/** The same figures from the heap that is rebuilt for the pins of a diagnosis. */
function expected(snapshot: RecordedSnapshot, trace: RecordedTrace, event: number) {
  const { heap, blocks } = recordedHeap(snapshot, trace, event);
  const sites = new Map<string, { bytes: number; blocks: number; pinned: number }>();
  for (const segment of heap.segments) {
    const free = segment.blocks.filter(({ state }) => state === 'free').reduce((sum, { size }) => sum + size, 0);
    const live = segment.size - free;
    const pins = live > 0 && segment.size > 2 * MIB && free >= live ? free : 0;
    const here = new Set<string>();
    for (const { handle } of segment.blocks) {
      const block = blocks[handle];
      if (block === undefined) continue;
      const key = `${callSite(snapshot, block.stack)} ${block.event === -1}`;
      const sum = sites.get(key) ?? { bytes: 0, blocks: 0, pinned: 0 };
      sites.set(key, sum);
      sum.bytes += block.size;
      sum.blocks++;
      if (!here.has(key)) sum.pinned += pins;
      here.add(key);
    }
  }
  return sites;
}

function actual(snapshot: RecordedSnapshot, trace: RecordedTrace, event: number) {
  const run = runOf(snapshot, trace);
  const holdings = holdingsOf(run, new MomentReader(run).at(event - 1));
  return new Map(
    holdings.map(({ name, isStart, bytes, blocks, pinned }) => [
      `${run.names[name] ?? 'no call stack was recorded'} ${isStart}`,
      { bytes, blocks, pinned },
    ]),
  );
}

describe('what holds memory', () => {
  it('is, at any entry of the sample, what the rebuilt heap says', () => {
    const snapshot = readSnapshot(trainingSample().snapshot, 'sample');
    const trace = snapshot.traces[0];
    if (trace === undefined) throw new Error('no trace');
    for (const some of [0, 1, 500, 1234, 2000, 3486, trace.count]) {
      const event = trace.action[some] === ACTION.freeCompleted ? some + 1 : some;
      expect(actual(snapshot, trace, event)).toEqual(expected(snapshot, trace, event));
    }
  });

  it('is so in random runs whose start was not recorded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.nat(200), (seed, lost) => {
        const snapshot = recordedRun({ seed, steps: 250, capacity: 500 * MIB, lost });
        const trace = snapshot.traces[0];
        if (trace === undefined) throw new Error('no trace');
        for (const some of [0, trace.count >> 1, trace.count]) {
          // Between the two entries of a free the rebuilt heap counts the block no more, though its bytes are not free yet.
          const event = trace.action[some] === ACTION.freeCompleted ? some + 1 : some;
          expect(actual(snapshot, trace, event)).toEqual(expected(snapshot, trace, event));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('names the place, its largest block and its age', () => {
    const snapshot = readSnapshot(trainingSample().snapshot, 'sample');
    const trace = snapshot.traces[0];
    if (trace === undefined) throw new Error('no trace');
    const run = runOf(snapshot, trace);
    const holdings = holdingsOf(run, new MomentReader(run).at(3485));
    const kept = holdings.find(({ name }) => run.names[name] === 'train.py:57 keep_log_probs');
    expect(kept).toMatchObject({ blocks: 16, bytes: 96 * MIB, isStart: false });
    expect(run.stacks[kept?.stack ?? -1]?.[0]).toBe('/workspace/lesson/train.py:57 keep_log_probs');
    expect(kept?.oldest).toBeLessThan(kept?.youngest ?? 0);
  });
});
