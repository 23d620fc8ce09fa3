/** One point of a chart over working sets, with its whisker. */
import { type MeasuredRow, type Row } from '../schema.js';

export interface SizedPoint {
  readonly id: string;
  /** Bytes. */
  readonly workingSet: number;
  /** In the row's unit, as are the ends of the whisker. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** What the whisker is: the 95 % interval, or the range where there are under 10 samples. */
  readonly basis: 'interval' | 'range';
  readonly samples: number;
}

const FEW_SAMPLES = 10;

export type SizedRow = MeasuredRow & { readonly workingSet: number };

/** Whether a row is a figure in this unit at a known size. */
export const isSizedIn =
  (unit: string) =>
  (row: Row): row is SizedRow =>
    row.status === 'measured' && row.unit === unit && row.workingSet !== undefined;

export function pointOf(row: SizedRow): SizedPoint {
  return { id: row.id, workingSet: row.workingSet, value: row.value, ...whiskerOf(row), samples: row.stats.n };
}

/** The 95 % interval, or the range of the samples where there are too few for one. */
export function whiskerOf({ stats }: MeasuredRow): Pick<SizedPoint, 'low' | 'high' | 'basis'> {
  const { n, min, max, ci95 } = stats;
  return n < FEW_SAMPLES ? { low: min, high: max, basis: 'range' } : { low: ci95[0], high: ci95[1], basis: 'interval' };
}

/** The part of an id that the rows of one line share: all but the size. */
export const stemOf = (id: string): string => id.slice(0, id.lastIndexOf('/'));

export const bySize = (a: SizedPoint, b: SizedPoint): number => a.workingSet - b.workingSet;
