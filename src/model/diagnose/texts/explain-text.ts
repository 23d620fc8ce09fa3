/**
 * The way from a pasted log to a diagnosis: clean the text, find every known message and memory summary in it, take the
 * one that says most, judge it, and join the summary of the same paste. Never throws: what is not understood ends in
 * `unknown, because ...`.
 */
import { say } from '../../../base/said.js';
import { type Diagnosis, type Facts, type Ranges, diagnosis } from '../diagnosis.js';
import { type SummaryReading, explainSummary } from '../summary/explain-summary.js';
import { parseSummaries } from '../summary/parse-summary.js';
import { adviseCache } from '../verdict/cache-advice.js';
import { figuresOf } from '../verdict/figures.js';
import { flatText, plainLines, unwrapped } from './clean-text.js';
import { FAMILIES } from './families.js';
import { type Message, type TextFamily } from './family.js';
import { readFields } from './fields.js';
import { type Printed, showSize } from './printed-size.js';
import { settingsInForce } from './settings.js';

interface Found {
  readonly family: TextFamily;
  readonly message: Message;
  readonly at: number;
  readonly score: number;
  readonly count: number;
}

/** A message and its dump end at the latest here. */
const LONGEST_MESSAGE = 200_000;
/** Messages looked at a family; a retry loop can print thousands. */
const MOST_MESSAGES = 200;
/** Longer pastes are log files, which nobody wraps. */
const MOST_WRAPPED_LINES = 20_000;

/** True where the text holds a message or table that `explainText` knows. */
export function isKnownText(raw: string): boolean {
  const lines = plainLines(raw);
  return readLines(lines).found !== undefined || parseSummaries(lines).length > 0;
}

/** Explains a pasted text. Always answers; an unknown text gives verdict `unknown` and says what was expected. */
export function explainText(raw: string): Diagnosis {
  const lines = plainLines(raw);
  const { flat, found } = readLines(lines);
  const summaries = parseSummaries(lines).map(explainSummary);
  if (found === undefined) return summaries.length > 0 ? summaryAlone(summaries) : nothingKnown();
  const settings = settingsInForce(flat, found.message.framework);
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
      steps: [
        ...(found.count > 1
          ? [say`note: ${found.count} such messages in the text; the one with the most figures is explained`]
          : []),
        ...judged.steps,
      ],
      advice: judged.advice,
    },
  );
  return summary === undefined ? result : joined(result, summary);
}

/**
 * The text as one line and what it says. A terminal that is narrower than a message cuts it in the middle of words, so
 * both readings are tried, and the one with more figures counts.
 */
function readLines(lines: readonly string[]): { readonly flat: string; readonly found: Found | undefined } {
  const flat = flatText(lines);
  const found = findMessage(flat);
  const joined = lines.length > MOST_WRAPPED_LINES ? undefined : unwrapped(lines);
  if (joined === undefined) return { flat, found };
  const flatJoined = flatText(joined.lines);
  const foundJoined = findMessage(flatJoined);
  const gain = (foundJoined?.score ?? 0) - (found?.score ?? 0);
  return gain > 0 || (gain === 0 && joined.cutsNumber) ? { flat: flatJoined, found: foundJoined } : { flat, found };
}

/** The message with the most figures; among equals the earliest, which is the cause of the later ones. */
function findMessage(flat: string): Found | undefined {
  let best: Found | undefined;
  for (const family of FAMILIES) {
    const matches: RegExpExecArray[] = [];
    for (const match of flat.matchAll(family.anchor)) {
      matches.push(match);
      if (matches.length >= MOST_MESSAGES) break;
    }
    matches.forEach((match, index) => {
      const head = match[0].slice(0, 12);
      const next = matches.slice(index + 1).find((later) => later[0].startsWith(head));
      const end = Math.min(next?.index ?? flat.length, match.index + LONGEST_MESSAGE);
      const text = flat.slice(match.index, end);
      const read = readFields(text, family.fields);
      const framework = typeof family.framework === 'string' ? family.framework : family.framework(text);
      const isWarning = text.slice(0, 400).includes('this is not a failure');
      const score = (isWarning ? 0.5 : 1) + Object.keys(read.facts).length;
      if (best === undefined || score > best.score || (score === best.score && match.index < best.at)) {
        const count = matches.filter((other) => other[0].startsWith(head)).length;
        best = { family, message: { ...read, text, framework }, at: match.index, score, count };
      }
    });
  }
  return best;
}

/** The summary that belongs to a message: the one of its device, else the only one. */
function summaryOf(found: Found, summaries: readonly SummaryReading[]): SummaryReading | undefined {
  if (!found.message.framework.startsWith('pytorch')) return undefined;
  const device = found.message.facts['device'];
  const same = summaries.find((reading) => reading.summary.device === device);
  return same ?? (summaries.length === 1 ? summaries[0] : undefined);
}

const withExpandable = (settings: ReturnType<typeof settingsInForce>): ReturnType<typeof settingsInForce> => ({
  ...settings,
  options: { ...settings.options, expandable_segments: 'True' },
  source: settings.source ?? say`expandable_segments:True (seen in the memory summary: its segment rows are 0)`,
});

/** An OOM text and the table that was printed with it: the table proves where the cached memory sits. */
function joined(result: Diagnosis, reading: SummaryReading): Diagnosis {
  const fresh = Object.fromEntries(Object.entries(reading.facts).filter(([key]) => !(key in result.facts)));
  const held = reading.facts['non_releasable_bytes'];
  const isProved = result.verdict === 'fragmentation' && typeof held === 'number' && held > 0;
  return {
    ...result,
    facts: { ...result.facts, ...fresh },
    why: isProved
      ? say`${result.why}. The memory summary proves it: ${showSize(held)} of the cache sits in partly used segments`
      : result.why,
    steps: [...result.steps, ...reading.steps.map((step) => say`memory summary: ${step}`)],
    advice: [...result.advice, ...reading.advice],
  };
}

function summaryAlone(readings: readonly SummaryReading[]): Diagnosis {
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
  return diagnosis(
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
}

const rangesOf = (sizes: Readonly<Record<string, Printed>>, facts: Facts): Ranges =>
  Object.fromEntries(
    Object.entries(sizes).flatMap(([key, size]): [string, [number, number]][] =>
      key in facts && size.low !== size.high ? [[key, [size.low, size.high]]] : [],
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
