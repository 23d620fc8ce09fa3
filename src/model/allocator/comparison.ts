/**
 * One trace on many allocators (`vramlab replay --allocator all`): what each holds, whether it fits, how often it asks
 * the device, and how far it is from the least that any placement needs. It tells what is the workload's fault and what
 * the allocator's.
 */
import { AppError } from '../../base/errors.js';
import { replay, type Outcome } from '../trace/replay.js';
import { type Trace } from '../trace/trace.js';
import { lifetimesOf, maxLive } from './arena/lifetimes.js';
import { makeAllocator, type AllocatorSetup } from './registry.js';

export type ComparisonRow = MeasuredRow | RefusedRow;

/** An allocator that lacks what the trace asks for (BFC's placements, PyTorch's settings). */
export interface RefusedRow {
  readonly allocator: string;
  readonly conf: string;
  readonly outcome: 'refused';
  readonly reason: string;
}

export interface MeasuredRow {
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

/** Replays the trace on each allocator with a device of `capacity` bytes. `common` goes into every setup. */
export function compareAllocators(
  trace: Trace,
  capacity: number,
  common: Pick<AllocatorSetup, 'torch' | 'fraction'> = {},
  setups: readonly Pick<AllocatorSetup, 'name' | 'conf'>[] = COMPARED,
): Comparison {
  return {
    trace: trace.name,
    capacity,
    lowerBound: maxLive(lifetimesOf(trace, 1)),
    rows: setups.map((setup) => compareOne(trace, { ...common, ...setup, capacity, trace })),
  };
}

function compareOne(trace: Trace, setup: AllocatorSetup): ComparisonRow {
  const named = { allocator: setup.name, conf: setup.conf ?? '' };
  try {
    return { ...named, ...measure(trace, setup) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ...named, outcome: 'refused', reason: error.message };
  }
}

function measure(trace: Trace, setup: AllocatorSetup): Omit<MeasuredRow, 'allocator' | 'conf'> {
  const { allocator, deviceCalls } = makeAllocator(setup);
  const result = replay(trace, allocator);
  return {
    outcome: result.outcome.status,
    fits: result.failures === 0,
    failures: result.failures,
    peakReserved: result.peakReserved,
    peakAllocated: result.peakAllocated,
    waste: result.peakReserved - result.peakRequested,
    deviceCalls: deviceCalls(),
  };
}

/** The data behind `--json`. Sizes are bytes. */
export function comparisonJson({ trace, capacity, lowerBound, rows }: Comparison): Record<string, unknown> {
  return {
    schema: 'vramlab-comparison',
    version: 1,
    name: trace,
    capacity,
    lower_bound: lowerBound,
    rows: rows.map((row) =>
      row.outcome === 'refused'
        ? row
        : {
            allocator: row.allocator,
            conf: row.conf,
            outcome: row.outcome,
            fits: row.fits,
            oom_count: row.failures,
            peak_reserved: row.peakReserved,
            peak_allocated: row.peakAllocated,
            waste: row.waste,
            device_calls: row.deviceCalls,
          },
    ),
  };
}
