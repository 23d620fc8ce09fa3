import { expect, test } from 'vitest';
import { GiB, MiB } from '../../base/units.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { type FailureStory, storyOf } from '../trace/failure-story.js';
import { storyText } from '../trace/story-text.js';
import { Replay } from '../trace/replay.js';
import { findWorkload } from './catalogue.js';
import { remediesFor, remediesText, type RemedyRow, tryRemedy } from './remedies.js';
import { traceOf } from './trace-program.js';

/** Every change tried on a workload at the capacity it was made for, by the change. */
function tried(id: string, given: Readonly<Record<string, unknown>> = {}): Map<string, RemedyRow> {
  const workload = findWorkload(id);
  const trace = traceOf(workload, given);
  const setup = { name: 'caching', capacity: workload.capacity };
  return new Map(
    remediesFor(setup, [trace], trace.meta).map(
      (remedy) => [remedy.change, tryRemedy(remedy, setup, [trace], id)] as const,
    ),
  );
}

const gib = (row: RemedyRow | undefined) => Number(((row?.peakReserved ?? 0) / GiB(1)).toFixed(2));

test('the flagship case at batch 4: what cures it, what each cure costs, and what does nothing', () => {
  const rows = tried('case13b', { seed: 2, steps: 3 });
  expect([...rows].map(([change, { outcome }]) => [change, outcome])).toEqual([
    ['expandable_segments:True', 'completed'],
    ['max_split_size_mb:256', 'completed'],
    ['garbage_collection_threshold:0.8', 'out-of-memory'],
    ['garbage_collection_threshold:0.8, memory fraction 1.0', 'completed'],
    ['roundup_power2_divisions:4', 'completed'],
    ['empty_cache() at each step', 'completed'],
    ['variant=prealloc', 'completed'],
    ['variant=list', 'completed'],
    ['variant=prealloc b=8', 'completed'],
  ]);
  expect(gib(rows.get('expandable_segments:True'))).toBe(35.18);
  expect(gib(rows.get('variant=prealloc'))).toBe(33.15);
  expect(gib(rows.get('variant=prealloc b=8'))).toBe(37.48);
  // max_split_size cures by device calls: some 30 a step, where expandable segments need hardly any.
  expect(rows.get('max_split_size_mb:256')?.deviceCalls).toBeGreaterThan(150);
  expect(rows.get('expandable_segments:True')?.deviceCalls).toBeLessThan(60);
}, 60_000);

test('the flagship case at batch 8: an empty_cache a step no longer helps, expandable segments still do', () => {
  const rows = tried('case13b', { seed: 1, steps: 8, b: 8 });
  expect(rows.get('empty_cache() at each step')?.outcome).toBe('out-of-memory');
  expect(rows.get('roundup_power2_divisions:4')?.outcome).toBe('out-of-memory');
  expect(rows.get('expandable_segments:True')?.outcome).toBe('completed');
  expect(rows.get('max_split_size_mb:256')?.outcome).toBe('completed');
  expect(rows.get('variant=prealloc')?.outcome).toBe('completed');
}, 60_000);

test('the workshop loop: max_split_size and rounding help, the threshold without a fraction does nothing', () => {
  const rows = tried('layer-bank');
  expect(rows.get('garbage_collection_threshold:0.8')?.outcome).toBe('out-of-memory');
  expect(rows.get('roundup_power2_divisions:4')?.outcome).toBe('completed');
  expect(rows.get('expandable_segments:True')?.outcome).toBe('completed');
  expect(rows.get('empty_cache() at each step')?.outcome).toBe('completed');
  expect(rows.get('variant=buffer')).toMatchObject({ outcome: 'completed', peakReserved: MiB(272) });
  expect(rows.get('variant=buffer batch=2')).toMatchObject({ outcome: 'completed', peakReserved: MiB(424) });
});

test('the loop of the Lab fails in step 16 for 102 MiB; with a bank made once it peaks at 912 MiB', () => {
  const rows = tried('lesson-loop');
  expect(rows.get('bank=prealloc')).toMatchObject({ outcome: 'completed', peakReserved: MiB(912) });
  expect(rows.get('expandable_segments:True')?.outcome).toBe('completed');
});

test('says so when nothing fits, and writes a line a change', () => {
  const row = { failedAt: 7, peakReserved: MiB(8), peakAllocated: 0, retries: 1, deviceCalls: 2 };
  expect(remediesText([{ change: 'a', outcome: 'out-of-memory', ...row }], MiB(8))).toEqual([
    'what fits in 8 MiB (each change on its own, replayed from the start):',
    '  a  out of memory at operation 7: peak reserved 8 MiB, 1 flushes, 2 device calls',
    'None of the changes tried fits.',
  ]);
  expect(remediesText([], MiB(8))).toEqual([]);
});

test('the story of the flagship case: 1.20 GiB in one piece, 6.63 GiB free in 38, the old copy still live', () => {
  const workload = findWorkload('case13b');
  const allocator = new CachingAllocator({ capacity: workload.capacity });
  let story: FailureStory | undefined;
  const replay = new Replay(allocator, {
    onFailure: (first) => (story = storyOf({ ...first, allocator, allowed: workload.capacity })),
  });
  replay.run(traceOf(workload, { seed: 2, steps: 3 }));
  expect(story).toMatchObject({ kind: 'fragmentation', needed: 1_284_505_600, holes: 38, notReserved: MiB(1012) });
  expect((story?.free ?? 0) / GiB(1)).toBeCloseTo(6.63, 2);
  expect((story?.largestHole ?? 0) / GiB(1)).toBeCloseTo(1.14, 2);
  expect(story?.refused.label).toBe('cat of 40 hidden states');
  expect(story?.oldCopy?.label).toBe('cat of 39 hidden states');
  const text = story === undefined ? [] : storyText(story, []);
  expect(text.slice(0, 5)).toEqual([
    'why tensor 6971 (cat of 40 hidden states) was refused',
    '  needed        1,225.0 MiB in one piece',
    '  in the cache  6,786.8 MiB free in 38 pieces; the largest has 1,163.8 MiB, 61.3 MiB too few',
    '  not reserved  1,012.0 MiB, 214.0 MiB too few for a new segment of 1,226.0 MiB',
    '  so            fragmentation: 7,798.8 MiB are free together, but no piece is large enough (external 0.829 = 1 - largest / free)',
  ]);
  expect(text).toContain(
    '  tensor 6920 (layers.37.output), 30.6 MiB: joins its neighbours to 1,350.0 MiB >= 1,225.0 MiB',
  );
});

/** At the capacity a workload was made for: the default runs out, and these changes fit. */
const STORIES = [
  ['transformer', ['bank=prealloc', 'bank=list']],
  ['evaluation', ['gather=prealloc', 'gather=list']],
  ['zero3-gather', ['buffers=prealloc']],
  ['gradient-buckets', ['gradients=view']],
  ['pinning', ['order=before', 'expandable_segments:True']],
  ['stranded-hole', ['max_split_size_mb:256', 'expandable_segments:True']],
] as const;

test.each(STORIES)(
  '%s runs out with its defaults, and fits with %j',
  (id, changes) => {
    const workload = findWorkload(id);
    const replay = new Replay(new CachingAllocator({ capacity: workload.capacity }));
    replay.run(traceOf(workload));
    expect(replay.result().outcome.status).toBe('out-of-memory');
    const rows = tried(id);
    for (const change of changes) expect([change, rows.get(change)?.outcome]).toEqual([change, 'completed']);
  },
  60_000,
);

test('270 MiB in a freed block of 530 MiB strands 260: with max_split_size the weights take what they need', () => {
  const trace = traceOf(findWorkload('stranded-hole'), { shards: 3 });
  const reserved = (conf: string) => {
    const allocator = new CachingAllocator({ capacity: GiB(8), conf, torch: '2.14' });
    const replay = new Replay(allocator);
    replay.run(trace);
    return allocator.totals.reserved;
  };
  expect(reserved('')).toBe(3 * MiB(530));
  expect(reserved('max_split_size_mb:20')).toBe(MiB(530) + 3 * MiB(270));
});

test('the order of batch lengths decides what is reserved: 414, 228 and 144 MiB for a live peak of 144', () => {
  const reserved = (order: string) => {
    const replay = new Replay(new CachingAllocator({ capacity: GiB(1) }));
    replay.run(traceOf(findWorkload('batch-order'), { order }));
    const { peakReserved, peakRequested } = replay.result();
    return [peakReserved / MiB(1), peakRequested / MiB(1)];
  };
  expect(['short', 'mixed', 'long'].map(reserved)).toEqual([
    [414, 144],
    [228, 144],
    [144, 144],
  ]);
});

test('sizes that creep upwards reserve 7,658 MiB for 205 MiB alive; expandable segments reserve 208', () => {
  const reserved = (conf: string) => {
    const replay = new Replay(new CachingAllocator({ capacity: GiB(16), conf }));
    replay.run(traceOf(findWorkload('creeping-sizes')));
    return replay.result().peakReserved;
  };
  expect(reserved('')).toBe(MiB(7658));
  expect(reserved('expandable_segments:True')).toBe(MiB(208));
});
