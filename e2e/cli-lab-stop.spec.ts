/** The lab stopped, crashed and cut off in the middle. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'playwright/test';
import { graphicsFlags } from '../src/cli/browser/flags.js';
import { findBrowser } from '../src/cli/browser/find-browser.mjs';
import { browserProcesses } from '../src/cli/browser/process-memory.js';
import { runPage } from '../src/cli/browser/run-page.js';
import { type JournalEntry } from '../src/model/journal/journal.js';
import { LAB_SUITES } from '../src/model/report/suites.js';
import { readReport } from '../src/model/report/read.js';
import { type Experiment } from '../src/model/report/schema.js';
import { descendants, stillRunning, test, type Workplace } from './support/program.js';

test.skip(process.platform !== 'linux', 'reads /proc to see what is left running');

const RUN = ['bench', '--preset', 'standard', '--adapter', 'software', '--out', 'lab.json'];
const readLab = ({ folder }: Workplace) => readReport(readFileSync(join(folder, 'lab.json'), 'utf8'), 'lab.json');
const readJournal = ({ state }: Workplace): JournalEntry | undefined => {
  if (!readdirSync(state).includes('journal.json')) return undefined;
  return JSON.parse(readFileSync(join(state, 'journal.json'), 'utf8')) as JournalEntry;
};

for (const suite of LAB_SUITES) {
  test(`Ctrl-C in the suite ${suite} ends it within a second and keeps what was measured`, async ({ workplace }) => {
    const running = workplace.start(...RUN, '--suite', suite);
    await running.until('vramlab: 2/');
    const processes = descendants(running.pid);
    const begin = performance.now();
    running.kill('SIGINT');
    expect((await running.finished).code).toBe(130);
    expect(performance.now() - begin).toBeLessThan(1000);
    const report = readLab(workplace);
    expect(report.complete).toBe(false);
    expect(report.results.length + report.experiments.length).toBeGreaterThanOrEqual(2);
    await expect.poll(() => stillRunning(processes)).toEqual([]);
    expect(readdirSync(workplace.temporary)).toEqual([]);
    // Nothing crashed: the next start has nothing to tell.
    expect(readJournal(workplace)?.state ?? 'finished').toBe('finished');
  });

  test(`the GPU process dies in the suite ${suite}: rows before and after it are measured`, async ({ workplace }) => {
    const filter = {
      alloc: '256B|1MiB',
      oom: 'stress|largest',
      driver: 'over|every|pinned',
      train: '/(concat|prealloc)-caching',
    }[suite as 'alloc'];
    const running = workplace.start(...RUN, '--suite', suite, '--preset', 'quick', '--filter', filter);
    await running.until('vramlab: 2/');
    process.kill(browserProcesses(running.pid)?.gpuPid ?? 0, 'SIGKILL');
    const { code, stderr } = await running.finished;
    const { complete, results, experiments } = readLab(workplace);
    expect(complete, stderr).toBe(true);
    const all = [...results, ...experiments.filter(({ id }) => id !== 'reference/drift')];
    const failed = all.filter(({ status }) => status === 'failed');
    expect(failed.length).toBeLessThanOrEqual(1);
    expect(code).toBe(failed.length === 0 ? 0 : 1);
    for (const row of failed)
      expect(row.status === 'failed' ? row.reason : '').toMatch(/lost|reference no longer exists|GPU/i);
    expect(all.filter(({ status }) => status === 'measured').length).toBeGreaterThanOrEqual(3);
  });
}

test('a crash in a risky step is told at the next start, with the last size that worked', async ({ workplace }) => {
  const running = workplace.start(...RUN, '--suite', 'oom', '--filter', '^oom/largest-total$', '--budget', '4GiB');
  await expect
    .poll(
      () => {
        const entry = readJournal(workplace);
        return entry?.state === 'running' && entry.lastSafeBytes > 0;
      },
      { intervals: [5], timeout: 30_000 },
    )
    .toBe(true);
  process.kill(descendants(running.pid)[0]?.pid ?? 0, 'SIGKILL');
  expect((await running.finished).code).toBe(1);
  const left = readJournal(workplace);
  expect(left).toMatchObject({ state: 'running', step: 'search for the largest total' });

  const next = await workplace.run(...RUN, '--suite', 'oom', '--filter', '^oom/journal$');
  const safe = (left?.lastSafeBytes ?? 0) / 2 ** 20;
  expect(safe).toBeGreaterThanOrEqual(64);
  expect(next.stderr).toMatch(
    /the last run ended during "search for the largest total" .*; the last size that worked is/,
  );
  expect(readLab(workplace).experiments.find(({ id }) => id === 'oom/journal')).toMatchObject({
    endedWell: false,
    lastSafeBytes: left?.lastSafeBytes,
  });
});

test('a browser that gives no adapter after crashes fails what is left with words', async ({ workplace }) => {
  test.setTimeout(120_000);
  process.env['VRAMLAB_STATE'] = workplace.state;
  const browser = findBrowser(process.env['VRAMLAB_BROWSER']);
  if (browser === undefined) throw new Error('no browser');
  // As a person's own browser is started: with the limit of crashes.
  const limits = ['--disable-domain-blocking-for-3d-apis', '--disable-gpu-process-crash-limit'];
  const flags = graphicsFlags('software', false).filter((flag) => !limits.includes(flag));
  const experiments: Experiment[] = [];
  const ending = await runPage({
    browser: browser.path,
    flags,
    task: {
      kind: 'run',
      request: {
        suites: ['oom'],
        preset: 'quick',
        budgetBytes: 2 ** 28,
        seed: 1,
        adapter: 'software',
        filter: 'oom/(create|mapped|use|post|loss)',
      },
    },
    timeoutMs: 100_000,
    site: 'dist/web',
    stopped: new Promise(() => {}),
    onMessage: (message) => {
      if (message.kind !== 'event' || message.event.kind !== 'experiment') return;
      experiments.push(message.event.experiment);
      const { gpuPid } = browserProcesses(process.pid) ?? {};
      if (experiments.length <= 4 && gpuPid !== undefined) process.kill(gpuPid, 'SIGKILL');
    },
  });
  expect(ending).toEqual({ kind: 'ended' });
  expect(experiments[0]).toMatchObject({ status: 'measured', recovered: true });
  const last = experiments.findLast(({ id }) => id.startsWith('oom/'));
  expect(last?.status).toBe('failed');
  expect(last?.reason).toMatch(/restart the browser|start it again/);
});
