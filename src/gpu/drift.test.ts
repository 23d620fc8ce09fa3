import { describe, expect, it } from 'vitest';
import { sampleRow } from '../model/report/testing/report-sample.js';
import { RunLedger } from './run-ledger.js';
import { type Job, rowResult } from './suite.js';
import { driftLimit, isThrottled, Rests } from './throttle.js';

/** The ids of the rows that are flagged, each measured once with one reading of the reference after it. */
function throttledRows(readings: readonly number[]): readonly string[] {
  const jobs = readings.map((_, i): Job => ({
    id: `row-${i}`,
    suite: 'tiers',
    measures: 'GB/s',
    run: () => Promise.reject(new Error('not run')),
  }));
  const ledger = new RunLedger(jobs);
  jobs.forEach((job, i) => {
    ledger.add(job, rowResult({ ...sampleRow, id: job.id, flags: [] }));
    ledger.closeBlock(readings[i]);
  });
  return ledger.rowsOf(jobs).flatMap((row) => (row.status === 'measured' && row.flags.length > 0 ? [row.id] : []));
}

describe('drift of the reference', () => {
  it('is 5 %, or three of its usual steps', () => {
    expect([0, 0.01, 0.1].map(driftLimit)).toEqual([0.05, 0.05, 3 * 0.1]);
    expect([1.05, 1.051].map((ratio) => isThrottled(ratio))).toEqual([false, true]);
    expect([1.29, 1.31].map((ratio) => isThrottled(ratio, 0.1))).toEqual([false, true]);
  });

  it('that comes in small steps, as heat does, flags every row from there on', () => {
    const heating = Array.from({ length: 20 }, (_, i) => 100 + i);
    expect(throttledRows(heating)).toEqual(heating.slice(6).map((_, i) => `row-${i + 6}`));
  });

  it('flags only what stands out where the machine jumps about all the time', () => {
    const busy = Array.from({ length: 20 }, (_, i): number => (i % 2 === 0 ? 100 : 130));
    expect(throttledRows(busy)).toEqual([]);
    expect(throttledRows(busy.with(7, 400))).toEqual(['row-7']);
  });

  it('does not guess the usual step from a few readings', () => {
    expect(throttledRows([100, 130, 100, 130])).toEqual(['row-1', 'row-3']);
  });
});

describe('a rest after a row that met a slow machine', () => {
  it('is taken, but not in a quick run and not where nothing was slow', () => {
    expect(new Rests('standard').isWanted(true)).toBe(true);
    expect(new Rests('full').isWanted(true)).toBe(true);
    expect(new Rests('quick').isWanted(true)).toBe(false);
    expect(new Rests('full').isWanted(false)).toBe(false);
  });

  it('is not taken after two in a row that did not help, until the machine was fine once', () => {
    const rests = new Rests('standard');
    for (const wanted of [true, true, false, false]) {
      expect(rests.isWanted(true)).toBe(wanted);
      if (wanted) rests.took(true);
    }
    expect(rests.isWanted(false)).toBe(false);
    expect(rests.isWanted(true)).toBe(true);
  });

  it('is taken for few rows of a long run, also where each one helps', () => {
    const rests = new Rests('full');
    let taken = 0;
    for (let row = 0; row < 400; row++) {
      if (!rests.isWanted(true)) continue;
      rests.took(false);
      taken += 1;
    }
    expect([taken > 20, taken <= 3 + 400 / 10]).toEqual([true, true]);
  });
});
