/** The trace that a person gave: carried out under every placement, beside the lab's own loops. */
import { type RunRequest } from '../../engine/protocol.js';
import { type Environment } from '../../model/report/schema.js';
import { parseTrace } from '../../model/trace/trace-reader.js';
import { bfcLimit } from '../../model/trace/trace-header.js';
import { type Trace } from '../../model/trace/trace.js';
import { checkCarriable, TRAIN_HEADROOM } from './carriable.js';

export interface GivenTrace {
  readonly trace: Trace;
  /** Bytes that it was made for; the budget of the segments where the file names none. */
  readonly capacity: number;
  /** Settings that the file was recorded under, '' for none. */
  readonly conf: string;
}

/** Reads a trace and what it was made for. Throws `AppError` (`bad-input`) for a text that is no trace. */
export function readGivenTrace(text: string, name: string | undefined, budgetBytes: number): GivenTrace {
  const { trace, header } = parseTrace(text, name);
  const { capacity = bfcLimit(header.bfc) ?? budgetBytes, fraction = 1, conf = '' } = header;
  // What a process may use of a device is all that it has.
  return { trace, capacity: Math.floor(capacity * Math.min(1, fraction)), conf };
}

/** The trace that a run was given, and the bytes that its segments may take. */
interface GivenProgram extends GivenTrace {
  readonly budgetBytes: number;
}

/**
 * The given trace, checked against the adapter; undefined without one. It runs at its own size where the budget that the
 * person asked for holds it; one that has to be scaled is scaled to `presetBytes`, what the preset has time for. Throws as
 * `readGivenTrace` and `checkCarriable` do.
 */
export function givenTrace(
  { traceText, traceFile, budgetBytes, isBudgetAsked }: RunRequest,
  { adapter }: Environment,
  presetBytes: number,
): GivenProgram | undefined {
  if (traceText === undefined) return undefined;
  const askedBytes = isBudgetAsked === true ? Math.max(1, budgetBytes - TRAIN_HEADROOM) : presetBytes;
  const given = readGivenTrace(traceText, traceFile, askedBytes);
  const segmentBytes = given.capacity <= askedBytes ? askedBytes : presetBytes;
  checkCarriable(traceFile ?? 'the trace', given, adapter, segmentBytes);
  return { ...given, budgetBytes: segmentBytes };
}
