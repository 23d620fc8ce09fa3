/**
 * The journal of risky steps: written before each, so that whoever starts next after a crash of the tab or the GPU
 * process knows what was being tried and what had worked until then.
 */
import * as v from 'valibot';
import { formatBytes } from '../../base/format.js';

export const JOURNAL_SCHEMA = 'vramlab-journal';
export const JOURNAL_VERSION = 1;
const bytes = v.pipe(v.number(), v.finite(), v.minValue(0));

export const journalSchema = v.object({
  schema: v.literal(JOURNAL_SCHEMA),
  version: v.literal(JOURNAL_VERSION),
  /** What is about to be done, or was done last. */
  step: v.string(),
  /** Bytes that it takes on top of what is held. */
  bytes,
  /** Most bytes that were held and worked. */
  lastSafeBytes: bytes,
  /** `running`: the step was begun. Nobody came back to say that it ended. */
  state: v.picklist(['running', 'finished']),
});
export type JournalEntry = v.InferOutput<typeof journalSchema>;

/** An entry for a step that begins now. */
export const beginStep = (step: string, stepBytes: number, lastSafeBytes: number): JournalEntry => ({
  schema: JOURNAL_SCHEMA,
  version: JOURNAL_VERSION,
  step,
  bytes: stepBytes,
  lastSafeBytes,
  state: 'running',
});

/** The same step, ended. */
export const endStep = (entry: JournalEntry): JournalEntry => ({ ...entry, state: 'finished' });

/** Reads an entry; undefined for what is none (a damaged or newer journal is no reason to stop). */
export function readJournalEntry(value: unknown): JournalEntry | undefined {
  const result = v.safeParse(journalSchema, value);
  return result.success ? result.output : undefined;
}

/** What an entry that was left behind says to the person; undefined where the last run ended well. */
export function crashWords(entry: JournalEntry | undefined): string | undefined {
  if (entry?.state !== 'running') return undefined;
  return (
    `the last run ended during "${entry.step}" (${formatBytes(entry.bytes)}) without coming back; ` +
    (entry.lastSafeBytes > 0
      ? `the last size that worked is ${formatBytes(entry.lastSafeBytes)}`
      : 'nothing larger had worked before')
  );
}
