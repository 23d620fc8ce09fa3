/** The raw samples as CSV (RFC 4180), one line a sample, so that a spreadsheet or R can do its own statistics. */
import { csvText } from './csv.js';
import type { Report, Row } from './schema.js';

const HEAD = ['id', 'suite', 'status', 'sample', 'value', 'unit', 'bytes', 'adapter_class', 'flags', 'reason'] as const;

/** A skipped or failed row is one line without a sample, with its reason. */
export function toCsv(report: Report): string {
  const adapterClass = report.environment?.adapter.class ?? '';
  const lines = report.results.flatMap((row) => linesOf(row, adapterClass));
  return csvText([HEAD, ...lines]);
}

function linesOf(row: Row, adapterClass: string): readonly (readonly (string | number)[])[] {
  if (row.status !== 'measured') {
    return [[row.id, row.suite, row.status, '', '', row.unit, '', adapterClass, '', row.reason]];
  }
  const flags = row.flags.join(' ');
  return row.samples.map((sample, index) => [
    row.id,
    row.suite,
    row.status,
    index + 1,
    sample,
    row.unit,
    row.bytes ?? '',
    adapterClass,
    flags,
    '',
  ]);
}
