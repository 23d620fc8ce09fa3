/** When tensors live: the input of the offline plan. Operation `begin` allocates, operation `end` frees. */
import { OPERATION, type Trace, tensorCount } from '../../trace/trace.js';

export interface Lifetimes {
  readonly count: number;
  /** Bytes, rounded up to the plan's alignment; 0 for tensors of no bytes. */
  readonly sizes: Float64Array;
  readonly requested: Float64Array;
  readonly begins: Int32Array;
  /** The trace's length for tensors that are never freed. */
  readonly ends: Int32Array;
}

/**
 * Lifetimes of the tensors of a trace, in the order of their allocation. Streams are not looked at: the plan is for
 * one queue, as WebGPU has.
 */
export function lifetimesOf(trace: Trace, alignment: number): Lifetimes {
  const count = tensorCount(trace) - trace.firstTensor;
  const sizes = new Float64Array(count);
  const requested = new Float64Array(count);
  const begins = new Int32Array(count);
  const ends = new Int32Array(count).fill(trace.length);
  for (let i = 0; i < trace.length; i++) {
    const tensor = trace.tensor[i]! - trace.firstTensor;
    if (trace.kind[i] === OPERATION.allocate) {
      requested[tensor] = trace.size[i]!;
      sizes[tensor] = Math.ceil(trace.size[i]! / alignment) * alignment;
      begins[tensor] = i;
    } else if (trace.kind[i] === OPERATION.free && tensor >= 0) {
      ends[tensor] = i;
    }
  }
  return { count, sizes, requested, begins, ends };
}

/** The most bytes alive at once: no placement can take less. */
export function maxLive({ count, sizes, begins, ends }: Lifetimes): number {
  let length = 0;
  for (let i = 0; i < count; i++) length = Math.max(length, ends[i]!);
  const change = new Float64Array(length + 1);
  for (let i = 0; i < count; i++) {
    change[begins[i]!]! += sizes[i]!;
    change[ends[i]!]! -= sizes[i]!;
  }
  let live = 0;
  let most = 0;
  for (let i = 0; i < length; i++) {
    live += change[i]!;
    if (live > most) most = live;
  }
  return most;
}
