/** The ways to keep tensors on a device that have a counterpart in WebGPU, each as an allocator on a recorded supply. */
import { type Allocator } from '../allocator/allocator.js';
import { ArenaAllocator } from '../allocator/arena/arena-allocator.js';
import { lifetimesOf } from '../allocator/arena/lifetimes.js';
import { planArena } from '../allocator/arena/plan.js';
import { BufferCacheAllocator } from '../allocator/buffer-cache/buffer-cache-allocator.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { DirectAllocator } from '../allocator/direct/direct-allocator.js';
import { type Trace } from '../trace/trace.js';
import { RecordingMemory } from './recording-memory.js';
import { DEVICE_ALIGNMENT, inModelBytes, type ScaledTrace } from './scale.js';

/** `caching`: segments are buffers, tensors ranges in them. `direct`: a buffer a tensor. `cache-...`: buffers kept for reuse, as web-ML runtimes do. `arena`: one buffer, offsets planned ahead. */
export const PLACEMENTS = ['caching', 'direct', 'cache-bucket', 'cache-exact', 'cache-tfjs', 'arena'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** An allocator, and the trace in the bytes it counts in. */
export interface Placer {
  readonly allocator: Allocator;
  readonly memory: RecordingMemory;
  readonly trace: Trace;
  /** Allocator bytes of one device byte. */
  readonly scale: number;
}

/** Makes the allocator of a placement on `scaled.capacity` device bytes. */
export function placerOf(placement: Placement, scaled: ScaledTrace): Placer {
  if (placement === 'caching') {
    const capacity = scaled.capacity * scaled.scale;
    const memory = new RecordingMemory(capacity, DEVICE_ALIGNMENT * scaled.scale);
    return {
      allocator: new CachingAllocator({ capacity, memory }),
      memory,
      trace: inModelBytes(scaled),
      scale: scaled.scale,
    };
  }
  const memory = new RecordingMemory(scaled.capacity, DEVICE_ALIGNMENT);
  return { allocator: plainAllocator(placement, memory, scaled.trace), memory, trace: scaled.trace, scale: 1 };
}

function plainAllocator(placement: Exclude<Placement, 'caching'>, memory: RecordingMemory, trace: Trace): Allocator {
  if (placement === 'direct') return new DirectAllocator(memory, { granularity: DEVICE_ALIGNMENT });
  if (placement !== 'arena') return new BufferCacheAllocator(placement, memory);
  const lifetimes = lifetimesOf(trace, DEVICE_ALIGNMENT);
  return new ArenaAllocator(memory, lifetimes, planArena(lifetimes));
}
