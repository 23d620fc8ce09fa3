/**
 * Answers many changes on one trace, in parallel; stopped, it gives the rows that are there. The columns lie in shared memory, so that a thread starts without a
 * copy; each takes the next change when it is done with one. A short sweep is not worth a thread's start.
 */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
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
  /** Ends the threads; the sweep then gives what it has. */
  readonly signal?: AbortSignal;
}

/** Operations below which one thread is faster than starting more. */
const WORTH_THREADS = 4_000_000;
/** Replays that a search takes. */
const SEARCH_REPLAYS = 10;
const MOST_THREADS = 8;

/** One row a change, in their order; undefined for those that were not answered when `signal` stopped it. */
export async function runSweep(
  traces: readonly Trace[],
  changes: readonly Change[],
  question: Question,
  { onProgress = () => undefined, signal }: SweepOptions = {},
): Promise<readonly (WhatIfRow | undefined)[]> {
  const operations = (traces[0]?.length ?? 0) * changes.length * (question.search ? SEARCH_REPLAYS : 1);
  const threads = Math.min(availableParallelism(), MOST_THREADS, changes.length);
  if (threads < 2 || operations < WORTH_THREADS) {
    const rows: (WhatIfRow | undefined)[] = changes.map(() => undefined);
    for (const [index, change] of changes.entries()) {
      const trace = traces[change.trace];
      if (trace === undefined) throw new Error(`change ${index} names no trace`);
      rows[index] = runChange(trace, change, question);
      onProgress(index + 1);
      // A signal is heard between two rows only.
      await setImmediate();
      if (signal?.aborted === true) break;
    }
    return rows;
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
): Promise<readonly (WhatIfRow | undefined)[]> {
  const rows: (WhatIfRow | undefined)[] = work.changes.map(() => undefined);
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
              resolve();
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
