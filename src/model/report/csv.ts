/** Comma-separated values (RFC 4180). */
type Cell = string | number;

/** Lines of cells as text: CRLF after each line, quotes only where a cell needs them. */
export const csvText = (lines: readonly (readonly Cell[])[]): string =>
  lines.map((cells) => `${cells.map(quote).join(',')}\r\n`).join('');

function quote(cell: Cell): string {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
