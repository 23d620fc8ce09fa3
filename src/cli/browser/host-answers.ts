/** What the program answers to its worker: memory of the browser's processes, a GPU process ended, the journal. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { HostAnswer, HostQuestion } from '../../engine/protocol.js';
import { endStep, type JournalEntry, readJournalEntry } from '../../model/journal/journal.js';
import { browserProcesses } from './process-memory.js';

/** Where the journal lies: the folder for state of the system, or the one that VRAMLAB_STATE names. */
export const journalPath = (environment: NodeJS.ProcessEnv = process.env): string =>
  join(
    environment['VRAMLAB_STATE'] ??
      join(environment['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'vramlab'),
    'journal.json',
  );

/** Answers one question about the browser whose first process is `pid`. */
export function answerHost(question: HostQuestion, pid: number | undefined, traceText?: string): HostAnswer {
  switch (question.kind) {
    case 'write-journal':
      return writeJournal(question.entry);
    case 'read-journal': {
      const entry = readJournal();
      return entry === undefined ? { kind: 'journal' } : { kind: 'journal', entry };
    }
    case 'read-trace':
      return traceText === undefined
        ? { kind: 'unavailable', reason: 'no trace was named' }
        : { kind: 'trace', text: traceText };
    case 'process-memory':
    case 'end-gpu-process':
      return answerProcesses(question.kind, pid);
  }
}

function answerProcesses(kind: 'process-memory' | 'end-gpu-process', pid: number | undefined): HostAnswer {
  const processes = pid === undefined ? undefined : browserProcesses(pid);
  if (processes?.gpuPid === undefined) {
    return { kind: 'unavailable', reason: "the browser's GPU process can be looked at on Linux only" };
  }
  if (kind === 'process-memory') return { kind, gpuBytes: processes.gpuBytes, totalBytes: processes.totalBytes };
  process.kill(processes.gpuPid, 'SIGKILL');
  return { kind: 'done' };
}

/** Written whole or not at all: a crash in between must not leave half an entry. */
function writeJournal(entry: JournalEntry): HostAnswer {
  const path = journalPath();
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, JSON.stringify(entry));
    renameSync(`${path}.new`, path);
    return { kind: 'done' };
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    return { kind: 'unavailable', reason: `the journal ${path} cannot be written: ${error.message}` };
  }
}

/** The person ended the run: what it was about to do did not end it, and is no crash to tell of. */
export function endJournal(): void {
  const entry = readJournal();
  if (entry?.state === 'running') writeJournal(endStep(entry));
}

/** What the run before this one left behind; undefined where there is none. */
export function readJournal(): JournalEntry | undefined {
  try {
    return readJournalEntry(JSON.parse(readFileSync(journalPath(), 'utf8')));
  } catch (error) {
    // None yet, or a damaged one: there is nothing to tell.
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return undefined;
    throw error;
  }
}
