/** Blocks by what a person knows of them: part of a name or of a frame of the stack, a size, a number. */
import { AppError } from '../../base/errors.js';
import { parseSize } from '../../base/sizes.js';
import { type MemoryRun } from './memory-run.js';

export interface Found {
  /** Rows of `run.blocks`, in the order of their birth. */
  readonly blocks: Int32Array;
}

/**
 * Every block that a query names: `#12` the tensor with that number, `64MiB`, `>1MiB` or `<4KiB` by size, anything else
 * part of a name or of a frame, in whatever case.
 */
export function searchBlocks(run: MemoryRun, query: string): Found {
  const text = query.trim();
  if (text === '') return { blocks: new Int32Array(0) };
  const test = testOf(run, text);
  const found: number[] = [];
  for (let row = 0; row < run.blocks.count; row++) if (test(row)) found.push(row);
  return { blocks: Int32Array.from(found) };
}

function testOf(run: MemoryRun, text: string): (row: number) => boolean {
  const { blocks } = run;
  const id = /^#(\d+)$/.exec(text)?.[1];
  if (id !== undefined) return (row) => blocks.id[row] === Number(id);
  const [, sign = '', written = ''] = /^([<>]?)\s*(.*)$/.exec(text) ?? [];
  const size = sizeOf(written);
  if (size !== undefined) {
    const is = (bytes: number): boolean => (sign === '>' ? bytes > size : sign === '<' ? bytes < size : bytes === size);
    return (row) => is(blocks.size[row]!) || is(blocks.requested[row]!);
  }
  const wanted = text.toLowerCase();
  const names = matching(run.names, (name) => name.toLowerCase().includes(wanted));
  const stacks = matching(run.stacks, (frames) => frames.some((frame) => frame.toLowerCase().includes(wanted)));
  return (row) => names[blocks.name[row]!] === 1 || stacks[blocks.stack[row]!] === 1;
}

/** 1 for each entry that passes. */
const matching = <T>(entries: readonly T[], test: (entry: T) => boolean): Uint8Array =>
  Uint8Array.from(entries, (entry) => (test(entry) ? 1 : 0));

function sizeOf(text: string): number | undefined {
  if (!/^[\d.]/.test(text)) return undefined;
  try {
    return parseSize(text, 'search');
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
