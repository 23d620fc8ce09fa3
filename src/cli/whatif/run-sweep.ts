/**
 * Answers many changes on one trace, in parallel. The columns lie in shared memory, so that a thread starts without a
 * copy; each takes the next change when it is done with one. A short sweep is not worth a thread's start.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Change } from '../../model/diagnose/whatif/changes.js';
import { type Question, runChange, type WhatIfRow } from '../../model/diagnose/whatif/run-change.js';
import { sharedTrace } from '../../model/trace/shared-trace.js';
import { type Trace } from '../../model/trace/trace.js';

export interface SweepWork {
  readonly traces: readonly Trace[];
  readonly changes: readonly Change[];
  readonly question: Question;
  /** Changes taken so far, shared by the threads. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

export interface SweepOptions {
  /** Called after each row, with how many there are. */
  readonly onProgress?: (done: number) => void;
  /** Ends the threads; the sweep then rejects with its reason. */
  readonly signal?: AbortSignal;
}

/** Operations below which one thread is faster than starting more. */
const WORTH_THREADS = 4_000_000;
/** Replays that a search takes. */
const SEARCH_REPLAYS = 10;
const MOST_THREADS = 8;

/** One row a change, in their order. */
export async function runSweep(
  traces: readonly Trace[],
  changes: readonly Change[],
  question: Question,
  { onProgress = () => undefined, signal }: SweepOptions = {},
): Promise<readonly WhatIfRow[]> {
  const operations = (traces[0]?.length ?? 0) * changes.length * (question.search ? SEARCH_REPLAYS : 1);
  const threads = Math.min(availableParallelism(), MOST_THREADS, changes.length);
  if (threads < 2 || operations < WORTH_THREADS) {
    return changes.map((change, index) => {
      signal?.throwIfAborted();
      const trace = traces[change.trace];
      if (trace === undefined) throw new Error(`change ${index} names no trace`);
      const row = runChange(trace, change, question);
      onProgress(index + 1);
      return row;
    });
  }
  const work: SweepWork = {
    traces: traces.map(sharedTrace),
    changes,
    question,
    taken: new Int32Array(new SharedArrayBuffer(4)),
  };
  return inThreads(work, threads, onProgress, signal);
}

async function inThreads(
  work: SweepWork,
  threads: number,
  onProgress: (done: number) => void,
  signal: AbortSignal | undefined,
): Promise<readonly WhatIfRow[]> {
  const rows: WhatIfRow[] = [];
  const workers: Worker[] = [];
  let done = 0;
  try {
    await Promise.all(
      Array.from(
        { length: threads },
        () =>
          new Promise<void>((resolve, reject) => {
            const worker = new Worker(new URL('./whatif-worker.js', import.meta.url), { workerData: work });
            workers.push(worker);
            const stop = (): void => {
              reject(signal?.reason instanceof Error ? signal.reason : new Error('the sweep was stopped'));
            };
            if (signal?.aborted === true) stop();
            signal?.addEventListener('abort', stop, { once: true });
            worker.on('message', ({ index, row }: { readonly index: number; readonly row: WhatIfRow }) => {
              rows[index] = row;
              onProgress(++done);
            });
            worker.on('error', reject);
            worker.on('exit', () => {
              signal?.removeEventListener('abort', stop);
              resolve();
            });
          }),
      ),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return rows;
}
