import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../base/errors.js';
import { GiB, KiB, MiB } from '../../base/units.js';
import { WORKLOADS } from './catalogue.js';
import { type Parameter, type ParameterInput } from './parameter.js';
import { CheckingProgram } from './testing/checking-program.js';
import { type Workload } from './workload.js';

function checked(workload: Workload, given: ParameterInput = {}): CheckingProgram {
  const program = new CheckingProgram();
  workload.run(program, given);
  return program;
}

/** Runs it; undefined where the parameters are refused in words (they do not go together, or make too much). */
function checkedOrRefused(workload: Workload, given: ParameterInput): CheckingProgram | undefined {
  try {
    return checked(workload, given);
  } catch (error) {
    if (!(error instanceof AppError) || error.failure.kind !== 'bad-input') throw error;
    expect(error.message).not.toMatch(/\n/);
    expect(error.message).toMatch(/give (fewer|smaller|more|\w+ at most|2 or 4)/);
    return undefined;
  }
}

/** Small values, so that a run is short; what is at the edges is tested one at a time. */
function arbitraryValue(parameter: Parameter): fc.Arbitrary<unknown> {
  switch (parameter.kind) {
    case 'integer':
      return fc.integer({ min: parameter.min, max: Math.min(parameter.max, Math.max(parameter.min + 5, 6)) });
    case 'size':
      return fc.integer({ min: parameter.min, max: MiB(40) });
    case 'choice':
      return fc.constantFrom(...parameter.choices);
    case 'flag':
      return fc.boolean();
    case 'text':
      return fc.constant(parameter.fallback);
  }
}

function arbitraryInput(workload: Workload): fc.Arbitrary<ParameterInput> {
  const fields = Object.entries(workload.parameters).map(([key, each]) => [key, arbitraryValue(each)] as const);
  return fc.record(Object.fromEntries(fields));
}

/** The smallest run: every number at its least. */
function least(workload: Workload): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, parameter] of Object.entries(workload.parameters)) {
    values[key] = 'min' in parameter ? parameter.min : parameter.fallback;
  }
  return values;
}

describe.each(WORKLOADS.map((workload) => [workload.id, workload] as const))('%s', (_id, workload) => {
  test('runs with its defaults, frees only what is alive and names every phase', () => {
    const program = checked(workload);
    expect(program.operations).toBeGreaterThan(0);
    expect(program.liveBytes).toBeLessThanOrEqual(program.peakBytes);
    if (!workload.id.startsWith('churn')) expect(program.labels.size).toBeGreaterThan(0);
  }, 30_000);

  test('is well formed and the same twice for any small parameters', () => {
    fc.assert(
      fc.property(arbitraryInput(workload), (given) => {
        const first = checkedOrRefused(workload, given);
        fc.pre(first !== undefined);
        const second = checked(workload, given);
        expect([second.operations, second.digest]).toEqual([first.operations, first.digest]);
      }),
      { numRuns: 25, seed: 5, maxSkipsPerRun: 200 },
    );
  }, 30_000);

  test('is well formed at both edges of every parameter', () => {
    for (const [key, parameter] of Object.entries(workload.parameters)) {
      if (!('min' in parameter)) continue;
      for (const edge of [parameter.min, parameter.max])
        checkedOrRefused(workload, { ...least(workload), [key]: edge });
      for (const outside of [parameter.min - 1, parameter.max + 1, parameter.min + 0.5, NaN]) {
        expect(() => workload.resolve({ [key]: outside })).toThrow(key);
      }
    }
  }, 60_000);

  test('takes every choice, and refuses others with the known ones named', () => {
    for (const [key, parameter] of Object.entries(workload.parameters)) {
      if (parameter.kind !== 'choice') continue;
      for (const name of parameter.choices) checked(workload, { ...least(workload), [key]: name });
      expect(() => workload.resolve({ [key]: 'other' })).toThrow(parameter.choices[0]);
    }
  });

  test('refuses a parameter that it does not have, and names those it has', () => {
    expect(() => workload.resolve({ nonsense: '1' })).toThrow(Object.keys(workload.parameters).join(', '));
  });
});

/** Bytes that stay, from the words of `endsWith`. */
const REMAINS: readonly (readonly [string, ParameterInput, number])[] = [
  ['layer-bank', {}, MiB(5 * 20)],
  ['layer-bank', { variant: 'list', steps: 2 }, MiB(5 * 20)],
  ['layer-bank', { variant: 'buffer', batch: 2 }, MiB(5 * 20 + 12 * 6 * 2)],
  ['train', {}, MiB(6 * 50)],
  ['train', { keepGradients: true, micro: 2, checkpoint: 3 }, MiB(6 * 60)],
  ['train', { micro: 3 }, MiB(6 * 50)],
  // Weights, gradients and two moments of (8 MiB + 8 layers of 12,806 KiB), the bank, 20 kept tensors.
  ['lesson-loop', {}, 4 * (MiB(8) + 8 * KiB(12_806)) + MiB(120 + 120)],
  ['lesson-loop', { bank: 'prealloc' }, 4 * (MiB(8) + 8 * KiB(12_806)) + MiB(120 + 120)],
  ['lesson-loop', { bank: 'prealloc', kept: 0, steps: 3 }, 4 * (MiB(8) + 8 * KiB(12_806)) + MiB(18)],
  ['checkerboard', {}, MiB(6 * 5 + 12)],
  ['checkerboard', { pattern: 'all' }, MiB(12)],
  ['checkerboard', { pattern: 'random', blocks: 7 }, MiB(3 * 5 + 12)],
  ['pinning', {}, MiB(4 * 2 + 160)],
  ['stranded-hole', {}, MiB(6 * 270)],
  ['workspace', {}, MiB(256 + 40)],
  ['batch-order', { order: 'mixed', rounds: 3 }, 0],
  ['resume', {}, 40 * KiB(256) + MiB(6 * 80)],
  ['creeping-sizes', {}, 100 * KiB(64)],
  ['gradient-buckets', {}, MiB(24 * 8 * 3)],
  ['gradient-buckets', { gradients: 'view' }, MiB(24 * 8 * 2)],
  ['kv-cache', {}, MiB(512)],
  ['kv-cache', { cache: 'chunk' }, MiB(512)],
  // Keys and values of 16 layers: 2 bytes x 4 sequences x 8 heads x 128 for 512 + 96 tokens.
  ['kv-cache', { cache: 'prealloc' }, MiB(512) + 16 * 2 * (2 * 4 * 8 * 128) * 608],
];

test.each(REMAINS)('%s %j ends with the bytes that its description names', (id, given, bytes) => {
  const workload = WORKLOADS.find((each) => each.id === id);
  expect(workload).toBeDefined();
  if (workload !== undefined) expect(checked(workload, given).liveBytes).toBe(bytes);
});

test('the static part of the 13B case is what is left of it: 27.90 GiB, and the buffer of prealloc 1.46 GiB', () => {
  const [workload] = WORKLOADS;
  if (workload === undefined) return;
  const concat = checked(workload, { steps: 1 });
  expect(concat.liveBytes / GiB(1)).toBeCloseTo(27.9, 2);
  expect(checked(workload, { steps: 1, grad_bytes: 2 }).liveBytes / GiB(1)).toBeCloseTo(24.91, 2);
  const buffer = checked(workload, { steps: 1, variant: 'prealloc' });
  expect(buffer.liveBytes - concat.liveBytes).toBe(40 * 4 * 960 * 5120 * 2);
  expect(concat.liveCategories).toEqual(new Set(['parameter', 'gradient', 'optimizer', 'temporary', 'communication']));
});

test('growing a cache by concat holds two copies: one tensor of n pieces peaks at 2n - 1', () => {
  const workload = WORKLOADS.find((each) => each.id === 'kv-cache');
  if (workload === undefined) return;
  const given = { layers: 1, batch: 1, hidden: 1, rounds: 1, prompt_min: 1, prompt_max: 1, weights: 1, new_tokens: 99 };
  const entry = 2 * 8 * 128;
  // One layer at work on one token: context and the wide state of the feed-forward part.
  const work = 2 + 8;
  const grown = checked(workload, given).peakBytes - MiB(1);
  // 100 tokens of keys beside 100 and 99 of values.
  expect(grown).toBe(entry * (100 + 100 + 99));
  expect(checked(workload, { ...given, cache: 'prealloc' }).peakBytes - MiB(1)).toBe(entry * 200 + work);
});
