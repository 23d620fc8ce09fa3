/**
 * Memory that a driver moved away in silence: where a device has no room left it may page buffers to the system's memory
 * instead of refusing them (facts/field-problems.md 10). What shows is bandwidth, which falls off a cliff.
 */
import { median } from '../../base/statistics.js';

/** One step of a ramp: all bytes that are held, and how fast they could be written. */
export interface RampStep {
  readonly heldBytes: number;
  /** GB/s over everything held. */
  readonly rate: number;
}

export interface Cliff {
  /** Bytes that were held when the rate fell, and the most that were held before. */
  readonly heldBytes: number;
  readonly lastGoodBytes: number;
  /** GB/s: usual until then, and there. */
  readonly usualRate: number;
  readonly rate: number;
}

/** A rate below a quarter of what was usual: caches of a processor, the other thing that shows, make less than that. */
const FALL = 4;
/** Steps before there is a usual rate. */
const LEAST_STEPS = 3;

/** Whether the last step of a ramp fell off a cliff: its rate against the median of those before. */
export function cliffAt(ramp: readonly RampStep[]): Cliff | undefined {
  const before = ramp.slice(0, -1);
  const last = ramp.at(-1);
  if (last === undefined || before.length < LEAST_STEPS) return undefined;
  const usualRate = median(before.map(({ rate }) => rate));
  if (last.rate * FALL > usualRate) return undefined;
  const lastGoodBytes = Math.max(...before.map(({ heldBytes }) => heldBytes));
  return { heldBytes: last.heldBytes, lastGoodBytes, usualRate, rate: last.rate };
}
