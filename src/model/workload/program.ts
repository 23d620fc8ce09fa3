/**
 * What a workload writes to while it runs: tensors with a category and a name, frees, and markers for phases. It knows
 * nothing of allocators: the same program becomes a trace, a file, or a hash.
 */
import { type CategoryName } from '../trace/trace.js';

/** What a tensor is for, so that a map can colour it. */
export type Category = Exclude<CategoryName, 'unknown'>;

export interface Program {
  /** Makes a tensor of `size` bytes (a whole number, at least 1) and returns its id: 1, 2, 3, ... */
  allocate(size: number, category: Category, name: string, stream?: number): number;
  /** Frees a live tensor. */
  free(tensor: number): void;
  /** The tensor is also used on another stream (record_stream). */
  recordStream(tensor: number, stream: number): void;
  /** empty_cache. */
  emptyCache(): void;
  /** Everything that the streams were asked to do is done. */
  synchronize(): void;
  /** The start of a step or a phase. */
  marker(label: string): void;
}

/** Frees several tensors in the order given. */
export function freeAll(program: Program, tensors: readonly number[]): void {
  for (const tensor of tensors) program.free(tensor);
}
