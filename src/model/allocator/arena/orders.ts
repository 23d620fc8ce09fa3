/** Orders in which an offline plan places its tensors. None is best for all; the plan tries several and keeps the best. */
import { type Lifetimes } from './lifetimes.js';

export const ORDERS = ['size', 'area', 'duration', 'breadth'] as const;
export type Order = (typeof ORDERS)[number];

/** The tensors that take bytes, in the order: largest first by bytes, bytes x time, time, or load at their time. */
export function orderedTensors(order: Order, lifetimes: Lifetimes): Int32Array {
  const { count, sizes, begins, ends } = lifetimes;
  const weight = weights(order, lifetimes);
  const tensors: number[] = [];
  for (let i = 0; i < count; i++) if (sizes[i]! > 0) tensors.push(i);
  tensors.sort(
    (a, b) =>
      weight[b]! - weight[a]! ||
      sizes[b]! - sizes[a]! ||
      ends[b]! - begins[b]! - (ends[a]! - begins[a]!) ||
      begins[a]! - begins[b]!,
  );
  return Int32Array.from(tensors);
}

function weights(order: Order, lifetimes: Lifetimes): Float64Array {
  const { count, sizes, begins, ends } = lifetimes;
  switch (order) {
    case 'size':
      return sizes;
    case 'area':
      return Float64Array.from({ length: count }, (_, i) => sizes[i]! * (ends[i]! - begins[i]!));
    case 'duration':
      return Float64Array.from({ length: count }, (_, i) => ends[i]! - begins[i]!);
    case 'breadth':
      return breadths(lifetimes);
  }
}

/** Bytes alive at the fullest moment of each tensor's life. */
function breadths({ count, sizes, begins, ends }: Lifetimes): Float64Array {
  let length = 0;
  for (let i = 0; i < count; i++) length = Math.max(length, ends[i]!);
  const load = new Float64Array(length + 1);
  for (let i = 0; i < count; i++) {
    load[begins[i]!]! += sizes[i]!;
    load[ends[i]!]! -= sizes[i]!;
  }
  for (let i = 1; i <= length; i++) load[i]! += load[i - 1]!;
  const table = rangeMaxima(load);
  return Float64Array.from({ length: count }, (_, i) => rangeMaximum(table, begins[i]!, ends[i]!));
}

/** Sparse table: row k has the maximum of each run of 2^k values. */
function rangeMaxima(values: Float64Array): Float64Array[] {
  const rows = [values];
  for (let width = 1; width * 2 <= values.length; width *= 2) {
    const last = rows[rows.length - 1]!;
    const row = new Float64Array(values.length - width * 2 + 1);
    for (let i = 0; i < row.length; i++) row[i] = Math.max(last[i]!, last[i + width]!);
    rows.push(row);
  }
  return rows;
}

/** Maximum of the values from `from` up to and without `to`. */
function rangeMaximum(rows: readonly Float64Array[], from: number, to: number): number {
  const level = 31 - Math.clz32(Math.max(to - from, 1));
  const row = rows[level]!;
  return Math.max(row[from]!, row[Math.max(to - 2 ** level, from)]!);
}
