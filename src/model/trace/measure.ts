/**
 * The figures of a replay and nothing else: peaks, failures, the first failure's place. A tight loop, for sweeps that
 * replay one long trace many times; `Replay` tells the whole story of one.
 */
import { type AllocationFailure, type Allocator, NULL_BLOCK } from '../allocator/allocator.js';
import { OPERATION, tensorCount, type Trace } from './trace.js';

export interface MeasureOptions {
  /** Whether it fits is all that is asked. */
  readonly stopAtFailure?: boolean;
  /** The peaks of an allocator that keeps them itself: reading totals takes a fifth of a replay. */
  readonly peaks?: () => { readonly reserved: number; readonly allocated: number };
}

export interface Measured {
  readonly peakReserved: number;
  readonly peakAllocated: number;
  readonly finalReserved: number;
  readonly failures: number;
  /** The first failure: its operation and what the allocator said; undefined when all fitted. */
  readonly firstFailure: { readonly operation: number; readonly failure: AllocationFailure } | undefined;
}

/** Replays allocations, frees, flushes and the scopes of private pools; what else a trace has does not change what fits. */
export function measureTrace(
  trace: Trace,
  allocator: Allocator,
  { stopAtFailure = false, peaks }: MeasureOptions = {},
): Measured {
  const { kind, tensor, size, stream, length } = trace;
  const { totals, controls } = allocator;
  const handles = new Int32Array(tensorCount(trace)).fill(NULL_BLOCK);
  let peakReserved = 0;
  let peakAllocated = 0;
  let failures = 0;
  let firstFailure: Measured['firstFailure'];
  for (let i = 0; i < length; i++) {
    const what = kind[i]!;
    if (what === OPERATION.allocate) {
      const handle = allocator.malloc(size[i]!, stream[i]);
      if (handle === -1) {
        failures++;
        firstFailure ??= { operation: i, failure: failureOf(allocator) };
        if (stopAtFailure) break;
        continue;
      }
      handles[tensor[i]!] = handle;
      if (peaks !== undefined) continue;
      const { allocated, reserved } = totals;
      if (allocated > peakAllocated) peakAllocated = allocated;
      if (reserved > peakReserved) peakReserved = reserved;
    } else if (what === OPERATION.free) {
      const handle = handles[tensor[i]!]!;
      if (handle === NULL_BLOCK) continue;
      handles[tensor[i]!] = NULL_BLOCK;
      allocator.free(handle);
    } else if (what === OPERATION.emptyCache) allocator.flush();
    // Allocators without private pools serve such requests as any other.
    else if (what === OPERATION.beginPool) controls?.beginAllocateToPool?.(size[i]!);
    else if (what === OPERATION.endPool) controls?.endAllocateToPool?.(size[i]!);
  }
  if (peaks !== undefined) ({ reserved: peakReserved, allocated: peakAllocated } = peaks());
  return { peakReserved, peakAllocated, finalReserved: totals.reserved, failures, firstFailure };
}

function failureOf(allocator: Allocator): AllocationFailure {
  const failure = allocator.lastFailure();
  if (failure === undefined) throw new Error(`${allocator.name} failed without a reason`);
  return failure;
}
