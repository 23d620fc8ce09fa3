/** From a ratio with its interval to a verdict against a threshold (facts/measuring.md 10). */
import { formatNumber, formatSignificant } from '../../base/format.js';
import { say } from '../../base/said.js';
import type { Verdict } from './comparison.js';
import type { Ratio } from './cost-ratio.js';

/** A ratio may lie so near the threshold that no number of samples settles it: nearer than this share is taken as this. */
const NEAREST = 0.1;

export interface Judgement {
  readonly verdict: Exclude<Verdict, 'not-comparable'>;
  readonly reason: string;
  readonly samplesNeeded?: number;
}

/**
 * Slower or faster: the interval lies wholly past the threshold. Same: it lies wholly within, so that a change of the
 * threshold's size cannot hide in it. Ambiguous: it reaches across; `samples` is the number on a side it was made from.
 */
export function judge({ ratio, interval }: Ratio, threshold: number, samples: number): Judgement {
  const [low, high] = interval;
  const limit = 1 + threshold;
  const range = say`${percent(low)} to ${percent(high)} of time`;
  const bound = `${formatSignificant(100 * threshold)} %`;
  if (low > limit) return { verdict: 'slower', reason: say`${range}, wholly past ${bound}` };
  if (high < 1 / limit) return { verdict: 'faster', reason: say`${range}, wholly past ${bound}` };
  if (low > 1 / limit && high < limit) return { verdict: 'same', reason: say`${range}, wholly within ${bound}` };
  const half = Math.log(high / low) / 2;
  const distance = Math.abs(Math.abs(Math.log(ratio)) - Math.log(limit));
  const nearest = NEAREST * Math.log(limit);
  const samplesNeeded = Math.max(samples + 1, Math.ceil(samples * (half / Math.max(distance, nearest)) ** 2));
  const wanted = formatNumber(samplesNeeded);
  return {
    verdict: 'ambiguous',
    reason:
      distance < nearest
        ? say`${range} reaches across ${bound}, and the ratio lies on the threshold; about ${wanted} samples a side would settle it`
        : say`${range} reaches across ${bound}; about ${wanted} samples a side would settle it`,
    samplesNeeded,
  };
}

/** A ratio as a signed change: `+5.2 %`. */
export function percent(ratio: number): string {
  const change = 100 * (ratio - 1);
  return `${change > 0 ? '+' : ''}${formatNumber(change, 1)} %`;
}
