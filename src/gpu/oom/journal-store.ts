/** Where the journal is kept: a file of the program, or IndexedDB where a page runs alone. */
import { type DBSchema, openDB } from 'idb';
import { type AskHost } from '../../engine/protocol.js';
import { beginStep, endStep, type JournalEntry, readJournalEntry } from '../../model/journal/journal.js';

interface JournalDatabase extends DBSchema {
  journal: { key: string; value: JournalEntry };
}

const KEY = 'last';
const open = () =>
  openDB<JournalDatabase>('vramlab-journal', 1, { upgrade: (database) => void database.createObjectStore('journal') });

async function write(ask: AskHost, entry: JournalEntry): Promise<void> {
  if ((await ask({ kind: 'write-journal', entry })).kind === 'done') return;
  const database = await open();
  await database.put('journal', entry, KEY);
  database.close();
}

/** The entry that was written last, whoever wrote it; undefined where there is none. */
export async function lastEntry(ask: AskHost): Promise<JournalEntry | undefined> {
  const answer = await ask({ kind: 'read-journal' });
  if (answer.kind === 'journal') return answer.entry;
  const database = await open();
  const entry = readJournalEntry(await database.get('journal', KEY));
  database.close();
  return entry;
}

export interface RiskyStep {
  readonly step: string;
  /** Bytes that it takes on top of what is held. */
  readonly bytes: number;
  /** Most bytes that were held and worked. */
  readonly lastSafeBytes?: number;
}

/** Steps of which each is riskier than the one before: each is written down before it begins, and ends the one before. */
export interface StepJournal {
  next(step: RiskyStep): Promise<void>;
  /** The last one has ended. Without a step nothing is written. */
  end(): Promise<void>;
}

/** A journal for a ramp. */
export function journalOf(ask: AskHost): StepJournal {
  let entry: JournalEntry | undefined;
  return {
    next: async ({ step, bytes, lastSafeBytes = 0 }) => {
      entry = beginStep(step, bytes, lastSafeBytes);
      await write(ask, entry);
    },
    end: async () => {
      if (entry !== undefined) await write(ask, endStep(entry));
    },
  };
}

/** Does a risky step with its name in the journal: written before it, ended after it, also when it throws. */
export async function journaled<T>(ask: AskHost, step: RiskyStep, work: () => Promise<T>): Promise<T> {
  const journal = journalOf(ask);
  await journal.next(step);
  try {
    return await work();
  } finally {
    await journal.end();
  }
}
