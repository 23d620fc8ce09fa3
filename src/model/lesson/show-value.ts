/** How the numbers of a lesson look in its sentences: the same in both languages, with their units. */
import { assertNever } from '../../base/errors.js';
import { formatNumber } from '../../base/format.js';
import { type Value } from './metrics.js';
import { type Unit } from './schema.js';

/** Sizes from this on, each with the decimals that still say something. */
const SIZES = [
  ['GiB', 2 ** 30, 2],
  ['MiB', 2 ** 20, 1],
  ['KiB', 2 ** 10, 1],
] as const;
const GIGA = 1e9;

/** `27.9 GiB`, `1,012 MiB`, `84 GB`, `0.83`, `145`: up to the decimals of the unit, without zeros at the end. */
export function showValue(value: Value, unit: Unit): string {
  if (typeof value === 'string') return value;
  switch (unit) {
    case 'bytes':
      return showBytes(value);
    case 'GB':
      return `${trimmed(value / GIGA, 2)} GB`;
    case 'GB/s':
    case 'ns':
    case 'µs':
    case 'ms':
      return `${trimmed(value, 1)} ${unit}`;
    case 'ratio':
      return trimmed(value, 2);
    case 'times':
      return trimmed(value, 1);
    case 'count':
    case '':
    case 'text':
      return trimmed(value, 2);
    default:
      return assertNever(unit);
  }
}

function showBytes(value: number): string {
  for (const [name, factor, decimals] of SIZES) {
    if (Math.abs(value) >= factor) return `${trimmed(value / factor, decimals)} ${name}`;
  }
  return `${trimmed(value, 0)} B`;
}

function trimmed(value: number, most: number): string {
  for (let decimals = 0; decimals < most; decimals++) {
    const scale = 10 ** decimals;
    if (Math.round(value * 10 ** most) === Math.round(value * scale) * 10 ** (most - decimals)) {
      return formatNumber(value, decimals);
    }
  }
  return formatNumber(value, most);
}
