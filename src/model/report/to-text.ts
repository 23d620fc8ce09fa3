/** The report as a table for a terminal. */
import {
  alignColumns,
  bySuite,
  summarize,
  describeExperiment,
  environmentFacts,
  formatSpread,
  formatValue,
} from './present.js';
import type { Report, Row } from './schema.js';

/** Columns are aligned with spaces; nothing is coloured, so that it can be piped. */
export function toText(report: Report): string {
  const lines: string[] = [];
  if (!report.complete) lines.push(`INCOMPLETE: ${report.incompleteReason ?? 'no reason given'}`, '');
  for (const [label, text] of report.environment === undefined ? [] : environmentFacts(report.environment)) {
    lines.push(`${label}: ${text}`);
  }
  for (const [suite, rows] of bySuite(report.results)) {
    lines.push('', suite, ...alignColumns([['row', 'value', '95 %', 'n', 'notes'], ...rows.map(cellsOf)]));
  }
  if (report.experiments.length > 0) {
    const cells = report.experiments.map((e) => [e.id, e.status, describeExperiment(e)]);
    lines.push('', 'experiments', ...alignColumns(cells));
  }
  lines.push('', summarize(report));
  return `${lines.join('\n')}\n`;
}

function cellsOf(row: Row): readonly string[] {
  if (row.status !== 'measured') return [row.id, row.status, '', '', row.reason];
  return [
    row.id,
    formatValue(row.value, row.unit),
    `\u00b1${formatSpread(row)}`,
    String(row.stats.n),
    row.flags.join(', '),
  ];
}
