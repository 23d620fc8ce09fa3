/** A comparison as Markdown, for the summary of a CI job: what moved first, the rest folded away. */
import type { Comparison, RowComparison, Verdict } from './comparison.js';
import { comparisonCells, summarizeComparison } from './comparison-to-text.js';
import { escapeMarkdown, markdownTable } from './present-markdown.js';

/** GitHub-flavoured. Text from outside (file names, reasons) is escaped. */
export function comparisonToMarkdown(comparison: Comparison): string {
  const { a, b, rows, obstacles, warnings } = comparison;
  const lines = ['## vramlab compare', '', `A: ${escapeMarkdown(a.name)}, B: ${escapeMarkdown(b.name)}`, ''];
  for (const obstacle of obstacles) lines.push(`**Not comparable:** ${escapeMarkdown(obstacle)}`, '');
  for (const warning of warnings) lines.push(`Note: ${escapeMarkdown(warning)}`, '');
  lines.push(summarizeComparison(comparison));
  const has = (...verdicts: readonly Verdict[]) => rows.filter(({ verdict }) => verdicts.includes(verdict));
  const moved = [...has('slower'), ...has('faster')];
  if (moved.length > 0) lines.push('', ...tableOf(moved));
  const rest = has('ambiguous', 'same', 'not-comparable');
  if (rest.length > 0) {
    lines.push('', `<details><summary>${rest.length} other rows</summary>`, '', ...tableOf(rest), '', '</details>');
  }
  return `${lines.join('\n')}\n`;
}

const tableOf = (rows: readonly RowComparison[]): readonly string[] =>
  markdownTable(['row', 'A', 'B', 'time', 'verdict', 'why'], rows.map(comparisonCells));
