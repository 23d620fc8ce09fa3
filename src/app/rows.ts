/** How rows are counted and chosen: clean, flagged, failed, skipped. */
import { type Row } from '../model/report/schema.js';

/** Flags that say how a figure was got, or what a median does not mind; they are no reason to doubt it. */
const NEUTRAL_FLAGS: ReadonlySet<string> = new Set(['derived', 'software', 'outliers']);

export const ROW_FILTERS = ['all', 'flagged', 'failed'] as const;
export type RowFilter = (typeof ROW_FILTERS)[number];

export interface RowCounts {
  readonly clean: number;
  readonly flagged: number;
  readonly failed: number;
  readonly skipped: number;
}

export const isDoubt = (flag: string): boolean => !NEUTRAL_FLAGS.has(flag);
export const isFlagged = (row: Row): boolean => row.status === 'measured' && row.flags.some(isDoubt);

export function countRows(rows: readonly Row[]): RowCounts {
  const flagged = rows.filter(isFlagged).length;
  const measured = rows.filter((row) => row.status === 'measured').length;
  const failed = rows.filter((row) => row.status === 'failed').length;
  return { clean: measured - flagged, flagged, failed, skipped: rows.length - measured - failed };
}

export function chooseRows(rows: readonly Row[], filter: RowFilter): readonly Row[] {
  if (filter === 'flagged') return rows.filter(isFlagged);
  if (filter === 'failed') return rows.filter((row) => row.status === 'failed');
  return rows;
}
