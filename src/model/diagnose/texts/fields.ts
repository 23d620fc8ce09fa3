/**
 * Tables of fields: which words stand around which number in a message. A family of messages is such a table plus its
 * rule for the verdict, so that a new framework is data, not code.
 *
 *     field('tried_bytes', 'Tried to allocate {size}')
 */
import { type FactValue } from '../diagnosis.js';
import { type Printed, SIZE_PATTERN, exactly, printedSize } from './printed-size.js';

type Reader = 'size' | 'bytes' | 'integer' | 'number' | 'hex' | 'every-size' | 'word' | 'shape';

export interface Field {
  readonly key: string;
  readonly pattern: RegExp;
  readonly reader: Reader;
}

/** What stands for each placeholder: `{size}` number and unit, `{int}` digits, `{grouped}` bytes as `1,234`, `{number}`, `{hex}`, `{word}`, `{shape}`. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  size: SIZE_PATTERN,
  int: '([0-9]+)',
  grouped: '([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)',
  number: String.raw`([0-9]+(?:\.[0-9]+)?)`,
  hex: '(0x[0-9a-fA-F]+)',
  word: String.raw`([\w.:-]+)`,
  shape: String.raw`\[([0-9]{1,12}(?:, ?[0-9]{1,12})*)\]`,
};
const READERS: Readonly<Record<string, Reader>> = {
  size: 'size',
  int: 'integer',
  grouped: 'bytes',
  number: 'number',
  hex: 'hex',
  word: 'word',
  shape: 'shape',
};

/** A field of a message: `template` is a regular expression with one placeholder for the figure. */
export function field(key: string, template: string, reader?: Reader): Field {
  const named = /\{([a-z]+)\}/.exec(template);
  const name = named?.[1] ?? '';
  const source = PLACEHOLDERS[name];
  const own = READERS[name];
  if (source === undefined || own === undefined) throw new Error(`no placeholder in field template: ${template}`);
  return { key, pattern: new RegExp(template.replace(`{${name}}`, source), 'g'), reader: reader ?? own };
}

export interface ReadFields {
  readonly facts: Readonly<Record<string, FactValue>>;
  /** The sizes, with their intervals. */
  readonly sizes: Readonly<Record<string, Printed>>;
}

/** Reads the fields that the text has; the first match of a key wins, so tables list the surest wording first. */
export function readFields(text: string, fields: readonly Field[]): ReadFields {
  const facts: Record<string, FactValue> = {};
  const sizes: Record<string, Printed> = {};
  for (const { key, pattern, reader } of fields) {
    if (key in facts) continue;
    if (reader === 'every-size') {
      const all = [...text.matchAll(pattern)].flatMap((m) => printedSize(m[1] ?? '', m[2] ?? '')?.bytes ?? []);
      if (all.length > 0) facts[key] = all;
      continue;
    }
    pattern.lastIndex = 0;
    const match = pattern.exec(text);
    if (match === null) continue;
    const first = match[1] ?? '';
    if (reader === 'size' || reader === 'bytes' || reader === 'hex') {
      const size = reader === 'size' ? printedSize(first, match[2] ?? '') : exactly(Number(first.replaceAll(',', '')));
      if (size === undefined) continue;
      sizes[key] = size;
      facts[key] = size.bytes;
    } else if (reader === 'shape') {
      facts[key] = first.split(',').map(Number);
    } else {
      facts[key] = reader === 'word' ? first : Number(first);
    }
  }
  return { facts, sizes };
}

/** The last of each field that stands in the text. */
export function readLastFields(text: string, fields: readonly Field[]): ReadFields {
  const facts: Record<string, FactValue> = {};
  const sizes: Record<string, Printed> = {};
  for (const one of fields) {
    if (one.key in facts) continue;
    let last: RegExpExecArray | undefined;
    one.pattern.lastIndex = 0; // matchAll begins where the last exec of the pattern ended
    for (const match of text.matchAll(one.pattern)) last = match;
    if (last === undefined) continue;
    const read = readFields(text.slice(last.index, last.index + last[0].length), [one]);
    Object.assign(facts, read.facts);
    Object.assign(sizes, read.sizes);
  }
  return { facts, sizes };
}
