/** The line-based values of protocol 0: decimal integers, quoted strings, raw unicode. */
const NEWLINE = 0x0a;
/** Digits of the longest decimal integer that is read. */
const MOST_DIGITS = 600;
/** Longest line that is read. */
const LONGEST_LINE = 2 ** 20;

/** Where the line that begins at `from` ends; -1 when it does not. */
export function lineEnd(data: Uint8Array, from: number): number {
  const end = Math.min(data.length, from + LONGEST_LINE);
  for (let at = from; at < end; at++) if (data[at] === NEWLINE) return at;
  return -1;
}

/** `12`, `-3`, `12L`: a number where a double holds it exactly, else a bigint; undefined for anything else. */
export function decimalInteger(line: string): number | bigint | undefined {
  const match = /^([+-]?\d+)L?$/.exec(line.trim());
  const digits = match?.[1] ?? '';
  if (digits === '' || digits.length > MOST_DIGITS) return undefined;
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits.replace(/^\+/, ''));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' };

/** The text of a Python 2 string literal; undefined without matching quotes. */
export function quotedText(line: string): string | undefined {
  const match = /^(['"])(.*)\1$/s.exec(line.trim());
  if (match === null) return undefined;
  return (match[2] ?? '').replace(
    /\\(?:x([0-9a-fA-F]{2})|([nrt\\'"]))/g,
    (whole, hex: string | undefined, letter: string | undefined) =>
      hex === undefined ? (ESCAPES[letter ?? ''] ?? whole) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Text in which characters beyond Latin-1 stand as \uXXXX. */
export const rawUnicode = (line: string): string =>
  line.replace(
    /\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g,
    (whole, short: string | undefined, long: string | undefined) => {
      const code = Number.parseInt(short ?? long ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
