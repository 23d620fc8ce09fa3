/**
 * One run of a lesson, replayed once, with what its numbers need written down on the way: the state at markers, at the
 * first failure and at the end, peaks, and where named tensors were placed.
 */
import { type AllocationFailure, type Allocator, type AllocatorTotals, type Heap } from '../allocator/allocator.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { type FirstFailure, Replay } from '../trace/replay.js';
import { type TensorFact } from '../trace/tensor-facts.js';
import { OPERATION, type Trace } from '../trace/trace.js';
import { allocatorOfRun, type DeviceCalls } from './run-allocator.js';
import { budgetOf } from './run-setup.js';
import { traceOfRun } from './run-trace.js';
import { type Run } from './schema.js';

/** The state after one operation. */
export interface Moment {
  readonly operation: number;
  readonly totals: Readonly<AllocatorTotals>;
  readonly heap: Heap;
  readonly calls: DeviceCalls;
  /** Failed allocations so far. */
  readonly failures: number;
  /** The framework's own statistics. */
  readonly stats: Readonly<Record<string, number>>;
}

/** The first failure. */
export interface FailedMoment extends Moment {
  readonly failure: AllocationFailure;
  readonly refused: TensorFact;
  readonly factOf: (handle: number) => TensorFact;
}

/** Largest values after any operation. */
export interface Peaks {
  allocated: number;
  requested: number;
  reserved: number;
  gap: number;
  internal: number;
}

export interface Placed {
  readonly address: number;
  readonly size: number;
}

export interface RunRecord {
  readonly run: Run;
  readonly trace: Trace;
  readonly budget: number;
  /** State at the markers asked for: the first of each label. */
  readonly moments: ReadonlyMap<string, Moment>;
  readonly failed: FailedMoment | undefined;
  readonly end: Moment;
  readonly peaks: Readonly<Peaks>;
  /** Where the tensors asked for were placed, the last of each name. */
  readonly placed: ReadonlyMap<string, Placed>;
}

/** What to write down of a run, beside its end, its peaks and its failure. */
export interface Wanted {
  readonly labels: ReadonlySet<string>;
  readonly tensors: ReadonlySet<string>;
}

/** Replays a run. Throws `AppError` (`bad-input`) for a run that cannot be made. */
export function recordRun(run: Run, wanted: Wanted): RunRecord {
  const trace = traceOfRun(run);
  const { allocator, calls } = allocatorOfRun(run);
  const peaks: Peaks = { allocated: 0, requested: 0, reserved: 0, gap: 0, internal: 0 };
  const moments = new Map<string, Moment>();
  const placed = new Map<string, Placed>();
  let failed: FailedMoment | undefined;
  const momentNow = (operation: number): Moment => ({
    operation,
    totals: copyOf(allocator.totals),
    heap: allocator.heap(),
    calls: calls(),
    failures: replay.result().failures,
    stats: statsOf(allocator),
  });
  const replay: Replay = new Replay(allocator, {
    source: `run ${run.id}`,
    onFailure: (first: FirstFailure) => {
      const { failure, refused, factOf } = first;
      // Handles are given out again; the facts are those of this moment.
      const facts = new Map<number, TensorFact>();
      const moment = momentNow(first.refused.operation);
      for (const { blocks } of moment.heap.segments) {
        for (const { handle } of blocks) if (handle >= 0) facts.set(handle, factOf(handle));
      }
      failed = { ...moment, failure, refused, factOf: (handle) => facts.get(handle) ?? refused };
    },
  });
  for (let i = 0; i < trace.length; i++) {
    replay.step(trace, i);
    raise(peaks, allocator.totals);
    const text = trace.texts[trace.text?.[i] ?? -1];
    if (text === undefined) continue;
    const kind = trace.kind[i];
    if (kind === OPERATION.marker && wanted.labels.has(text) && !moments.has(text)) moments.set(text, momentNow(i));
    const { handle } = replay.last;
    if (kind !== OPERATION.allocate || handle < 0 || !wanted.tensors.has(text)) continue;
    placed.set(text, { address: allocator.addressOf(handle), size: allocator.sizeOf(handle) });
  }
  const end = momentNow(trace.length - 1);
  return { run, trace, budget: budgetOf(run), moments, failed, end, peaks, placed };
}

/** The totals are live, and of some allocators computed. */
const copyOf = ({ allocated, reserved, active, requested, segments }: Readonly<AllocatorTotals>): AllocatorTotals => ({
  allocated,
  reserved,
  active,
  requested,
  segments,
});

function raise(peaks: Peaks, { allocated, requested, reserved }: Readonly<AllocatorTotals>): void {
  peaks.allocated = Math.max(peaks.allocated, allocated);
  peaks.requested = Math.max(peaks.requested, requested);
  peaks.reserved = Math.max(peaks.reserved, reserved);
  peaks.gap = Math.max(peaks.gap, reserved - allocated);
  peaks.internal = Math.max(peaks.internal, allocated - requested);
}

/** PyTorch's full table is large; its counters are what lessons ask for. */
function statsOf(allocator: Allocator): Readonly<Record<string, number>> {
  if (!(allocator instanceof CachingAllocator)) return allocator.stats();
  const { numAllocRetries, numSyncAllStreams } = allocator.statistics;
  return { num_alloc_retries: numAllocRetries, num_sync_all_streams: numSyncAllStreams };
}
