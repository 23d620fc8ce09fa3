/**
 * Golden checks of the flagship case: the workload makes the operations of a golden file from its parameters, and the
 * recorded longer runs come out the same on the model, step by step.
 */
import { badInput } from '../../base/errors.js';
import { case13b, case13bLengths } from '../workload/case13b/case13b.js';
import { CASE13B_PARAMETERS } from '../workload/case13b/parameters.js';
import { type RecordedRun, recordedRunsOf, type RunFigures, runOnModel } from '../workload/case13b/recorded-runs.js';
import { LineProgram } from '../workload/line-program.js';
import { type ParameterInput, resolveParameters } from '../workload/parameter.js';
import { type NewHash } from './bfc-model.js';
import { type Tally } from './tally.js';

/** `meta` of a file in golden/case13b. */
interface Case13bMeta {
  readonly params: ParameterInput;
  /** First operation of every step. */
  readonly step_ops: readonly number[];
  readonly step_lengths: readonly number[];
  readonly trace_sha256: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Where a golden file says that the flagship case made it, makes its operations from the parameters and compares them; the
 * file may end at its first failure and has snapshots (`["s"]`) put in. Other files pass by.
 * Throws `AppError` (`bad-input`) for meta data that are not whole.
 */
export function checkCase13bOperations(file: unknown, source: string, newHash: NewHash, tally: Tally): void {
  const { meta, ops } = file as Fields;
  if (typeof meta !== 'object' || meta === null || (meta as Fields)['workload'] !== 'case13b') return;
  for (const key of ['params', 'step_ops', 'step_lengths', 'trace_sha256']) {
    if (!(key in meta)) throw badInput(source, `${source}: "meta" has no "${key}"`);
  }
  const recorded = meta as unknown as Case13bMeta;
  const made: string[] = [];
  const traced = traceCase13b(recorded.params, newHash, (text) => {
    made.push(...text.split('\n').slice(0, -1));
  });
  const operations = (ops as readonly (readonly unknown[])[]).filter(([letter]) => letter !== 's');
  operations.forEach((operation, i) => {
    tally.equal(() => `workload, operation ${i}`, made[i], operation.join(' '));
  });
  tally.equal(() => 'workload, first operation of each step', traced.stepOperations, recorded.step_ops);
  compareTrace(traced, recorded, 'workload', tally);
}

/** Whether parsed JSON is a file of recorded runs. Never throws. */
export const isRecordedRuns = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Array.isArray((value as Fields)['runs']) && 'defaults' in value;

/**
 * Runs every recorded run on the model and compares its trace and every figure.
 * Throws `AppError` (`bad-input`) for a run that lacks something.
 */
export function checkRecordedRuns(value: unknown, source: string, newHash: NewHash, tally: Tally): void {
  recordedRunsOf(value, source).forEach((run, i) => {
    checkRecordedRun(run, `run ${i}`, newHash, tally);
  });
}

/** One recorded run; `where` names it. */
export function checkRecordedRun(run: RecordedRun, where: string, newHash: NewHash, tally: Tally): void {
  const traced = traceCase13b(run.params, newHash);
  compareTrace(traced, run, where, tally);
  tally.equal(() => `${where}, operations`, traced.operations, run.ops);
  const found = runOnModel(run);
  tally.equal(() => `${where}, setup`, found.setup, run.setup);
  for (let i = 0; i < Math.max(found.steps.length, run.steps.length); i++) {
    tally.equal(() => `${where}, step ${i}`, found.steps[i], run.steps[i]);
  }
  for (const key of FIGURES) tally.equal(() => `${where}, ${key}`, found[key], run[key]);
}

const FIGURES = [
  'oom',
  'peak_allocated',
  'peak_reserved',
  'num_alloc_retries',
  'num_device_alloc',
  'num_device_free',
] as const satisfies readonly (keyof RunFigures)[];

interface Traced {
  readonly sha256: string;
  readonly operations: number;
  readonly stepOperations: readonly number[];
  readonly lengths: readonly number[];
}

function traceCase13b(
  params: ParameterInput,
  newHash: NewHash,
  visit: (text: string) => void = () => undefined,
): Traced {
  const hash = newHash();
  const lines = new LineProgram((text) => {
    hash.update(text);
    visit(text);
  });
  case13b.run(lines, params);
  lines.flush();
  return {
    sha256: hash.digest(),
    operations: lines.count,
    stepOperations: lines.markers.filter(({ label }) => label.startsWith('step ')).map(({ operation }) => operation),
    lengths: case13bLengths(resolveParameters('case13b', CASE13B_PARAMETERS, params)),
  };
}

function compareTrace(
  traced: Traced,
  recorded: { readonly trace_sha256: string; readonly step_lengths: readonly number[] },
  where: string,
  tally: Tally,
): void {
  tally.equal(() => `${where}, hash of the trace`, traced.sha256, recorded.trace_sha256);
  tally.equal(() => `${where}, length of each step`, traced.lengths, recorded.step_lengths);
}
