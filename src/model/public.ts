/**
 * `vramlab/model`, the library: exact models of training allocators, and replays of traces on them. It is pure
 * JavaScript without dependencies at run time beyond itself, for Node and the browser; `docs/LIBRARY.md` shows it.
 *
 *     import { CachingAllocator, replay } from 'vramlab/model';
 *     const allocator = new CachingAllocator({ capacity: 40 * 2 ** 30, conf: 'expandable_segments:True' });
 *     const block = allocator.malloc(1 << 20); // -1 on out of memory
 *     allocator.free(block);
 */
export {
  type AllocationFailure,
  type Allocator,
  type AllocatorControls,
  type AllocatorTotals,
  type Heap,
  type HeapBlock,
  type HeapSegment,
  NULL_BLOCK,
  type PlacementOptions,
} from './allocator/allocator.js';
export { BfcAllocator } from './allocator/bfc/bfc-allocator.js';
export { type BfcOptions } from './allocator/bfc/options.js';
export { CachingAllocator, type CachingOptions } from './allocator/caching/caching-allocator.js';
export { memorySummary } from './allocator/caching/memory-summary.js';
export { type DeviceMemory } from './memory/device-memory.js';
export { SimulatedDevice } from './memory/simulated-device.js';
export { type Fragmentation, fragmentationOf } from './trace/fragmentation.js';
export { HeapTimeline } from './trace/heap-timeline.js';
export { type Pin, type PinnedTensor } from './trace/pins.js';
export { type Outcome, Replay, type ReplayOptions, type ReplayResult, type StepResult } from './trace/replay.js';
export { replayAny as replay } from './trace/replay-any.js';
export { TraceBuilder } from './trace/trace-builder.js';
export { type TraceHeader } from './trace/trace-header.js';
export { parseTrace, TraceReader } from './trace/trace-reader.js';
export { CATEGORY, OPERATION, type Trace } from './trace/trace.js';
export { writeTrace } from './trace/trace-writer.js';
export { writeSnapshot } from './snapshot/write-snapshot.js';
