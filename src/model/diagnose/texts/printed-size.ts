/**
 * A size as a framework prints it, with the interval of byte counts that print the same. Frameworks print two decimals
 * of a binary unit, whatever they call it: PyTorch's MPS backend, Paddle and old memory summaries write "MB" and mean
 * MiB, TensorFlow writes "8.41G" and means GiB.
 */
import { formatNumber } from '../../../base/format.js';

export interface Printed {
  /** The printed figure times its unit, rounded to whole bytes. */
  readonly bytes: number;
  readonly low: number;
  readonly high: number;
}

const EXPONENTS: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4, P: 5, E: 6 };

/** Number and unit, as two groups; the unit is absent in exact byte counts of some texts. */
export const SIZE_PATTERN = String.raw`(-?[0-9]{1,20}(?:\.[0-9]{1,20})?) ?(bytes?|[kKMGTPE]i?B|B|[KMGT]\b)`;

/** Makes a printed size of its number (`8.13`) and unit (`GiB`). Undefined for a number or unit that is none. */
export function printedSize(digits: string, unitText: string): Printed | undefined {
  const value = Number(digits);
  const letter = /^bytes?$|^B$/.test(unitText) ? '' : unitText.slice(0, 1).toUpperCase();
  const exponent = EXPONENTS[letter];
  if (!Number.isFinite(value) || exponent === undefined) return undefined;
  const unit = 1024 ** exponent;
  const decimals = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0;
  const half = unit === 1 && decimals === 0 ? 0 : (unit * 10 ** -decimals) / 2;
  return { bytes: Math.round(value * unit), low: value * unit - half, high: value * unit + half };
}

/** An exact count of bytes. */
export const exactly = (bytes: number): Printed => ({ bytes, low: bytes, high: bytes });

export const difference = (a: Printed, b: Printed): Printed => ({
  bytes: a.bytes - b.bytes,
  low: a.low - b.high,
  high: a.high - b.low,
});

export const sum = (a: Printed, b: Printed): Printed => ({
  bytes: a.bytes + b.bytes,
  low: a.low + b.low,
  high: a.high + b.high,
});

/** Never below zero: two counters of one text can come from different moments. */
export const atLeastZero = (a: Printed): Printed => ({
  bytes: Math.max(0, a.bytes),
  low: Math.max(0, a.low),
  high: Math.max(0, a.high),
});

/** `8.13 GiB`, `643.57 MiB`, `512 B`: two decimals, as the texts print them. */
export function showSize(bytes: number): string {
  const magnitude = Math.abs(bytes);
  for (const [name, factor] of [
    ['TiB', 2 ** 40],
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (magnitude >= factor) return `${formatNumber(bytes / factor, 2)} ${name}`;
  }
  return `${formatNumber(bytes)} B`;
}
