/**
 * Formula against replay, term by term. Each term's formula is the most bytes that the term ever has; not all terms have
 * their most at one time, and an allocator rounds. Both are named, so that the sum is exact:
 *
 *     sum of formulas - not alive at the peak + rounding = peak allocated
 */
import { type Allocator } from '../allocator/allocator.js';
import { Replay, type ReplayResult } from '../trace/replay.js';
import { markersOf, OPERATION, type Trace } from '../trace/trace.js';
import { type Plan } from './plan.js';
import { type StepTrace } from './step/recorder.js';
import { type TermId } from './term.js';

export interface TermGap {
  readonly id: TermId;
  readonly formula: number;
  /** Most bytes that tensors of the term asked for together, at any time. */
  readonly most: number;
  /** Bytes of the term at the operation where most is allocated. */
  readonly atPeak: number;
}

export interface Reconciliation {
  readonly terms: readonly TermGap[];
  /** Where the peak is: the operation, and the phase that it is in. */
  readonly operation: number;
  readonly phase: string;
  /** Bytes of terms that are not all there at the peak. */
  readonly notAtPeak: number;
  /** Bytes that blocks have beyond what was asked. */
  readonly rounding: number;
  /** Formulas against what the terms ever had; 0 where every formula is exact. */
  readonly unexplained: number;
  readonly peakAllocated: number;
  readonly result: ReplayResult;
}

/** Replays a step on an allocator that has room for all of it, and compares with the plan. */
export function reconcile(plan: Plan, step: StepTrace, allocator: Allocator): Reconciliation {
  const operation = peakOperation(step.trace, allocator);
  const { most, atPeak } = bytesByTerm(step, operation.at);
  const terms = plan.terms
    .filter(({ inCache, bytes }) => inCache && bytes !== undefined)
    .map(({ id, bytes = 0 }) => ({ id, formula: bytes, most: most.get(id) ?? 0, atPeak: atPeak.get(id) ?? 0 }));
  const sum = (pick: (gap: TermGap) => number) => terms.reduce((total, gap) => total + pick(gap), 0);
  return {
    terms,
    operation: operation.at,
    phase: phaseAt(step.trace, operation.at),
    notAtPeak: sum(({ most: whole, atPeak: there }) => whole - there),
    rounding: operation.allocated - sum(({ atPeak: there }) => there),
    unexplained: sum(({ formula, most: whole }) => formula - whole),
    peakAllocated: operation.allocated,
    result: operation.result,
  };
}

/** The first operation after which most bytes are allocated. */
function peakOperation(trace: Trace, allocator: Allocator): { at: number; allocated: number; result: ReplayResult } {
  const replay = new Replay(allocator);
  let at = 0;
  let allocated = 0;
  for (let i = 0; i < trace.length; i++) {
    replay.step(trace, i);
    if (allocator.totals.allocated <= allocated) continue;
    allocated = allocator.totals.allocated;
    at = i;
  }
  return { at, allocated, result: replay.result() };
}

/** Bytes asked for by the live tensors of each term: the most ever, and after one operation. */
export function bytesByTerm({ trace, terms }: StepTrace, operation: number) {
  const now = new Map<TermId, number>();
  const most = new Map<TermId, number>();
  let atPeak: ReadonlyMap<TermId, number> = new Map();
  const sizes = new Float64Array(terms.length);
  for (let i = 0; i < trace.length; i++) {
    const tensor = trace.tensor[i] ?? -1;
    const term = terms[tensor];
    if (term !== undefined && trace.kind[i] === OPERATION.allocate) {
      const size = trace.size[i] ?? 0;
      sizes[tensor] = size;
      const bytes = (now.get(term) ?? 0) + size;
      now.set(term, bytes);
      if (bytes > (most.get(term) ?? 0)) most.set(term, bytes);
    } else if (term !== undefined && trace.kind[i] === OPERATION.free) {
      now.set(term, (now.get(term) ?? 0) - (sizes[tensor] ?? 0));
    }
    if (i === operation) atPeak = new Map(now);
  }
  return { most, atPeak };
}

function phaseAt(trace: Trace, operation: number): string {
  const before = markersOf(trace).filter((marker) => marker.operation <= operation);
  return before[before.length - 1]?.label ?? '';
}
