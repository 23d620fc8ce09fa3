import { describe, expect, it } from 'vitest';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { acceptedPools, fidelityOf, isExact } from './fidelity.js';
import { readSnapshot } from './read-snapshot.js';
import { ACTION, type RecordedSnapshot } from './recorded-snapshot.js';
import { privatePoolOf } from './recorded-pools.js';
import { recordedProgram } from './recorded-program.js';
import { startHeap } from './start-heap.js';
import { writeSnapshot } from './write-snapshot.js';
import { OPERATION } from '../trace/trace.js';

const MIB = 2 ** 20;
const GRAPH = 7;

/**
 * A graph is captured between common work and let go before the dump. `keep`: its pool still holds memory then.
 *
 *     common: 30 MiB, freed    graph: 24 MiB, 4 MiB, 12 KiB    common: 26 MiB
 */
function graphRun(conf: string, keep: boolean): { snapshot: RecordedSnapshot; ofGraph: ReadonlySet<number> } {
  const allocator = new CachingAllocator({ capacity: 2 ** 31, conf, history: true });
  const history = allocator.history!;
  const ofGraph = new Set<number>();
  const graph = (size: number): number => {
    const handle = allocator.malloc(size);
    ofGraph.add(history.length - 1);
    return handle;
  };
  const first = [30 * MIB, 4 * MIB, 10_000].map((size) => allocator.malloc(size));
  const anchor = [512, 2 * MIB].map((size) => allocator.malloc(size));
  for (const handle of first) allocator.free(handle);
  allocator.beginAllocateToPool(GRAPH);
  const captured = [24 * MIB, 4 * MIB, 12_000].map(graph);
  allocator.free(captured[1]!);
  captured[1] = graph(3 * MIB);
  allocator.endAllocateToPool(GRAPH);
  const second = [26 * MIB, 3 * MIB, 9_000, 28 * MIB].map((size) => allocator.malloc(size));
  for (const handle of second) allocator.free(handle);
  for (const handle of captured) allocator.free(handle);
  const third = [22 * MIB, 5 * MIB].map((size) => allocator.malloc(size));
  if (!keep) {
    allocator.releasePool(GRAPH);
    allocator.flush();
  }
  for (const handle of [...third, ...anchor]) allocator.free(handle);
  const { settings } = allocator;
  const bytes = writeSnapshot({
    heap: allocator.heap(),
    history,
    settings: { ...settings, conf, maxSplitSize: settings.reportedMaxSplitSize },
  });
  return { snapshot: readSnapshot(bytes, 'graph'), ofGraph };
}

describe('private pools that no entry names', () => {
  it.each(['', 'expandable_segments:True'])('are told from the blocks passed over: "%s"', (conf) => {
    const { snapshot, ofGraph } = graphRun(conf, false);
    const [trace] = snapshot.traces;
    if (trace === undefined) throw new Error('no trace');
    expect(snapshot.segments.every(({ pool }) => pool[0] === 0)).toBe(true);
    const [fidelity] = fidelityOf(snapshot);
    expect(fidelity).toMatchObject({
      first_mismatch: null,
      inferred_pools: 1,
      inferred_pool_allocations: ofGraph.size,
    });
    expect(fidelity !== undefined && isExact(fidelity)).toBe(true);
    expect(fidelity?.addr_match).toBe(fidelity?.alloc);
    const pools = acceptedPools(snapshot, trace);
    for (let event = 0; event < trace.count; event++) {
      if (trace.action[event] !== ACTION.alloc) continue;
      expect({ event, isPrivate: pools?.of(event) !== undefined }).toEqual({ event, isPrivate: ofGraph.has(event) });
    }
    const program = recordedProgram(snapshot, trace, startHeap(snapshot, trace));
    const opened = program.trace.kind.filter((kind) => kind === OPERATION.beginPool).length;
    expect(opened).toBe(ofGraph.size);
  });

  it('have the number of the file where a segment of theirs is in it', () => {
    const { snapshot, ofGraph } = graphRun('', true);
    const [fidelity] = fidelityOf(snapshot);
    expect(fidelity?.addr_match).toBe(fidelity?.alloc);
    expect(snapshot.segments.some(({ pool }) => privatePoolOf(pool) === privatePoolOf([GRAPH, 0]))).toBe(true);
    expect(fidelity?.inferred_pools).toBe(0);
    expect(ofGraph.size).toBe(4);
  });

  it('are not looked for where the common pools explain every address', () => {
    const allocator = new CachingAllocator({ capacity: 2 ** 30, history: true });
    const handles = [30 * MIB, 4 * MIB, 900].map((size) => allocator.malloc(size));
    for (const handle of handles) allocator.free(handle);
    allocator.malloc(3 * MIB);
    const { settings, history } = allocator;
    const snapshot = readSnapshot(
      writeSnapshot({
        heap: allocator.heap(),
        history,
        settings: { ...settings, conf: '', maxSplitSize: -1 },
      }),
      'plain',
    );
    expect(fidelityOf(snapshot)[0]).toMatchObject({ inferred_pools: 0, inferred_pool_allocations: 0 });
    const [trace] = snapshot.traces;
    expect(trace === undefined ? null : acceptedPools(snapshot, trace)).toBeUndefined();
  });
});

describe('expandable segments switched during a run', () => {
  it('are told from each call, and the entry that shows it is named', () => {
    const allocator = new CachingAllocator({ capacity: 2 ** 31, history: true });
    const history = allocator.history!;
    const before = [24 * MIB, 30 * MIB, 900].map((size) => allocator.malloc(size));
    const last = history.length;
    allocator.setSettings('expandable_segments:True');
    for (const size of [60 * MIB, 50 * MIB, 512]) allocator.malloc(size);
    for (const handle of before) allocator.free(handle);
    const { settings } = allocator;
    const snapshot = readSnapshot(
      writeSnapshot({ heap: allocator.heap(), history, settings: { ...settings, conf: '', maxSplitSize: -1 } }),
      'switched',
    );
    const [fidelity] = fidelityOf(snapshot);
    expect(fidelity).toMatchObject({ settings_changed: last, first_mismatch: null });
    expect(fidelity?.addr_match).toBe(fidelity?.alloc);
  });
});
