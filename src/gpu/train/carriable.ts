/** What real buffers can carry out at all; refused before anything runs, with the numbers. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { formatBytes } from '../../base/format.js';
import { scaleTrace } from '../../model/execution/scale.js';
import { type AdapterFacts } from '../../model/report/schema.js';
import { OPERATION, type Trace } from '../../model/trace/trace.js';

/** Operations that a run on real buffers carries out in bearable time. */
const MOST_OPERATIONS = 200_000;

/** Bytes beside the segments: tables, findings, clock and read-back. */
export const TRAIN_HEADROOM = 16 * 2 ** 20;

/** Bytes that one segment may have on an adapter: a segment is one buffer, and is bound whole. */
export const mostSegmentBytes = ({ limits }: Pick<AdapterFacts, 'limits'>): number =>
  Math.min(limits['maxBufferSize'] ?? Infinity, limits['maxStorageBufferBindingSize'] ?? Infinity);

/**
 * Refuses a trace that no device with these limits can carry out. A tensor lies in one segment and a segment is one buffer,
 * so a tensor over the limit cannot be split. `name` stands in the message. Throws `AppError` (`bad-input`).
 */
export function checkCarriable(
  name: string,
  { trace, capacity }: { readonly trace: Trace; readonly capacity: number },
  adapter: Pick<AdapterFacts, 'limits'>,
  budgetBytes: number,
): void {
  if (trace.length > MOST_OPERATIONS) {
    throw badInput(name, say`${name}: ${trace.length} operations; real buffers carry out up to ${MOST_OPERATIONS}`);
  }
  const scaled = scaleTrace(trace, capacity, budgetBytes).trace;
  const most = mostSegmentBytes(adapter);
  const at = scaled.size.findIndex((size, i) => scaled.kind[i] === OPERATION.allocate && size > most);
  if (at === -1) return;
  const size = scaled.size[at] ?? 0;
  throw badInput(
    name,
    say`${name}: operation ${at} needs a segment of ${size} bytes (${formatBytes(size)}), over this adapter's maxBufferSize of ${most} bytes (${formatBytes(most)}); give the trace a capacity, so that it is scaled, or smaller tensors`,
  );
}
