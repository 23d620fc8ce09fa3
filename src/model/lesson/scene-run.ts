/** Where the scene of a step stands: before the answer at the moment of the question, after it at the end. */
import { markersOf, type Trace } from '../trace/trace.js';
import { type Run, type Step } from './schema.js';

/**
 * Operations that are carried out before the answer: what `start` of the step says (a marker, or their number); else up to
 * the last marker of operations written out, or the first of a generated program, since its loops tell the answer.
 */
export function startOf({ start }: Pick<Step, 'start'>, run: Run, trace: Trace): number {
  if (typeof start === 'number') return Math.min(start, trace.length);
  const markers = markersOf(trace).filter(({ operation }) => operation < trace.length - 1);
  const named = start === undefined ? undefined : markers.find(({ label }) => label === start);
  const marker = named ?? (run.generator === undefined ? markers.at(-1) : markers[0]);
  return marker === undefined ? 0 : marker.operation + 1;
}

/** The first operations of a trace, as a trace. */
export function firstOperations(trace: Trace, count: number): Trace {
  const cut = <T extends { subarray: (from: number, to: number) => T }>(column: T): T => column.subarray(0, count);
  return {
    ...trace,
    length: count,
    kind: cut(trace.kind),
    tensor: cut(trace.tensor),
    size: cut(trace.size),
    stream: cut(trace.stream),
    category: trace.category && cut(trace.category),
    text: trace.text && cut(trace.text),
    placement: trace.placement && {
      alignment: cut(trace.placement.alignment),
      freedBefore: cut(trace.placement.freedBefore),
      upperEnd: cut(trace.placement.upperEnd),
    },
  };
}
