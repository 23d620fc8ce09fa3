import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Heap } from '../allocator/allocator.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { HeapTimeline } from './heap-timeline.js';
import { Replay } from './replay.js';
import { parseTrace } from './trace-reader.js';

/** Segments and blocks as a scrubber draws them. */
const drawn = (heap: Heap) =>
  heap.segments.map(({ address, size, blocks }) => [
    address,
    size,
    ...blocks.map((block) => [block.address, block.size, block.state]),
  ]);

describe('HeapTimeline', () => {
  it.each(['retries__default', 'retries__exp', 'train_cat__ms128'])(
    'has the heap of %s after any operation',
    (name) => {
      const { trace, header } = parseTrace(gunzipSync(readFileSync(`test-data/pytorch/${name}.json.gz`)), name);
      const make = () => new CachingAllocator({ capacity: header.capacity ?? 0, conf: header.conf ?? '' });
      const timeline = new HeapTimeline(trace, make());
      const allocator = make();
      const replay = new Replay(allocator);
      for (let i = 0; i < trace.length; i++) {
        replay.step(trace, i);
        if (i % 97 === 0 || i % 512 < 2) expect(drawn(timeline.heapAt(i))).toEqual(drawn(allocator.heap()));
      }
      const moments = timeline.fragmentation(20);
      expect(moments.map(({ operation }) => operation).at(-1)).toBe(trace.length - 1);
      expect(moments).toHaveLength(20);
      for (const { reserved, allocated, free } of moments) expect(reserved).toBe(allocated + free);
    },
  );
});
