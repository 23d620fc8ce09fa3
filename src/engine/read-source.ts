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
  const head = new Uint8Array(await readable(name, source.slice(0, 2).arrayBuffer()));
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  const pieces = piecesOf(source, name, onProgress);
  return isGzip ? unpack(pieces, name) : joinWhole(pieces, source.size, name);
}

/**
 * What a read of the file gives. What the system says against it has many shapes (a file that was deleted ends Chromium's
 * stream with "network error"), so every one becomes the same line.
 */
async function readable<T>(name: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch {
    throw badInput(name, say`${name} cannot be read; it was moved, changed or is locked. Open it again.`);
  }
}

/** The file piece by piece, as it lies there. */
function piecesOf(
  source: Blob,
  name: string,
  onProgress: (done: number, total: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = source.stream().getReader();
  let done = 0;
  return new ReadableStream({
    async pull(controller) {
      const piece = await readable(name, reader.read());
      if (piece.done) {
        controller.close();
        return;
      }
      done += piece.value.length;
      onProgress(done, source.size);
      controller.enqueue(piece.value);
    },
  });
}

async function joinWhole(pieces: ReadableStream<Uint8Array>, size: number, name: string): Promise<Uint8Array> {
  const bytes = room(size, name);
  const reader = pieces.getReader();
  let at = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes.set(piece.value, at);
    at += piece.value.length;
  }
  return bytes;
}

async function unpack(packed: ReadableStream<Uint8Array<ArrayBuffer>>, name: string): Promise<Uint8Array> {
  const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader();
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
