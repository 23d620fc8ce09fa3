import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { compareReports } from './compare.js';
import { comparisonSchema, type Verdict } from './comparison.js';
import type { Report } from './schema.js';
import { type Noise, noisyReport, QUIET } from './testing/noisy-report.js';
import { sampleEnvironment, sampleReport, sampleRow } from './testing/report-sample.js';

/** Share of rows with one of the verdicts, over pairs of runs with seeds of their own. */
function share(verdicts: readonly Verdict[], noise: Noise, slowdown: (row: number) => number): number {
  let [hits, total] = [0, 0];
  for (let seed = 1; seed <= 6; seed++) {
    const b = noisyReport(1000 + seed, noise, slowdown);
    for (const [i, { verdict }] of compareReports(noisyReport(seed, noise), b).rows.entries()) {
      if ((slowdown(i) === 1) !== (slowdown(0) === 1)) continue;
      hits += Number(verdicts.includes(verdict));
      total += 1;
    }
  }
  return hits / total;
}

const BURSTS: Noise = { ...QUIET, bursts: { share: 0.2, cost: 1 } };
const SHAKY: Noise = { ...QUIET, sample: 0.05, round: 0.05, run: 0.1 };
const STEADY: Noise = { ...QUIET, sample: 0.003, round: 0.002, run: 0.001 };
const oneRow = (slowdown: number) => (row: number) => (row === 0 ? slowdown : 1);
const everyThird = (slowdown: number) => (row: number) => (row % 3 === 0 ? slowdown : 1);

describe('compareReports on runs of one build', () => {
  it.each([
    ['a quiet machine', QUIET],
    ['bursts that double the time of every fifth round', BURSTS],
    ['processes that differ by 10 % from run to run', SHAKY],
  ])('calls at most 5 %% of rows faster or slower: %s', (_, noise) => {
    expect(share(['faster', 'slower'], noise, () => 1)).toBeLessThanOrEqual(0.05);
  });

  it('leaves at most 20 % of rows ambiguous on a quiet machine', () => {
    expect(share(['ambiguous'], QUIET, () => 1)).toBeLessThanOrEqual(0.2);
  });

  it('never calls a run faster or slower than itself', () => {
    fc.assert(
      fc.property(fc.nat(), fc.double({ min: 0, max: 0.5, noNaN: true }), (seed, spread) => {
        const report = noisyReport(seed, { ...QUIET, rows: 8, sample: spread, round: spread });
        const { rows } = compareReports(report, report, { seed });
        for (const { verdict, ratio } of rows) {
          expect(['same', 'ambiguous']).toContain(verdict);
          expect(ratio).toBe(1);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe('compareReports on a planted slowdown', () => {
  it('finds 10 % and 20 % in a third of the rows, and in every row', () => {
    expect(share(['slower'], QUIET, everyThird(1.1))).toBeGreaterThan(0.8);
    expect(share(['slower'], QUIET, everyThird(1.2))).toBeGreaterThan(0.95);
    expect(share(['slower'], QUIET, () => 1.2)).toBeGreaterThan(0.95);
    expect(share(['faster'], QUIET, () => 1 / 1.2)).toBeGreaterThan(0.95);
  });

  it('does not call 5 % the same: it is found or ambiguous, with the samples it takes', () => {
    for (const noise of [QUIET, BURSTS, SHAKY]) {
      expect(share(['same', 'faster'], noise, everyThird(1.05))).toBeLessThanOrEqual(0.05);
    }
    for (const row of compareReports(
      noisyReport(1, QUIET),
      noisyReport(2, QUIET, () => 1.05),
    ).rows) {
      if (row.verdict === 'ambiguous') expect(row.samplesNeeded).toBeGreaterThan(12);
    }
  });

  it('finds 5 % with a threshold of 2 %', () => {
    const b = noisyReport(2, STEADY, oneRow(1.05));
    const { rows } = compareReports(noisyReport(1, STEADY), b, { threshold: 0.02 });
    expect(rows[0]?.verdict).toBe('slower');
  });

  it('cancels what happens to both sides when it is paired', () => {
    const rough = { ...QUIET, rounds: 4 };
    const a = noisyReport(1, rough);
    const shaken = (report: Report): Report => ({
      ...report,
      results: report.results.map((row) =>
        row.status !== 'measured'
          ? row
          : { ...row, samples: row.samples.map((value, i) => value / (1 + Math.floor(i / 4))) },
      ),
    });
    const b = shaken(noisyReport(2, rough, oneRow(1.2)));
    const { rows } = compareReports(shaken(a), b, { isPaired: true });
    expect(rows.map(({ verdict }) => verdict)).toEqual(['slower', ...Array.from({ length: 23 }, () => 'same')]);
  });
});

describe('what compareReports refuses to compare', () => {
  const pair = (change: Partial<Report>) => compareReports(sampleReport, { ...sampleReport, ...change });
  const withEnvironment = (change: Partial<typeof sampleEnvironment>) =>
    pair({ environment: { ...sampleEnvironment, ...change } });
  const { adapter, browser, clock } = sampleEnvironment;

  it.each([
    ['preset', () => pair({ preset: 'full' }), 'quick against full'],
    ['adapter', () => withEnvironment({ adapter: { ...adapter, architecture: 'ampere' } }), 'swiftshader'],
    [
      'browser major',
      () => withEnvironment({ browser: { ...browser, version: '157.0.0.0' } }),
      'Chrome 156 against Chrome 157',
    ],
    ['clock grid', () => withEnvironment({ clock: { ...clock, gridNs: 1 } }), '65.5 \u00b5s'],
    ['clock', () => withEnvironment({ clock: { ...clock, kind: 'wall' } }), 'wall clock'],
    ['window', () => withEnvironment({ headless: false }), 'headless against headed'],
  ])('another %s', (_, compare, words) => {
    const { obstacles, rows } = compare();
    expect(obstacles.join()).toContain(words);
    expect(rows.every(({ verdict }) => verdict === 'not-comparable')).toBe(true);
  });

  it('takes another patch version of the browser, with a note', () => {
    const { obstacles, warnings } = withEnvironment({ browser: { ...browser, version: '156.0.1.0' } });
    expect(obstacles).toEqual([]);
    expect(warnings.join()).toContain('156.0.1.0');
  });

  it('notes an adapter whose name is masked', () => {
    const masked = { ...sampleEnvironment, adapter: { ...adapter, vendor: '', architecture: '' } };
    const report = { ...sampleReport, environment: masked };
    expect(compareReports(report, report).warnings.join()).toContain('masks the name');
  });

  it.each([
    [{ bytes: 1 }, 'other kernel'],
    [{ workingSet: 1 }, 'other size'],
    [{ unit: 'ns' }, 'other unit'],
    [{ flags: ['clock-fell-back'] }, 'other clock'],
  ])('a row that differs in %o', (change, words) => {
    const [row] = pair({ results: [{ ...sampleRow, ...change }] }).rows;
    expect([row?.verdict, row?.reason]).toEqual(['not-comparable', expect.stringContaining(words)]);
  });

  it('says which side lacks a row, and marks one that broke', () => {
    const failed = { id: sampleRow.id, suite: 'tiers', status: 'failed', unit: 'GB/s', reason: 'wrong' } as const;
    const [broken, ...others] = pair({ results: [failed] }).rows;
    expect([broken?.verdict, broken?.broken]).toEqual(['not-comparable', true]);
    expect(others.map(({ reason }) => reason)).toEqual(['only in the first report', 'only in the first report']);
  });

  it('keeps its schema', () => {
    expect(v.is(comparisonSchema, pair({}))).toBe(true);
    expect(v.is(comparisonSchema, pair({ preset: 'full' }))).toBe(true);
    expect(v.is(comparisonSchema, pair({ results: [{ ...sampleRow, samples: [12] }] }))).toBe(true);
  });

  it('knows that less time and more of a rate are faster', () => {
    const times = (report: Report): Report => ({
      ...report,
      results: report.results.map((row) =>
        row.status === 'measured' ? { ...row, unit: 'ns', samples: row.samples.map((rate) => 1 / rate) } : row,
      ),
    });
    const [a, b] = [noisyReport(1, QUIET), noisyReport(2, QUIET, () => 1.3)];
    expect(compareReports(a, b).counts.slower).toBe(24);
    expect(compareReports(times(a), times(b)).counts.slower).toBe(24);
    expect(compareReports(times(b), times(a)).counts.faster).toBe(24);
  });
});
