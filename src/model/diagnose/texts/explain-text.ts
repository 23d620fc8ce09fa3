/**
 * The way from a pasted log to a diagnosis: clean the text, find every known message and memory summary in it, take the
 * one that says most, judge it, and join the summary of the same paste. Never throws: what is not understood ends in
 * `unknown, because ...`.
 */
import { say } from '../../../base/said.js';
import { verdictWord } from '../steps.js';
import { type Diagnosis, type Facts, type Ranges, diagnosis } from '../diagnosis.js';
import {
  type SummaryDiagnosis,
  type SummaryReading,
  explainSummary,
  printedTable,
} from '../summary/explain-summary.js';
import { parseSummaries } from '../summary/parse-summary.js';
import { adviseCache } from '../verdict/cache-advice.js';
import { figuresOf } from '../verdict/figures.js';
import { type FlatLog, flatLogs, plainLines, unwrapped } from './clean-text.js';
import { FAMILIES } from './families.js';
import { type Judged, type Message, type TextFamily } from './family.js';
import { type ReadFields, readFields, readLastFields } from './fields.js';
import { type Printed, showSize } from './printed-size.js';
import { type Settings, settingsInForce } from './settings.js';

interface Found {
  readonly family: TextFamily;
  readonly message: Message;
  /** Line of the paste and place in the log where the message begins. */
  readonly line: number;
  readonly at: number;
  readonly score: number;
}

/** What the logs of a paste say: all messages, the one to explain first. */
interface Reading {
  readonly logs: readonly FlatLog[];
  readonly found: readonly Found[];
}

/** A message and its dump end at the latest here. */
const LONGEST_MESSAGE = 4_000_000;
/** What a log prints before a message, of which a family reads figures. */
const LONGEST_CONTEXT = 50_000;
/** Messages looked at a family; a retry loop can print thousands. */
const MOST_MESSAGES = 200;
/** Places looked at for them: a dump has one for each of its bins. */
const MOST_MATCHES = 20_000;
/** Longer pastes are log files, which nobody wraps. */
const MOST_WRAPPED_LINES = 20_000;
/** Other failures of the paste that are named. */
const MOST_OTHERS = 8;

/** True where the text holds a message or table that `explainText` knows. */
export function isKnownText(raw: string): boolean {
  const lines = plainLines(raw);
  return readLines(lines).found.length > 0 || parseSummaries(lines).length > 0;
}

/** Explains a pasted text. Always answers; an unknown text gives verdict `unknown` and says what was expected. */
export function explainText(raw: string): Diagnosis {
  const lines = plainLines(raw);
  const { logs, found: messages } = readLines(lines);
  const [found] = messages;
  const summaries = parseSummaries(lines).map(explainSummary);
  if (found === undefined) return summaries.length > 0 ? summaryAlone(summaries) : nothingKnown();
  const settings = settingsInForce(logs.map(({ text }) => text).join('\n'), found.message.framework);
  const summary = summaryOf(found, summaries);
  const known = summary?.expandable === true ? withExpandable(settings) : settings;
  const judged = found.family.judge(found.message, known);
  const dropped = new Set(judged.dropped ?? []);
  const facts = Object.fromEntries(
    Object.entries({ ...found.message.facts, ...judged.derived }).filter(([key]) => !dropped.has(key)),
  );
  const result = diagnosis(
    'oom-text',
    found.message.framework,
    { facts, ranges: rangesOf(found.message.sizes, facts), oddities: judged.oddities ?? [] },
    {
      verdict: judged.verdict,
      why: judged.why,
      steps: [...otherFailures(found, messages, known), ...judged.steps],
      advice: judged.advice,
    },
  );
  return summary === undefined ? result : joined(result, summary);
}

/** The other failures of the same kind in the paste: ranks that failed too, and tries that failed again. */
function otherFailures(found: Found, messages: readonly Found[], settings: Settings): string[] {
  const same = messages.filter(({ family }) => family === found.family);
  if (same.length < 2) return [];
  const named = new Map<string, { count: number; readonly words: string }>();
  for (const { family, message } of same) {
    const key = JSON.stringify(message.facts);
    const known = named.get(key);
    if (known !== undefined) known.count++;
    else if (named.size <= MOST_OTHERS) {
      named.set(key, { count: 1, words: failureInWords(message, family.judge(message, settings)) });
    }
  }
  const own = JSON.stringify(found.message.facts);
  const others = [...named].filter(([key]) => key !== own);
  return [
    say`note: ${same.length} such messages in the text; the one with the most figures is explained, the earliest of several`,
    ...others
      .slice(0, MOST_OTHERS)
      .map(([, { count, words }]) =>
        count === 1 ? say`note: another: ${words}` : say`note: ${count} times another: ${words}`,
      ),
  ];
}

function failureInWords({ facts, sizes }: Message, { verdict }: Judged): string {
  const device = facts['device'];
  const tried = sizes['tried_bytes'];
  const asked =
    tried === undefined
      ? say`no size printed, ${verdictWord(verdict)}`
      : say`${showSize(tried.bytes)} asked for, ${verdictWord(verdict)}`;
  return typeof device === 'number' ? say`device ${device}, ${asked}` : asked;
}

/**
 * The paste and what it says. A terminal that is narrower than a message cuts it in the middle of words, so both readings
 * are tried, and the one with more figures counts.
 */
function readLines(lines: readonly string[]): Reading {
  const plain = readLogs(lines);
  const joined = lines.length > MOST_WRAPPED_LINES ? undefined : unwrapped(lines);
  if (joined === undefined) return plain;
  const whole = readLogs(joined.lines);
  const gain = (whole.found[0]?.score ?? 0) - (plain.found[0]?.score ?? 0);
  return gain > 0 || (gain === 0 && joined.cutsNumber) ? whole : plain;
}

/** All messages: the one with the most figures first, among equals the earliest, which is the cause of the later ones. */
function readLogs(lines: readonly string[]): Reading {
  const logs = flatLogs(lines);
  const found = logs.flatMap((log) => FAMILIES.flatMap((family) => messagesOf(log, family)));
  found.sort((a, b) => b.score - a.score || a.line - b.line || a.at - b.at);
  return { logs, found };
}

function messagesOf(log: FlatLog, family: TextFamily): Found[] {
  const begun = beginnings(log.text, family);
  return begun.map((at, index) => {
    const end = Math.min(begun[index + 1] ?? log.text.length, at + LONGEST_MESSAGE);
    const text = log.text.slice(at, end);
    const before = log.text.slice(Math.max(begun[index - 1] ?? 0, at - LONGEST_CONTEXT), at);
    const read = withContext(readFields(text, family.fields), readLastFields(before, family.context ?? []));
    const framework = typeof family.framework === 'string' ? family.framework : family.framework(text);
    const isWarning = text.slice(0, 400).includes('this is not a failure');
    const score = (isWarning ? 0.5 : 1) + Object.keys(read.facts).length;
    return { family, message: { ...read, text, framework }, line: log.lineAt(at), at, score };
  });
}

/** What the message itself prints counts. */
const withContext = (own: ReadFields, context: ReadFields): ReadFields => ({
  facts: { ...own.facts, ...without(context.facts, own.facts) },
  sizes: { ...own.sizes, ...without(context.sizes, own.facts) },
});

const without = <T>(from: Readonly<Record<string, T>>, known: Readonly<Record<string, unknown>>): Record<string, T> =>
  Object.fromEntries(Object.entries(from).filter(([key]) => !(key in known)));

/** Where messages of a family begin. A part goes on with the message before it, which has one of each kind. */
function beginnings(text: string, { anchor, parts }: TextFamily): number[] {
  const found: number[] = [];
  let kinds = new Set<string>();
  let count = 0;
  for (const match of text.matchAll(anchor)) {
    if (++count > MOST_MATCHES) break;
    const kind = kindOf(match[0]);
    if (found.length === 0 || parts?.test(match[0]) === false || kinds.has(kind)) {
      if (found.length === MOST_MESSAGES) break;
      found.push(match.index);
      kinds = new Set();
    }
    kinds.add(kind);
  }
  return found;
}

/** An anchor without its figures; a dump has a line for each bin. */
const kindOf = (anchor: string): string =>
  anchor.startsWith('Bin (') ? anchor : anchor.slice(0, 60).replace(/\d+/g, '0');

/** The summary that belongs to a message: the one of its device, else the only one. */
function summaryOf(found: Found, summaries: readonly SummaryReading[]): SummaryReading | undefined {
  if (!found.message.framework.startsWith('pytorch')) return undefined;
  const device = found.message.facts['device'];
  const same = summaries.find((reading) => reading.summary.device === device);
  return same ?? (summaries.length === 1 ? summaries[0] : undefined);
}

const withExpandable = (settings: Settings): Settings => ({
  ...settings,
  options: { ...settings.options, expandable_segments: 'True' },
  source: settings.source ?? say`expandable_segments:True (seen in the memory summary: its segment rows are 0)`,
});

/** An OOM text and the table that was printed with it: the table proves where the cached memory sits. */
function joined(result: Diagnosis, reading: SummaryReading): Diagnosis {
  const fresh = Object.fromEntries(Object.entries(reading.facts).filter(([key]) => !(key in result.facts)));
  const apart = reservedApart(result, reading);
  const other =
    apart === undefined
      ? []
      : [
          say`the memory summary is of another moment than the message: ${showSize(apart.table)} reserved in the table,
            ${showSize(apart.message)} in the message; it proves nothing about the failure`,
        ];
  return {
    ...result,
    facts: { ...result.facts, ...fresh },
    why: apart === undefined ? withProof(result, reading) : result.why,
    steps: [...result.steps, ...reading.steps.map((step) => say`memory summary: ${step}`)],
    advice: [...result.advice, ...reading.advice],
    oddities: [...result.oddities, ...other],
  };
}

/** Holes in partly used segments, as many as were asked for: the flush before the failure could not give them back. */
function withProof({ verdict, why, facts }: Diagnosis, reading: SummaryReading): string {
  const held = reading.facts['non_releasable_bytes'];
  const tried = facts['tried_bytes'];
  return verdict === 'fragmentation' && typeof held === 'number' && held > 0 && held >= Number(tried)
    ? say`${why}. The memory summary proves it: ${showSize(held)} of the cache sits in partly used segments`
    : why;
}

/** Printed figures of one moment differ by their rounding only. */
const SAME_MOMENT = 0.02;

function reservedApart(
  { facts }: Diagnosis,
  reading: SummaryReading,
): { readonly table: number; readonly message: number } | undefined {
  const table = reading.facts['reserved_bytes'];
  const message = facts['reserved_bytes'];
  if (typeof table !== 'number' || typeof message !== 'number') return undefined;
  return Math.abs(table - message) > SAME_MOMENT * Math.max(table, message) ? { table, message } : undefined;
}

function summaryAlone(readings: readonly SummaryReading[]): Diagnosis | SummaryDiagnosis {
  const [first, ...others] = readings;
  if (first === undefined) return nothingKnown();
  const sizes: Record<string, Printed> = {};
  for (const [key, metric] of [
    ['reserved_bytes', /reserved memory/],
    ['allocated_bytes', /^Allocated memory/],
  ] as const) {
    const row = first.summary.rows.find((candidate) => candidate.pool === 'all' && metric.test(candidate.metric));
    if (row !== undefined) sizes[key] = row.values.current;
  }
  const figures = figuresOf({ sizes });
  const result = diagnosis(
    'memory-summary',
    'pytorch-cuda',
    { facts: first.facts, ranges: rangesOf(sizes, first.facts), oddities: figures.oddities },
    {
      verdict: 'unknown',
      why: say`unknown, because a memory summary shows the state of the cache and no request that failed; paste the OOM text with it for a verdict`,
      steps: [
        ...first.steps,
        ...others.flatMap((reading) =>
          reading.steps.map((step) => say`device ${reading.summary.device ?? '?'}: ${step}`),
        ),
      ],
      advice: first.advice,
    },
  );
  return { ...result, tables: readings.map(({ summary }) => printedTable(summary)) };
}

const rangesOf = (sizes: Readonly<Record<string, Printed>>, facts: Facts): Ranges =>
  Object.fromEntries(
    Object.entries(sizes).flatMap(([key, size]): [string, [number, number]][] =>
      facts[key] === size.bytes && size.low !== size.high ? [[key, [size.low, size.high]]] : [],
    ),
  );

function nothingKnown(): Diagnosis {
  return diagnosis(
    'oom-text',
    'unknown',
    { facts: {}, ranges: {}, oddities: [] },
    {
      verdict: 'unknown',
      why: say`unknown, because no out-of-memory message and no memory summary was found in the text`,
      steps: [
        say`looked for messages of ${FAMILIES.map((family) => family.name).join(', ')} and for memory_summary() tables`,
      ],
      advice: adviseCache({
        verdict: 'unknown',
        figures: figuresOf({ sizes: {} }),
        settings: settingsInForce('', 'pytorch-cuda'),
        backend: 'pytorch-cuda',
      }),
    },
  );
}
