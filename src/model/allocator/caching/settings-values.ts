/** Tokens, numbers and mistakes of a settings string, as C++ reads them. */
import { AppError } from '../../../base/errors.js';

/** A mistake in a settings string; `message` is the original's text, `type` the Python exception it becomes. */
export class SettingsError extends AppError {
  constructor(
    readonly type: 'Error' | 'ValueError' | 'std',
    message: string,
  ) {
    super({ kind: 'bad-input', what: 'settings' }, message);
  }
}

/** Splits at `, : [ ]`, which are tokens themselves; `blank` characters vanish wherever they are. */
export function tokenize(text: string, blank: RegExp): string[] {
  return text.replace(blank, '').match(/[,:[\]]|[^,:[\]]+/g) ?? [];
}

/** std::stoi: the longest prefix that is a number, in 32 bits. A negative one wraps around 2^64 (it becomes a size_t). */
export function stoi(token: string): bigint {
  const value = integerPrefix(token, 'stoi');
  if (value < -(2n ** 31n) || value >= 2n ** 31n) throw new SettingsError('std', 'stoi');
  return BigInt.asUintN(64, value);
}

/** std::stoul and std::stoull: 64 bits; a minus wraps. */
export function stoull(token: string, name: 'stoul' | 'stoull'): bigint {
  const value = integerPrefix(token, name);
  const size = value < 0n ? -value : value;
  if (size >= 2n ** 64n) throw new SettingsError('std', name);
  return BigInt.asUintN(64, value);
}

function integerPrefix(token: string, name: string): bigint {
  const match = /^\s*([+-]?)([0-9]+)/.exec(token);
  if (match === null) throw new SettingsError('std', name);
  const size = BigInt(match[2] ?? '0');
  return match[1] === '-' ? -size : size;
}

/** std::stod: the longest prefix that is a number; hexadecimal, inf and nan included. */
export function stod(token: string): number {
  const match =
    /^\s*([+-]?)(?:(0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?)|((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?)|(inf)|(nan))/i.exec(
      token,
    );
  if (match === null) throw new SettingsError('std', 'stod');
  const [, sign, hex, decimal, infinite] = match;
  const size =
    hex !== undefined
      ? hexadecimal(hex)
      : decimal !== undefined
        ? Number(decimal)
        : infinite !== undefined
          ? Infinity
          : NaN;
  const overflows = size === Infinity && infinite === undefined;
  const underflows = decimal !== undefined && size < 2 ** -1022 && /[1-9]/.test(decimal.split(/e/i)[0] ?? '');
  if (overflows || underflows) throw new SettingsError('std', 'stod');
  return sign === '-' ? -size : size;
}

function hexadecimal(text: string): number {
  const [mantissa = '', exponent = '0'] = text.slice(2).split(/p/i);
  const [whole = '', fraction = ''] = mantissa.split('.');
  return parseInt(whole + fraction || '0', 16) * 2 ** (Number(exponent) - 4 * fraction.length);
}

/** As llvm::isPowerOf2_64: 0 is none. */
export const isPowerOfTwo = (value: bigint): boolean => value > 0n && (value & (value - 1n)) === 0n;

/** log2 of a power of two. */
export const log2 = (value: bigint): number => Math.log2(Number(value));

/** Bytes of a size in MiB, capped where 64 bits end. */
export const mebibytes = (count: bigint): number => Math.min(Number(count), 2 ** 44 - 1) * 2 ** 20;
