/**
 * A plan: where the memory of one device goes, term by term, by formula. `replay-plan.ts` runs the same job through an
 * allocator and compares.
 *
 *     const plan = makePlan(modelOfCount(7e9), planSettings({}));
 *     plan.total; // 84e9: 14 + 14 + 56 GB
 */
import { say } from '../../base/said.js';
import { checkTogether, type PlannedModel } from './model.js';
import { type Rank, rankOf } from './rank.js';
import { type PlanSettings } from './settings.js';
import { type StepShape, stepShape } from './shape.js';
import { type Term, type TermId, unknownTerm } from './term.js';
import { activationsTerm, inferenceActivationsTerm, logitsTerm, recomputeTerm } from './terms/activations.js';
import {
  cacheTerm,
  communicationTerm,
  contextTerm,
  ncclTerm,
  temporariesTerm,
  workspaceTerm,
} from './terms/buffers.js';
import { stateTerms } from './terms/states.js';

export interface Plan {
  readonly model: PlannedModel;
  readonly settings: PlanSettings;
  readonly terms: readonly Term[];
  /** Sum of the terms that are known, in bytes. */
  readonly total: number;
  /** The sizes of a step; undefined where the architecture, the batch or the sequence is not known. */
  readonly shape: StepShape | undefined;
}

/** Makes a plan. Throws `AppError` (`bad-input`), one line, where the model cannot be run with the settings. */
export function makePlan(model: PlannedModel, settings: PlanSettings): Plan {
  checkTogether(model, settings);
  const { architecture, groups } = model;
  const known = architecture === undefined || groups === undefined ? undefined : { architecture, groups };
  const rank = known === undefined ? undefined : rankOf(known.architecture, known.groups, settings);
  const shape = known === undefined || rank === undefined ? undefined : shapeOf(model, rank, settings);
  const terms = [...stateTerms({ model, settings, rank }), ...stepTerms(model, settings, rank, shape)];
  const total = terms.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  return { model, settings, terms, total, shape };
}

function shapeOf(model: PlannedModel, rank: Rank, settings: PlanSettings): StepShape | undefined {
  const { architecture } = model;
  const { batch, sequence } = settings;
  if (architecture === undefined || batch === undefined || sequence === undefined) return undefined;
  return stepShape(model, architecture, rank, settings, batch, sequence);
}

/** The terms that a step has, beside the states. */
function stepTerms(
  model: PlannedModel,
  settings: PlanSettings,
  rank: Rank | undefined,
  shape: StepShape | undefined,
): Term[] {
  const outside = [ncclTerm(settings), contextTerm(settings)];
  if (shape === undefined || rank === undefined) return defined([...unknownSteps(model, settings, rank), ...outside]);
  const inner =
    settings.mode === 'inference'
      ? [inferenceActivationsTerm(shape), logitsTerm(shape), cacheTerm(shape)]
      : [activationsTerm(shape), recomputeTerm(shape), logitsTerm(shape)];
  return defined([
    ...inner,
    temporariesTerm(shape),
    workspaceTerm(),
    communicationTerm(rank, settings, shape),
    ...outside,
  ]);
}

const defined = (terms: readonly (Term | undefined)[]): Term[] => terms.filter((each) => each !== undefined);

/** What cannot be computed yet, each with what is missing. */
function unknownSteps(model: PlannedModel, settings: PlanSettings, rank: Rank | undefined): (Term | undefined)[] {
  const missing = [
    ...(settings.batch === undefined ? ['--batch'] : []),
    ...(settings.sequence === undefined ? ['--seq'] : []),
  ];
  const rest = missing.join(', ');
  const reason =
    model.architecture !== undefined
      ? say`not computed: give ${rest}`
      : rest === ''
        ? say`not computed: give --layers, --hidden, --heads and --vocab (or --arch, --config)`
        : say`not computed: give --layers, --hidden, --heads and --vocab (or --arch, --config), ${rest}`;
  const no = (id: TermId, formula: string) => unknownTerm(id, formula, reason, say`needs the shape of a step`);
  const several = settings.dataParallel > 1 || settings.sequenceParallel;
  return [
    no('activations', say`what each layer keeps a token * s*b * L`),
    no('logits', '(2 + 4 + 4) * s*b*V'),
    ...(settings.mode === 'inference' ? [no('kv-cache', '2 * w * L*k*d * b * (s + o)')] : []),
    no('temporaries', say`tensors alive together at the widest moment`),
    ...(several && settings.mode !== 'inference'
      ? [
          (rank === undefined ? undefined : communicationOf(rank, settings)) ??
            no('communication', say`reduce buckets and gathered weights`),
        ]
      : []),
  ];
}

/** Communication that does not depend on the step: the buckets of data parallelism. */
const communicationOf = (rank: Rank, settings: PlanSettings): Term | undefined =>
  settings.zero === 3 || settings.sequenceParallel ? undefined : communicationTerm(rank, settings, undefined);
