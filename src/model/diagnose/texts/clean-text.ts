/**
 * Takes a pasted log to one line of plain text in which a message reads as the framework printed it: colours, quote
 * marks, rank and worker prefixes, wrapped lines, HTML entities and escaped line ends are undone. Numbers and words are
 * never touched.
 */
const ESCAPE = String.fromCharCode(27);
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z]`, 'g');
const LINE_PREFIX =
  /^\s*(?:(?:\[(?:rank|RANK)?\s?[0-9]{1,6}\]:?|\([A-Za-z_][\w-]*(?:[ ,]+(?:pid|ip|rank)=[^)\s]{1,60})+\)|[>#*|]+)\s*)*/;

/** Longest text that is read; the rest is not looked at. A log of 32 Mi characters is hours of training. */
export const TEXT_LIMIT = 32 * 2 ** 20;

/** Lines without colours, with real line ends: for tables. */
export function plainLines(raw: string): readonly string[] {
  return raw
    .slice(0, TEXT_LIMIT)
    .replace(COLOUR, '')
    .replace(/\\r\\n|\\n|\r\n?/g, '\n')
    .replace(/\u00a0/g, ' ')
    .split('\n');
}

/** The whole text as one line with single spaces. */
export function flatText(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(LINE_PREFIX, ''))
    .join(' ')
    .replace(/&gt;/g, '>')
    .replace(/&lt;/g, '<')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
