/** The rows of one variant: a sample a training step. */
import { say } from '../../base/said.js';
import { flagsOf, summarize } from '../../base/statistics.js';
import { type Prediction } from '../../model/execution/plan.js';
import { type Row } from '../../model/report/schema.js';
import { type Execution, type ExecutedStep } from './execution.js';

interface StepFigure {
  readonly unit: string;
  readonly method: string;
  readonly of: (step: ExecutedStep) => number;
}

/** Figures of a step, by the last part of the row's id. */
export const STEP_FIGURES = {
  'step-wall': {
    unit: 'ns',
    method: 'wall time of a training step, creation of segments and checks included',
    of: ({ wallNs }) => wallNs,
  },
  'step-gpu': {
    unit: 'ns',
    method: 'sum of the timed passes of a training step',
    of: ({ gpuNs }) => gpuNs,
  },
  bandwidth: {
    unit: 'GB/s',
    method: 'bytes that the kernels of a step read plus wrote, over the time of their passes',
    of: ({ movedBytes, gpuNs }) => movedBytes / gpuNs,
  },
  effective: {
    unit: 'GB/s',
    method: 'the same without bytes that were copied again to grow a tensor, over the wall time of the step',
    of: ({ movedBytes, recopiedBytes, wallNs }) => (movedBytes - recopiedBytes) / wallNs,
  },
} as const satisfies Readonly<Record<string, StepFigure>>;
export type StepFigureId = keyof typeof STEP_FIGURES;
export const STEP_FIGURE_IDS = Object.keys(STEP_FIGURES) as readonly StepFigureId[];

/**
 * The row of a figure; skipped with the reason where no step was carried out to its end, or none moved a byte. `outcome`:
 * how the execution ended.
 */
export function stepRow(id: string, figure: StepFigureId, execution: Execution, outcome: Prediction['outcome']): Row {
  const { unit, method, of }: StepFigure = STEP_FIGURES[figure];
  const common = { id, suite: 'train', unit } as const;
  const wrong = execution.corruptions.reduce((sum, { words }) => sum + words, 0);
  if (wrong > 0) return { ...common, status: 'failed', reason: say`${wrong} words were not what was written` };
  const samples = execution.steps.map(of).filter((value) => value > 0);
  if (samples.length === 0) {
    const reason =
      outcome === 'completed'
        ? say`the trace has no step that moves a byte`
        : say`no training step was carried out to its end: out of memory before`;
    return { ...common, status: 'skipped', reason };
  }
  const stats = summarize(samples);
  return {
    ...common,
    status: 'measured',
    value: stats.median,
    samples,
    stats,
    workingSet: Math.max(1, execution.peakHeld),
    verified: true,
    checkedElements: execution.checkedWords,
    flags: flagsOf(samples),
    stopReason: 'fixed-count',
    method,
  };
}
