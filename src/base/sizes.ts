/**
 * Sizes as people write them on a command line or in a field: `512`, `64KiB`, `1.5GiB`, `80GB`.
 * Binary prefixes (KiB) are powers of 1024, decimal ones (kB, GB) powers of 1000.
 */
import { AppError } from './errors.js';
import { say } from './said.js';
import { type Bytes, bytes } from './units.js';

const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
};

/**
 * Reads a size in bytes. `what` names the option or field in the message.
 * Throws `AppError` (`bad-input`) for text that is no size, a size under 1 byte, or one that is no whole number of bytes
 * a double can hold (2^53).
 */
export function parseSize(text: string, what: string): Bytes {
  const match = /^\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*([A-Za-z]*)\s*$/.exec(text);
  const factor = match === null ? undefined : FACTORS[(match[2] ?? '').toLowerCase()];
  if (match === null || factor === undefined) {
    throw badSize(what, text, say`write a number with a unit, such as 512, 64KiB, 1.5GiB or 80GB`);
  }
  const exact = Number(match[1]) * factor;
  if (factor === 1 && !Number.isInteger(exact))
    throw badSize(what, text, say`a part of a byte needs a unit, such as 1.5GiB`);
  const size = Math.round(exact);
  if (size < 1) throw badSize(what, text, say`a size must be at least 1 byte`);
  if (!Number.isSafeInteger(size)) throw badSize(what, text, say`that is more than 2^53 bytes`);
  return bytes(size);
}

function badSize(what: string, text: string, hint: string): AppError {
  return new AppError({ kind: 'bad-input', what }, say`${what}: "${text}" is not a usable size; ${hint}`);
}

/**
 * A size as ids and file names carry it: whole binary units without a space (`64MiB`, `4KiB`, `1048580B`).
 * Reading it back with `parseSize` gives the same number.
 */
export function sizeLabel(size: number): string {
  for (const [name, factor] of [
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const) {
    if (size >= factor && size % factor === 0) return `${size / factor}${name}`;
  }
  return `${size}B`;
}

const COUNT_FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** A count: `7000000000`, `7e9`, `7B`, `124M`. Throws `AppError` (`bad-input`) for anything else, and for parts. */
export function parseCount(text: string, option: string): number {
  const match = /^\s*([0-9][0-9_,]*(?:\.[0-9]+)?(?:e\+?[0-9]{1,3})?)\s*([kmbt]?)\s*$/i.exec(text);
  const value =
    match === null
      ? NaN
      : Number((match[1] ?? '').replace(/[_,]/g, '')) * (COUNT_FACTORS[(match[2] ?? '').toLowerCase()] ?? NaN);
  const whole = Math.round(value);
  // 1.3B is a whole number, but not in floating point.
  if (Number.isSafeInteger(whole) && Math.abs(value - whole) < 1e-6 * Math.max(1, value)) return whole;
  throw new AppError(
    { kind: 'bad-input', what: option },
    say`${option}: "${text}" is not usable; give a whole number, such as 7e9, 7B or 4096`,
  );
}
