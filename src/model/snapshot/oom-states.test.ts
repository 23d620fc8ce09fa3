import { describe, expect, it } from 'vitest';
import { mulberry32 } from '../../base/random.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { oomStates } from './oom-states.js';
import { readSnapshot } from './read-snapshot.js';
import { snapshotState } from './snapshot-state.js';
import { EXPANDABLE_FAILURE, expandableFailure, UNWOUND_HOLE } from './testing/expandable-failure.js';
import { writeSnapshot } from './write-snapshot.js';

const MIB = 2 ** 20;

describe('the state at an out of memory', () => {
  it.each(['', 'expandable_segments:True', 'max_split_size_mb:32'])(
    'is what the allocator had then, whatever was freed afterwards (%s)',
    (conf) => {
      for (let seed = 1; seed <= 6; seed++) {
        const random = mulberry32(seed);
        const allocator = new CachingAllocator({ capacity: 600 * MIB, conf, history: true });
        const live: number[] = [];
        const seen: Record<string, number>[] = [];
        for (let step = 0; step < 600; step++) {
          if (random() % 5 < 3) {
            const handle = allocator.malloc(1 + (random() % (random() % 2 === 0 ? MIB : 40 * MIB)));
            if (handle >= 0) live.push(handle);
            else seen.push(figures(allocator));
          } else if (live.length > 0) {
            const [handle = -1] = live.splice(random() % live.length, 1);
            allocator.free(handle);
          }
        }
        for (const handle of live.splice(0, live.length - 3)) allocator.free(handle);
        const settings = {
          conf,
          maxSplitSize: conf.startsWith('max_split') ? 32 * MIB : -1,
          garbageCollectionThreshold: 0,
          expandableSegments: conf.startsWith('exp'),
          roundupDivisions: new Int32Array(16),
        };
        const bytes = writeSnapshot({ heap: allocator.heap(), history: allocator.history, settings });
        const states = oomStates(readSnapshot(bytes, 'x'));
        expect(states.length).toBe(seen.length);
        expect(seen.length).toBeGreaterThan(0);
        states.forEach((state, index) => {
          expect(state.contradictions).toBe(0);
          expect(state).toMatchObject(seen[index] ?? {});
        });
      }
    },
  );

  it('of a real failure under expandable segments, although the dump shows a hole of 27 GB', () => {
    const snapshot = readSnapshot(expandableFailure(), 'x');
    expect(snapshotState(snapshot).largest_inactive_block).toBe(UNWOUND_HOLE);
    expect(oomStates(snapshot)).toEqual([expect.objectContaining({ ...EXPANDABLE_FAILURE, contradictions: 0 })]);
  });
});

function figures(allocator: CachingAllocator): Record<string, number> {
  const free = allocator.heap().segments.flatMap(({ blocks }) => blocks.filter(({ state }) => state === 'free'));
  const { reserved, allocated, active } = allocator.totals;
  return {
    reserved_bytes: reserved,
    allocated_bytes: allocated,
    active_bytes: active,
    inactive_bytes: reserved - active,
    inactive_blocks: free.length,
    largest_inactive_block: Math.max(0, ...free.map(({ size }) => size)),
  };
}
