/**
 * The state after each operation of a replay as JSON lines (`vramlab replay --events`). PyTorch's and most allocators
 * have the columns of DESIGN section 5; BFC has those of golden/bfc/README.md.
 */
import { type Allocator } from '../allocator/allocator.js';
import { BfcAllocator } from '../allocator/bfc/bfc-allocator.js';
import { type StepResult } from './replay.js';
import { OPERATION } from './trace.js';

/** What one line is made of. */
export interface EventSource {
  readonly allocator: Allocator;
  /** Address that the device gives out first: `addr` counts from it. */
  readonly firstAddress: number;
}

/** Gives the line of operation `operation`, of kind `kind`, that did `step`. Called right after that step. */
export type EventLine = (operation: number, kind: number, step: StepResult) => string;

/** The lines of this allocator. */
export function eventLines({ allocator, firstAddress }: EventSource): EventLine {
  return allocator instanceof BfcAllocator ? bfcLines(allocator, firstAddress) : plainLines(allocator, firstAddress);
}

function plainLines(allocator: Allocator, firstAddress: number): EventLine {
  return (op, _kind, step) => {
    const placed = step.handle >= 0;
    const { allocated, reserved, active, requested, segments } = allocator.totals;
    const error = step.failure?.text ?? step.refusal;
    return JSON.stringify({
      op,
      addr: placed ? allocator.addressOf(step.handle) - firstAddress : null,
      size: placed ? allocator.sizeOf(step.handle) : null,
      allocated,
      reserved,
      active,
      requested,
      segments,
      ...(step.failure === undefined ? {} : { oom: true }),
      ...(error === undefined ? {} : { error }),
    });
  };
}

function bfcLines(allocator: BfcAllocator, firstAddress: number): EventLine {
  return (op, kind, step) => {
    const isAllocation = kind === OPERATION.allocate;
    const placed = step.handle >= 0;
    const stats = allocator.stats();
    const freed = kind === OPERATION.free ? step.freedSize : null;
    return JSON.stringify({
      op,
      off: isAllocation ? (placed ? allocator.addressOf(step.handle) - firstAddress : -1) : null,
      alloc: isAllocation ? (placed ? allocator.sizeOf(step.handle) : 0) : freed,
      in_use: stats['bytes_in_use'],
      peak: stats['peak_bytes_in_use'],
      pool: stats['pool_bytes'],
      peak_pool: stats['peak_pool_bytes'],
      regions: allocator.totals.segments,
      next_region: allocator.nextRegionBytes,
      largest_alloc: stats['largest_alloc_size'],
      largest_free: allocator.largestFree,
      num_allocs: stats['num_allocs'],
      ...(step.failure === undefined ? {} : { oom: true, error: step.failure.text }),
    });
  };
}
