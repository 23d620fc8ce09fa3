/** A trace of some of the operations of another, in the order given. Tensors keep their numbers. */
import { type Trace } from './trace.js';

/** `rows`: operations that stay. Arguments of BFC allocations are not carried over. */
export const pickOperations = (trace: Trace, rows: Int32Array): Trace => ({
  ...trace,
  length: rows.length,
  kind: Uint8Array.from(rows, (i) => trace.kind[i]!),
  tensor: Int32Array.from(rows, (i) => trace.tensor[i]!),
  size: Float64Array.from(rows, (i) => trace.size[i]!),
  stream: Int32Array.from(rows, (i) => trace.stream[i]!),
  category: trace.category === undefined ? undefined : Uint8Array.from(rows, (i) => trace.category![i]!),
  text: trace.text === undefined ? undefined : Int32Array.from(rows, (i) => trace.text![i]!),
  placement: undefined,
});

/** The trace without some tensors: neither their allocations nor anything else that names them. */
export function withoutTensors(trace: Trace, isDropped: (tensor: number) => boolean): Trace {
  const kept: number[] = [];
  for (let i = 0; i < trace.length; i++) {
    if (trace.tensor[i] === -1 || !isDropped(trace.tensor[i]!)) kept.push(i);
  }
  return pickOperations(trace, Int32Array.from(kept));
}
