import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { Replay } from '../trace/replay.js';
import { parseTrace } from '../trace/trace-reader.js';
import { type Fidelity } from './fidelity-figures.js';
import { fidelityOf } from './fidelity.js';
import { readSnapshot } from './read-snapshot.js';
import { writeSnapshot } from './write-snapshot.js';

/** What explaining the snapshot of a golden program gives. */
function fidelityOfGolden(name: string): Fidelity | undefined {
  const { trace, header } = parseTrace(gunzipSync(readFileSync(`test-data/pytorch/${name}.json.gz`)), name);
  const { capacity = 0, conf = '' } = header;
  const torch = name.startsWith('dev214') ? '2.14' : '2.6';
  const allocator = new CachingAllocator({ capacity, conf, torch, history: true });
  new Replay(allocator).run(trace);
  const { settings, history } = allocator;
  const bytes = writeSnapshot({
    heap: allocator.heap(),
    history,
    settings: { ...settings, conf, maxSplitSize: settings.reportedMaxSplitSize },
  });
  return fidelityOf(readSnapshot(bytes, name))[0];
}

it.each([
  'graphpool__default',
  'graphpool__exp',
  'graphpool_tight__default',
  'graphpool_tight__exp',
  'dev214_graphpool_tight__default',
  'dev214_graphpool_tight__exp',
])('every allocation of %s is at its address, with pools that no segment of the file names', (name) => {
  const fidelity = fidelityOfGolden(name);
  expect(fidelity?.first_mismatch).toBeNull();
  expect(fidelity?.addr_match).toBe(fidelity?.alloc);
  expect(fidelity?.segsize_match).toBe(fidelity?.segment_alloc);
  expect(fidelity?.map_match).toBe(fidelity?.segment_map);
  expect(fidelity?.oom_match).toBe(fidelity?.oom);
  expect(fidelity?.final_reserved_model).toBe(fidelity?.final_reserved_snap);
  expect(fidelity?.alloc).toBeGreaterThan(100);
  expect(fidelity?.inferred_pool_allocations).toBeGreaterThan(40);
});

it('a run that changes its settings says so', () => {
  const fidelity = fidelityOfGolden('toggles__default');
  expect(fidelity?.settings_changed).not.toBeNull();
  expect(fidelity?.first_mismatch?.event).toBeGreaterThanOrEqual(fidelity?.settings_changed ?? Infinity);
});
