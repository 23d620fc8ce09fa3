/**
 * Opens a trace file: gzip or plain, any length. It is read once to the end before anybody acts on it, so that a mistake
 * in the last operation leaves nothing half written. Up to a few million operations stay in memory as columns; a longer
 * trace is read from the file again for the replay, part by part, and never held.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { MiB } from '../base/units.js';
import { formatBytes } from '../base/format.js';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError, badInput, messageOf } from '../base/errors.js';
import { type TraceHeader } from '../model/trace/trace-header.js';
import { TraceReader } from '../model/trace/trace-reader.js';
import { type Trace } from '../model/trace/trace.js';
import { unusable } from './files.js';

/** About 25 bytes an operation: 100 MB. */
const MOST_IN_MEMORY = 4_000_000;
const CHUNK = 1 << 20;

export interface TraceFile {
  readonly path: string;
  readonly header: TraceHeader;
  /** Operations. */
  readonly length: number;
  /** Kinds of operations that are in it (`OPERATION`). */
  readonly kinds: ReadonlySet<number>;
  /** Hands out the parts in order. May be called any number of times. */
  readonly forEachPart: (visit: (part: Trace) => void | Promise<void>) => Promise<void>;
}

/**
 * Reads and checks a trace file. Throws `AppError` (`bad-input`): one line with the file, the operation or byte, and
 * what is wrong, for a file that is missing, mislabelled, cut off, of another kind or a newer version, or that has an
 * operation no program can do.
 */
export async function openTraceFile(path: string): Promise<TraceFile> {
  const kinds = new Set<number>();
  const kept: Trace[] = [];
  const fits = () => reader.length <= MOST_IN_MEMORY;
  const reader = new TraceReader(path, {
    part: (part) => {
      for (const kind of new Set(part.kind)) kinds.add(kind);
      if (fits()) kept.push(part);
      else kept.length = 0;
    },
  });
  await readBytes(path, (chunk) => {
    reader.push(chunk);
  });
  reader.end();
  return {
    path,
    header: reader.header,
    length: reader.length,
    kinds,
    forEachPart: async (visit) => {
      if (!fits()) await streamParts(path, visit);
      else for (const part of kept) await visit(part);
    },
  };
}

async function streamParts(path: string, visit: (part: Trace) => void | Promise<void>): Promise<void> {
  const ready: Trace[] = [];
  const reader = new TraceReader(path, { part: (part) => ready.push(part) });
  const hand = async () => {
    for (const part of ready.splice(0)) await visit(part);
  };
  await readBytes(path, async (chunk) => {
    reader.push(chunk);
    await hand();
  });
  reader.end();
  await hand();
}

/** Gives the bytes of a file in order, unpacked. Throws `AppError` (`bad-input`) with one line that names the file. */
async function readBytes(path: string, take: (chunk: Uint8Array) => void | Promise<void>): Promise<void> {
  const isGzip = await hasGzipContent(path);
  const consume = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) await take(chunk);
  };
  const source = createReadStream(path, { highWaterMark: CHUNK });
  try {
    if (isGzip) await pipeline(source, createGunzip({ chunkSize: CHUNK }), consume);
    else await pipeline(source, consume);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'Z_BUF_ERROR') throw badInput(path, `${path}: the gzip data end too early; the file was cut off`);
    if (code.startsWith('Z_')) throw badInput(path, `${path}: the gzip data are damaged (${messageOf(error)})`);
    if (error instanceof Error && 'syscall' in error) throw unusable(path, 'read', error);
    throw error;
  }
}

/** Whether a file is gzip. Refuses one whose name says another thing than its content. */
async function hasGzipContent(path: string): Promise<boolean> {
  const { head, length } = await readHead(path);
  if (length === 0) throw badInput(path, `${path}: the file is empty`);
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  if (!isGzip && path.endsWith('.gz')) {
    throw badInput(path, `${path}: named .gz, but it is not gzip; if it is a plain trace, take .gz off its name`);
  }
  if (isGzip && path.endsWith('.json')) {
    throw badInput(path, `${path}: named .json, but it is gzip; call it ${path}.gz`);
  }
  return isGzip;
}

async function readHead(path: string): Promise<{ readonly head: Uint8Array; readonly length: number }> {
  const head = new Uint8Array(4);
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead } = await file.read(head, 0, head.length, 0);
      return { head, length: bytesRead };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unusable(path, 'read', error);
  }
}

/** What a worker takes at once. */
const MOST_TEXT = MiB(64);

/**
 * The text of a trace file, unpacked and checked to its end. Throws `AppError` (`bad-input`) as `openTraceFile` does, and for
 * a text of over 64 MiB, which is more than a run on real buffers could carry out.
 */
export async function readTraceText(path: string): Promise<string> {
  await openTraceFile(path);
  const chunks: Uint8Array[] = [];
  let size = 0;
  await readBytes(path, (chunk) => {
    size += chunk.length;
    if (size > MOST_TEXT) throw badInput(path, `${path}: over ${formatBytes(MOST_TEXT)} of text; give a shorter trace`);
    chunks.push(chunk);
  });
  return Buffer.concat(chunks).toString('utf8');
}
