/** A file that was given to the Lab as a program, or the words that say why it is none. */
import { AppError } from '../../base/errors.js';
import { type LabRequest, NO_WORDS, type Words } from '../handover.js';
import { modelWords } from '../model-words.js';
import { type LabPort } from './lab-port.js';
import { notTraceWords } from './lab-words.js';

export type ReadTraceFile =
  { readonly kind: 'trace'; readonly request: LabRequest } | { readonly kind: 'refused'; readonly words: Words };

const DEFAULT_CAPACITY = 80 * 2 ** 30;

/** Reads a trace: the recorded settings beside expandable segments. A file that is none is an answer, so this never rejects. */
export async function readTraceFile(lab: Pick<LabPort, 'openTrace'>, file: File): Promise<ReadTraceFile> {
  try {
    const { trace, header } = await lab.openTrace(file, file.name, { signal: new AbortController().signal });
    const isBfc = header.bfc !== undefined;
    const conf = header.conf ?? '';
    const plain = { trace, torch: header.torch ?? '2.6', allocator: isBfc ? 'bfc' : 'caching' } as const;
    const fraction = header.fraction === undefined ? {} : { fraction: header.fraction };
    const request: LabRequest = {
      name: file.name,
      a: { ...plain, ...fraction, label: NO_WORDS, conf },
      b: isBfc
        ? { ...plain, label: NO_WORDS, conf: 'allow_growth=true' }
        : { ...plain, ...fraction, label: NO_WORDS, conf: 'expandable_segments:True' },
      capacity: header.capacity ?? DEFAULT_CAPACITY,
      note: NO_WORDS,
    };
    return { kind: 'trace', request };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const words: Words = () => modelWords(error.message);
    return { kind: 'refused', words: (await isJson(file)) ? words : () => notTraceWords(words()) };
  }
}

/** Whether a file begins as a trace does, so that its fault is within. Damaged gzip says what it is by itself. */
async function isJson(file: File): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  const stream = isGzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const reader = stream.getReader();
  try {
    const { value } = await reader.read();
    return new TextDecoder().decode(value?.subarray(0, 64)).trimStart().startsWith('{');
  } catch {
    return true;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
