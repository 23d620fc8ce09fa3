/** Thread of a sweep: takes the next change that nobody has taken, until there is none. */
import { parentPort, workerData } from 'node:worker_threads';
import { runChange } from '../../model/diagnose/whatif/run-change.js';
import { type SweepWork } from './run-sweep.js';

const { traces, changes, question, taken } = workerData as SweepWork;

for (;;) {
  const index = Atomics.add(taken, 0, 1);
  const change = changes[index];
  if (change === undefined) break;
  const trace = traces[change.trace];
  if (trace === undefined) throw new Error(`change ${index} names no trace`);
  parentPort?.postMessage({ index, row: runChange(trace, change, question) });
}
