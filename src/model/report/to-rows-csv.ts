/** The rows as CSV (RFC 4180), one line a row with its statistics: for a spreadsheet. Raw samples are in `to-csv.ts`. */
import { csvText } from './csv.js';
import type { Report, Row } from './schema.js';

const HEAD = [
  'id',
  'suite',
  'status',
  'value',
  'unit',
  'n',
  'median',
  'mean',
  'min',
  'max',
  'p99',
  'cv',
  'ci95_low',
  'ci95_high',
  'bytes',
  'working_set',
  'verified',
  'stop_reason',
  'adapter_class',
  'flags',
  'reason',
] as const;

/** A skipped or failed row has empty cells where it has no number, and its reason. */
export function toRowsCsv(report: Report): string {
  const adapterClass = report.environment?.adapter.class ?? '';
  return csvText([HEAD, ...report.results.map((row) => cellsOf(row, adapterClass))]);
}

function cellsOf(row: Row, adapterClass: string): readonly (string | number)[] {
  const workingSet = row.workingSet ?? '';
  if (row.status !== 'measured') {
    const empty = ['', '', '', '', '', '', '', '', '', ''];
    return [row.id, row.suite, row.status, '', row.unit, ...empty, workingSet, '', '', adapterClass, '', row.reason];
  }
  const { n, median, mean, min, max, p99, cv, ci95 } = row.stats;
  return [
    row.id,
    row.suite,
    row.status,
    row.value,
    row.unit,
    n,
    median,
    mean,
    min,
    max,
    p99,
    cv,
    ci95[0],
    ci95[1],
    row.bytes ?? '',
    workingSet,
    'yes',
    row.stopReason,
    adapterClass,
    row.flags.join(' '),
    '',
  ];
}
