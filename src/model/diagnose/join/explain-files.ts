/**
 * Several files of one failure read together: a text with the message and one with its memory summary say what they would say
 * pasted into one, and a message next to a snapshot is held against what the snapshot recorded.
 *
 *     explainFiles([{ name: 'oom.txt', read: { kind: 'text', text } }, { name: 'summary.txt', read: ... }]).length; // 1
 */
import { type RecordedSnapshot } from '../../snapshot/recorded-snapshot.js';
import { type Diagnosis } from '../diagnosis.js';
import { type Explainable } from '../explain-bytes.js';
import { type SnapshotDiagnosis, explainSnapshot } from '../snapshot/explain-snapshot.js';
import { explainText } from '../texts/explain-text.js';
import { crossChecked, surroundingsOf } from './cross-check.js';

export interface NamedFile {
  readonly name: string;
  readonly read: Explainable;
}

export type ExplainedFile =
  | { readonly name: string; readonly snapshot: RecordedSnapshot; readonly diagnosis: SnapshotDiagnosis }
  | { readonly name: string; readonly snapshot: undefined; readonly diagnosis: Diagnosis };

interface Paste {
  readonly name: string;
  readonly text: string;
  readonly diagnosis: Diagnosis;
}

/** A diagnosis for each file, in their order; files that belong together give one, under both names. */
export function explainFiles(files: readonly NamedFile[]): readonly ExplainedFile[] {
  const pastes = files.flatMap(({ name, read }): Paste[] =>
    read.kind === 'text' ? [{ name, text: read.text, diagnosis: explainText(read.text) }] : [],
  );
  const joined = joinSummaries(pastes);
  const failures = [...joined.values()].filter((paste) => isFailure(paste));
  return files.flatMap(({ name, read }): ExplainedFile[] => {
    if (read.kind === 'diagnosis') return [{ name, snapshot: undefined, diagnosis: read.diagnosis }];
    if (read.kind === 'snapshot') {
      const { snapshot } = read;
      const explained = explainSnapshot(snapshot, (failure) => surroundingsOf(failure, failures));
      return [{ name, snapshot, diagnosis: crossChecked(explained, failures) }];
    }
    const paste = joined.get(name);
    return paste === undefined ? [] : [{ name: paste.name, snapshot: undefined, diagnosis: paste.diagnosis }];
  });
}

const isFailure = ({ diagnosis }: Paste): boolean =>
  diagnosis.kind === 'oom-text' && diagnosis.framework.startsWith('pytorch');

/** Pastes by the name of the file that they stand at; a summary that belongs to a message is gone from the list. */
function joinSummaries(pastes: readonly Paste[]): ReadonlyMap<string, Paste> {
  const result = new Map(pastes.map((paste) => [paste.name, paste]));
  const messages = pastes.filter((paste) => isFailure(paste));
  for (const summary of pastes) {
    if (summary.diagnosis.kind !== 'memory-summary') continue;
    const same = messages.filter(({ diagnosis }) => sameDevice(diagnosis, summary.diagnosis));
    const [message] = same.length === 1 ? same : messages;
    if (message === undefined || (same.length !== 1 && messages.length !== 1)) continue;
    const before = result.get(message.name) ?? message;
    const text = `${before.text}\n${summary.text}`;
    result.set(message.name, { name: `${before.name} + ${summary.name}`, text, diagnosis: explainText(text) });
    result.delete(summary.name);
  }
  return result;
}

const sameDevice = (a: Diagnosis, b: Diagnosis): boolean =>
  a.facts['device'] !== undefined && a.facts['device'] === b.facts['device'];
