/** Sequence lengths that differ from step to step, drawn as golden/case13b/README.md describes. */
import { mulberry32, unitInterval } from '../../base/random.js';

export type LengthDistribution = 'uniform' | 'short' | 'long' | 'fixed';

export interface LengthOptions {
  readonly seed: number;
  readonly steps: number;
  /** Sequences a step. */
  readonly batch: number;
  readonly shortest: number;
  readonly longest: number;
  readonly multiple: number;
  readonly distribution: LengthDistribution;
  readonly order: 'random' | 'ascending' | 'descending';
}

/**
 * The padded length of each step: the longest of `batch` draws, rounded up to `multiple`. Twice the batch reads the same
 * sequences, two steps at a time.
 */
export function paddedLengths(options: LengthOptions): number[] {
  const random = mulberry32(options.seed);
  const { shortest, longest, multiple } = options;
  const lengths = Array.from({ length: options.steps }, () => {
    let most = 0;
    for (let i = 0; i < options.batch; i++) {
      const v = skew(unitInterval(random), options.distribution);
      most = Math.max(most, Math.min(longest, shortest + Math.floor(v * (longest - shortest + 1))));
    }
    return Math.ceil(most / multiple) * multiple;
  });
  if (options.order === 'ascending') lengths.sort((a, b) => a - b);
  if (options.order === 'descending') lengths.sort((a, b) => b - a);
  return lengths;
}

function skew(u: number, distribution: LengthDistribution): number {
  if (distribution === 'uniform') return u;
  if (distribution === 'short') return u * u;
  return distribution === 'long' ? 1 - (1 - u) * (1 - u) : 1;
}
