import { expect, test } from 'vitest';
import { MiB } from '../../base/units.js';
import { smallestFrees } from '../trace/frees.js';
import { triedFrees } from './frees-search.js';
import { recordRun } from './record-run.js';
import { type Metric, type Run, type Step, type Unit } from './schema.js';
import { runStep } from './run-step.js';
import { showValue } from './show-value.js';
import { courseOf } from './read-course.js';
import { smallCourse } from './testing/small-course.js';

const NOTHING = { labels: new Set<string>(), tensors: new Set<string>() };
const LOOP: Run = {
  id: 'a',
  allocator: 'caching',
  conf: '',
  budget: '448MiB',
  generator: { id: 'layer-bank', set: { variant: 'concat' } },
  realBuffers: true,
};

/** The small lesson's step with one expectation of its run. */
function stepWith(metric: Metric, at: string, run: Partial<Run> = {}): Step {
  const [lesson] = courseOf(structuredClone(smallCourse), 'test').lessons;
  const [step] = lesson?.steps ?? [];
  if (step === undefined) throw new Error('no step');
  const runs = step.runs.map((own) => ({ ...own, ...run }) as Run);
  return { ...step, runs, expect: { n: { run: 'a', metric, at, unit: 'count', value: -1 } } };
}

test('frees that are found by trying are those that the arithmetic finds', () => {
  const { trace, failed } = recordRun(LOOP, NOTHING);
  if (failed === undefined) throw new Error('it must fail');
  const tried = triedFrees(LOOP, trace, failed, 2);
  const need = { size: MiB(72), segment: MiB(72), available: MiB(22), pool: 'large', stream: 0, maxSplit: Infinity };
  const reasoned = smallestFrees(failed.heap, need).map(({ blocks, bytes }) => ({
    tensors: blocks.map(({ handle }) => failed.factOf(handle).label),
    bytes,
  }));
  const byName = (a: { readonly tensors: readonly string[] }, b: { readonly tensors: readonly string[] }) =>
    a.tensors.join().localeCompare(b.tensors.join());
  expect([...(tried ?? [])].sort(byName)).toEqual(reasoned.sort(byName));
});

test('frees are found on BFC too, by trying', () => {
  const run: Run = {
    id: 'a',
    allocator: 'bfc',
    options: { allowGrowth: false, garbageCollection: false },
    budget: '64MiB',
    ops: ['a b1..b8 8MiB A', 'f b1..b7/2', 'a z 24MiB T'],
    realBuffers: true,
  };
  const { trace, failed } = recordRun(run, NOTHING);
  if (failed === undefined) throw new Error('it must fail');
  const sets = triedFrees(run, trace, failed, 3)?.map(({ tensors }) => tensors.join('+'));
  expect(sets).toEqual(['b2', 'b4', 'b6']);
});

test('too many ways to try are not tried', () => {
  const run: Run = {
    ...LOOP,
    budget: '8MiB',
    generator: undefined,
    ops: ['a s1..s900 8KiB T', 'a z 1MiB T', 'a y 2MiB T'],
  };
  const { trace, failed } = recordRun(run, NOTHING);
  if (failed === undefined) throw new Error('it must fail');
  expect(triedFrees(run, trace, failed, 3)).toBeUndefined();
});

test.each([
  ['request', 'fail', /request at the failure, but this run completes/],
  ['gap', 'nowhere', /gap at "nowhere", but there is no such marker/],
  ['holes', 'peak', /holes has no peak; ask for allocated, requested, reserved, gap, internal/],
  ['blockSize', 'y', /no tensor "y" was placed/],
  ['peakStat', 'end', /the caching allocator counts no peakStat/],
] as const)('%s at %s is no number of this run, and it says why', (metric, at, problem) => {
  const { agrees, numbers } = runStep(stepWith(metric, at));
  expect(agrees).toBe(false);
  expect(numbers.get('n')?.value).toBeUndefined();
  expect(numbers.get('n')?.problem).toMatch(problem);
});

test('"no cache" rounds to 2 MiB and makes a call for each tensor', () => {
  const direct = { allocator: 'direct', ops: ['x3 a x 3MiB T | f x'] } as Partial<Run>;
  expect(runStep(stepWith('deviceCalls', 'end', direct)).numbers.get('n')?.value).toBe(3);
  expect(runStep(stepWith('reserved', 'peak', direct)).numbers.get('n')?.value).toBe(MiB(4));
});

test('numbers look as sentences need them', () => {
  const looks = (value: number, unit: Unit) => showValue(value, unit);
  expect([looks(MiB(1012), 'bytes'), looks(MiB(1024), 'bytes'), looks(0, 'bytes'), looks(512, 'bytes')]).toEqual([
    '1,012 MiB',
    '1 GiB',
    '0 B',
    '512 B',
  ]);
  expect([looks(22.75e9, 'GB'), looks(0.8285, 'ratio'), looks(34816, 'count'), looks(3.4035, 'times')]).toEqual([
    '22.75 GB',
    '0.83',
    '34,816',
    '3.4',
  ]);
  expect([looks(6.866, 'ms'), looks(0.2, 'µs'), showValue('bank3_12', 'text')]).toEqual([
    '6.9 ms',
    '0.2 µs',
    'bank3_12',
  ]);
});
