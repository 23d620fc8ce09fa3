/**
 * The suite `train`: training loops on real buffers, planned by the models, carried out and verified (DESIGN section 3).
 * For each variant an experiment with both sides, and rows for its steps; a planted overlap; the largest batches.
 */
import { type Environment, type Preset } from '../../model/report/schema.js';
import { type Variant, variantsFor, variantsOfTrace } from '../../model/execution/variants.js';
import { MiB } from '../../base/units.js';
import { type RunRequest } from '../../engine/protocol.js';
import { experimentResult, type Job, rowResult, type Suite } from '../suite.js';
import { batchJobs } from './batch-jobs.js';
import { checkGivenTrace, givenTrace } from './given-trace.js';
import { outcomeOf } from './outcome.js';
import { overlapJob } from './overlap-job.js';
import { STEP_FIGURE_IDS, STEP_FIGURES, stepRow } from './step-rows.js';
import { TrainLab } from './train-lab.js';

/** Most bytes of segments that one variant gets, whatever the budget: what a preset has time for. */
const MOST_SEGMENTS: Readonly<Record<Environment['adapter']['class'], Readonly<Record<Preset, number>>>> = {
  software: { quick: MiB(40), standard: MiB(160), full: MiB(1280) },
  hardware: { quick: MiB(1280), standard: MiB(2560), full: MiB(40_960) },
};
/** Beside the segments: tables, findings, clock and read-back. */
const HEADROOM = MiB(16);

/** Bytes that a variant's segments may take in this run. */
export const segmentBudget = (environment: Environment, { budgetBytes, preset }: RunRequest): number =>
  Math.max(1, Math.min(budgetBytes - HEADROOM, MOST_SEGMENTS[environment.adapter.class][preset]));

export const train: Suite = {
  rows(environment, request) {
    const budgetBytes = segmentBudget(environment, request);
    checkGivenTrace(request, environment, budgetBytes);
    const lab = new TrainLab(budgetBytes);
    const given = givenTrace(request, budgetBytes);
    const own = variantsFor(request.preset);
    const variants: readonly Variant[] = given === undefined ? own : [...variantsOfTrace(given), ...own];
    const jobs = variants.flatMap(({ id, loop, placement }): Job[] => {
      const experiment: Job = {
        id: `train/${id}`,
        suite: 'train',
        kind: 'experiment',
        measures: '',
        run: async (context) => {
          const attempt = await lab.attempt(context, id, loop, placement);
          const common = { id: `train/${id}`, suite: 'train', variant: id } as const;
          if ('refused' in attempt) return experimentResult({ ...common, status: 'skipped', reason: attempt.refused });
          const { plan, execution, replans } = attempt;
          const facts = outcomeOf(plan, execution);
          const isWhole = execution.corruptions.length === 0;
          return experimentResult({
            ...common,
            workload: loop.workload,
            parameters: loop.parameters,
            ...facts,
            ...(replans.length === 0 ? {} : { replans }),
            ...(isWhole
              ? { status: 'measured' as const }
              : { status: 'failed' as const, reason: 'tensors were not what was written into them' }),
          });
        },
      };
      const rows = STEP_FIGURE_IDS.map((figure): Job => {
        const rowId = `train/${id}/${figure}`;
        const { unit } = STEP_FIGURES[figure];
        return {
          id: rowId,
          suite: 'train',
          measures: unit,
          run: async (context) => {
            const attempt = await lab.attempt(context, id, loop, placement);
            if (!('refused' in attempt)) return rowResult(stepRow(rowId, figure, attempt.execution));
            return rowResult({ id: rowId, suite: 'train', unit, status: 'skipped', reason: attempt.refused });
          },
        };
      });
      return [experiment, ...rows];
    });
    return { jobs: [...jobs, overlapJob(lab), ...batchJobs(lab)], dispose: () => undefined };
  },
};
