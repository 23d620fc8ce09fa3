/**
 * What a golden text or pickle was made from: a golden trace run on the model, its history as far as the golden files go,
 * and its segments at the end (those of the first snapshot where nothing is left; golden/pytorch/README.md).
 */
import { badInput } from '../../base/errors.js';
import { type Heap } from '../allocator/allocator.js';
import { type CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { Replay } from '../trace/replay.js';
import { OPERATION } from '../trace/trace.js';
import { pytorchModel, traceOfFile } from './check-pytorch.js';
import { readPytorchTrace } from './pytorch-file.js';

/** Golden texts and pickles stop after so many history entries. */
export const KEPT_ENTRIES = 1500;

/** Finds a golden trace by its name in the folder of the file that is checked; undefined where there is none. */
export type FindTrace = (name: string) => unknown;

export interface RecordedEnd {
  readonly heap: Heap;
  /** Keeps the whole history. */
  readonly allocator: CachingAllocator;
  readonly conf: string;
}

/** Throws `AppError` (`bad-input`) where the trace is not there, or is no golden trace. */
export function recordedEnd(name: string, source: string, findTrace: FindTrace): RecordedEnd {
  const value = findTrace(name);
  if (value === undefined) throw badInput(source, `${source}: made from the trace ${name}, which is not in the folder`);
  const file = readPytorchTrace(value, name);
  const trace = traceOfFile(file, name);
  const { allocator } = pytorchModel(file, true);
  const replay = new Replay(allocator, { source: name, refusals: 'record' });
  let first: Heap | undefined;
  for (let i = 0; i < trace.length; i++) {
    replay.step(trace, i);
    if (trace.kind[i] === OPERATION.snapshot) first ??= allocator.heap();
  }
  const last = allocator.heap();
  return { heap: last.segments.length > 0 ? last : (first ?? last), allocator, conf: file.config };
}
