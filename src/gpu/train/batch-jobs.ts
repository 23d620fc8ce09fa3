/**
 * The largest batch that fits the budget, for each way to keep the data: searched on the model, then shown on the
 * device, where that batch has to complete and the next has to run out of memory.
 */
import { say } from '../../base/said.js';
import { largestFitting } from '../../model/execution/largest-batch.js';
import { predict, type Prediction } from '../../model/execution/plan.js';
import { scaleTrace } from '../../model/execution/scale.js';
import { BATCH_LOOPS, batchLoop, type BatchLoop, MOST_BATCH, traceOfLoop } from '../../model/execution/variants.js';
import { type Experiment } from '../../model/report/schema.js';
import { wait } from '../adapter.js';
import { experimentResult, type Job, type RowContext } from '../suite.js';
import { observedOutcome, outcomeOf } from './outcome.js';
import { type TrainLab } from './train-lab.js';

/** One experiment a loop. */
export const batchJobs = (lab: TrainLab): readonly Job[] =>
  BATCH_LOOPS.map((loop): Job => {
    const id = `train/largest-batch/${loop}-caching`;
    const head = { id, suite: 'train', variant: `${loop}-caching` } as const;
    return {
      id,
      suite: 'train',
      kind: 'experiment',
      measures: '',
      riskBytes: lab.budgetBytes,
      run: async (context) => experimentResult({ ...head, ...(await search(context, lab, loop)) }),
    };
  });

/** What the experiment says beside its name. */
type Found = Readonly<Record<string, unknown>> & Pick<Experiment, 'status' | 'reason'>;

async function search(context: RowContext, lab: TrainLab, loop: BatchLoop): Promise<Found> {
  const short = lab.shortfall(batchLoop(loop, 1).capacity);
  if (short !== undefined) return { status: 'skipped', reason: short };
  const predicted = await largestFitting(MOST_BATCH, (batch) => fits(lab, loop, batch, context.signal));
  const largest = predicted === 0 ? undefined : await seen(context, lab, loop, predicted);
  const next = predicted === MOST_BATCH ? undefined : await seen(context, lab, loop, predicted + 1);
  for (const side of [largest, next]) {
    if (side !== undefined && 'refused' in side) return { status: 'skipped', reason: side.refused, predicted };
  }
  const met = endedAs(largest, 'completed') && endedAs(next, 'out-of-memory');
  const corruptWords = corruptOf(largest) + corruptOf(next);
  return {
    ...(corruptWords === 0
      ? { status: 'measured' }
      : { status: 'failed', reason: say`tensors were not what was written into them` }),
    predicted,
    met,
    ...(met ? { observed: predicted } : {}),
    corruptWords,
    ...(largest === undefined ? {} : { largest }),
    ...(next === undefined ? {} : { next }),
  };
}

async function fits(lab: TrainLab, loop: BatchLoop, batch: number, signal: AbortSignal): Promise<boolean> {
  // A replay holds the thread: between two of them a cancel has to come in.
  await wait(0);
  signal.throwIfAborted();
  const made = batchLoop(loop, batch);
  return predict(scaleTrace(traceOfLoop(made), made.capacity, lab.budgetBytes), 'caching') === 'completed';
}

/** A batch on the device, or why no device can carry it out. */
type SeenBatch =
  | {
      readonly batch: number;
      readonly outcome: Prediction['outcome'];
      readonly corruptWords: number;
      readonly facts: Readonly<Record<string, unknown>>;
    }
  | { readonly refused: string };

async function seen(context: RowContext, lab: TrainLab, loop: BatchLoop, batch: number): Promise<SeenBatch> {
  const made = batchLoop(loop, batch);
  const attempt = await lab.attempt(context, `${made.name}-caching`, made, 'caching');
  if ('refused' in attempt) return attempt;
  const { plan, execution } = attempt;
  return {
    batch,
    outcome: observedOutcome(plan, execution),
    corruptWords: execution.corruptions.reduce((sum, { words }) => sum + words, 0),
    facts: outcomeOf(plan, execution),
  };
}

/** A batch that the search did not come to is no contradiction. */
const endedAs = (side: SeenBatch | undefined, outcome: Prediction['outcome']): boolean =>
  side === undefined || ('outcome' in side && side.outcome === outcome);

const corruptOf = (side: SeenBatch | undefined): number =>
  side === undefined || 'refused' in side ? 0 : side.corruptWords;
