/** Pieces of GitHub-flavoured Markdown. */

/** A table whose cells are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(escapeMarkdown)))];
}

/** Keeps a cell a cell: no line breaks, no column bars, no HTML. `**` of our own is kept. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(/\\/g, '\\\\').replace(/\|/g, '\\|').replace(/&/g, '&amp;').replace(/</g, '&lt;');
