/**
 * The largest batch that fits the budget, for each way to keep the data: searched on the model, then shown on the
 * device, where that batch has to complete and the next has to run out of memory.
 */
import { largestFitting } from '../../model/execution/largest-batch.js';
import { predict } from '../../model/execution/plan.js';
import { scaleTrace } from '../../model/execution/scale.js';
import { BATCH_LOOPS, batchLoop, type BatchLoop, MOST_BATCH, traceOfLoop } from '../../model/execution/variants.js';
import { wait } from '../adapter.js';
import { experimentResult, type Job, type RowContext } from '../suite.js';
import { outcomeOf } from './outcome.js';
import { type TrainLab } from './train-lab.js';

/** One experiment a loop. */
export const batchJobs = (lab: TrainLab): readonly Job[] =>
  BATCH_LOOPS.map((loop): Job => {
    const id = `train/largest-batch/${loop}-caching`;
    return {
      id,
      suite: 'train',
      kind: 'experiment',
      measures: '',
      riskBytes: lab.budgetBytes,
      run: async (context) => {
        const largest = await largestFitting(MOST_BATCH, (batch) => fits(lab, loop, batch, context.signal));
        const below = largest === 0 ? undefined : await seen(context, lab, loop, largest);
        const above = largest === MOST_BATCH ? undefined : await seen(context, lab, loop, largest + 1);
        const met =
          (below?.outcome ?? 'completed') === 'completed' && (above?.outcome ?? 'out-of-memory') === 'out-of-memory';
        return experimentResult({
          id,
          suite: 'train',
          variant: `${loop}-caching`,
          status: 'measured',
          predicted: largest,
          met,
          ...(met ? { observed: largest } : {}),
          corruptWords: (below?.corruptWords ?? 0) + (above?.corruptWords ?? 0),
          ...(below === undefined ? {} : { largest: below }),
          ...(above === undefined ? {} : { next: above }),
        });
      },
    };
  });

async function fits(lab: TrainLab, loop: BatchLoop, batch: number, signal: AbortSignal): Promise<boolean> {
  // A replay holds the thread: between two of them a cancel has to come in.
  await wait(0);
  signal.throwIfAborted();
  const made = batchLoop(loop, batch);
  return predict(scaleTrace(traceOfLoop(made), made.capacity, lab.budgetBytes), 'caching') === 'completed';
}

interface SeenBatch {
  readonly batch: number;
  readonly outcome: string;
  readonly corruptWords: number;
  readonly facts?: Record<string, unknown>;
}

async function seen(context: RowContext, lab: TrainLab, loop: BatchLoop, batch: number): Promise<SeenBatch> {
  const made = batchLoop(loop, batch);
  const attempt = await lab.attempt(context, `${made.name}-caching`, made, 'caching');
  if ('refused' in attempt) return { batch, outcome: attempt.refused, corruptWords: 0 };
  const facts = outcomeOf(attempt.plan, attempt.execution);
  const corruptWords = attempt.execution.corruptions.reduce((sum, { words }) => sum + words, 0);
  return { batch, outcome: String(facts['outcome']), corruptWords, facts };
}
