/**
 * The list of chunks that a BFC allocator prints when it fails, in the layouts from 2016 to 2026. It proves what a verdict can
 * otherwise only infer: how much was free, in how many pieces, and how long the longest was.
 *
 *     readBfcDump('Next region of size 1024 InUse at 7f00 of size 256 next 1 Free at 8000 of size 768 next 2');
 *     // { inUse: 256, free: 768, freeChunks: 1, largestFree: 768, isWhole: true, ... }
 */
import { type Printed, difference, exactly, printedSize, sum } from '../printed-size.js';

export interface BfcDump {
  readonly inUse: Printed;
  readonly free: Printed;
  readonly freeChunks: number;
  /** The longest free chunk; undefined where only sums over bins are printed. */
  readonly largestFree: number | undefined;
  /** Bytes of all regions. */
  readonly pool: Printed;
  /** False where the paste lacks part of the list: sums are lower bounds then. */
  readonly isWhole: boolean;
}

const CHUNK = /\b(InUse|Free|Chunk) +at (?:0x)?[0-9a-f]{1,16} of size (\d{1,16})\b/g;
const REGION = /\bNext region of size (\d{1,16})\b/g;
const BIN =
  /Bin \((\d{1,12})\): ?Total Chunks: (\d{1,9}), Chunks in use: (\d{1,9})\.? (\d[\d.]{0,12}) ?([KMGT]?i?B) allocated for chunks\.(?: [^.]{0,20}\.?\d{0,3}[KMGT]?i?B client-requested for chunks\.)? (\d[\d.]{0,12}) ?([KMGT]?i?B) in use in bin/g;

/** Reads chunks where they are printed, else the sums over bins; undefined for a text with neither. */
export const readBfcDump = (text: string): BfcDump | undefined => chunksOf(text) ?? binsOf(text);

function chunksOf(text: string): BfcDump | undefined {
  let inUse = 0;
  let free = 0;
  let freeChunks = 0;
  let largest = 0;
  let chunks = 0;
  for (const [, kind, digits] of text.matchAll(CHUNK)) {
    const size = Number(digits);
    chunks++;
    if (kind !== 'Free') inUse += size;
    else {
      free += size;
      freeChunks++;
      largest = Math.max(largest, size);
    }
  }
  if (chunks === 0) return undefined;
  let pool = 0;
  for (const [, digits] of text.matchAll(REGION)) pool += Number(digits);
  return {
    inUse: exactly(inUse),
    free: exactly(free),
    freeChunks,
    largestFree: largest,
    pool: exactly(Math.max(pool, inUse + free)),
    // Versions before 2.0 print no regions; then nothing tells that a line is missing.
    isWhole: pool === 0 || pool === inUse + free,
  };
}

/** Bins that the allocator has: one line each in a whole dump. */
const BINS = 21;

function binsOf(text: string): BfcDump | undefined {
  let inUse = exactly(0);
  let pool = exactly(0);
  let freeChunks = 0;
  let bins = 0;
  for (const [, , total, used, poolDigits = '', poolUnit = '', useDigits = '', useUnit = ''] of text.matchAll(BIN)) {
    const poolSize = printedSize(poolDigits, poolUnit);
    const useSize = printedSize(useDigits, useUnit);
    if (poolSize === undefined || useSize === undefined) continue;
    bins++;
    freeChunks += Number(total) - Number(used);
    pool = sum(pool, poolSize);
    inUse = sum(inUse, useSize);
  }
  if (bins === 0) return undefined;
  return {
    inUse,
    free: difference(pool, inUse),
    freeChunks,
    largestFree: undefined,
    pool,
    isWhole: bins === BINS,
  };
}
