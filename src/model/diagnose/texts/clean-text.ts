/**
 * Takes a pasted log to one line of plain text in which a message reads as the framework printed it: colours, quote
 * marks, rank and worker prefixes, wrapped lines, HTML entities and escaped line ends are undone. Numbers and words are
 * never touched.
 */
const ESCAPE = String.fromCharCode(27);
const COLOUR = new RegExp(`${ESCAPE}\\[[0-9;]*[A-Za-z]`, 'g');
/** A point in time, as loggers and container runtimes put before a line, and what they put after it. */
const STAMP = String.raw`\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d-\d\d )\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?`;
const AFTER_STAMP = String.raw`(?:\s*(?:std(?:err|out) [FP]\b|\[[\w./:-]{1,60}\]|[-:]|(?:ERROR|INFO|WARNING|WARN|DEBUG|CRITICAL|FATAL)\b))*\s*`;
const LINE_PREFIX = new RegExp(
  [
    String.raw`^\s*(?:(?:`,
    [
      // pdsh, a cluster's log collector: node-1: before the rank
      String.raw`[A-Za-z][\w.-]{0,60}:(?=\s*\[(?:rank|RANK|default)?\s?\d{1,6}\])`,
      // torchrun, accelerate: [rank0]: [default0]:; mpirun: [1,3]<stderr>:; kubectl: [pod/name/container]
      String.raw`\[(?:rank|RANK|default)?\s?\d{1,6}\]:?`,
      String.raw`\[\d{1,6},\d{1,6}\]<std(?:err|out)>:`,
      String.raw`\[pod\/[\w./-]{1,120}\]`,
      // Ray, vLLM: (RayTrainWorker pid=4211, ip=10.0.0.1)
      String.raw`\([A-Za-z_][\w-]*(?:[ ,]+(?:pid|ip|rank)=[^)\s]{1,60})+\)`,
      // (EngineCore_0 pid=123) ERROR 10-02 12:00:00 [core.py:700]
      String.raw`(?:(?:ERROR|INFO|WARNING|CRITICAL) )?${STAMP}${AFTER_STAMP}`,
      // glog: E0501 12:00:00.123456 12345 file.cc:12]
      String.raw`[EWIF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ [\w./-]{1,80}:\d+\]`,
      // docker compose: trainer-1  |
      String.raw`[A-Za-z][\w.-]{0,60}\s+\|(?=\s)`,
      '[>#*|\u2502]+',
    ].join('|'),
    String.raw`)\s*)*`,
  ].join(''),
);
/** The marks of a prefix that say who wrote the line; a stamp does not. */
const WRITER = new RegExp(
  [
    String.raw`[A-Za-z][\w.-]{0,60}:(?=\s*\[)`,
    String.raw`\[(?:rank|RANK|default)?\s?\d{1,6}\]:`,
    String.raw`\[(?:rank|RANK|default)\s?\d{1,6}\]`,
    String.raw`\[\d{1,6},\d{1,6}\]<std(?:err|out)>:`,
    String.raw`\[pod\/[\w./-]{1,120}\]`,
    String.raw`\([A-Za-z_][\w-]*(?:[ ,]+(?:pid|ip|rank)=[^)\s]{1,60})+\)`,
    String.raw`[A-Za-z][\w.-]{0,60}\s+\|`,
  ].join('|'),
  'g',
);
/** srun -l: the number of the task before every line. */
const TASK_PREFIX = /^\s*\d{1,5}: /;
/** The right edge of a box that a terminal draws around a message. */
const RIGHT_EDGE = /\s+\u2502\s*$/;
/** A terminal is at least this wide. */
const LEAST_WIDTH = 40;

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

export interface Unwrapped {
  readonly lines: readonly string[];
  /** A cut goes through a number: read apart its halves are two numbers, both wrong. */
  readonly cutsNumber: boolean;
}

/**
 * Lines that a terminal cut at its last column, put together again; undefined where no line looks like that. Which
 * reading is right only the message can tell: see `explainText`.
 */
export function unwrapped(lines: readonly string[]): Unwrapped | undefined {
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  if (width < LEAST_WIDTH || lines.length < 2) return undefined;
  const joined: string[] = [];
  let isCut = false;
  let cutsNumber = false;
  for (const line of lines) {
    if (isCut) {
      const before = joined.pop() ?? '';
      cutsNumber ||= /[0-9.]$/.test(before) && /^[0-9.]/.test(line) && !hasPrefix(line);
      joined.push(before + line);
    } else joined.push(line);
    isCut = line.length === width;
  }
  return joined.length === lines.length ? undefined : { lines: joined, cutsNumber };
}

const hasPrefix = (line: string): boolean =>
  TASK_PREFIX.test(line) || (LINE_PREFIX.exec(line)?.[0] ?? '').trim() !== '';

/** A log as one line with single spaces, and where in it each line of the paste went. */
export interface FlatLog {
  readonly text: string;
  /** The line of the paste in which a position of `text` lies. */
  readonly lineAt: (position: number) => number;
}

/**
 * The paste as one line a writer: launchers mix the lines of ranks, workers and pods, and a message that is broken over
 * several lines is whole only once the lines of its writer are together. A paste without marks has one writer.
 */
export function flatLogs(lines: readonly string[]): readonly FlatLog[] {
  const tasks = lines.every((line) => line.trim() === '' || TASK_PREFIX.test(line));
  const marks = lines.map((line) => writerOf(line, tasks));
  const isMixed = new Set(marks.filter((mark) => mark !== undefined)).size > 1;
  const writers = new Map<string, { parts: string[]; starts: number[]; rows: number[]; length: number }>();
  let current = '';
  lines.forEach((line, row) => {
    // A line without a mark goes on with what the line before it said.
    if (isMixed) current = marks[row] ?? current;
    const part = cleaned(tasks ? line.replace(TASK_PREFIX, '') : line);
    if (part === '') return;
    let writer = writers.get(current);
    if (writer === undefined) {
      writer = { parts: [], starts: [], rows: [], length: 0 };
      writers.set(current, writer);
    }
    writer.parts.push(part);
    writer.starts.push(writer.length);
    writer.rows.push(row);
    writer.length += part.length + 1;
  });
  return [...writers.values()].map(({ parts, starts, rows }) => ({
    text: parts.join(' '),
    lineAt: (position) => rows[lastAtOrBefore(starts, position)] ?? 0,
  }));
}

/** Which rank, worker, task or pod wrote a line, undefined where it does not say. */
function writerOf(line: string, tasks: boolean): string | undefined {
  const prefix = tasks ? TASK_PREFIX.exec(line)?.[0] : LINE_PREFIX.exec(line)?.[0];
  if (prefix === undefined || prefix.trim() === '') return undefined;
  const marks = prefix.match(WRITER);
  return tasks ? prefix : marks === null ? undefined : marks.join(' ');
}

function lastAtOrBefore(starts: readonly number[], position: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle;
  }
  return low;
}

const cleaned = (line: string): string =>
  line
    .replace(LINE_PREFIX, '')
    .replace(RIGHT_EDGE, '')
    .replace(/&gt;/g, '>')
    .replace(/&lt;/g, '<')
    .replace(/&#39;|&apos;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
