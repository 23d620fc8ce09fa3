/** The fragmentation lab from the program: real buffers in a real browser, the model beside them. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { clearInterval, setInterval } from 'node:timers';
import { expect } from 'playwright/test';
import { browserProcesses } from '../src/cli/browser/process-memory.js';
import { readReport } from '../src/model/report/read.js';
import { type Experiment, type Report } from '../src/model/report/schema.js';
import { descendants, stillRunning, test, type Workplace } from './support/program.js';

const MIB = 2 ** 20;
const SOFTWARE = ['bench', '--preset', 'quick', '--adapter', 'software', '--out', 'lab.json'];

const readLab = ({ folder }: Workplace): Report =>
  readReport(readFileSync(join(folder, 'lab.json'), 'utf8'), 'lab.json');

function experiment({ experiments }: Report, id: string): Experiment {
  const found = experiments.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no experiment ${id}`);
  return found;
}
const numbers = (value: unknown): readonly number[] => (Array.isArray(value) ? value.map(Number) : []);

test('the whole lab: the model and the device agree, failures are met and recovered from, nothing is left', async ({
  workplace,
}) => {
  test.setTimeout(300_000);
  const running = workplace.start(...SOFTWARE, '--suite', 'alloc,oom,driver,train');
  let peak = 0;
  const seen = new Map<number, { pid: number; command: string }>();
  const watch = setInterval(() => {
    for (const each of descendants(running.pid)) seen.set(each.pid, each);
    peak = Math.max(peak, browserProcesses(running.pid)?.totalBytes ?? 0);
  }, 250);
  const { code, stderr } = await running.finished;
  clearInterval(watch);
  expect(code, stderr).toBe(0);
  const report = readLab(workplace);

  await test.step('nothing failed, nothing is left, under 4 GiB', async () => {
    expect(report.complete).toBe(true);
    expect([...report.results, ...report.experiments].filter(({ status }) => status === 'failed')).toEqual([]);
    for (const row of report.results) {
      if (row.status === 'measured') expect(row.checkedElements, row.id).toBeGreaterThan(0);
    }
    if (process.platform === 'linux') {
      expect(peak).toBeGreaterThan(100 * MIB);
      expect(peak).toBeLessThan(4096 * MIB);
      await expect.poll(() => stillRunning([...seen.values()])).toEqual([]);
    }
    expect(readdirSync(workplace.temporary)).toEqual([]);
  });

  await test.step('every provoked failure was seen as what it is, and recovered from', () => {
    const provoked = report.experiments.filter((each) => each['provoked'] !== undefined);
    expect(Object.fromEntries(provoked.map((each) => [each['provoked'], each['observed']]))).toMatchObject({
      'create-max': 'out-of-memory',
      'create-over-limit': 'validation',
      'mapped-unaligned': 'range-error',
      'mapped-huge': 'range-error',
      'use-invalid': 'validation',
      'post-loss': 'post-loss',
      loss: 'lost',
    });
    expect(provoked.filter((each) => each['recovered'] !== true)).toEqual([]);
  });

  await test.step('plan and execution agree segment for segment in every variant', () => {
    const variants = report.experiments.filter((each) => each['segmentsPredicted'] !== undefined);
    expect(variants.length).toBeGreaterThanOrEqual(9);
    for (const each of variants) {
      expect(each, each.id).toMatchObject({ agrees: true, met: true, corruptWords: 0 });
      expect(each['segmentsCreated'], each.id).toBe(each['segmentsPredicted']);
      expect(Number(each['checkedWords']), each.id).toBeGreaterThan(0);
      expect(String(each['scaling']), each.id).toContain(each['scale'] === 1 ? 'as in the trace' : 'constants too');
    }
  });

  await test.step('concats run out with more free than they ask for; preallocated completes on the same budget', () => {
    for (const [concat, prealloc] of [
      ['concat-caching', 'prealloc-caching'],
      ['case13b-concat-caching', 'case13b-prealloc-b8-caching'],
    ] as const) {
      const [failed, completed] = [experiment(report, `train/${concat}`), experiment(report, `train/${prealloc}`)];
      expect(failed).toMatchObject({ outcome: 'out-of-memory', freeOverRequest: true });
      const { failure } = failed as unknown as {
        failure: { requested: number; freeInSegments: number; totalFree: number };
      };
      expect(failure.totalFree).toBeGreaterThan(failure.requested);
      expect(failure.freeInSegments).toBeGreaterThan(failure.requested);
      expect(completed).toMatchObject({ outcome: 'completed', budgetBytes: failed['budgetBytes'] });
    }
  });

  await test.step('the largest batches differ as the model says', () => {
    const [concat, prealloc] = ['concat', 'prealloc'].map((loop) =>
      experiment(report, `train/largest-batch/${loop}-caching`),
    );
    for (const each of [concat, prealloc]) expect(each).toMatchObject({ met: true, observed: each?.['predicted'] });
    expect(Number(prealloc?.['observed'])).toBeGreaterThan(2 * Number(concat?.['observed']));
  });

  await test.step('a planted overlap of 256 bytes is found, with its neighbours', () => {
    const planted = experiment(report, 'train/planted-overlap');
    expect(planted).toMatchObject({ status: 'measured', plantedBytes: 256, foundWords: 64 });
    expect(planted['block']).toMatch(/^tensor \d+/);
    expect(planted['after']).toBe(planted['plantedBlock']);
  });

  await test.step('200 buffers of 1 MiB + 4 KiB take about 400 MiB', () => {
    if (process.platform !== 'linux') return;
    const heaps = experiment(report, 'driver/over-a-power-of-two');
    expect(numbers(heaps['expectedBytes'])).toEqual([400 * MIB]);
    expect(numbers(heaps['observedBytes'])[0]).toBeGreaterThan(380 * MIB);
    expect(numbers(heaps['observedBytes'])[0]).toBeLessThan(430 * MIB);
  });

  await test.step('dropping a buffer gives nothing back, destroying it does', () => {
    if (process.platform !== 'linux') return;
    const dropped = experiment(report, 'alloc/destroy-against-drop');
    const made = Number(dropped['madeBytes']);
    expect(Number(dropped['leftAfterDestroyBytes'])).toBeLessThan(made / 4);
    expect(Number(dropped['leftAfterDropBytes'])).toBeGreaterThan(made / 2);
  });
});

test('a trace of any kind is carried out; a device that refuses before the budget does makes a new plan', async ({
  workplace,
}) => {
  test.setTimeout(180_000);
  // SwiftShader refuses a buffer of exactly maxBufferSize (1 GiB), whatever is free: a real refusal.
  const ops = [
    ['a', 1, 200 * MIB],
    ['a', 2, 2 ** 30],
    ['f', 2],
    ['f', 1],
  ];
  const trace = { schema: 'vramlab-trace', version: 1, name: 'refused', ops, capacity: 1280 * MIB };
  writeFileSync(join(workplace.folder, 'refused.trace.json'), JSON.stringify(trace));
  const { code, stderr } = await workplace.run(
    ...['bench', '--preset', 'full', '--adapter', 'software', '--out', 'lab.json', '--suite', 'train', '--quiet'],
    ...['--trace', 'refused.trace.json', '--budget', '2GiB', '--filter', '^train/trace-direct$'],
  );
  expect([code, stderr]).toEqual([0, '']);
  const carried = experiment(readLab(workplace), 'train/trace-direct');
  expect(carried, JSON.stringify(carried)).toMatchObject({
    status: 'measured',
    replans: [{ size: 2 ** 30, heldBytes: 200 * MIB }],
    // The plan that counts is the one on what the device gave.
    budgetBytes: 200 * MIB,
    predicted: 'out-of-memory',
    outcome: 'out-of-memory',
    met: true,
    corruptWords: 0,
  });
});

test('heaps with and without Dawn’s sub-allocator are compared by --ab', async ({ workplace }) => {
  test.skip(process.platform !== 'linux', 'the memory of the GPU process can be read on Linux only');
  const { code, stderr } = await workplace.run(
    ...[
      'bench',
      '--preset',
      'quick',
      '--adapter',
      'software',
      '--suite',
      'driver',
      '--filter',
      'over-a-power',
      '--quiet',
    ],
    ...['--out', 'ab.json', '--ab', '', '--enable-dawn-features=disable_resource_suballocation'],
  );
  expect(code, stderr).toBe(0);
  const sizes =
    /driver\/over-a-power-of-two: ([\d.]+) MiB \(expected 400 MiB\) with heaps, ([\d.]+) MiB \(expected 200.8 MiB\) without/.exec(
      stderr,
    );
  expect(Number(sizes?.[1]), stderr).toBeGreaterThan(380);
  expect(Number(sizes?.[2]), stderr).toBeLessThan(230);
});

const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
  ['a budget over the adapter', ['--budget', '4000GiB'], /--budget: .* is more than this adapter has \(/],
  ['a budget of nothing', ['--budget', '0'], /--budget/],
  ['a budget that holds nothing', ['--budget', '4KiB'], /--budget: 4 KiB is too small .* at least 1 MiB/],
  ['a budget in words', ['--budget', 'plenty'], /--budget/],
  ['a trace that is not there', ['--trace', 'none.json'], /none\.json/],
  ['a file that is no trace', ['--trace', 'wrong.json'], /wrong\.json/],
  [
    'a tensor over the limit of a buffer',
    ['--trace', 'large.trace.json'],
    /large\.trace\.json: operation 0 .*8589934592 bytes.*1073741824 bytes/,
  ],
];
for (const [what, args, words] of REFUSED) {
  test(`${what} is refused in one line`, async ({ workplace }) => {
    const large = { schema: 'vramlab-trace', version: 1, name: 'large', ops: [['a', 1, 2 ** 33]], capacity: 32 * MIB };
    writeFileSync(join(workplace.folder, 'large.trace.json'), JSON.stringify(large));
    writeFileSync(join(workplace.folder, 'wrong.json'), '{"schema":"something-else","version":1}');
    const { code, stdout, stderr } = await workplace.run(...SOFTWARE, '--suite', 'train', ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n'), stderr).toHaveLength(1);
    expect(stderr).toMatch(words);
  });
}
