/** The trace that a person gave: carried out under every placement, beside the lab's own loops. */
import { badInput } from '../../base/errors.js';
import { formatBytes } from '../../base/format.js';
import { type RunRequest } from '../../engine/protocol.js';
import { scaleTrace } from '../../model/execution/scale.js';
import { type Environment } from '../../model/report/schema.js';
import { parseTrace } from '../../model/trace/trace-reader.js';
import { OPERATION, type Trace } from '../../model/trace/trace.js';

export interface GivenTrace {
  readonly trace: Trace;
  /** Bytes that it was made for; the budget of the segments where the file names none. */
  readonly capacity: number;
}

/** Operations that a run on real buffers carries out in bearable time. */
const MOST_OPERATIONS = 200_000;

/** The given trace; undefined without one. Throws `AppError` (`bad-input`) for a text that is no trace. */
export function givenTrace({ traceText, traceFile }: RunRequest, budgetBytes: number): GivenTrace | undefined {
  if (traceText === undefined) return undefined;
  const { trace, header } = parseTrace(traceText, traceFile);
  return { trace, capacity: header.capacity ?? budgetBytes };
}

/**
 * Refuses a trace that no device with these limits can carry out, before anything runs. A tensor lies in one segment and
 * a segment is one buffer, so a tensor over maxBufferSize cannot be split.
 */
export function checkGivenTrace(request: RunRequest, { adapter }: Environment, budgetBytes: number): void {
  const given = givenTrace(request, budgetBytes);
  if (given === undefined) return;
  const name = request.traceFile ?? 'the trace';
  if (given.trace.length > MOST_OPERATIONS) {
    throw badInput(name, `${name}: ${given.trace.length} operations; real buffers carry out up to ${MOST_OPERATIONS}`);
  }
  const { trace } = scaleTrace(given.trace, given.capacity, budgetBytes);
  const most = Math.min(
    adapter.limits['maxBufferSize'] ?? Infinity,
    adapter.limits['maxStorageBufferBindingSize'] ?? Infinity,
  );
  const at = trace.size.findIndex((size, i) => trace.kind[i] === OPERATION.allocate && size > most);
  if (at === -1) return;
  const size = trace.size[at] ?? 0;
  throw badInput(
    name,
    `${name}: operation ${at} needs a segment of ${size} bytes (${formatBytes(size)}), over this adapter's maxBufferSize of ${most} bytes (${formatBytes(most)}); give the trace a capacity, so that it is scaled, or smaller tensors`,
  );
}
