/**
 * Reads a snapshot file into columns: today's dictionary (`_dump_snapshot`), a bare list of segments
 * (`memory_snapshot()`), and the older form in which blocks carry a `history` instead of frames.
 */
import { type AppError, badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { readPickle } from './pickle/pickle-document.js';
import { plainCopy } from './pickle/plain-copy.js';
import { ROLE } from './pickle/roles.js';
import { readSegments } from './read-segments.js';
import { readSettings } from './read-settings.js';
import { readTraces } from './read-traces.js';
import { type RecordedSnapshot } from './recorded-snapshot.js';

const EXPECTED = say`expected a file written by torch.cuda.memory._dump_snapshot(), or a pickled torch.cuda.memory_snapshot()`;

/** True for bytes that begin like a pickle of any protocol. Never throws. */
export function looksLikePickle(data: Uint8Array): boolean {
  const [first, second] = data;
  if (first === 0x80) return second !== undefined && second <= 5;
  // Protocols 0 and 1 have no mark of their own: a list or dictionary is begun, and STOP ends the file.
  let last = data.length - 1;
  while (last > 0 && (data[last] === 0x0a || data[last] === 0x0d)) last--;
  const opens = (first === 0x28 && (second === 0x64 || second === 0x6c)) || first === 0x5d || first === 0x7d;
  return opens && data[last] === 0x2e;
}

/**
 * Reads a snapshot. `name` stands in messages.
 * Throws `AppError` (`bad-input`): one line with what is wrong, where, and what was expected.
 */
export function readSnapshot(
  data: Uint8Array,
  name: string,
  onProgress?: (done: number, total: number) => void,
): RecordedSnapshot {
  if (!looksLikePickle(data)) throw notASnapshot(name, whatItIs(data));
  const document = readPickle(data, name, onProgress);
  const { root } = document;
  const isDictionary = document.isDictionary(root);
  const list = isDictionary ? document.entry(root, ROLE.segments) : root;
  if (list === undefined || !document.isSequence(list)) {
    throw notASnapshot(
      name,
      isDictionary ? say`a pickled dictionary without a list "segments"` : say`a pickle of something else`,
    );
  }
  const { segments, blocks } = readSegments(document, list, name, EXPECTED);
  const settings = isDictionary ? document.entry(root, ROLE.settings) : undefined;
  const annotations = isDictionary ? document.entry(root, ROLE.annotations) : undefined;
  const traces = isDictionary ? document.entry(root, ROLE.traces) : undefined;
  const snapshot: RecordedSnapshot = {
    name,
    form: isDictionary ? 'snapshot-dict' : 'segments-list',
    segments,
    blocks,
    traces: traces === undefined ? [] : readTraces(document, traces, name),
    settings: settings !== undefined && document.isDictionary(settings) ? readSettings(document, settings) : undefined,
    annotations:
      annotations !== undefined && document.isSequence(annotations)
        ? (plainCopy(document, annotations) as readonly unknown[])
        : [],
    strings: document.tables.strings,
    stacks: document.tables.stacks,
    poolPairs: document.tables.pairs,
  };
  document.release();
  return snapshot;
}

const notASnapshot = (name: string, what: string): AppError =>
  badInput(name, say`${name}: not a snapshot: ${what}; ${EXPECTED}`);

/** What a file that is no pickle seems to be, in words. */
export function whatItIs(data: Uint8Array): string {
  if (data.length === 0) return say`the file is empty`;
  const head = String.fromCharCode(...data.subarray(0, 64));
  if (head.startsWith('\u0089PNG')) return say`a PNG picture`;
  if (head.startsWith('PK\u0003\u0004')) return say`a zip archive (torch.save writes those for models)`;
  if (head.startsWith('\u001f\u008b')) return say`a gzip file; unpack it first`;
  if (head.startsWith('<')) return say`an HTML or XML page`;
  if (/^\s*[[{]/.test(head)) return say`a JSON text`;
  return /^[\t\n\r\u0020-\u007e]*$/.test(head) ? say`a text` : say`a file of another kind`;
}
