/**
 * The suite `train`: training loops on real buffers, planned by the models, carried out and verified (DESIGN section 3).
 * For each variant an experiment with both sides, and rows for its steps; a planted overlap; the largest batches.
 */
import { type Environment, type Preset } from '../../model/report/schema.js';
import { type Variant, variantsFor, variantsOfTrace } from '../../model/execution/variants.js';
import { MiB } from '../../base/units.js';
import { type RunRequest } from '../../engine/protocol.js';
import { experimentResult, type Job, type RowContext, rowResult, type Suite } from '../suite.js';
import { batchJobs } from './batch-jobs.js';
import { TRAIN_HEADROOM } from './carriable.js';
import { givenTrace } from './given-trace.js';
import { overlapJob } from './overlap-job.js';
import { STEP_FIGURE_IDS, STEP_FIGURES } from './step-rows.js';
import { type Attempt, TrainLab } from './train-lab.js';
import { figureRow, stepRowId, trainExperiment } from './train-report.js';

/** Most bytes of segments that one variant gets, whatever the budget: what a preset has time for. */
const MOST_SEGMENTS: Readonly<Record<Environment['adapter']['class'], Readonly<Record<Preset, number>>>> = {
  software: { quick: MiB(40), standard: MiB(160), full: MiB(1280) },
  hardware: { quick: MiB(1280), standard: MiB(2560), full: MiB(40_960) },
};
/** Bytes that a variant's segments may take in this run. */
export const segmentBudget = (environment: Environment, { budgetBytes, preset }: RunRequest): number =>
  Math.max(1, Math.min(budgetBytes - TRAIN_HEADROOM, MOST_SEGMENTS[environment.adapter.class][preset]));

/** Variants, each with the lab that carries it out. */
const withLab = (variants: readonly Variant[], lab: TrainLab) => variants.map((variant) => [variant, lab] as const);

export const train: Suite = {
  rows(environment, request) {
    const budgetBytes = segmentBudget(environment, request);
    const ownLab = new TrainLab(budgetBytes);
    const given = givenTrace(request, environment, budgetBytes);
    const own = variantsFor(request.preset);
    const variants: readonly (readonly [Variant, TrainLab])[] = [
      ...(given === undefined ? [] : withLab(variantsOfTrace(given), new TrainLab(given.budgetBytes))),
      ...withLab(own, ownLab),
    ];
    const jobs = variants.flatMap(([{ id, loop, placement }, lab]): Job[] => {
      const subject = { variant: id, workload: loop.workload, parameters: loop.parameters };
      const attempt = (context: RowContext): Promise<Attempt> => lab.attempt(context, id, loop, placement);
      const experiment: Job = {
        id: `train/${id}`,
        suite: 'train',
        kind: 'experiment',
        measures: '',
        riskBytes: lab.budgetBytes,
        run: async (context) => experimentResult(trainExperiment(subject, await attempt(context))),
      };
      const rows = STEP_FIGURE_IDS.map((figure): Job => ({
        id: stepRowId(id, figure),
        suite: 'train',
        measures: STEP_FIGURES[figure].unit,
        isShared: true,
        run: async (context) => rowResult(figureRow(id, figure, await attempt(context))),
      }));
      return [experiment, ...rows];
    });
    return { jobs: [...jobs, overlapJob(ownLab), ...batchJobs(ownLab)], dispose: () => undefined };
  },
};
