/**
 * Time-stamped frees (facts: section 6). A free gets the next count and its chunk stays unmerged until the count is
 * behind the safe frontier, because work queued earlier may still read it.
 */
import { type ChunkHeap } from './chunk-heap.js';
import { BINNED, DELETED, FREED_AT } from './chunk-table.js';

export class Timestamps {
  readonly #heap: ChunkHeap;
  #counter = 0;
  #frontier = 0;
  #queue: number[] = [];

  constructor(heap: ChunkHeap) {
    this.#heap = heap;
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** The count of a free happening now: 1, 2, 3, ... */
  next(): number {
    return ++this.#counter;
  }

  /** Counts under this one are safe to reuse by anyone. It never goes back. */
  setSafeFrontier(count: number): void {
    this.#frontier = Math.max(this.#frontier, count);
  }

  enqueue(chunk: number): void {
    this.#queue.push(chunk);
  }

  /**
   * With `required` 0 merges the chunks whose counts are safe and keeps the others waiting. Otherwise merges in queue
   * order, safe or not, until one chunk has `required` bytes; true when that happened.
   */
  merge(required: number): boolean {
    const chosen = this.#choose(required);
    const heap = this.#heap;
    let satisfied = required === 0;
    for (const chunk of chosen) {
      if (heap.chunks.state(chunk) === DELETED) continue; // merged into another one a moment ago
      if (required > 0 && satisfied) {
        this.#queue.push(chunk);
        continue;
      }
      heap.removeFree(chunk);
      if (heap.chunks.freedAt(chunk) === 0 || required > 0) heap.returnBoundaryToGap(chunk);
      const merged = heap.coalesce(chunk, required > 0);
      heap.insertFree(merged);
      if (required === 0) continue;
      if (merged !== chunk && heap.chunks.freedAt(merged) > 0) this.#queue.push(merged);
      if (heap.chunks.size(merged) >= required) satisfied = true;
    }
    return satisfied;
  }

  /** Empties the queue into the chunks to merge now; what has to wait stays queued. */
  #choose(required: number): number[] {
    const { chunks } = this.#heap;
    const waiting: number[] = [];
    const chosen: number[] = [];
    for (const chunk of this.#queue) {
      if (chunks.state(chunk) !== BINNED) continue; // merged, allocated again, or part of the gap
      const freedAt = chunks.freedAt(chunk);
      if (freedAt === 0) chosen.push(chunk);
      else if (freedAt < this.#frontier) {
        chunks.doubles[chunk * 8 + FREED_AT] = 0;
        chosen.push(chunk);
      } else if (required > 0) chosen.push(chunk);
      else waiting.push(chunk);
    }
    this.#queue = waiting;
    return chosen;
  }
}
