/** The library's replay: takes a trace as columns, or as the object that a trace file holds. */
import { type Allocator } from '../allocator/allocator.js';
import { replay, type ReplayOptions, type ReplayResult } from './replay.js';
import { parseTrace } from './trace-reader.js';
import { type Trace } from './trace.js';

/** A trace file as JSON.parse gives it: `vramlab-trace`, or a golden file. */
export interface TraceObject {
  readonly ops?: readonly unknown[];
  readonly [member: string]: unknown;
}

/**
 * Replays a trace on an allocator. Throws `AppError` (`bad-input`) with the operation for a trace that no program can
 * make, an operation that the allocator does not know, and a setting that it refuses.
 */
export function replayAny(trace: Trace | TraceObject, allocator: Allocator, options?: ReplayOptions): ReplayResult {
  return replay(isColumns(trace) ? trace : parseTrace(JSON.stringify(trace)).trace, allocator, options);
}

const isColumns = (trace: Trace | TraceObject): trace is Trace => trace['kind'] instanceof Uint8Array;
