/** From the fields of the Plan page to a plan, or to what is wrong, field by field. */
import { AppError, badInput } from '../base/errors.js';
import { say } from '../base/said.js';
import { parseCount, parseSize } from '../base/sizes.js';
import { ALLOCATOR_NAMES } from '../model/allocator/names.js';
import { type Architecture } from '../model/plan/architecture/architecture.js';
import { findArchitecture } from '../model/plan/architecture/presets.js';
import { storedArchitecture } from '../model/plan/architecture/stored.js';
import { modelOfArchitecture, modelOfCount, type PlannedModel } from '../model/plan/model.js';
import { makePlan, type Plan } from '../model/plan/plan.js';
import type { PlanAllocator } from '../model/plan/replay-plan.js';
import {
  MODES,
  OFFLOADS,
  OPTIMIZERS,
  parseCapacity,
  planSettings,
  type PlanSettings,
  PRECISIONS,
  RECOMPUTES,
  WEIGHT_FORMATS,
} from '../model/plan/settings.js';
import { type CardField, type CardFields, type PlanField, type PlanFields } from './plan-view.js';

export interface PlanProblem {
  /** Undefined where it is of the plan as a whole. */
  readonly field: PlanField | CardField | undefined;
  /** One line: what, and what to do. It begins with the option, `what`. */
  readonly message: string;
  readonly what: string;
}

export type ReadPlan =
  { readonly status: 'usable'; readonly plan: Plan } | { readonly status: 'refused'; readonly problem: PlanProblem };

export interface ReadCard {
  readonly capacity: number;
  readonly context: number | undefined;
  readonly allocator: PlanAllocator;
}

/** The field that an option of `vramlab plan` has on the page. */
const FIELD_OF: Readonly<Record<string, PlanField | CardField>> = {
  '--arch': 'arch',
  '--config': 'config',
  '--params': 'params',
  '--layers': 'layers',
  '--hidden': 'hidden',
  '--heads': 'heads',
  '--vocab': 'vocab',
  '--batch': 'batch',
  '--seq': 'seq',
  '--mode': 'mode',
  '--precision': 'precision',
  '--optimizer': 'optimizer',
  '--master-weights': 'master',
  '--zero': 'zero',
  '--dp': 'dp',
  '--tp': 'tp',
  '--pp': 'pp',
  '--stage': 'stage',
  '--sequence-parallel': 'sp',
  '--sequence-parallel: --tp': 'sp',
  '--recompute': 'recompute',
  '--accumulate': 'accumulate',
  '--offload': 'offload',
  '--weights': 'weights',
  '--capacity': 'capacity',
  '--context': 'context',
  '--allocator': 'allocator',
  '--conf': 'conf',
};

/** The card, or what is wrong with it. */
export function readCard(fields: CardFields): ReadCard | PlanProblem {
  try {
    const capacity = parseCapacity(fields.capacity);
    const context = fields.context.trim() === '' ? undefined : parseSize(fields.context, '--context');
    const name = pick(fields.allocator, ALLOCATOR_NAMES, '--allocator');
    return { capacity, context, allocator: { name, conf: fields.conf.trim() === '' ? undefined : fields.conf } };
  } catch (error) {
    return problemOf(error);
  }
}

/** The plan of the fields, or the first thing that is wrong. */
export function readPlan(fields: PlanFields, context: number | undefined): ReadPlan {
  try {
    const count = (field: PlanField, option: string) =>
      fields[field].trim() === '' ? undefined : parseCount(fields[field], option);
    const settings = planSettings({
      mode: pick(fields.mode, MODES, '--mode'),
      batch: count('batch', '--batch'),
      sequence: count('seq', '--seq'),
      precision: pick(fields.precision, PRECISIONS, '--precision'),
      optimizer: pick(fields.optimizer, OPTIMIZERS, '--optimizer'),
      // Where there is nothing to copy the switch means nothing; the form says so.
      masterWeights: fields.master === '1' && fields.precision !== 'fp32' && fields.mode !== 'inference',
      zero: pick(Number(fields.zero), [0, 1, 2, 3] as const, '--zero'),
      dataParallel: count('dp', '--dp'),
      tensorParallel: count('tp', '--tp'),
      pipelineParallel: count('pp', '--pp'),
      stage: count('stage', '--stage'),
      sequenceParallel: fields.sp === '1',
      recompute: pick(fields.recompute, RECOMPUTES, '--recompute'),
      flash: fields.flash === '1',
      accumulate: count('accumulate', '--accumulate'),
      offload: pick(fields.offload, OFFLOADS, '--offload'),
      weights: pick(fields.weights, WEIGHT_FORMATS, '--weights'),
      context,
    });
    return { status: 'usable', plan: makePlan(modelOf(fields, count), settings) };
  } catch (error) {
    return { status: 'refused', problem: problemOf(error) };
  }
}

/** The architecture that the fields name; undefined for a count, or where it is not known. */
export function architectureOf(fields: PlanFields): Architecture | undefined {
  try {
    return modelOf(fields, () => undefined).architecture;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function modelOf(fields: PlanFields, count: (field: PlanField, option: string) => number | undefined): PlannedModel {
  if (fields.arch === 'config') return modelOfArchitecture(storedArchitecture(fields.config, '--config'));
  if (fields.arch !== '') return modelOfArchitecture(findArchitecture(fields.arch));
  return modelOfCount(parseCount(fields.params, '--params'), {
    layers: count('layers', '--layers'),
    hidden: count('hidden', '--hidden'),
    heads: count('heads', '--heads'),
    vocabulary: count('vocab', '--vocab'),
  });
}

function pick<T extends string | number>(value: string | number, known: readonly T[], option: string): T {
  const found = known.find((each) => each === value);
  if (found !== undefined) return found;
  throw badInput(option, say`${option}: "${value}" is not known; one of ${known.join(', ')}`);
}

function problemOf(error: unknown): PlanProblem {
  if (!(error instanceof AppError) || error.failure.kind !== 'bad-input') throw error;
  const { what } = error.failure;
  return { field: Object.hasOwn(FIELD_OF, what) ? FIELD_OF[what] : undefined, message: error.message, what };
}

/** The fields that settings have on the page, for a change that is taken over. */
export function fieldsOf(settings: Partial<PlanSettings>): Partial<PlanFields> {
  const fields: Record<string, string> = {};
  for (const [key, field] of Object.entries(SETTING_FIELDS)) {
    const value = settings[key as keyof PlanSettings];
    if (value !== undefined) fields[field] = typeof value === 'boolean' ? (value ? '1' : '') : String(value);
  }
  return fields;
}

const SETTING_FIELDS = {
  batch: 'batch',
  accumulate: 'accumulate',
  zero: 'zero',
  dataParallel: 'dp',
  flash: 'flash',
  sequenceParallel: 'sp',
  recompute: 'recompute',
  optimizer: 'optimizer',
  precision: 'precision',
  offload: 'offload',
  mode: 'mode',
  weights: 'weights',
} as const satisfies Partial<Record<keyof PlanSettings, PlanField>>;
