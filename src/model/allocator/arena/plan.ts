/**
 * The offline plan: where each tensor of a known program goes in one arena, so that tensors alive at the same time never
 * overlap and the arena is small. That is two-dimensional packing (NP-hard); greedy placing in several orders comes
 * within a few per cent of the bound on training loops, and the bound (most bytes alive at once) stands beside it.
 *
 *     const plan = planArena(lifetimesOf(trace, 256));
 *     plan.offsets[tensor]; plan.size; plan.lowerBound;
 */
import { type Lifetimes, maxLive } from './lifetimes.js';
import { placeOnline } from './online.js';
import { type Order, orderedTensors, ORDERS } from './orders.js';

export interface ArenaPlan {
  /** Offset of each tensor, by the order of allocation; 0 for tensors of no bytes. */
  readonly offsets: Float64Array;
  /** Bytes of the arena. */
  readonly size: number;
  /** Most bytes alive at once. */
  readonly lowerBound: number;
  /** The order that gave this plan; `start` places tensors as they come, best fit. */
  readonly order: Order | 'start';
  /** Orders that were not tried, because there are too many tensors for the work allowed. */
  readonly skipped: readonly Order[];
}

/** Comparisons that one plan may take: about two seconds. */
const DEFAULT_WORK = 2e9;

/** Places all tensors. Tries the orders while `work` comparisons last; `start` is always tried. */
export function planArena(lifetimes: Lifetimes, work = DEFAULT_WORK): ArenaPlan {
  const lowerBound = maxLive(lifetimes);
  let best = { ...placeOnline(lifetimes), order: 'start' as Order | 'start' };
  const skipped: Order[] = [];
  let left = work;
  for (const order of ORDERS) {
    if (best.size === lowerBound) break; // none can be better
    if ((lifetimes.count * lifetimes.count) / 2 > left) {
      skipped.push(order);
      continue;
    }
    const placed = placeInOrder(lifetimes, orderedTensors(order, lifetimes), best.size);
    left -= placed.work;
    if (placed.offsets !== undefined) best = { offsets: placed.offsets, size: placed.size, order };
  }
  return { offsets: best.offsets, size: best.size, lowerBound, order: best.order, skipped };
}

interface Placed {
  /** Undefined when the plan would not have been under the limit. */
  readonly offsets: Float64Array | undefined;
  readonly size: number;
  /** Comparisons made. */
  readonly work: number;
}

/**
 * Gives each tensor, in order, the lowest offset that is free during its whole life. Those placed are kept by offset,
 * so that one pass over them finds it. Stops as soon as the arena would reach `limit`.
 */
function placeInOrder(lifetimes: Lifetimes, tensors: Int32Array, limit: number): Placed {
  const { count, sizes, begins, ends } = lifetimes;
  const offsets = new Float64Array(count);
  // Columns of the placed tensors in the order of their offsets.
  const starts = new Float64Array(tensors.length);
  const tops = new Float64Array(tensors.length);
  const firsts = new Int32Array(tensors.length);
  const lasts = new Int32Array(tensors.length);
  let placed = 0;
  let size = 0;
  let work = 0;
  for (const tensor of tensors) {
    const bytes = sizes[tensor]!;
    const begin = begins[tensor]!;
    const end = ends[tensor]!;
    let offset = 0;
    let i = 0;
    for (; i < placed; i++) {
      if (firsts[i]! >= end || lasts[i]! <= begin) continue;
      if (starts[i]! - offset >= bytes) break;
      if (tops[i]! > offset) offset = tops[i]!;
    }
    work += i;
    const top = offset + bytes;
    if (top >= limit) return { offsets: undefined, size: top, work };
    size = Math.max(size, top);
    offsets[tensor] = offset;
    const at = upperBound(starts, placed, offset);
    for (const column of [starts, tops, firsts, lasts]) column.copyWithin(at + 1, at, placed);
    starts[at] = offset;
    tops[at] = top;
    firsts[at] = begin;
    lasts[at] = end;
    placed++;
  }
  return { offsets, size, work };
}

/** Index of the first of `length` ascending values that is over `value`. */
function upperBound(values: Float64Array, length: number, value: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
