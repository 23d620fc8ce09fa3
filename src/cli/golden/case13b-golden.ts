/**
 * Golden checks of the flagship case: the workload makes the operations of a golden file from its parameters, and the
 * recorded longer runs come out the same on the model, step by step.
 */
import { createHash } from 'node:crypto';
import { badInput } from '../../base/errors.js';
import { case13b, case13bLengths } from '../../model/workload/case13b/case13b.js';
import { CASE13B_PARAMETERS } from '../../model/workload/case13b/parameters.js';
import { differences, type RecordedRun, runOnModel } from '../../model/workload/case13b/recorded-runs.js';
import { LineProgram } from '../../model/workload/line-program.js';
import { type ParameterInput, resolveParameters } from '../../model/workload/parameter.js';

/** `meta` of a file in golden/case13b. */
export interface Case13bMeta {
  readonly workload: 'case13b';
  readonly params: ParameterInput;
  /** First operation of every step. */
  readonly step_ops: readonly number[];
  readonly step_lengths: readonly number[];
  readonly trace_sha256: string;
}

/** Whether the meta data of a golden file name the flagship case. Throws `AppError` (`bad-input`) when they are not whole. */
export function isCase13bMeta(
  meta: Readonly<Record<string, unknown>>,
  source: string,
): meta is Case13bMeta & typeof meta {
  if (meta['workload'] !== 'case13b') return false;
  for (const key of ['params', 'step_ops', 'step_lengths', 'trace_sha256']) {
    if (!(key in meta)) throw badInput(source, `${source}: "meta" has no "${key}"`);
  }
  return true;
}

/**
 * Makes the operations from the parameters and compares them with those of a golden file, which may end at its first
 * failure and has snapshots (`["s"]`) put in. Returns what differs, one line each; nothing when all is equal.
 */
export function checkCase13bOperations(meta: Case13bMeta, operations: readonly (readonly unknown[])[]): string[] {
  const made: string[] = [];
  const traced = traceCase13b(meta.params, (text) => made.push(...text.split('\n').filter((line) => line !== '')));
  const recorded = operations.filter(([letter]) => letter !== 's').map((operation) => operation.join(' '));
  const differing = compareTrace(traced, meta.trace_sha256, meta.step_lengths);
  const first = recorded.findIndex((line, i) => line !== made[i]);
  if (first !== -1) {
    differing.push(
      `operation ${first}: "${recorded[first] ?? ''}" was recorded, made was "${made[first] ?? 'nothing'}"`,
    );
  }
  if (JSON.stringify(traced.stepOperations) !== JSON.stringify(meta.step_ops)) {
    differing.push(`steps start at ${traced.stepOperations.join(', ')}, recorded were ${meta.step_ops.join(', ')}`);
  }
  return differing;
}

/** Runs one recorded run on the model and compares its trace and every figure. Returns what differs, one line each. */
export function checkRecordedRun(run: RecordedRun): string[] {
  const traced = traceCase13b(run.params);
  const differing = compareTrace(traced, run.trace_sha256, run.step_lengths);
  if (traced.operations !== run.ops) differing.push(`${traced.operations} operations, recorded were ${run.ops}`);
  return [...differing, ...differences(run, runOnModel(run))];
}

interface Traced {
  readonly sha256: string;
  readonly operations: number;
  readonly stepOperations: readonly number[];
  readonly lengths: readonly number[];
}

function traceCase13b(params: ParameterInput, visit: (text: string) => void = () => undefined): Traced {
  const hash = createHash('sha256');
  const lines = new LineProgram((text) => {
    hash.update(text);
    visit(text);
  });
  case13b.run(lines, params);
  lines.flush();
  return {
    sha256: hash.digest('hex'),
    operations: lines.count,
    stepOperations: lines.markers.filter(({ label }) => label.startsWith('step ')).map(({ operation }) => operation),
    lengths: case13bLengths(resolveParameters('case13b', CASE13B_PARAMETERS, params)),
  };
}

function compareTrace(traced: Traced, sha256: string, lengths: readonly number[]): string[] {
  const differing: string[] = [];
  if (traced.sha256 !== sha256) differing.push(`trace hash ${traced.sha256}, recorded was ${sha256}`);
  if (JSON.stringify(traced.lengths) !== JSON.stringify(lengths)) {
    differing.push(`step lengths ${traced.lengths.join(', ')}, recorded were ${lengths.join(', ')}`);
  }
  return differing;
}
