/** Reports with drawn noise, for tests of what compares reports. */
import { mulberry32, type Random, unitInterval } from '../../../base/random.js';
import { summarize } from '../../../base/statistics.js';
import type { MeasuredRow, Report } from '../schema.js';
import { sampleReport, sampleRow } from './report-sample.js';

export interface Noise {
  readonly rows: number;
  readonly rounds: number;
  readonly samplesPerRound: number;
  /** Standard deviation of a sample around its round, of a round around its run, of a row between runs: of the logarithm. */
  readonly sample: number;
  readonly round: number;
  readonly run: number;
  /** Share of rounds that a burst makes slower, and by how much time: 1 is twice. */
  readonly bursts?: { readonly share: number; readonly cost: number };
}

export const QUIET: Noise = { rows: 24, rounds: 3, samplesPerRound: 4, sample: 0.01, round: 0.005, run: 0.003 };

/** `slowdown` of a row: 1.05 takes 5 % more time. */
export function noisyReport(seed: number, noise: Noise, slowdown: (row: number) => number = () => 1): Report {
  const random = mulberry32(seed);
  const results = Array.from({ length: noise.rows }, (_, i) => noisyRow(i, noise, slowdown(i), random));
  return { ...sampleReport, results, experiments: [] };
}

function noisyRow(index: number, noise: Noise, slowdown: number, random: Random): MeasuredRow {
  const runLog = noise.run * normal(random);
  const samples = Array.from({ length: noise.rounds }, () => {
    const isBurst = unitInterval(random) < (noise.bursts?.share ?? 0);
    const roundLog = noise.round * normal(random) + (isBurst ? Math.log(1 + (noise.bursts?.cost ?? 0)) : 0);
    return Array.from({ length: noise.samplesPerRound }, () => {
      const log = runLog + roundLog + noise.sample * normal(random);
      return 10 / (slowdown * Math.exp(log));
    });
  });
  const all = samples.flat();
  const { n, median, mean, min, max, p99, cv, ci95 } = summarize(all);
  return {
    ...sampleRow,
    id: `tiers/global/row-${index}`,
    samples: all,
    rounds: samples.map(({ length }) => length),
    value: median,
    stats: { n, median, mean, min, max, p99, cv, ci95 },
    flags: [],
  };
}

/** Box and Muller. */
function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - unitInterval(random)));
  return radius * Math.cos(2 * Math.PI * unitInterval(random));
}
