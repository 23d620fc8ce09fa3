/** The comparison as a table for a terminal. */
import { formatBytes, formatNumber } from '../../base/format.js';
import { type Comparison, type ComparisonRow } from './comparison.js';

const HEADINGS = ['allocator', 'peak reserved', 'peak allocated', 'fits', 'device calls', 'waste', 'over bound'];

/** A table of the rows under one line of facts; figures flush right. */
export function comparisonText(comparison: Comparison): string {
  const rows = [HEADINGS, ...comparison.rows.map((row) => cellsOf(row, comparison.lowerBound))];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [
    `${comparison.trace}: ${formatBytes(comparison.capacity)} device; tensors need at least ` +
      `${formatBytes(comparison.lowerBound)} at once (lower bound)`,
    ...lines,
    ...reasons(comparison.rows),
    '',
  ].join('\n');
}

function cellsOf(row: ComparisonRow, lowerBound: number): string[] {
  const name = row.conf === '' ? row.allocator : `${row.allocator} ${row.conf}`;
  if (row.outcome === 'refused') return [name, '-', '-', 'refused', '-', '-', '-'];
  // After a failure the peaks are those of the smaller program that was left, so they say nothing against the bound.
  const over = row.fits && lowerBound > 0 ? `${formatNumber((row.peakReserved / lowerBound - 1) * 100, 1)} %` : '-';
  return [
    name,
    formatBytes(row.peakReserved),
    formatBytes(row.peakAllocated),
    row.fits ? 'yes' : `no (${formatNumber(row.failures)} failed)`,
    formatNumber(row.deviceCalls),
    formatBytes(row.waste),
    over,
  ];
}

/** Why rows were refused, each reason once. */
const reasons = (rows: readonly ComparisonRow[]): string[] => {
  const lines = rows.flatMap((row) => (row.outcome === 'refused' ? [`${row.allocator} refused: ${row.reason}`] : []));
  return [...new Set(lines)];
};
