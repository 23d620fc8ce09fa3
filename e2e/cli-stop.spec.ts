import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'playwright/test';
import { readReport } from '../src/model/report/read.js';
import { type Process, type Workplace, descendants, stillRunning, test } from './support/program.js';

test.skip(process.platform !== 'linux', 'reads /proc to see what is left running');

const RUN = ['bench', '--preset', 'standard', '--adapter', 'software', '--suite', 'tiers', '--out', 'run.json'];

/** Starts a run and waits for its second row, so that there is something to keep. */
async function startRun(workplace: Workplace, ...more: readonly string[]) {
  const running = workplace.start(...RUN, ...more);
  await running.until('vramlab: 2/');
  const processes = descendants(running.pid);
  expect(processes.length).toBeGreaterThan(2);
  return { running, processes };
}

function processOfType(processes: readonly Process[], type: string): Process {
  const found = processes.find(({ command }) => command.includes(`--type=${type}`));
  if (found === undefined) throw new Error(`no process of type ${type} among ${JSON.stringify(processes)}`);
  return found;
}

/** What was measured is in the file, marked incomplete, and nothing is left: no process, no profile. */
async function expectKept(workplace: Workplace, processes: readonly Process[], reason: RegExp): Promise<void> {
  const report = readReport(readFileSync(join(workplace.folder, 'run.json'), 'utf8'), 'run.json');
  expect(report.complete).toBe(false);
  expect(report.incompleteReason).toMatch(reason);
  expect(report.results.length).toBeGreaterThanOrEqual(2);
  await expectNothingLeft(workplace, processes);
}

async function expectNothingLeft(workplace: Workplace, processes: readonly Process[]): Promise<void> {
  await expect.poll(() => stillRunning(processes)).toEqual([]);
  expect(readdirSync(workplace.temporary)).toEqual([]);
  expect(readdirSync(workplace.folder).filter((name) => name !== 'run.json')).toEqual([]);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} keeps what was measured and leaves nothing running`, async ({ workplace }) => {
    const { running, processes } = await startRun(workplace);
    running.kill(signal);
    // npm and the terminal may each pass the same Ctrl-C on.
    running.kill(signal);
    expect((await running.finished).code).toBe(130);
    await expectKept(workplace, processes, /^interrupted after \d+ of \d+ rows$/);
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} sent to npm alone reaches the program behind it`, async ({ workplace }) => {
    const running = workplace.startUnderNpm(...RUN.slice(0, -1), join(workplace.folder, 'run.json'));
    await running.until('vramlab: 2/');
    const processes = descendants(running.pid);
    running.kill(signal);
    await running.finished;
    await expect.poll(() => stillRunning(processes), { timeout: 10_000 }).toEqual([]);
    await expectKept(workplace, processes, /^interrupted after \d+ of \d+ rows$/);
  });
}

test('a GPU that hangs hits the timeout, and what was measured is kept', async ({ workplace }) => {
  const { running, processes } = await startRun(workplace, '--timeout', '15');
  // Stopped, the GPU process answers nothing any more, as one does whose driver hangs.
  process.kill(processOfType(processes, 'gpu-process').pid, 'SIGSTOP');
  const { code, stderr } = await running.finished;
  expect(stderr).toContain('--timeout 15 s');
  expect(code).toBe(1);
  await expectKept(workplace, processes, /timed out/);
});

test('a browser that is killed ends the run at once, and what was measured is kept', async ({ workplace }) => {
  const { running, processes } = await startRun(workplace);
  process.kill(descendants(running.pid)[0]?.pid ?? 0, 'SIGKILL');
  const { code, stderr } = await running.finished;
  expect(stderr).toContain('the browser went away');
  expect(code).toBe(1);
  await expectKept(workplace, processes, /browser went away/);
});

test('a page that crashes ends the run at once, and what was measured is kept', async ({ workplace }) => {
  const { running, processes } = await startRun(workplace);
  for (const { pid, command } of processes) {
    if (command.includes('--type=renderer')) process.kill(pid, 'SIGKILL');
  }
  expect((await running.finished).code).toBe(1);
  await expectKept(workplace, processes, /its page was closed or crashed/);
});

test('a program that is killed takes its browser with it', async ({ workplace }) => {
  const { running, processes } = await startRun(workplace);
  running.kill('SIGKILL');
  expect((await running.finished).signal).toBe('SIGKILL');
  await expect.poll(() => stillRunning(processes), { timeout: 10_000 }).toEqual([]);
});

test('a run stopped before the browser is up still leaves a report', async ({ workplace }) => {
  const running = workplace.start(...RUN);
  await expect.poll(() => descendants(running.pid).length).toBeGreaterThan(0);
  const processes = descendants(running.pid);
  running.kill('SIGINT');
  expect((await running.finished).code).toBe(130);
  const report = readReport(readFileSync(join(workplace.folder, 'run.json'), 'utf8'), 'run.json');
  expect([report.complete, report.results]).toEqual([false, []]);
  await expectNothingLeft(workplace, processes);
});
