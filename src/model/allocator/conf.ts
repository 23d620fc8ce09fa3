/** `--conf key=value,...` of the allocators that have no settings string of their own (all but PyTorch's). */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';

/** Reads the value of one key into options. Throws `AppError` (`bad-input`) naming the key. */
export type ConfReader<T> = (text: string, key: string) => Partial<T>;
export type ConfKeys<T> = Readonly<Record<string, ConfReader<T>>>;

/**
 * Reads `key=value,...` into options; empty text gives none.
 * Throws `AppError` (`bad-input`) for an unknown or repeated key, a missing `=` or an unusable value.
 */
export function parseConf<T>(text: string, allocator: string, keys: ConfKeys<T>): Partial<T> {
  const seen = new Set<string>();
  let options: Partial<T> = {};
  for (const pair of text.split(',')) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf('=');
    const key = (at < 0 ? pair : pair.slice(0, at)).trim();
    const read = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (at < 0 || read === undefined) {
      const known = Object.keys(keys);
      const hint = known.length === 0 ? say`it has none` : say`write key=value with one of ${known.join(', ')}`;
      throw badInput('--conf', say`--conf: "${pair.trim()}" is no setting of ${allocator}; ${hint}`);
    }
    if (seen.has(key)) throw badInput('--conf', say`--conf: ${key} is given twice`);
    seen.add(key);
    options = { ...options, ...read(pair.slice(at + 1).trim(), key) };
  }
  return options;
}

const FLAGS = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** `true` or `false` (also 1 and 0). Throws `AppError` (`bad-input`). */
export function confFlag(text: string, key: string): boolean {
  const value = FLAGS.get(text.toLowerCase());
  if (value === undefined) throw badInput(key, say`--conf ${key}: "${text}" is neither true nor false`);
  return value;
}

/** A number from `least` to `most`. Throws `AppError` (`bad-input`). */
export function confNumber(text: string, key: string, least: number, most: number): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!(value >= least && value <= most)) {
    throw badInput(key, say`--conf ${key}: "${text}" is not a number from ${least} to ${most}`);
  }
  return value;
}

/** One of some words. Throws `AppError` (`bad-input`). */
export function confWord<W extends string>(text: string, key: string, words: readonly W[]): W {
  const found = words.find((word) => word === text);
  if (found === undefined) throw badInput(key, say`--conf ${key}: "${text}" is none of ${words.join(', ')}`);
  return found;
}
