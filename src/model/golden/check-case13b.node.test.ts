import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { recordedRunsOf } from '../workload/case13b/recorded-runs.js';
import { type GrowingHash } from './bfc-model.js';
import { checkCase13bOperations, checkRecordedRun, checkRecordedRuns, isRecordedRuns } from './check-case13b.js';
import { Tally } from './tally.js';

function readJson(path: string): Readonly<Record<string, unknown>> {
  const bytes = readFileSync(new URL(`../../../test-data/${path}`, import.meta.url));
  return JSON.parse(gunzipSync(bytes).toString()) as Readonly<Record<string, unknown>>;
}

const newHash = (): GrowingHash => {
  const hash = createHash('sha256');
  return { update: (text) => void hash.update(text), digest: () => hash.copy().digest('hex') };
};

const golden = readJson('case13b/case13b_concat_b4__default.json.gz');
const meta = golden['meta'] as Readonly<Record<string, unknown>>;
const file = readJson('workload/case13b-runs.json.gz');
const runs = recordedRunsOf(file, 'runs');

function operationsTally(value: unknown): Tally {
  const tally = new Tally();
  checkCase13bOperations(value, 'file', newHash, tally);
  return tally;
}

test('makes the operations of a golden file from its parameters, and says where it would not', () => {
  const same = operationsTally(golden);
  expect(same.differences).toEqual([]);
  expect(same.compared).toBeGreaterThan(13_842);
  const otherSeed = { ...golden, meta: { ...meta, params: { ...(meta['params'] as object), seed: 3 } } };
  expect(operationsTally(otherSeed).failed).toBeGreaterThan(1000);
  const otherHash = { ...golden, meta: { ...meta, trace_sha256: 'ab' } };
  expect(operationsTally(otherHash).differences).toHaveLength(1);
  expect(operationsTally(otherHash).differences[0]).toMatch(/^workload, hash of the trace: model .*, golden "ab"$/);
});

test('passes files of other programs by, and refuses meta data that are not whole', () => {
  expect(operationsTally({ meta: { workload: 'other' }, ops: [] }).compared).toBe(0);
  expect(operationsTally({ ops: [] }).compared).toBe(0);
  expect(() => operationsTally({ meta: { workload: 'case13b', params: {} }, ops: [] })).toThrow(
    'file: "meta" has no "step_ops"',
  );
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
  (name, run) => {
    const tally = new Tally();
    checkRecordedRun(run, name, newHash, tally);
    expect(tally.differences).toEqual([]);
  },
  60_000,
);

test('a run that differs in one figure is told apart, and one that lacks a field is refused', () => {
  const shortest = runs.filter(({ oom }) => oom !== null).sort((a, b) => (a.oom?.op ?? 0) - (b.oom?.op ?? 0))[0];
  const tally = new Tally();
  checkRecordedRuns({ defaults: {}, runs: [{ ...shortest, num_device_free: -1 }] }, 'file', newHash, tally);
  expect(tally.differences).toEqual([expect.stringMatching(/^run 0, num_device_free: model \d+, golden -1$/)]);
  expect(() => recordedRunsOf({ runs: [{}] }, 'file')).toThrow('file: run 0 has no "params"');
});

test('knows a file of runs from others', () => {
  expect(isRecordedRuns(file)).toBe(true);
  expect(isRecordedRuns({ runs: [] })).toBe(false);
  expect(isRecordedRuns(golden)).toBe(false);
  expect(isRecordedRuns(null)).toBe(false);
});
