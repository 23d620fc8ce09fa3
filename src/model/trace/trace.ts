/**
 * A trace: an ordered list of operations on an allocator, as columns of typed arrays, so that a million operations are
 * one small object that crosses threads without a copy and replays without an object an operation.
 *
 *     const builder = new TraceBuilder('two tensors');
 *     builder.allocate(1, MiB(8), 0, CATEGORY.activation);
 *     builder.mark('step 1');
 *     builder.free(1);
 *     const trace = builder.finish();
 *
 * Tensors are numbered densely from 0 in order of their allocation; `ids` has the number that the program or the file
 * uses. An id may be used again once its tensor is freed: that is another tensor.
 */

/** What one operation does: the values of the column `kind`. */
export const OPERATION = {
  allocate: 0,
  free: 1,
  /** The tensor is also used on another stream. */
  recordStream: 2,
  emptyCache: 3,
  /** Device work is done: on `stream`, or everywhere when that is -1. */
  synchronize: 4,
  /** A label, for people. Allocators never see it. */
  marker: 5,
  // The rest are the richer operations of the golden files; `AllocatorControls` says what each does.
  snapshot: 6,
  resetPeakStats: 7,
  resetAccumulatedStats: 8,
  setMemoryFraction: 9,
  setSettings: 10,
  beginPool: 11,
  endPool: 12,
  releasePool: 13,
  setSafeFrontier: 14,
  clearStats: 15,
} as const;

/** What a tensor is for: the values of the column `category`. */
export const CATEGORY = {
  unknown: 0,
  parameter: 1,
  gradient: 2,
  optimizer: 3,
  activation: 4,
  temporary: 5,
  communication: 6,
} as const;
export type CategoryName = keyof typeof CATEGORY;
export const CATEGORY_NAMES = Object.keys(CATEGORY) as readonly CategoryName[];

export interface Trace {
  readonly name: string;
  /** Operations. Every column but `ids` has this many values. */
  readonly length: number;
  readonly kind: Uint8Array;
  /** Tensor of an allocate, free or record; -1 otherwise. */
  readonly tensor: Int32Array;
  /** Bytes of an allocate; the fraction, pool or frontier of an operation that has such a number; 0 otherwise. */
  readonly size: Float64Array;
  /** Stream of an allocate, record or synchronize (-1: all streams); 0 otherwise. */
  readonly stream: Int32Array;
  /** Category of the tensor of an allocate; `CATEGORY.unknown` otherwise. Absent when nothing is known of any. */
  readonly category: Uint8Array | undefined;
  /** Text of a marker, settings string or tensor: an index into `texts`, -1 for none. Absent when there are no texts. */
  readonly text: Int32Array | undefined;
  readonly texts: readonly string[];
  /** Further arguments of BFC allocations; absent in other traces. */
  readonly placement: PlacementColumns | undefined;
  /** Tensors allocated before the first operation of this trace: 0, except in the later parts of a streamed one. */
  readonly firstTensor: number;
  /** The number that the program uses for tensor `firstTensor + i`. */
  readonly ids: Float64Array;
  /** Free-form facts about where the trace comes from. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** One value an operation: 0 alignment is the allocator's default, 0 freedBefore is none. */
export interface PlacementColumns {
  readonly alignment: Float64Array;
  readonly freedBefore: Float64Array;
  readonly upperEnd: Uint8Array;
}

/** Tensors allocated up to the end of the trace. */
export const tensorCount = (trace: Trace): number => trace.firstTensor + trace.ids.length;

/** The number that the program uses for a tensor of this trace. */
export const idOf = (trace: Trace, tensor: number): number => trace.ids[tensor - trace.firstTensor] ?? -1;

/** Markers of a trace, in order. */
export function markersOf(trace: Trace): readonly { readonly operation: number; readonly label: string }[] {
  const { text } = trace;
  if (text === undefined) return [];
  const markers: { operation: number; label: string }[] = [];
  for (let i = 0; i < trace.length; i++) {
    if (trace.kind[i] !== OPERATION.marker) continue;
    markers.push({ operation: i, label: trace.texts[text[i]!] ?? '' });
  }
  return markers;
}
