/** What a file holds that can be explained: a snapshot, a text with an error message or a memory summary, or a diagnosis. */
import { type AppError, badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { looksLikePickle, readSnapshot, whatItIs } from '../snapshot/read-snapshot.js';
import { type RecordedSnapshot } from '../snapshot/recorded-snapshot.js';
import { type Diagnosis } from './diagnosis.js';
import { looksLikeDiagnosis, readDiagnosis } from './read-diagnosis.js';
import { isKnownText } from './texts/explain-text.js';

export type Explainable =
  | { readonly kind: 'snapshot'; readonly snapshot: RecordedSnapshot }
  | { readonly kind: 'text'; readonly text: string }
  /** One that was exported before. */
  | { readonly kind: 'diagnosis'; readonly diagnosis: Diagnosis };

/** Words without which a text has nothing to do with memory. */
const ABOUT_MEMORY = /out of memory|\boom\b|alloc|memory/i;

/**
 * Tells what the bytes of a file are, unpacked ones. `name` stands in messages; `onProgress` gets bytes parsed and bytes in
 * all. Throws `AppError` (`bad-input`): one line with what is wrong, where, and what was expected.
 */
export function readExplainable(
  data: Uint8Array,
  name: string,
  onProgress?: (done: number, total: number) => void,
): Explainable {
  if (looksLikePickle(data)) return { kind: 'snapshot', snapshot: readSnapshot(data, name, onProgress) };
  const text = new TextDecoder().decode(data);
  if (looksLikeDiagnosis(text)) return { kind: 'diagnosis', diagnosis: readDiagnosis(text, name) };
  if (!isKnownText(text) && (text.includes('\0') || !ABOUT_MEMORY.test(text))) throw nothingToExplain(data, name);
  return { kind: 'text', text };
}

function nothingToExplain(data: Uint8Array, name: string): AppError {
  const what = data.length === 0 ? say`the file is empty` : whatItIs(data);
  return badInput(
    name,
    say`${name}: not a snapshot: ${what} (offset 0); expected a file written by torch.cuda.memory._dump_snapshot(), a text with an out-of-memory
      message, or a torch.cuda.memory_summary() table`,
  );
}
