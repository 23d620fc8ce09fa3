import { describe, expect, it } from 'vitest';
import { sampleRow } from '../model/report/testing/report-sample.js';
import { type MeasuredRow } from '../model/report/schema.js';
import { ProgressClock, RunLedger } from './run-ledger.js';
import { type Job, rowResult } from './suite.js';

const job = (id: string, suite: Job['suite'] = 'tiers'): Job => ({
  id,
  suite,
  measures: 'GB/s',
  isSpread: true,
  run: () => Promise.reject(new Error('not run')),
});
const rowOf = ({ id, suite }: Job, rounds?: number[]): MeasuredRow => ({
  ...sampleRow,
  id,
  suite,
  flags: [],
  ...(rounds === undefined ? {} : { rounds }),
});

/** A ledger of one job with a reading after each round. */
function drifted(readings: readonly (number | undefined)[]) {
  const only = job('a');
  const ledger = new RunLedger([only]);
  readings.forEach((ns, i) => {
    const rounds = Array.from({ length: i + 1 }, () => 4);
    ledger.add(only, rowResult(rowOf(only, i === 0 ? undefined : rounds)));
    ledger.closeBlock(ns);
  });
  return { ledger, row: ledger.rowsOf([only])[0] };
}

describe('the reference beside a row', () => {
  it('is one number a round, over the best of the run, also where the best came last', () => {
    const { row } = drifted([110, 104, 100]);
    expect(row).toMatchObject({ rounds: [4, 4, 4], reference: [1.1, 1.04, 1], flags: [] });
  });

  it.each([
    [[106, 106, 100], ['throttled']],
    [[106, 100, 105], []],
    [[200, 100, 100], []],
  ])('flags a row whose rounds mostly drifted by more than 5 %%: %j', (readings, flags) => {
    expect(drifted(readings).row).toMatchObject({ flags });
  });

  it('is left out where a reading is missing', () => {
    expect(drifted([100, undefined]).row).not.toHaveProperty('reference');
  });

  it('is kept in the report, every reading', () => {
    const experiment = drifted([110, 100, 101]).ledger.referenceExperiment();
    expect(experiment).toMatchObject({ id: 'reference/drift', bestNs: 100, worstOverBest: 1.1, drifted: 1 });
    expect(experiment?.['readings']).toEqual([110, 100, 101].map((ns) => ({ rows: ['a'], ns })));
  });
});

describe('rows to come back to', () => {
  const jobs = ['a', 'b', 'c', 'd', 'e'].map((id) => job(id));
  const others = ['x', 'y', 'z'].map((id) => job(id, 'transfer'));
  const filled = (): RunLedger => {
    const ledger = new RunLedger([...jobs, ...others]);
    for (const each of [...jobs, ...others]) ledger.add(each, rowResult(rowOf(each)));
    return ledger;
  };

  it('are those that were measured and may be spread', () => {
    const [first, second, third] = jobs as [Job, Job, Job];
    const once = { ...third, isSpread: false };
    const ledger = new RunLedger([first, second, once]);
    ledger.add(first, rowResult({ id: 'a', suite: 'tiers', status: 'skipped', unit: 'GB/s', reason: 'why' }));
    ledger.add(second, rowResult(rowOf(second)));
    ledger.add(once, rowResult(rowOf(once)));
    expect(ledger.again(1)).toEqual([second]);
    expect(ledger.counts()).toEqual({ measured: 2, skipped: 1, failed: 0 });
  });

  it('come in an order that the seed alone decides, suite by suite', () => {
    const ids = (seed: number) =>
      filled()
        .again(seed)
        .map(({ id }) => id);
    expect(ids(7)).toEqual(ids(7));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => ids(seed).join())).size).toBeGreaterThan(1);
    expect(ids(3).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'x', 'y', 'z']);
    const suites = filled()
      .again(3)
      .map(({ suite }) => suite);
    expect(suites.filter((suite, i) => suite !== suites[i - 1])).toHaveLength(2);
  });

  it('forget a round that is measured again', () => {
    const [first] = jobs as [Job];
    const ledger = new RunLedger([first]);
    ledger.add(first, rowResult(rowOf(first)));
    ledger.closeBlock(120);
    ledger.forgetRound(first);
    ledger.add(first, rowResult(rowOf(first)));
    ledger.closeBlock(100);
    expect(ledger.rowsOf([first])[0]).toMatchObject({ reference: [1], flags: [] });
    expect(ledger.history(first).round).toBe(1);
  });
});

describe('ProgressClock', () => {
  it('tells the time left from the second row on, at the pace so far', () => {
    const progress = new ProgressClock(3, 1000);
    const round = { number: 1, of: 1, done: 0, rows: 3 };
    expect(progress.next('a', 1000, round)).toEqual({ done: 0, total: 3, id: 'a', round });
    const next = { ...round, done: 1 };
    expect(progress.next('b', 1500, next)).toEqual({ done: 1, total: 3, id: 'b', remainingNs: 1e9, round: next });
    expect(progress.end()).toEqual({ done: 3, total: 3, id: '', remainingNs: 0 });
  });
});
