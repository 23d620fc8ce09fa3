/** A step on this machine's GPU: which requests it makes, and what came of them. */
import * as v from 'valibot';
import { AppError, messageOf } from '../../base/errors.js';
import { MiB } from '../../base/units.js';
import { type RunRequest, type TrainReached, type TrainRequest } from '../../engine/protocol.js';
import { checkMeasure, type CheckOutcome, type Measure, rowsOf } from '../../model/lesson/measure-check.js';
import { filterOf } from '../../model/lesson/step-text.js';
import { budgetOf, setupOfRun } from '../../model/lesson/run-setup.js';
import { type Run, type Step } from '../../model/lesson/schema.js';
import { type AdapterFacts, type Environment, type Experiment, type Row } from '../../model/report/schema.js';
import { type Engine } from '../engine-port.js';
import { type LessonPort } from './lesson-port.js';

/** Budgets up to this one go on real buffers. */
const LARGEST_BUDGET = MiB(1024);
/** What a software adapter carries out while a room waits; larger programs are scaled down, and it is said. */
const SOFTWARE_BUDGET = MiB(64);
/** What the rows of a measured step may hold at once. */
const MEASURE_BUDGET = MiB(1024);
const SEED = 1;

const outcome = v.picklist(['completed', 'out-of-memory']);
/** What a step shows of an experiment of `train`: both sides, and whether every word was right. */
const carriedSchema = v.object({
  outcome,
  /** The model's. */
  predicted: outcome,
  /** Whether the device did what the model said. */
  met: v.boolean(),
  /** By how much the sizes were divided to fit the device. */
  scale: v.number(),
  segmentsCreated: v.number(),
  segmentsPredicted: v.number(),
  createBufferCalls: v.number(),
  corruptWords: v.number(),
  checkedWords: v.number(),
  peakHeldBytes: v.number(),
});

/** One program on real buffers, beside the model. */
export type CarriedRun =
  | ({ readonly kind: 'carried'; readonly run: string } & v.InferOutput<typeof carriedSchema>)
  /** This device cannot carry it out, and why. */
  | { readonly kind: 'refused'; readonly run: string; readonly reason: string };

/** A step on the GPU. */
export type DeviceState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running';
      readonly run: string;
      readonly reached: TrainReached | undefined;
      readonly rows: readonly Row[];
    }
  | {
      readonly kind: 'carried';
      readonly environment: Environment;
      readonly runs: readonly CarriedRun[];
      readonly skipped: readonly string[];
    }
  | {
      readonly kind: 'measured';
      readonly environment: Environment;
      readonly rows: readonly Row[];
      readonly check: CheckOutcome;
    }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' };

/** Why a run stays on the model; undefined where it goes on buffers. */
export function modelOnly(run: Run): 'no-counterpart' | 'too-large' | undefined {
  if (budgetOf(run) > LARGEST_BUDGET) return 'too-large';
  if (!run.realBuffers || (run.allocator === 'caching' && run.conf.includes('expandable_segments:True'))) {
    return 'no-counterpart';
  }
  return undefined;
}

/** The runs of a step that go on buffers. */
export const deviceRuns = ({ runs }: Step): readonly Run[] => runs.filter((run) => modelOnly(run) === undefined);

/** Whether a step has anything to do on a GPU. */
export const hasDeviceRun = (step: Step): boolean => step.measure !== undefined || deviceRuns(step).length > 0;

/** The request for a run: its trace (`text`), on its allocator, in its budget, scaled down for an adapter that is no GPU. */
export function trainRequestOf(
  run: Run,
  text: string,
  { adapterClass, softwareBudget = SOFTWARE_BUDGET }: Pick<Device, 'adapterClass' | 'softwareBudget'>,
): TrainRequest {
  const { name, conf = '', capacity, fraction = 1 } = setupOfRun(run);
  const placement = run.allocator;
  return {
    program: { kind: 'trace', name: `lesson run ${run.id}`, text },
    placement,
    // A direct placement has no settings on buffers: each tensor is a buffer.
    ...(name === 'direct' || conf === '' ? {} : { conf }),
    capacityBytes: Math.floor(capacity * fraction),
    budgetBytes: adapterClass === 'software' ? Math.min(capacity, softwareBudget) : capacity,
    seed: SEED,
    adapter: 'any',
  };
}

/** The request for the rows of a measured step. */
export const measureRequestOf = (step: Step, measure: Measure): RunRequest => ({
  suites: [measure.suite],
  preset: 'standard',
  filter: filterOf(step),
  budgetBytes: MEASURE_BUDGET,
  seed: SEED,
  adapter: 'any',
});

/** What carries steps out. */
export interface Device {
  readonly engine: Engine;
  /** Where the programs of runs come from. */
  readonly models: Pick<LessonPort, 'trace'>;
  readonly adapterClass: AdapterFacts['class'];
  /** Bytes that a software adapter carries out; `SOFTWARE_BUDGET` unless given. */
  readonly softwareBudget?: number;
}

/**
 * Carries a step out, and tells how far it is. Never rejects: a failure is a state. Aborting gives `cancelled`.
 */
export async function runOnDevice(
  step: Step,
  device: Device,
  signal: AbortSignal,
  tell: (state: DeviceState) => void,
): Promise<DeviceState> {
  try {
    return step.measure === undefined
      ? await carry(step, device, signal, tell)
      : await measureRows(step, step.measure, device.engine, signal, tell);
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' };
    return { kind: 'failed', message: error instanceof AppError ? error.message : messageOf(error) };
  }
}

async function carry(
  step: Step,
  device: Device,
  signal: AbortSignal,
  tell: (state: DeviceState) => void,
): Promise<DeviceState> {
  const runs: CarriedRun[] = [];
  let environment: Environment | undefined;
  for (const run of deviceRuns(step)) {
    tell({ kind: 'running', run: run.id, reached: undefined, rows: [] });
    const request = trainRequestOf(run, await device.models.trace(run), device);
    const result = await device.engine.train(request, {
      signal,
      onEvent: (event) => {
        if (event.kind === 'reached') tell({ kind: 'running', run: run.id, reached: event.reached, rows: [] });
      },
    });
    ({ environment } = result);
    runs.push(carriedRun(run.id, result.experiment));
  }
  if (environment === undefined) throw new Error(`${step.id} has no run for a GPU`);
  const skipped = step.runs.filter((run) => modelOnly(run) !== undefined).map(({ id }) => id);
  return { kind: 'carried', environment, runs, skipped };
}

async function measureRows(
  step: Step,
  measure: Measure,
  engine: Engine,
  signal: AbortSignal,
  tell: (state: DeviceState) => void,
): Promise<DeviceState> {
  const rows = new Map<string, Row>();
  tell({ kind: 'running', run: '', reached: undefined, rows: [] });
  const { environment } = await engine.run(measureRequestOf(step, measure), {
    signal,
    onEvent: (event) => {
      if (event.kind !== 'row') return;
      rows.set(event.row.id, event.row);
      tell({ kind: 'running', run: '', reached: undefined, rows: [...rows.values()] });
    },
  });
  const own = rowsOf(measure, [...rows.values()]);
  return { kind: 'measured', environment, rows: own, check: checkMeasure(measure, own) };
}

function carriedRun(run: string, experiment: Experiment): CarriedRun {
  if (experiment.status === 'skipped') return { kind: 'refused', run, reason: experiment.reason ?? '' };
  return { kind: 'carried', run, ...v.parse(carriedSchema, experiment) };
}
