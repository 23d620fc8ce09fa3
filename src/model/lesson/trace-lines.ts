/** The lines by which a lesson tells the trace it was checked with (`traceSha256` is their SHA-256). */
import { idOf, OPERATION, type Trace } from '../trace/trace.js';

/** `a N BYTES`, `f N` and `e`, each with a newline: allocations are numbered from 1, markers are left out. */
export function* traceLines(trace: Trace): Generator<string> {
  const numbers = new Map<number, number>();
  let made = 0;
  for (let i = 0; i < trace.length; i++) {
    const id = idOf(trace, trace.tensor[i] ?? -1);
    if (trace.kind[i] === OPERATION.allocate) {
      made += 1;
      numbers.set(id, made);
      yield `a ${made} ${trace.size[i] ?? 0}\n`;
    } else if (trace.kind[i] === OPERATION.free) yield `f ${numbers.get(id) ?? 0}\n`;
    else if (trace.kind[i] === OPERATION.emptyCache) yield 'e\n';
  }
}
