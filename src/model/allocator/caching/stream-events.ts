/**
 * record_stream: a block that other streams use is not free when the program frees it. At `free` one event a stream is
 * recorded; the block is free when all of them are complete. Only malloc and flushes look at them.
 */
import { type DeviceEvents } from '../../memory/device-memory.js';
import { AWAITING, INTS, PENDING, STATE } from './block-table.js';
import { FlatHashTable, streamHash } from './flat-hash-table.js';
import { freeBlock } from './free-block.js';
import { type AllocatorState } from './state.js';

/** Events of one stream in order, with the blocks that wait for them. */
interface Queue {
  readonly events: number[];
  readonly blocks: number[];
  /** Place of the first that is not complete. */
  first: number;
}

export class StreamEvents {
  /** Streams recorded on blocks, by block. */
  readonly #uses = new Map<number, FlatHashTable<true>>();
  /** Of those, streams recorded while a private pool was open (2.6): they need no event, the graph orders them. */
  readonly #usesInScope = new Map<number, Set<number>>();
  readonly #queues = new FlatHashTable<Queue>(streamHash);
  /** Blocks freed while a private pool was open (2.6): their events are recorded when none is. */
  #deferred: number[] = [];

  constructor(private readonly state: AllocatorState) {}

  /** True when malloc has something to look at. */
  isBusy = false;
  /** True while another stream was recorded on some block. */
  hasUses = false;

  /** True for a block that another stream was recorded on. */
  isUsed(block: number): boolean {
    return this.hasUses && this.#uses.has(block);
  }

  recordStream(block: number, stream: number): void {
    const uses = this.#uses.get(block) ?? new FlatHashTable<true>(streamHash);
    this.#uses.set(block, uses);
    this.hasUses = true;
    if (uses.get(stream) === undefined) uses.add(stream, true);
    if (!this.#defers) return;
    const inScope = this.#usesInScope.get(block) ?? new Set();
    this.#usesInScope.set(block, inScope.add(stream));
  }

  /** The program frees a block that `isUsed`. */
  free(block: number): void {
    this.state.table.i32[(block << INTS) + STATE] = AWAITING;
    this.state.statistics.wait(this.state.shelfOf(block).kind, this.state.sizeOf(block), 1);
    this.isBusy = true;
    if (this.#defers) this.#deferred.push(block);
    else this.#insertEvents(block);
  }

  /** Frees blocks whose events are complete; a stream's queue stops at its first event that is not. */
  process(): void {
    this.#insertDeferred();
    const events = this.#deviceEvents();
    this.#queues.sweep((stream, queue) => {
      while (queue.first < queue.events.length) {
        if (events !== undefined && !events.isComplete(queue.events[queue.first]!, stream)) break;
        this.#eventDone(queue.blocks[queue.first]!);
        queue.first += 1;
      }
      if (queue.first > 1024) trim(queue);
      return queue.first < queue.events.length;
    });
    this.isBusy = this.#queues.size > 0;
  }

  /** Waits for every event and frees the blocks. */
  synchronize(): void {
    this.#insertDeferred();
    const events = this.#deviceEvents();
    this.#queues.sweep((stream, queue) => {
      for (let place = queue.first; place < queue.events.length; place += 1) {
        events?.synchronize(queue.events[place]!, stream);
        this.#eventDone(queue.blocks[place]!);
      }
      return true;
    });
    this.#queues.clear();
    this.isBusy = false;
  }

  get #defers(): boolean {
    return this.state.torch === '2.6' && this.state.scopes.length > 0;
  }

  #deviceEvents(): DeviceEvents | undefined {
    return this.state.device.events;
  }

  #insertEvents(block: number): void {
    const { i32 } = this.state.table;
    this.#uses.get(block)?.sweep((stream) => {
      const queue = this.#queues.get(stream) ?? this.#openQueue(stream);
      queue.events.push(this.#deviceEvents()?.record(stream) ?? 0);
      queue.blocks.push(block);
      i32[(block << INTS) + PENDING]! += 1;
      return true;
    });
    this.#uses.delete(block);
    this.hasUses = this.#uses.size > 0;
  }

  #openQueue(stream: number): Queue {
    const queue: Queue = { events: [], blocks: [], first: 0 };
    this.#queues.add(stream, queue);
    return queue;
  }

  #insertDeferred(): void {
    if (this.#deferred.length === 0) return;
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const block of deferred) {
      const inScope = this.#usesInScope.get(block);
      this.#uses.get(block)?.sweep((stream) => inScope?.has(stream) !== true);
      this.#usesInScope.delete(block);
      this.#insertEvents(block);
      if (this.state.table.i32[(block << INTS) + PENDING] === 0) this.#complete(block);
    }
  }

  #complete(block: number): void {
    const shelf = this.state.shelfOf(block);
    this.state.statistics.wait(shelf.kind, this.state.sizeOf(block), -1);
    freeBlock(this.state, shelf, block);
  }

  #eventDone(block: number): void {
    const { i32 } = this.state.table;
    const left = i32[(block << INTS) + PENDING]! - 1;
    i32[(block << INTS) + PENDING] = left;
    if (left === 0) this.#complete(block);
  }
}

function trim(queue: Queue): void {
  queue.events.splice(0, queue.first);
  queue.blocks.splice(0, queue.first);
  queue.first = 0;
}
