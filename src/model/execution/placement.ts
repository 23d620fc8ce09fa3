/** The ways to keep tensors on a device that have a counterpart in WebGPU, each as an allocator on a recorded supply. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { type Allocator } from '../allocator/allocator.js';
import { ArenaAllocator } from '../allocator/arena/arena-allocator.js';
import { lifetimesOf } from '../allocator/arena/lifetimes.js';
import { planArena } from '../allocator/arena/plan.js';
import { BfcAllocator } from '../allocator/bfc/bfc-allocator.js';
import { type BfcConfig, parseBfcConf } from '../allocator/bfc/options.js';
import { BufferCacheAllocator } from '../allocator/buffer-cache/buffer-cache-allocator.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { Settings } from '../allocator/caching/settings.js';
import { DirectAllocator } from '../allocator/direct/direct-allocator.js';
import { type Trace } from '../trace/trace.js';
import { RecordingMemory } from './recording-memory.js';
import { DEVICE_ALIGNMENT, inModelBytes, type ScaledTrace } from './scale.js';

/** `caching` and `bfc`: segments (regions) are buffers, tensors ranges in them. `direct`: a buffer a tensor. `cache-...`: buffers kept for reuse, as web-ML runtimes do. `arena`: one buffer, offsets planned ahead. */
export const PLACEMENTS = ['caching', 'bfc', 'direct', 'cache-bucket', 'cache-exact', 'cache-tfjs', 'arena'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** An allocator, and the trace in the bytes it counts in. */
export interface Placer {
  readonly allocator: Allocator;
  readonly memory: RecordingMemory;
  readonly trace: Trace;
  /** Allocator bytes of one device byte. */
  readonly scale: number;
}

/**
 * Refuses settings that a run on buffers cannot have. `conf` is PYTORCH_CUDA_ALLOC_CONF or BFC's `key=value,...`, '' for
 * none. Throws `AppError` (`bad-input`) for a string that the allocator refuses, for settings of a placement that has none,
 * for those that size BFC's supply (the budget does), and for expandable segments: WebGPU cannot map memory behind
 * addresses.
 */
export function checkConf(placement: Placement, conf: string): void {
  if (conf === '') return;
  if (placement === 'bfc') {
    bfcOptions(conf);
    return;
  }
  if (placement !== 'caching')
    throw badInput('conf', say`conf: the placement ${placement} has no settings; leave it empty`);
  const settings = new Settings('2.6');
  settings.read(conf);
  if (!settings.expandableSegments) return;
  throw badInput(
    'conf',
    say`conf: expandable segments have no counterpart in WebGPU; run them on the model (vramlab replay --conf), or leave them out here`,
  );
}

function bfcOptions(conf: string): Partial<BfcConfig> {
  const { options, subCapacity, subGranularity, preset } = parseBfcConf(conf);
  const { memoryLimit, ...rest } = options;
  if ([subCapacity, subGranularity, preset, memoryLimit].every((part) => part === undefined)) return rest;
  throw badInput(
    'conf',
    say`conf: on buffers the budget is the memory limit; leave memory_limit, preset and sub_ keys out`,
  );
}

/** Makes the allocator of a placement on `scaled.capacity` device bytes. `conf` and errors as in `checkConf`. */
export function placerOf(placement: Placement, scaled: ScaledTrace, conf = ''): Placer {
  checkConf(placement, conf);
  if (placement === 'caching' || placement === 'bfc') {
    const capacity = scaled.capacity * scaled.scale;
    const memory = new RecordingMemory(capacity, DEVICE_ALIGNMENT * scaled.scale);
    const allocator =
      placement === 'caching'
        ? new CachingAllocator({ capacity, memory, conf })
        : new BfcAllocator({ memoryLimit: capacity, ...bfcOptions(conf), memory });
    return { allocator, memory, trace: inModelBytes(scaled), scale: scaled.scale };
  }
  const memory = new RecordingMemory(scaled.capacity, DEVICE_ALIGNMENT);
  return { allocator: plainAllocator(placement, memory, scaled.trace), memory, trace: scaled.trace, scale: 1 };
}

function plainAllocator(
  placement: Exclude<Placement, 'caching' | 'bfc'>,
  memory: RecordingMemory,
  trace: Trace,
): Allocator {
  if (placement === 'direct') return new DirectAllocator(memory, { granularity: DEVICE_ALIGNMENT });
  if (placement !== 'arena') return new BufferCacheAllocator(placement, memory);
  const lifetimes = lifetimesOf(trace, DEVICE_ALIGNMENT);
  return new ArenaAllocator(memory, lifetimes, planArena(lifetimes));
}
