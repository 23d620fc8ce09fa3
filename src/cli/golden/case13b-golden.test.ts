import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { recordedRunsOf } from '../../model/workload/case13b/recorded-runs.js';
import { checkCase13bOperations, checkRecordedRun, isCase13bMeta } from './case13b-golden.js';

function readJson(path: string): Readonly<Record<string, unknown>> {
  const bytes = readFileSync(new URL(`../../../test-data/${path}`, import.meta.url));
  return JSON.parse(gunzipSync(bytes).toString()) as Readonly<Record<string, unknown>>;
}

const golden = readJson('case13b/case13b_concat_b4__default.json.gz');
const operations = golden['ops'] as readonly (readonly unknown[])[];
const meta = golden['meta'] as Readonly<Record<string, unknown>>;
const runs = recordedRunsOf(readJson('workload/case13b-runs.json.gz'), 'runs') ?? [];

test('makes the operations of a golden file from its parameters, and says where it would not', () => {
  expect(isCase13bMeta(meta, 'golden')).toBe(true);
  if (!isCase13bMeta(meta, 'golden')) return;
  expect(checkCase13bOperations(meta, operations)).toEqual([]);
  const other = { ...meta, params: { ...meta.params, seed: 3 } };
  expect(checkCase13bOperations(other, operations).map((line) => line.split(' ')[0])).toEqual([
    'trace',
    'step',
    'operation',
    'steps',
  ]);
});

test('refuses meta data that are not whole', () => {
  expect(isCase13bMeta({ workload: 'other' }, 'file')).toBe(false);
  expect(() => isCase13bMeta({ workload: 'case13b', params: {} }, 'file')).toThrow('file: "meta" has no "step_ops"');
});

/** One run of every variant, batch and setting; `vramlab golden` on the whole file checks the rest. */
const oneOfEach = [
  ...new Map(runs.map((run) => [JSON.stringify([{ ...run.params, seed: 0 }, run.config, run.fraction]), run])).values(),
];

test('covers every kind of recorded run', () => {
  expect(runs).toHaveLength(128);
  expect(oneOfEach).toHaveLength(32);
});

test.each(oneOfEach.map((run) => [`${run.config} ${JSON.stringify(run.params)}`, run] as const))(
  'run %s has the recorded peaks, retries, device calls and failure',
  (_name, run) => {
    expect(checkRecordedRun(run)).toEqual([]);
  },
  60_000,
);

test('a run that differs in one figure is told apart', () => {
  const [run] = runs;
  if (run === undefined) return;
  expect(checkRecordedRun({ ...run, num_device_free: 0 })).toEqual([
    `num_device_free: 0 was recorded, the model has ${run.num_device_free}`,
  ]);
}, 60_000);
