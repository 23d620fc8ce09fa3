/** A trace whose columns lie in memory that threads share: handed to another thread without a copy. */
import { type Trace } from './trace.js';

/** The columns that a replay reads; names, categories and texts stay behind. */
export function sharedTrace(trace: Trace): Trace {
  return {
    ...trace,
    kind: copyOf(trace.kind, new Uint8Array(room(trace.kind))),
    tensor: copyOf(trace.tensor, new Int32Array(room(trace.tensor))),
    size: copyOf(trace.size, new Float64Array(room(trace.size))),
    stream: copyOf(trace.stream, new Int32Array(room(trace.stream))),
    ids: copyOf(trace.ids, new Float64Array(room(trace.ids))),
    category: undefined,
    text: undefined,
    texts: [],
    meta: {},
  };
}

const room = ({ byteLength }: { readonly byteLength: number }): SharedArrayBuffer => new SharedArrayBuffer(byteLength);

function copyOf<A extends { set(from: A): void }>(from: A, to: A): A {
  to.set(from);
  return to;
}
