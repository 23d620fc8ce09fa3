/**
 * A long snapshot that is consistent to the byte: a seeded program on the exact model, with deep call stacks. For benchmarks;
 * the same seed gives the same bytes.
 */
import { mulberry32 } from '../../../base/random.js';
import { CachingAllocator } from '../../allocator/caching/caching-allocator.js';
import { type SnapshotFrame, writeSnapshot } from '../write-snapshot.js';
import { type SampleShape } from './sample-snapshot.js';

const MIB = 2 ** 20;
const LIVE = 3000;

/** The bytes of the pickle; it ends with an out of memory. */
export function largeSnapshot({ events, depth, seed }: SampleShape): Uint8Array {
  const random = mulberry32(seed);
  const frames = Array.from({ length: 3000 }, (_, i): SnapshotFrame => ({
    name: `function_${i}`,
    filename: i % 10 === 0 ? `/workspace/job/part_${i % 70}.py` : `site-packages/torch/nn/modules/module_${i % 300}.py`,
    line: 1 + (i % 3000),
  }));
  const stacks = Array.from({ length: 400 }, () =>
    Array.from({ length: 1 + (random() % (2 * depth)) }, () => frames[random() % frames.length]!),
  );
  const allocator = new CachingAllocator({ capacity: 2 ** 36, history: true });
  const { history } = allocator;
  if (history === undefined) throw new Error('the allocator keeps no history');
  const live: number[] = [];
  while (history.length < events) {
    if (live.length < LIVE || random() % 2 === 0) {
      const handle = allocator.malloc(random() % 3 === 0 ? 512 : 1 + (random() % (8 * MIB)));
      if (handle >= 0) live.push(handle);
    }
    if (live.length >= LIVE) {
      const at = random() % live.length;
      allocator.free(live[at]!);
      live[at] = live[live.length - 1]!;
      live.pop();
    }
  }
  allocator.malloc(2 ** 36);
  const { settings } = allocator;
  return writeSnapshot({
    heap: allocator.heap(),
    history,
    settings: { ...settings, conf: '', maxSplitSize: settings.reportedMaxSplitSize },
    circumstances: {
      stackOf: (entry) => stacks[(entry * 7919) % stacks.length] ?? [],
      timeOf: (entry) => 1_700_000_000_000_000 + 10 * entry,
    },
  });
}
