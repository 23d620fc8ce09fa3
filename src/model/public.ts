/**
 * `vramlab/model`, the library: exact models of training allocators, and replays of traces on them.
 *
 *     import { BfcAllocator, CachingAllocator, replay } from 'vramlab/model';
 *     const allocator = new BfcAllocator({ memoryLimit: 2 ** 31 });
 *     const block = allocator.malloc(1 << 20); // -1 on out of memory
 *     allocator.free(block);
 */
export { type Allocator, NULL_BLOCK } from './allocator/allocator.js';
export { BfcAllocator } from './allocator/bfc/bfc-allocator.js';
export { type BfcOptions } from './allocator/bfc/options.js';
export { CachingAllocator } from './allocator/caching/caching-allocator.js';
export { replay, type ReplayResult } from './trace/replay.js';
export { TraceBuilder } from './trace/trace-builder.js';
export { type Trace } from './trace/trace.js';
