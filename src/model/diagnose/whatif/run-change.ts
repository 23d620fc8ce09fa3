/** One change on one trace: replayed on a fresh allocator, and the smallest device that it survives on. */
import { AppError } from '../../../base/errors.js';
import { makeAllocator, type ReadyAllocator } from '../../allocator/registry.js';
import { CachingAllocator } from '../../allocator/caching/caching-allocator.js';
import { lifetimesOf, maxLive } from '../../allocator/arena/lifetimes.js';
import { type Measured, measureTrace } from '../../trace/measure.js';
import { OPERATION, type Trace } from '../../trace/trace.js';
import { type Change, collectsGarbage } from './changes.js';

/** A row of the answer, with the key names of the format. Sizes are bytes. */
export interface WhatIfRow {
  readonly setting: string;
  readonly allocator: string;
  readonly peak_reserved: number | null;
  readonly peak_allocated: number | null;
  readonly final_reserved: number | null;
  /** `null`: no capacity is known. */
  readonly fits: boolean | null;
  readonly outcome: 'completed' | 'out-of-memory' | 'refused';
  /** Times that the cache was flushed to try again; null for allocators that do not. */
  readonly retries: number | null;
  readonly device_calls: number | null;
  /** Segments asked for and given, or ranges mapped; null for allocators that do not count them. */
  readonly device_allocs: number | null;
  /** Where it stops, and what was asked for there. */
  readonly failed_at?: { readonly operation: number; readonly size: number };
  readonly smallest_capacity?: number;
  /** Least that any placement can take: for the arena. */
  readonly lower_bound?: number;
  /** Why the allocator refused the trace or the setting. */
  readonly reason?: string;
  /** What a place in the code costs, and nothing that anybody can do. */
  readonly hypothetical?: true;
}

/** Larger than any device: what a trace takes when nothing stops it. */
export const UNLIMITED = 900 * 2 ** 30;
/** The device gives memory in this step. */
const STEP = 2 * 2 ** 20;

export interface Question {
  /** Bytes of the device; undefined where it is not known. */
  readonly capacity: number | undefined;
  /** Whether to look for the smallest device that is enough. */
  readonly search: boolean;
}

/** Answers one change. A setting that the allocator refuses is an answer too. */
export function runChange(trace: Trace, change: Change, question: Question): WhatIfRow {
  const named = {
    setting: change.setting,
    allocator: change.allocator,
    ...(change.isHypothetical === true ? { hypothetical: true as const } : {}),
  };
  try {
    return { ...named, ...answer(trace, change, question) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      ...named,
      peak_reserved: null,
      peak_allocated: null,
      final_reserved: null,
      fits: null,
      outcome: 'refused',
      retries: null,
      device_calls: null,
      device_allocs: null,
      reason: error.message,
    };
  }
}

function answer(trace: Trace, change: Change, question: Question): Omit<WhatIfRow, 'setting' | 'allocator'> {
  const { capacity, search } = question;
  const lowerBound = search || change.allocator === 'arena' ? maxLive(lifetimesOf(trace, 1)) : 0;
  const smallest = search ? smallestCapacity(trace, change, lowerBound) : undefined;
  const { measured, allocator, deviceCalls } = measure(trace, change, {
    // Without a capacity nothing may press on the cache: a peak on the smallest device holds flushes that no run had.
    capacity: capacity ?? (isPool(change) ? (smallest ?? poolSize(trace, change)) : UNLIMITED),
  });
  const failure = measured.firstFailure;
  const statistics = allocator instanceof CachingAllocator ? allocator.statistics : undefined;
  return {
    peak_reserved: measured.peakReserved,
    peak_allocated: measured.peakAllocated,
    final_reserved: measured.finalReserved,
    fits: capacity === undefined ? null : failure === undefined,
    outcome: failure === undefined ? 'completed' : 'out-of-memory',
    retries: statistics?.numAllocRetries ?? null,
    device_calls: deviceCalls(),
    device_allocs: statistics?.numDeviceAlloc ?? null,
    ...(failure === undefined ? {} : { failed_at: { operation: failure.operation, size: failure.failure.requested } }),
    ...(smallest === undefined ? {} : { smallest_capacity: smallest }),
    ...(change.allocator === 'arena' ? { lower_bound: lowerBound } : {}),
  };
}

/** A pool that is taken whole at the start: it is as large as the device. */
const isPool = ({ allocator, conf }: Change): boolean => allocator === 'bfc' && !conf.includes('allow_growth=true');

/** Without a device to fill, a pool is as large as the program reaches in an endless one. */
function poolSize(trace: Trace, change: Change): number {
  const { allocator, firstAddress } = make(trace, change, UNLIMITED);
  let top = 0;
  const live = new Map<number, number>();
  for (let i = 0; i < trace.length; i++) {
    const tensor = trace.tensor[i] ?? -1;
    if (trace.kind[i] === OPERATION.allocate) {
      const handle = allocator.malloc(trace.size[i] ?? 0);
      if (handle < 0) continue;
      live.set(tensor, handle);
      top = Math.max(top, allocator.addressOf(handle) + allocator.sizeOf(handle) - firstAddress);
    } else if (trace.kind[i] === OPERATION.free) {
      const handle = live.get(tensor);
      if (handle !== undefined) allocator.free(handle);
      live.delete(tensor);
    }
  }
  return Math.max(STEP, Math.ceil(top / STEP) * STEP);
}

const make = (trace: Trace, change: Change, capacity: number): ReadyAllocator =>
  makeAllocator({
    name: change.allocator,
    conf: change.conf,
    capacity,
    trace,
    ...(change.allocator === 'caching' && collectsGarbage(change.conf) ? { fraction: 1 } : {}),
  });

function measure(
  trace: Trace,
  change: Change,
  { capacity, stopAtFailure = false }: { readonly capacity: number; readonly stopAtFailure?: boolean },
): ReadyAllocator & { readonly measured: Measured } {
  const ready = make(trace, change, capacity);
  const { allocator } = ready;
  const peaks = (): { readonly reserved: number; readonly allocated: number } => {
    const stats = allocator.stats();
    return { reserved: stats['reserved_bytes.all.peak'] ?? 0, allocated: stats['allocated_bytes.all.peak'] ?? 0 };
  };
  const measured = measureTrace(trace, allocator, {
    stopAtFailure,
    ...(allocator instanceof CachingAllocator ? { peaks } : {}),
  });
  return { ...ready, measured };
}

/**
 * The smallest device on which every request succeeds, to 2 MiB: doubled until it fits, then halved. Undefined when not
 * even the largest is enough. The answer itself was tried; that no smaller one works is known only for the steps tried,
 * since an allocator may fail on more memory and succeed on less.
 */
export function smallestCapacity(trace: Trace, change: Change, lowerBound: number): number | undefined {
  const fits = (capacity: number): boolean =>
    measure(trace, change, { capacity, stopAtFailure: true }).measured.failures === 0;
  const up = (size: number): number => Math.max(STEP, Math.ceil(size / STEP) * STEP);
  let low = up(lowerBound);
  if (fits(low)) return low;
  let high = up(low * 1.125);
  while (!fits(high)) {
    low = high;
    if (high >= UNLIMITED) return undefined;
    high = Math.min(UNLIMITED, up(lowerBound + (high - lowerBound) * 2));
  }
  while (high - low > STEP) {
    const middle = up((low + high) / 2);
    if (middle >= high) break;
    if (fits(middle)) high = middle;
    else low = middle;
  }
  return high;
}
