/** A program on an allocator by hand, call by call: for figures that a test finds again without what it tests. */
import { type Allocator, type Heap } from '../../allocator/allocator.js';
import { idOf, OPERATION, type Trace } from '../../trace/trace.js';

export interface HandRun {
  readonly handles: ReadonlyMap<number, number>;
  /** Whether the last allocation got its memory. */
  readonly isServed: boolean;
  readonly peakReserved: number;
}

/** Runs a program up to and with an operation; `before` frees tensors right before that one, by their ids. */
export function runByHand(allocator: Allocator, trace: Trace, at: number, before: readonly number[] = []): HandRun {
  const handles = new Map<number, number>();
  const free = (id: number) => {
    const handle = handles.get(id);
    if (handle !== undefined) allocator.free(handle);
    handles.delete(id);
  };
  let isServed = true;
  let peakReserved = 0;
  for (let i = 0; i <= at; i++) {
    if (i === at) before.forEach(free);
    const id = idOf(trace, trace.tensor[i] ?? -1);
    if (trace.kind[i] === OPERATION.allocate) {
      const handle = allocator.malloc(trace.size[i] ?? 0, trace.stream[i]);
      isServed = handle >= 0;
      if (isServed) handles.set(id, handle);
    } else if (trace.kind[i] === OPERATION.free) free(id);
    else if (trace.kind[i] === OPERATION.emptyCache) allocator.flush();
    peakReserved = Math.max(peakReserved, allocator.totals.reserved);
  }
  return { handles, isServed, peakReserved };
}

/** Sizes of the free blocks, in the order of their addresses. */
export const freeBlocks = ({ segments }: Heap): number[] =>
  segments.flatMap(({ blocks }) => blocks.filter(({ state }) => state === 'free').map(({ size }) => size));

export const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/** Segments over 2 MiB that live blocks hold although at least half of them is free; the free bytes of each. */
export const mostlyEmptyOf = ({ segments }: Heap): number[] =>
  segments
    .map(({ size, blocks }) => ({
      size,
      inside: sum(blocks.filter(({ state }) => state === 'free').map((block) => block.size)),
    }))
    .filter(({ size, inside }) => size > 2 ** 21 && inside < size && inside >= size - inside)
    .map(({ inside }) => inside);
