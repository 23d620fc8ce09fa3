import { describe, expect, it } from 'vitest';
import { doneWith, recordOfRows, runningAt, SAMPLE_ROWS } from '../../../app/testing/sample-run.js';
import { openRun, type RunState } from '../../../app/run-state.js';
import { sampleReport } from '../../../model/report/testing/report-sample.js';
import { button, collect, find, mount, textOf } from '../../testing/mount.js';
import { ExportMenu } from '../export-menu/export-menu.js';
import { RunBar } from './run-bar.js';

const lineOf = (bar: RunBar) => textOf(find(bar, '.line', HTMLElement));
const show = (run: RunState, more: Partial<RunBar> = {}) => mount(new RunBar(), { run, badge: 'software', ...more });

describe('the run bar', () => {
  it('offers a run when there was none, and nothing to export', async () => {
    const bar = await show({ phase: 'idle' });
    const asked = collect(bar, 'app-run-requested');
    button(bar, 'Run').click();
    expect(asked).toHaveLength(1);
    expect(find(bar, 'app-export-menu', ExportMenu).disabled).toBe(true);
  });

  it('says why no run can start', async () => {
    const bar = await show({ phase: 'idle' }, { canRun: false, obstacle: 'A setting cannot be used.' });
    expect(button(bar, 'Run').disabled).toBe(true);
    expect(lineOf(bar)).toContain('A setting cannot be used.');
  });

  it('counts, names the row, tells flags, failures and the time left, and carries the mark', async () => {
    const bar = await show(runningAt(SAMPLE_ROWS, 20, 38e9));
    expect(lineOf(bar)).toBe('4 of 20 rows tiers/global/scale/vec4/64MiB 1 flagged 1 failed Software about 40 s left');
  });

  it('says which round it is where the run comes back to its rows, and fills the bar by rows times rounds', async () => {
    const running = runningAt(SAMPLE_ROWS, 4);
    if (running.phase !== 'running') throw new Error('not running');
    const round = { number: 2, of: 3, done: 1, rows: 4 };
    const bar = await show({ ...running, progress: { ...running.progress, done: 5, total: 12, round } });
    expect(lineOf(bar)).toContain('Round 2 of 3: 1 of 4 rows');
    const progress = bar.shadowRoot?.querySelector('[role=progressbar]');
    expect([progress?.getAttribute('aria-valuenow'), progress?.getAttribute('aria-valuemax')]).toEqual(['5', '12']);
    // Four rows that are in fill 5 of 12: the whole is 4 * 12 / 5.
    expect(progress?.querySelector('svg')?.getAttribute('viewBox')).toBe('0 0 9.6 1');
  });

  it('tells no time before it is known', async () => {
    const bar = await show(runningAt([], 20));
    expect(lineOf(bar)).not.toContain('left');
  });

  it('draws one segment each, in the share of the whole', async () => {
    const bar = await show(runningAt(SAMPLE_ROWS, 20));
    const widths = ['clean', 'flagged', 'failed', 'skipped'].map((name) =>
      find(bar, `.progress .${name}`, SVGRectElement).getAttribute('width'),
    );
    expect(widths).toEqual(['1', '1', '1', '1']);
    expect(find(bar, '.progress svg', SVGSVGElement).getAttribute('viewBox')).toBe('0 0 20 1');
    expect(find(bar, '[role=progressbar]', HTMLElement).getAttribute('aria-valuenow')).toBe('4');
  });

  it('cancels once', async () => {
    const bar = await show(runningAt(SAMPLE_ROWS, 20));
    const cancelled = collect(bar, 'app-run-cancelled');
    button(bar, 'Cancel').click();
    const running = runningAt(SAMPLE_ROWS, 20);
    bar.run = running.phase === 'running' ? { ...running, phase: 'cancelling' } : running;
    await bar.updateComplete;
    button(bar, 'Cancel').click();
    expect(cancelled).toHaveLength(1);
    expect(lineOf(bar)).toContain('Cancelling');
  });

  it('sums up at the end', async () => {
    const bar = await show(doneWith(SAMPLE_ROWS));
    expect(lineOf(bar)).toBe('Done in 1 min 42 s Software 1 clean, 1 flagged, 1 failed, 1 skipped');
    expect(find(bar, 'app-export-menu', ExportMenu).disabled).toBe(false);
    expect(button(bar, 'Run again').disabled).toBe(false);
  });

  it('asks for the list of kept runs and says how many there are', async () => {
    const bar = await show({ phase: 'idle' }, { keptRuns: 3 });
    const asked = collect(bar, 'app-runs-requested');
    button(bar, 'Runs (3)').click();
    expect(asked).toHaveLength(1);
  });

  it('names an opened run and says whether it is whole', async () => {
    const report = { ...sampleReport, complete: false, incompleteReason: 'cancelled' };
    const bar = await show(openRun('before the driver', report));
    expect(lineOf(bar)).toContain('before the driver Software kept run, incomplete: 1 clean, 1 flagged');
    expect(button(bar, 'Run').disabled).toBe(false);
  });

  it('says that a stopped or failed run is incomplete', async () => {
    const record = recordOfRows(SAMPLE_ROWS);
    const bar = await show({ phase: 'stopped', record, tookNs: 3e9 });
    expect(lineOf(bar)).toContain('Stopped after 3.0 s, incomplete');
    bar.run = { phase: 'failed', record, tookNs: 3e9, message: 'the device was lost' };
    await bar.updateComplete;
    expect(lineOf(bar)).toContain('Failed after 3.0 s, incomplete');
    expect(lineOf(bar)).toContain('the device was lost');
  });

  it('tells a screen reader of the start and the end at once, of progress in between not each time', async () => {
    const bar = await show(runningAt([], 20));
    const told = () => textOf(find(bar, '[aria-live]', HTMLElement));
    expect(told()).toBe('0 of 20 rows, 0 flagged');
    bar.run = runningAt(SAMPLE_ROWS, 20);
    await bar.updateComplete;
    expect(told()).toBe('0 of 20 rows, 0 flagged');
    bar.run = doneWith(SAMPLE_ROWS);
    await bar.updateComplete;
    await bar.updateComplete;
    expect(told()).toContain('Done in 1 min 42 s');
  });
});
