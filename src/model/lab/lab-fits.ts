/** What would have made a failing side fit, each change tried on its own in a replay from the start. */
import { type Trace } from '../trace/trace.js';
import { remediesFor, type RemedyRow, tryRemedy } from '../workload/remedies.js';
import { type LabSetup } from './lab-program.js';

export type LabFit = RemedyRow;

/** Tries change after change, so that a caller can show each as it comes and stop between two. */
export function* labFits(trace: Trace, setup: LabSetup): Generator<LabFit, void> {
  const whole = { ...setup, trace };
  for (const remedy of remediesFor(whole, [trace], trace.meta)) {
    yield tryRemedy(remedy, whole, [trace], trace.meta['workload']);
  }
}

/** How many changes `labFits` tries. */
export const fitCount = (trace: Trace, setup: LabSetup): number =>
  remediesFor({ ...setup, trace }, [trace], trace.meta).length;
