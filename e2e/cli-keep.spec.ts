/** What a run has measured is never lost, whatever becomes of the place that it was to go to. */
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'playwright/test';
import { readReport } from '../src/model/report/read.js';
import { test, type Workplace } from './support/program.js';

const RUN = ['bench', '--preset', 'quick', '--adapter', 'software', '--filter', '^tiers/copy-buffer/(1MiB|64KiB)$'];

/** The report in the temporary folder, which is where the one line of stderr says that it is. */
function keptReport({ temporary }: Workplace, stderr: string) {
  const [name = ''] = readdirSync(temporary);
  expect(stderr.split('\n').filter((line) => line.includes('cannot write'))).toEqual([
    expect.stringMatching(/^vramlab: --out: cannot write .*; the whole result is kept in .*\.json$/),
  ]);
  expect(stderr).toContain(join(temporary, name));
  return readReport(readFileSync(join(temporary, name), 'utf8'), name);
}

test('a folder that goes away during the run', async ({ workplace }) => {
  const folder = join(workplace.folder, 'results');
  mkdirSync(folder);
  const running = workplace.start(...RUN, '--out', 'results/run.json', '--md', 'run.md');
  await running.until('vramlab: 1/');
  rmSync(folder, { recursive: true });
  const { code, stderr, stdout } = await running.finished;
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(keptReport(workplace, stderr)).toMatchObject({ complete: true, results: { length: 2 } });
  expect(readdirSync(workplace.folder)).toEqual(['run.md']);
});

test('a place that becomes a directory during the run', async ({ workplace }) => {
  const running = workplace.start(...RUN, '--out', 'run.json');
  await running.until('vramlab: 1/');
  mkdirSync(join(workplace.folder, 'run.json'));
  const { code, stderr } = await running.finished;
  expect(code).toBe(2);
  expect(stderr).toContain('that is a directory');
  expect(keptReport(workplace, stderr).results).toHaveLength(2);
});

test.describe('a full disk', () => {
  test.skip(process.platform !== 'linux', '/dev/full is of Linux');

  test('as --out', async ({ workplace }) => {
    const { code, stderr } = await workplace.run(...RUN, '--out', '/dev/full');
    expect(code).toBe(2);
    expect(stderr).toContain('the disk is full');
    expect(keptReport(workplace, stderr).results).toHaveLength(2);
  });
});
