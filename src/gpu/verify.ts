/**
 * Compares every word of a buffer with a reference that never was on the GPU, by reading back in chunks. Never part of a
 * timed submit.
 */
import { AppError } from '../base/errors.js';
import { say } from '../base/said.js';
import { formatNumber } from '../base/format.js';
import { type BufferPool } from './buffers.js';
import { type RowContext } from './suite.js';

/** Staging memory of a check. */
export const CHUNK_BYTES = 8 * 2 ** 20;
const WORD = 4;

/** Fills `expected` with the words from word `first` on. */
export type Reference = (first: number, expected: Float32Array | Uint32Array) => void;

export interface Check {
  readonly label: string;
  readonly buffer: GPUBuffer;
  readonly words: number;
  /** How the reference writes: the words are compared as bits either way. */
  readonly type: 'f32' | 'u32';
  readonly reference: Reference;
}

export interface Verdict {
  readonly checked: number;
  readonly wrong: number;
  readonly first?: { readonly word: number; readonly got: number; readonly expected: number };
}

/** Reads back and compares every word. */
export async function verify(device: GPUDevice, pool: BufferPool, check: Check, signal: AbortSignal): Promise<Verdict> {
  const chunkWords = Math.min(check.words, CHUNK_BYTES / WORD);
  const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
  const expected = check.type === 'f32' ? new Float32Array(chunkWords) : new Uint32Array(chunkWords);
  return pool.using({ label: `${check.label} read-back`, size: chunkWords * WORD, usage }, async (staging) => {
    let wrong = 0;
    let first: Verdict['first'];
    for (let at = 0; at < check.words; at += chunkWords) {
      signal.throwIfAborted();
      const words = Math.min(chunkWords, check.words - at);
      const encoder = device.createCommandEncoder({ label: `${check.label} read-back` });
      encoder.copyBufferToBuffer(check.buffer, at * WORD, staging, 0, words * WORD);
      device.queue.submit([encoder.finish()]);
      const mapped = staging.mapAsync(GPUMapMode.READ, 0, words * WORD);
      check.reference(at, words === chunkWords ? expected : expected.subarray(0, words));
      await mapped;
      const got = new Uint32Array(staging.getMappedRange(0, words * WORD));
      const wanted = new Uint32Array(expected.buffer, 0, words);
      const found = mismatches(got, wanted);
      if (found.count > 0 && first === undefined) {
        first = { word: at + found.first, got: got[found.first] ?? 0, expected: wanted[found.first] ?? 0 };
      }
      wrong += found.count;
      staging.unmap();
    }
    return { checked: check.words, wrong, ...(first === undefined ? {} : { first }) };
  });
}

/** Counts words that differ in their bits; `first` is the first of them. */
export function mismatches(got: Uint32Array, wanted: Uint32Array): { count: number; first: number } {
  let count = 0;
  let first = -1;
  for (let i = 0; i < got.length; i++) {
    if (got[i] === wanted[i]) continue;
    if (count === 0) first = i;
    count += 1;
  }
  return { count, first };
}

const hex = (bits: number): string => `0x${bits.toString(16).padStart(8, '0')}`;

/** Throws `AppError` (`wrong-data`) when a word is wrong: the figure that was taken is withheld. */
export function demandRight({ checked, wrong, first }: Verdict): void {
  if (wrong === 0) return;
  const [bad, all] = [formatNumber(wrong), formatNumber(checked)];
  throw new AppError(
    { kind: 'wrong-data', wrong, checked },
    first === undefined
      ? say`${bad} of ${all} words wrong`
      : say`${bad} of ${all} words wrong (the first is word ${formatNumber(first.word)}: ${hex(first.got)}, expected ${hex(first.expected)})`,
  );
}

/** Checks over up to this many bytes are made in every round of `quick`; larger ones cost more than the measurement. */
const CHEAP_BYTES = 2 ** 23;

/**
 * Checks a row's output and demands that it is right; says how many elements were compared. In later rounds of `quick`,
 * which run the same instructions on the same arrays, what takes long (an output or an input of over 8 MiB) is not
 * checked again.
 */
export async function checkOnce(
  { bench, request, signal, history }: RowContext,
  checkedBytes: number,
  check: () => Promise<Check>,
): Promise<number> {
  if (history.checked !== undefined && request.preset === 'quick' && checkedBytes > CHEAP_BYTES) return history.checked;
  const verdict = await verify(bench.device, bench.pool, await check(), signal);
  demandRight(verdict);
  history.checked = verdict.checked;
  return verdict.checked;
}
