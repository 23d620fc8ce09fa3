import { allocatorLaws } from './testing/laws.js';
import { BfcAllocator } from './bfc/bfc-allocator.js';
import { BumpMemory } from './bfc/bump-memory.js';
import { type BfcOptions } from './bfc/options.js';
import { makeAllocator } from './registry.js';

const MiB = 2 ** 20;
const CAPACITY = 192 * MiB;

const bfc = (options: Partial<BfcOptions> = {}) => ({
  make: () => new BfcAllocator({ memoryLimit: CAPACITY, ...options }),
  alignment: 256,
  givesAllBack: false, // BFC has no empty_cache: it keeps its regions
});
allocatorLaws('bfc, fixed pool', bfc());
allocatorLaws('bfc, growth', bfc({ allowGrowth: true }));
allocatorLaws('bfc, growth, regions joined', bfc({ allowGrowth: true, coalesceRegions: true }));
allocatorLaws('bfc, growth, garbage collection', bfc({ allowGrowth: true, garbageCollection: true }));
allocatorLaws('bfc, odd limit and granularity', {
  ...bfc(),
  make: () => new BfcAllocator({ memoryLimit: CAPACITY + 77, memory: new BumpMemory(CAPACITY * 2, 2 * MiB) }),
});
allocatorLaws('bfc, time-stamped', bfc({ timingCounter: true }));
allocatorLaws('bfc, spatial', bfc({ spatialPartitioning: true }));
allocatorLaws('bfc, 2025, 4 KiB alignment', bfc({ version: '2025', defaultAlignment: 4096 }));
allocatorLaws('bfc, 2026, 4 KiB alignment', { ...bfc({ defaultAlignment: 4096 }), alignment: 4096 });

const registered = (name: string, conf: string, alignment: number, givesAllBack = true) => {
  allocatorLaws(conf === '' ? name : `${name}, ${conf}`, {
    make: (trace) => makeAllocator({ name, conf, capacity: CAPACITY, trace }).allocator,
    alignment,
    givesAllBack,
    servesOnlyItsProgram: name === 'arena',
  });
};
registered('direct', '', 512);
registered('direct', 'granularity=64KiB', 65536);
registered('arena', '', 256, false); // the one segment is kept
registered('buddy', 'backend=vulkan', 256, false); // emptied heaps stay in the pool
registered('buddy', 'backend=d3d12', 65536, false);
registered('buddy', 'backend=metal', 256);
registered('buddy', 'suballocation=false', 256);
registered('cache-none', '', 256);
registered('cache-lazy', '', 256);
registered('cache-exact', '', 256);
registered('cache-exact', 'retry=true', 256);
registered('cache-bucket', '', 256);
registered('cache-tfjs', '', 256);
registered('stream-ordered', '', 512);
registered('stream-ordered', 'release_threshold=64MiB', 512);
