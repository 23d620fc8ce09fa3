/**
 * record_stream of the naive caching allocator: a freed block waits for one event on each stream that it was recorded on.
 * A stream's events are looked at in order, up to the first that is not complete. For tests only.
 */
import { type NaiveBlock } from './naive-heap.js';

export class NaiveEvents {
  readonly #queues = new Map<number, { readonly block: NaiveBlock; isComplete: boolean }[]>();
  /** Freed while a private pool was open: their events are recorded when none is. */
  #deferred: NaiveBlock[] = [];

  /** `done` is told of a block that waits for nothing any more. */
  constructor(readonly done: (block: NaiveBlock) => void) {}

  wait(block: NaiveBlock, isScopeOpen: boolean): void {
    if (isScopeOpen) this.#deferred.push(block);
    else this.#record(block);
  }

  /** The program waited for a stream, or for all. */
  complete(stream: number | undefined): void {
    for (const [each, queue] of this.#queues) {
      if (stream === undefined || each === stream) for (const event of queue) event.isComplete = true;
    }
  }

  process(): void {
    this.#recordDeferred();
    for (const queue of this.#queues.values()) {
      while (queue[0]?.isComplete === true) this.#finish(queue);
    }
  }

  synchronize(): void {
    this.#recordDeferred();
    for (const queue of this.#queues.values()) while (queue.length > 0) this.#finish(queue);
  }

  #finish(queue: { readonly block: NaiveBlock }[]): void {
    const block = queue.shift()?.block;
    if (block === undefined) return;
    block.events--;
    if (block.events === 0) this.done(block);
  }

  #record(block: NaiveBlock): void {
    for (const stream of block.streams.keys()) {
      const queue = this.#queues.get(stream) ?? [];
      this.#queues.set(stream, queue);
      queue.push({ block, isComplete: false });
      block.events++;
    }
    block.streams.clear();
  }

  /** What a stream did while the pool was open is ordered by the graph: it needs no event. */
  #recordDeferred(): void {
    const blocks = this.#deferred;
    this.#deferred = [];
    for (const block of blocks) {
      for (const [stream, wasInScope] of block.streams) if (wasInScope) block.streams.delete(stream);
      this.#record(block);
      if (block.events === 0) this.done(block);
    }
  }
}
