import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { readReport } from '../src/model/report/read.js';
import { test } from './support/program.js';

/** Every number in a value, with its path. */
function numbersIn(value: unknown, path = ''): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, `${path}.${key}`));
}

test('a quick run is verified, complete and repeatable from its own report', async ({ workplace }) => {
  const { code, stdout, stderr } = await workplace.run(
    ...['bench', '--preset', 'quick', '--adapter', 'software', '--seed', '7'],
    ...['--out', 'run.json', '--md', 'run.md', '--csv', 'run.csv', '--junit', 'run.xml'],
  );
  expect(stderr).toContain('first verified result');
  expect(code).toBe(0);
  expect(stdout).toBe('');
  const report = readReport(readFileSync(join(workplace.folder, 'run.json'), 'utf8'), 'run.json');
  expect(report.complete).toBe(true);
  expect(report.seed).toBe(7);
  expect(report.argv).toContain('--seed');
  expect(report.environment?.adapter.class).toBe('software');
  expect(report.environment?.clock.gridNs).toBeGreaterThan(0);
  expect(report.environment?.crossOriginIsolated).toBe(true);
  expect(report.environment?.headless).toBe(true);
  expect(report.environment?.browser.flags).toContain('--use-webgpu-adapter=swiftshader');

  expect(report.results.length).toBeGreaterThan(10);
  expect(new Set(report.results.map(({ id }) => id)).size).toBe(report.results.length);
  for (const row of report.results) {
    expect(row.status === 'measured' ? row.verified : row.reason).toBeTruthy();
    expect(row.status).not.toBe('failed');
    if (row.status === 'measured') expect(row.stats.n, row.id).toBeGreaterThanOrEqual(5);
    for (const [path, value] of numbersIn(row)) {
      expect(Number.isFinite(value), `${row.id}${path}`).toBe(true);
      if (path !== '.stats.cv') expect(value, `${row.id}${path}`).toBeGreaterThan(0);
    }
  }

  const samples = report.results.flatMap((row) => (row.status === 'measured' ? row.samples : [0]));
  const read = (name: string) => readFileSync(join(workplace.folder, name), 'utf8');
  expect(read('run.csv').trimEnd().split('\r\n')).toHaveLength(1 + samples.length);
  expect(read('run.md')).toContain('software adapter');
  expect(read('run.xml').match(/<testcase /g)).toHaveLength(report.results.length + report.experiments.length);
  expect(readdirSync(workplace.temporary)).toEqual([]);
});

const ONE_ROW = ['bench', '--preset', 'quick', '--adapter', 'software', '--filter', '^tiers/copy-buffer/1MiB$'];

test('stdout is the report and nothing else, progress goes to stderr', async ({ workplace }) => {
  const { code, stdout, stderr } = await workplace.run(...ONE_ROW, '--out', '-');
  expect(code).toBe(0);
  expect(readReport(stdout, 'stdout').results.map(({ id }) => id)).toEqual(['tiers/copy-buffer/1MiB']);
  expect(stderr).toMatch(/^vramlab: 1\/1 round 1\/3 tiers\/copy-buffer\/1MiB [\d.]+ GB\/s$/m);
});

test('a quiet run leaves stderr empty and shows a table on stdout', async ({ workplace }) => {
  const { code, stdout, stderr } = await workplace.run(...ONE_ROW, '--quiet');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/tiers\/copy-buffer\/1MiB +[\d.,]+ GB\/s/);
  expect(stdout).toContain('1 measured, 0 skipped, 0 failed');
});

test('a report can be read again and turned into other forms', async ({ workplace }) => {
  await workplace.run(...ONE_ROW, '--out', 'run.json');
  const shown = await workplace.run('report', 'run.json');
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toContain('1 measured, 0 skipped, 0 failed');
  const junit = await workplace.run('report', 'run.json', '--junit', '-', '--csv', 'run.csv', '--html', 'run.html');
  expect(junit.stdout).toMatch(/^<\?xml /);
  expect(readdirSync(workplace.folder).sort()).toEqual(['run.csv', 'run.html', 'run.json']);
  expect(readFileSync(join(workplace.folder, 'run.html'), 'utf8')).toMatch(
    /^<!doctype html>[^]*tiers\/copy-buffer\/1MiB/i,
  );
});
