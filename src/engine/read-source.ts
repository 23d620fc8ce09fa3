/** The bytes of a file in a worker: read piece by piece, unpacked when they are gzip. */
import { type AppError, badInput, messageOf } from '../base/errors.js';
import { say } from '../base/said.js';
import { formatBytes } from '../base/format.js';

/** More is refused before anything is read: positions in a file are 31 bits. */
const MOST_BYTES = 2 ** 31 - 1;

/**
 * All bytes of `source`, unpacked. `onProgress` gets bytes read and bytes in all, of the file as it lies there.
 * Throws `AppError` (`bad-input`): a file that cannot be read, damaged gzip, or more than this tab can hold.
 */
export async function readSource(
  source: Blob,
  name: string,
  onProgress: (done: number, total: number) => void,
): Promise<Uint8Array> {
  if (source.size > MOST_BYTES) throw tooLarge(name, source.size);
  try {
    const head = new Uint8Array(await source.slice(0, 2).arrayBuffer());
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    return isGzip ? await unpack(source, name, onProgress) : await readWhole(source, name, onProgress);
  } catch (error) {
    if (error instanceof DOMException) {
      throw badInput(
        name,
        say`${name} cannot be read (${messageOf(error)}); it was moved, changed or is locked. Open it again.`,
      );
    }
    throw error;
  }
}

async function readWhole(
  source: Blob,
  name: string,
  onProgress: (done: number, total: number) => void,
): Promise<Uint8Array> {
  const bytes = room(source.size, name);
  const reader = source.stream().getReader();
  let done = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes.set(piece.value, done);
    done += piece.value.length;
    onProgress(done, source.size);
  }
  return bytes;
}

async function unpack(
  source: Blob,
  name: string,
  onProgress: (done: number, total: number) => void,
): Promise<Uint8Array> {
  let read = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      read += piece.length;
      onProgress(read, source.size);
      controller.enqueue(piece);
    },
  });
  const reader = source.stream().pipeThrough(counted).pipeThrough(new DecompressionStream('gzip')).getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      pieces.push(piece.value);
      length += piece.value.length;
      if (length > MOST_BYTES) throw tooLarge(name, length);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw badInput(
      name,
      say`${name} is a damaged gzip file: it unpacks to byte ${length} and no further (${messageOf(error)}). Pack it again, or give it unpacked.`,
    );
  }
  const bytes = room(length, name);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function room(length: number, name: string): Uint8Array {
  try {
    return new Uint8Array(length);
  } catch (error) {
    throw badInput(
      name,
      say`${name} needs ${formatBytes(length)} and this tab has no room for that (${messageOf(error)}). Close other tabs, or run vramlab explain.`,
    );
  }
}

const tooLarge = (name: string, size: number): AppError =>
  badInput(
    name,
    say`${name} has ${formatBytes(size)}, more than the 2 GiB that are read. Record fewer entries: _record_memory_history(max_entries=...).`,
  );
