/** Comparing what one build really measured on a shared machine, and the same with a slowdown planted in it. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { mulberry32 } from '../../base/random.js';
import { summarize } from '../../base/statistics.js';
import { compareReports } from './compare.js';
import { type RowComparison } from './comparison.js';
import { type MeasuredRow, type Report, SUITES } from './schema.js';
import { sampleReport, sampleRow } from './testing/report-sample.js';

const fileSchema = v.object({
  runs: v.array(
    v.array(v.object({ id: v.string(), unit: v.string(), rounds: v.array(v.number()), samples: v.array(v.number()) })),
  ),
});
const { runs } = v.parse(
  fileSchema,
  JSON.parse(readFileSync(new URL('../../../test-data/measure/quick-runs.json', import.meta.url), 'utf8')),
);
type Kept = (typeof runs)[number][number];

/** A kept run as a report, with each row's time cost times so much. */
function reportOf(run: readonly Kept[], slowdown: (row: number) => number = () => 1): Report {
  const results = run.map(({ id, unit, rounds, samples: kept }, i): MeasuredRow => {
    const samples = kept.map((value) => (unit === 'ns' ? value * slowdown(i) : value / slowdown(i)));
    const { n, median, mean, min, max, p99, cv, ci95 } = summarize(samples);
    const stats = { n, median, mean, min, max, p99, cv, ci95 };
    const suite = v.parse(v.picklist(SUITES), id.split('/')[0]);
    return { ...sampleRow, id, suite, unit, samples, rounds, value: median, stats, flags: [] };
  });
  return { ...sampleReport, results, experiments: [] };
}

const pairs = runs.flatMap((a, i) => runs.slice(i + 1).map((b) => [a, b] as const));
const share = (rows: readonly RowComparison[], is: (row: RowComparison) => boolean): number =>
  rows.filter(is).length / rows.length;

/** The samples of a run drawn anew with what they are: rounds, then samples of each. */
function redrawn(run: readonly Kept[], seed: number): readonly Kept[] {
  const random = mulberry32(seed);
  return run.map((row) => {
    let from = 0;
    const rounds = row.rounds.map((count) => row.samples.slice(from, (from += count)));
    const drawn = rounds.map(() => rounds[random() % rounds.length] ?? []);
    return { ...row, rounds: drawn.map(({ length }) => length), samples: drawn.flat() };
  });
}

describe('five runs of one build', { timeout: 180_000 }, () => {
  it('have enough rows to say anything', () => {
    expect(runs.map((run) => run.length)).toEqual([109, 109, 109, 109, 109]);
  });

  it('are called faster or slower in at most 5 % of rows over all pairs, and in few of any pair', () => {
    const shares = pairs.map(([a, b]) =>
      share(
        compareReports(reportOf(a), reportOf(b)).rows,
        ({ verdict }) => verdict === 'slower' || verdict === 'faster',
      ),
    );
    expect(shares.reduce((sum, each) => sum + each, 0) / shares.length).toBeLessThanOrEqual(0.05);
    expect(Math.max(...shares)).toBeLessThan(0.08);
  });
});

describe('where two runs of one build put a row', () => {
  it('differs by more than 5 % in most rows, even by their least samples: 20 % ambiguous would be mostly false claims', () => {
    const least = ({ unit, samples }: Kept): number =>
      unit === 'ns' ? Math.min(...samples) : 1 / Math.max(...samples);
    const near = pairs.flatMap(([a, b]) =>
      a.flatMap((row, i) => {
        const other = b[i];
        return other === undefined ? [] : [Math.abs(Math.log(least(other) / least(row))) < Math.log(1.05)];
      }),
    );
    expect(near).toHaveLength(1090);
    expect(near.filter(Boolean).length / near.length).toBeCloseTo(0.41, 2);
  });
});

describe('a slowdown planted in what was measured', { timeout: 180_000 }, () => {
  const isPlanted = (row: number): boolean => row % 3 === 0;

  it('of 5 % is found or ambiguous with the samples that it takes, never called the same', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pairs), fc.nat(), ([a, b], seed) => {
        const slow = reportOf(redrawn(b, seed), (row) => (isPlanted(row) ? 1.05 : 1));
        const rows = compareReports(reportOf(a), slow).rows.filter((_, i) => isPlanted(i));
        expect(share(rows, ({ verdict }) => verdict === 'same')).toBeLessThanOrEqual(0.05);
        for (const { verdict, samplesNeeded = 0, ...sides } of rows) {
          if (verdict === 'ambiguous') {
            expect(samplesNeeded).toBeGreaterThan(Math.min(sides.a?.samples ?? Infinity, sides.b?.samples ?? Infinity));
          }
        }
      }),
      { numRuns: 6 },
    );
  });

  it('of four times is found in most rows even between runs that differ by themselves', () => {
    const shares = pairs.map(([a, b]) => {
      const slow = reportOf(b, (row) => (isPlanted(row) ? 4 : 1));
      const rows = compareReports(reportOf(a), slow).rows.filter((_, i) => isPlanted(i));
      expect(share(rows, ({ verdict }) => verdict === 'same' || verdict === 'faster')).toBe(0);
      return share(rows, ({ verdict }) => verdict === 'slower');
    });
    expect(shares.reduce((sum, each) => sum + each, 0) / shares.length).toBeGreaterThan(0.6);
  });
});
