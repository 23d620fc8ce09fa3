/** A trace whose columns lie in memory that threads share: handed to another thread without a copy. */
import { type Trace } from './trace.js';

/** All columns that a screen or a replay reads; what the trace says of itself (`meta`) stays behind. */
export function sharedTrace(trace: Trace): Trace {
  return {
    ...trace,
    kind: copyOf(trace.kind, new Uint8Array(room(trace.kind))),
    tensor: copyOf(trace.tensor, new Int32Array(room(trace.tensor))),
    size: copyOf(trace.size, new Float64Array(room(trace.size))),
    stream: copyOf(trace.stream, new Int32Array(room(trace.stream))),
    ids: copyOf(trace.ids, new Float64Array(room(trace.ids))),
    category: trace.category && copyOf(trace.category, new Uint8Array(room(trace.category))),
    text: trace.text && copyOf(trace.text, new Int32Array(room(trace.text))),
    meta: {},
  };
}

const room = ({ byteLength }: { readonly byteLength: number }): SharedArrayBuffer => new SharedArrayBuffer(byteLength);

function copyOf<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from);
  return to;
}
