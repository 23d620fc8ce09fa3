/**
 * One trace on many allocators (`vramlab replay --allocator all`): what each holds, whether it fits, how often it asks
 * the device, and how far it is from the least that any placement needs. It tells what is the workload's fault and what
 * the allocator's.
 */
import { replay, type Outcome } from '../trace/replay.js';
import { type Trace } from '../trace/trace.js';
import { lifetimesOf, maxLive } from './arena/lifetimes.js';
import { makeAllocator, type AllocatorSetup } from './registry.js';

export interface ComparisonRow {
  readonly allocator: string;
  readonly conf: string;
  readonly outcome: Outcome['status'];
  /** Every allocation got its memory. */
  readonly fits: boolean;
  /** Allocations that failed. */
  readonly failures: number;
  readonly peakReserved: number;
  readonly peakAllocated: number;
  /** Peak reserved less the bytes that the tensors placed asked for at their peak: held for nothing. */
  readonly waste: number;
  /** Segments asked for and given back. */
  readonly deviceCalls: number;
}

export interface Comparison {
  readonly trace: string;
  readonly capacity: number;
  /** Most bytes that tensors ask for at once: less no allocator can hold. */
  readonly lowerBound: number;
  readonly rows: readonly ComparisonRow[];
}

/** Allocators and settings that `all` compares. */
export const COMPARED: readonly { readonly name: string; readonly conf: string }[] = [
  { name: 'caching', conf: '' },
  { name: 'caching', conf: 'expandable_segments:True' },
  { name: 'bfc', conf: '' },
  { name: 'bfc', conf: 'allow_growth=true' },
  { name: 'bfc', conf: 'allow_growth=true,garbage_collection=true' },
  { name: 'stream-ordered', conf: '' },
  { name: 'arena', conf: '' },
  { name: 'direct', conf: '' },
  { name: 'buddy', conf: 'backend=vulkan' },
  { name: 'buddy', conf: 'backend=d3d12' },
  { name: 'cache-none', conf: '' },
  { name: 'cache-lazy', conf: '' },
  { name: 'cache-exact', conf: '' },
  { name: 'cache-bucket', conf: '' },
  { name: 'cache-tfjs', conf: '' },
];

/** Replays the trace on each allocator with a device of `capacity` bytes. Throws `AppError` as `replay` does. */
export function compareAllocators(
  trace: Trace,
  capacity: number,
  setups: readonly Pick<AllocatorSetup, 'name' | 'conf'>[] = COMPARED,
): Comparison {
  return {
    trace: trace.name,
    capacity,
    lowerBound: maxLive(lifetimesOf(trace, 1)),
    rows: setups.map((setup) => compareOne(trace, { ...setup, capacity, trace })),
  };
}

function compareOne(trace: Trace, setup: AllocatorSetup): ComparisonRow {
  const { allocator, deviceCalls } = makeAllocator(setup);
  const result = replay(trace, allocator);
  return {
    allocator: setup.name,
    conf: setup.conf ?? '',
    outcome: result.outcome.status,
    fits: result.failures === 0,
    failures: result.failures,
    peakReserved: result.peakReserved,
    peakAllocated: result.peakAllocated,
    waste: result.peakReserved - result.peakRequested,
    deviceCalls: deviceCalls(),
  };
}
