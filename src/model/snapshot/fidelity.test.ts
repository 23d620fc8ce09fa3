import { describe, expect, it } from 'vitest';
import { fidelityOf, isExact } from './fidelity.js';
import { recordedRun, type RunShape } from './testing/recorded-run.js';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

const RUNS: readonly (readonly [string, Omit<RunShape, 'seed'>])[] = [
  ['a whole run', { capacity: 8 * GIB, steps: 800 }],
  ['the end of a run', { capacity: 8 * GIB, steps: 1200, lost: 900 }],
  ['retries and failures', { capacity: 900 * MIB, steps: 1200, lost: 500 }],
  ['empty_cache() now and then', { capacity: 8 * GIB, steps: 1200, lost: 500, flushEvery: 60 }],
  ['private pools', { capacity: 8 * GIB, steps: 1200, lost: 500, poolEvery: 40 }],
  ['private pools and empty_cache()', { capacity: 8 * GIB, steps: 1200, lost: 500, poolEvery: 40, flushEvery: 60 }],
  [
    'private pools in expandable segments',
    { capacity: 8 * GIB, steps: 1200, lost: 500, poolEvery: 40, conf: 'expandable_segments:True' },
  ],
  ['private pools on several streams', { capacity: 8 * GIB, steps: 1500, lost: 700, poolEvery: 30, streams: 3 }],
  [
    'private pools on several streams, empty_cache()',
    { capacity: 8 * GIB, steps: 1500, lost: 700, poolEvery: 30, streams: 3, flushEvery: 80 },
  ],
  ['several streams', { capacity: 8 * GIB, steps: 1200, lost: 700, streams: 3 }],
  ['several streams and too little memory', { capacity: 1200 * MIB, steps: 1500, lost: 700, streams: 3 }],
  ['expandable segments', { capacity: 8 * GIB, steps: 1200, lost: 700, conf: 'expandable_segments:True' }],
  [
    'expandable segments, retries and failures',
    { capacity: 900 * MIB, steps: 1200, lost: 500, conf: 'expandable_segments:True', flushEvery: 100 },
  ],
  ['max_split_size', { capacity: 1200 * MIB, steps: 1200, lost: 500, conf: 'max_split_size_mb:32' }],
  ['rounded sizes', { capacity: 8 * GIB, steps: 1200, lost: 500, conf: 'roundup_power2_divisions:4' }],
  [
    'garbage collection',
    { capacity: 2 * GIB, fraction: 0.9, steps: 1500, lost: 500, conf: 'garbage_collection_threshold:0.6' },
  ],
];

describe('a recorded run replayed forwards', () => {
  it.each(RUNS)(
    'lands every allocation where it was: %s',
    (_, shape) => {
      for (let seed = 1; seed <= 4; seed++) {
        const [fidelity] = fidelityOf(recordedRun({ ...shape, seed }));
        expect({ seed, mismatch: fidelity?.first_mismatch }).toEqual({ seed, mismatch: null });
        if (fidelity === undefined) throw new Error('no trace');
        expect(isExact(fidelity)).toBe(true);
        expect(fidelity.addr_match).toBe(fidelity.alloc);
        expect(fidelity.segsize_match).toBe(fidelity.segment_alloc);
        expect(fidelity.map_match).toBe(fidelity.segment_map);
        expect(fidelity.oom_match).toBe(fidelity.oom);
        expect(fidelity.alloc).toBeGreaterThan(100);
      }
    },
    60_000,
  );
});
