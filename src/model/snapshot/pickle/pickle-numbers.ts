/** Integers of pickles: little-endian two's complement of any length, or decimal lines. Exact beyond 2^53 as bigint. */

/** Longest integer that is read: a snapshot's are of 8 bytes. */
export const LONGEST_INTEGER = 256;

/**
 * A whole number that a double holds exactly, NaN when it needs a bigint. Sizes, addresses and times of snapshots have
 * 5 to 7 bytes: two reads instead of a loop.
 */
export function shortLong(view: DataView, at: number, length: number): number {
  switch (length) {
    case 5:
      return view.getInt8(at + 4) * 2 ** 32 + view.getUint32(at, true);
    case 6:
      return view.getInt16(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
    case 7: {
      const value = (view.getInt32(at + 3, true) >> 8) * 2 ** 32 + view.getUint32(at, true);
      return Number.isSafeInteger(value) ? value : NaN;
    }
    default:
      return NaN;
  }
}

/** A whole number of up to 6 bytes, or any that a double holds exactly; undefined when it needs a bigint. */
export function smallLong(data: Uint8Array, at: number, length: number): number | undefined {
  let low = 0;
  let high = 0;
  if (length === 0) return 0;
  if (length > 8) return undefined;
  for (let i = length - 1; i >= 4; i--) high = high * 256 + data[at + i]!;
  for (let i = Math.min(length, 4) - 1; i >= 0; i--) low = low * 256 + data[at + i]!;
  const negative = data[at + length - 1]! >= 0x80;
  // Below 2^53 every step is exact; the sign is taken off the high part first, so that it stays small.
  if (length > 4) {
    const signedHigh = negative ? high - 2 ** (8 * (length - 4)) : high;
    const value = signedHigh * 2 ** 32 + low;
    return Number.isSafeInteger(value) ? value : undefined;
  }
  return negative ? low - 2 ** (8 * length) : low;
}

/** The same as a bigint. */
export function bigLong(data: Uint8Array, at: number, length: number): bigint {
  let value = 0n;
  for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(data[at + i]!);
  return BigInt.asIntN(8 * length, value);
}

/**
 * An address as a double, exact or undefined. Addresses in the upper half of 64 bits (Intel USM pointers) come back
 * negative, as signed ones: a double holds their multiples of 512 exactly there, and differences stay right.
 */
export function addressOf(value: bigint): number | undefined {
  if (value < -(2n ** 63n) || value >= 2n ** 64n) return undefined;
  const signed = BigInt.asIntN(64, value);
  const double = Number(signed);
  return BigInt(double) === signed ? double : undefined;
}
