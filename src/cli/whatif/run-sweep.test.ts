import { describe, expect, it } from 'vitest';
import { defaultChanges } from '../../model/diagnose/whatif/changes.js';
import { findWorkload } from '../../model/workload/catalogue.js';
import { traceOf } from '../../model/workload/trace-program.js';
import { runSweep } from './run-sweep.js';

const TRACES = [traceOf(findWorkload('kv-cache'))];
const CHANGES = defaultChanges('');
const QUESTION = { capacity: undefined, search: false };

describe('a sweep that is stopped', () => {
  it('gives the rows that are there, in their places', async () => {
    const stop = new AbortController();
    const rows = await runSweep(TRACES, CHANGES, QUESTION, {
      signal: stop.signal,
      onProgress: (done) => {
        if (done === 3) stop.abort();
      },
    });
    expect(rows).toHaveLength(CHANGES.length);
    expect(rows.slice(0, 3).map((row) => row?.setting)).toEqual(CHANGES.slice(0, 3).map(({ setting }) => setting));
    expect(rows.slice(3).every((row) => row === undefined)).toBe(true);
  });

  it('gives all rows when nobody stops it', async () => {
    const rows = await runSweep(TRACES, CHANGES, QUESTION);
    expect(rows.every((row) => row !== undefined)).toBe(true);
  });
});
