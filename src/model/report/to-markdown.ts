/** The report as Markdown, for the summary of a CI job. */
import { bySuite, summarize, describeExperiment, environmentFacts, formatSpread, formatValue } from './present.js';
import { escapeMarkdown, markdownTable } from './present-markdown.js';
import type { Report, Row } from './schema.js';

/** GitHub-flavoured tables. Text from outside (adapter names, reasons) is escaped. */
export function toMarkdown(report: Report): string {
  const lines = ['## vramlab', ''];
  if (!report.complete)
    lines.push(`**Incomplete:** ${escapeMarkdown(report.incompleteReason ?? 'no reason given')}`, '');
  lines.push(`${summarize(report)} (preset ${report.preset}, seed ${report.seed})`);
  if (report.environment !== undefined) {
    lines.push('', ...markdownTable(['', ''], environmentFacts(report.environment)));
  }
  for (const [suite, rows] of bySuite(report.results)) {
    lines.push(
      '',
      `### ${suite}`,
      '',
      ...markdownTable(['row', 'value', '95 %', 'samples', 'notes'], rows.map(cellsOf)),
    );
  }
  if (report.experiments.length > 0) {
    const cells = report.experiments.map((e) => [e.id, e.status, describeExperiment(e)]);
    lines.push('', '### experiments', '', ...markdownTable(['experiment', 'status', 'result'], cells));
  }
  return `${lines.join('\n')}\n`;
}

function cellsOf(row: Row): readonly string[] {
  if (row.status !== 'measured') return [row.id, `**${row.status}**`, '', '', row.reason];
  return [
    row.id,
    formatValue(row.value, row.unit),
    `\u00b1${formatSpread(row)}`,
    String(row.stats.n),
    row.flags.join(', '),
  ];
}
