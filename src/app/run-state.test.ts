import { describe, expect, it } from 'vitest';
import { chooseRows, countRows } from './rows.js';
import {
  cancelling,
  endRun,
  isActive,
  recordOf,
  startRun,
  suiteProgress,
  withEvent,
  withProgress,
} from './run-state.js';
import { reportFileName, reportOf } from './run-report.js';
import { readReport } from '../model/report/read.js';
import { environmentOf, recordOfRows, SAMPLE_REQUEST, SAMPLE_ROWS, SOFTWARE_ADAPTER } from './testing/sample-run.js';

const CREATED = '2026-11-30T00:12:45.000Z';
const started = startRun(SAMPLE_REQUEST, CREATED, environmentOf(SOFTWARE_ADAPTER));
const [row] = SAMPLE_ROWS;

describe('a run', () => {
  it('collects rows in the order they come', () => {
    const run = SAMPLE_ROWS.reduce((state, each) => withEvent(state, { kind: 'row', row: each }), started);
    expect(recordOf(run)?.rows).toEqual(SAMPLE_ROWS);
  });

  it('takes nothing in after its end', () => {
    const ended = endRun(started, { phase: 'stopped' }, 5);
    if (row === undefined) throw new Error('no sample row');
    expect(withEvent(ended, { kind: 'row', row })).toBe(ended);
    expect(withProgress(ended, { done: 1, total: 2, id: 'x' })).toBe(ended);
    expect(endRun(ended, { phase: 'done' }, 9)).toBe(ended);
    expect(cancelling(ended)).toBe(ended);
  });

  it('is active while it runs and while it is being cancelled', () => {
    expect([started, cancelling(started), endRun(started, { phase: 'done' }, 1)].map(isActive)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('counts a suite by what is planned and what came', () => {
    const record = recordOfRows(SAMPLE_ROWS, [...SAMPLE_ROWS, { id: 'tiers/more', suite: 'tiers' }]);
    expect(suiteProgress(record, 'tiers')).toEqual({ done: 4, failed: 1, total: 5 });
    expect(suiteProgress(record, 'transfer')).toEqual({ done: 0, failed: 0, total: 0 });
  });
});

describe('rows', () => {
  it('are clean, flagged, failed or skipped, each once', () => {
    expect(countRows(SAMPLE_ROWS)).toEqual({ clean: 1, flagged: 1, failed: 1, skipped: 1 });
  });

  it('are chosen by the filter', () => {
    const ids = (filter: 'all' | 'flagged' | 'failed') => chooseRows(SAMPLE_ROWS, filter).map(({ id }) => id);
    expect(ids('all')).toHaveLength(4);
    expect(ids('flagged')).toEqual(['tiers/global/read/vec4/64MiB']);
    expect(ids('failed')).toEqual(['tiers/global/add/vec4/64MiB']);
  });
});

describe('the report of a run', () => {
  it('is what the command line reads back', () => {
    const report = reportOf({ phase: 'done', record: recordOfRows(SAMPLE_ROWS), tookNs: 102e9 });
    const read = readReport(JSON.stringify(report), 'run.json');
    expect(read.complete).toBe(true);
    expect(read.results).toEqual(SAMPLE_ROWS);
    expect(read.environment?.adapter.class).toBe('software');
    expect(reportFileName(read)).toBe('vramlab-software-2026-11-30-001245.json');
  });

  it('says that it is incomplete and why', () => {
    const stopped = reportOf({ phase: 'stopped', record: recordOfRows(SAMPLE_ROWS), tookNs: 1 });
    expect(stopped).toMatchObject({ complete: false, incompleteReason: 'cancelled in the page' });
    expect(reportFileName(stopped)).toMatch(/-incomplete\.json$/);
    const failed = reportOf({ phase: 'failed', record: recordOfRows([]), tookNs: 1, message: 'device lost' });
    expect(failed.incompleteReason).toBe('device lost');
  });
});
