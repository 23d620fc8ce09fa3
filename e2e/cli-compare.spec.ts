/** `vramlab compare` and `bench --ab`: verdicts, exit codes and every form that they write. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import * as v from 'valibot';
import { abSchema } from '../src/model/report/ab.js';
import { comparisonSchema } from '../src/model/report/comparison.js';
import { type Report } from '../src/model/report/schema.js';
import { noisyReport, QUIET } from '../src/model/report/testing/noisy-report.js';
import { test, type Workplace } from './support/program.js';

const write = ({ folder }: Workplace, name: string, report: Report | string): void =>
  writeFileSync(join(folder, name), typeof report === 'string' ? report : JSON.stringify(report));
const read = ({ folder }: Workplace, name: string): string => readFileSync(join(folder, name), 'utf8');

test('two runs of one build exit 0, a slower one 1, what is not comparable 2', async ({ workplace }) => {
  const before = noisyReport(1, QUIET);
  write(workplace, 'before.json', before);
  write(
    workplace,
    'after.json',
    noisyReport(2, QUIET, () => 1),
  );
  write(
    workplace,
    'slower.json',
    noisyReport(2, QUIET, (row) => (row === 3 ? 1.3 : 1)),
  );
  write(
    workplace,
    'faster.json',
    noisyReport(2, QUIET, () => 1 / 1.3),
  );
  write(workplace, 'full.json', { ...before, preset: 'full' });

  const itself = await workplace.run('compare', 'before.json', 'before.json');
  expect([itself.code, itself.stderr]).toEqual([0, '']);
  expect(itself.stdout).not.toMatch(/\b(faster|slower) {2}/);

  expect((await workplace.run('compare', 'before.json', 'after.json', '--threshold', '20%')).code).toBe(0);
  expect((await workplace.run('compare', 'before.json', 'faster.json')).code).toBe(0);

  const slower = await workplace.run('compare', 'before.json', 'slower.json', '--json');
  expect(slower.code).toBe(1);
  expect(slower.stderr).toContain('1 slower');
  const comparison = v.parse(comparisonSchema, JSON.parse(slower.stdout));
  const found = comparison.rows.filter(({ verdict }) => verdict === 'slower');
  expect(found.map(({ id }) => id)).toEqual(['tiers/global/row-3']);
  expect(found[0]?.ratio).toBeGreaterThan(1.2);
  expect([comparison.a.name, comparison.b.name]).toEqual(['before.json', 'slower.json']);
  for (const { verdict, samplesNeeded } of comparison.rows) {
    if (verdict === 'ambiguous') expect(samplesNeeded).toBeGreaterThan(12);
  }

  const other = await workplace.run('compare', 'before.json', 'full.json');
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('other preset: quick against full')]);
});

test('a row that broke exits 1, whatever the others say', async ({ workplace }) => {
  const report = noisyReport(1, QUIET);
  const [first, ...others] = report.results;
  const failed = {
    id: first?.id ?? '',
    suite: 'tiers',
    status: 'failed',
    unit: 'GB/s',
    reason: '1 of 4 words',
  } as const;
  write(workplace, 'a.json', report);
  write(workplace, 'b.json', { ...report, results: [failed, ...others] });
  const { code, stdout } = await workplace.run('compare', 'a.json', 'b.json');
  expect(code).toBe(1);
  expect(stdout).toContain('1 of 4 words');
});

test('Markdown goes to a file or to stdout alone', async ({ workplace }) => {
  write(workplace, 'a.json', noisyReport(1, QUIET));
  write(
    workplace,
    'b.json',
    noisyReport(2, QUIET, () => 1.3),
  );
  const both = await workplace.run('compare', 'a.json', 'b.json', '--md', 'out.md');
  expect(both.code).toBe(1);
  expect(both.stdout).toContain('tiers/global/row-0');
  const alone = await workplace.run('compare', 'a.json', 'b.json', '--md', '-');
  expect(alone.stdout.trimEnd()).toBe(read(workplace, 'out.md').trimEnd());
  const lines = alone.stdout.split('\n').filter((line) => line.startsWith('|'));
  // A head, a rule, and a line a row.
  expect(lines.length).toBeGreaterThanOrEqual(2 + 24);
});

test('what cannot be read or asked exits 2 with one line', async ({ workplace }) => {
  write(workplace, 'a.json', noisyReport(1, QUIET));
  write(workplace, 'cut.json', JSON.stringify(noisyReport(1, QUIET)).slice(0, 200));
  write(workplace, 'newer.json', JSON.stringify({ schema: 'vramlab-report', version: 99 }));
  for (const [args, words] of [
    [['a.json', 'missing.json'], 'missing.json'],
    [['a.json', 'cut.json'], 'cut.json'],
    [['a.json', 'newer.json'], '99'],
    [['-', '-'], 'only one of the two reports can come from stdin'],
    [['a.json', 'a.json', '--threshold', '-3%'], 'A threshold is a percentage over 0'],
    [['a.json', 'a.json', '--md', '-', '--json'], 'only one of --json and --md - can go to stdout'],
    [['a.json', 'a.json', '--md', 'a.json'], 'a.json'],
  ] as const) {
    const { code, stdout, stderr } = await workplace.run('compare', ...args);
    expect([code, stdout], args.join(' ')).toEqual([2, '']);
    expect(stderr, args.join(' ')).toContain(words);
    expect(stderr.trimEnd().split('\n'), args.join(' ')).toHaveLength(1);
  }
});

test('bench --ab interleaves two configurations in seeded, balanced order and compares them', async ({ workplace }) => {
  test.setTimeout(240_000);
  const flag = '--enable-dawn-features=disable_robustness';
  const { code, stdout, stderr } = await workplace.run(
    ...[
      'bench',
      '--preset',
      'quick',
      '--adapter',
      'software',
      '--filter',
      '^tiers/copy-buffer/(1|2)MiB$',
      '--seed',
      '5',
    ],
    ...['--ab', '', flag, '--out', 'ab.json', '--md', 'ab.md'],
  );
  // On a shared machine one of two rows may come out slower: both ends are fine, a failure is not.
  expect([0, 1], stderr).toContain(code);
  const ab = v.parse(abSchema, JSON.parse(read(workplace, 'ab.json')));
  expect(ab.flags).toEqual({ a: [], b: [flag] });
  expect(ab.order.filter(([first]) => first === 'a')).toHaveLength(ab.order.length / 2);
  expect(ab.b.environment?.browser.flags.join(' ')).toContain('disable_robustness');
  expect(ab.a.environment?.browser.flags.join(' ')).not.toContain('disable_robustness');
  for (const { results } of [ab.a, ab.b]) {
    expect(results.map((row) => row.status)).toEqual(['measured', 'measured']);
    for (const row of results) if (row.status === 'measured') expect(row.rounds).toHaveLength(ab.order.length);
  }
  expect(ab.comparison.rows.map(({ verdict }) => verdict)).not.toContain('not-comparable');
  expect(stdout).toContain('tiers/copy-buffer/1MiB');
  expect(read(workplace, 'ab.md')).toContain('disable_robustness');
});
