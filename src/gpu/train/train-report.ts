/** One variant as a report has it: the experiment with both sides, and a row for each figure of its steps. */
import { say } from '../../base/said.js';
import { type Experiment, type Row } from '../../model/report/schema.js';
import { observedOutcome, outcomeOf } from './outcome.js';
import { STEP_FIGURE_IDS, STEP_FIGURES, type StepFigureId, stepRow } from './step-rows.js';
import { type Attempt } from './train-lab.js';

/** What was carried out, for the report. */
export interface Subject {
  /** `workload-placement`. */
  readonly variant: string;
  readonly workload: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** `measured` where every tensor was whole, whatever the outcome; `skipped` where no device can carry it out. */
export function trainExperiment({ variant, workload, parameters }: Subject, attempt: Attempt): Experiment {
  const common = { id: `train/${variant}`, suite: 'train', variant } as const;
  if ('refused' in attempt) return { ...common, status: 'skipped', reason: attempt.refused };
  const { plan, execution, replans } = attempt;
  const isWhole = execution.corruptions.length === 0;
  return {
    ...common,
    workload,
    parameters,
    ...outcomeOf(plan, execution),
    ...(replans.length === 0 ? {} : { replans }),
    ...(isWhole
      ? { status: 'measured' as const }
      : { status: 'failed' as const, reason: say`tensors were not what was written into them` }),
  };
}

/** Id of the row of a figure. */
export const stepRowId = (variant: string, figure: StepFigureId): string => `train/${variant}/${figure}`;

/** The row of one figure; skipped with the reason where no step was carried out. */
export function figureRow(variant: string, figure: StepFigureId, attempt: Attempt): Row {
  const id = stepRowId(variant, figure);
  if (!('refused' in attempt)) {
    const { plan, execution } = attempt;
    return stepRow(id, figure, execution, observedOutcome(plan, execution));
  }
  return { id, suite: 'train', unit: STEP_FIGURES[figure].unit, status: 'skipped', reason: attempt.refused };
}

/** The rows of all figures. */
export const figureRows = (variant: string, attempt: Attempt): readonly Row[] =>
  STEP_FIGURE_IDS.map((figure) => figureRow(variant, figure, attempt));
