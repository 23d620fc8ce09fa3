import { describe, expect, it } from 'vitest';
import { mergeReports } from './merge.js';
import { reportFlaw } from './read.js';
import { sampleReport, sampleRow } from './testing/report-sample.js';

const second = { ...sampleReport, results: [{ ...sampleRow, samples: [20, 22], value: 21, flags: ['drift'] }] };

describe('mergeReports', () => {
  it('makes a round of each run and keeps every sample', () => {
    const merged = mergeReports([sampleReport, second]);
    expect(reportFlaw(merged)).toBeUndefined();
    expect(merged.results[0]).toMatchObject({
      samples: [12, 12.5, 13, 20, 22],
      rounds: [3, 2],
      value: 13,
      stats: { n: 5, min: 12, max: 22 },
      flags: ['unstable', 'drift'],
    });
    expect(merged.experiments.map((experiment) => experiment['run'])).toEqual([1, 2]);
  });

  it('is incomplete when one run is, and has failed a row when one run has', () => {
    const cut = { ...second, complete: false, incompleteReason: 'interrupted' };
    expect(mergeReports([sampleReport, cut])).toMatchObject({ complete: false, incompleteReason: 'interrupted' });
    const failed = { id: sampleRow.id, suite: 'tiers', status: 'failed', unit: 'GB/s', reason: 'wrong' } as const;
    expect(mergeReports([sampleReport, { ...second, results: [failed] }]).results[0]).toEqual(failed);
  });

  it('changes nothing but rounds and runs of a single report', () => {
    const { results } = mergeReports([sampleReport]);
    expect(results[0]).toMatchObject({ samples: sampleRow.samples, rounds: [3], value: 12.5, flags: sampleRow.flags });
  });
});
