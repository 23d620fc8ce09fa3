/**
 * A recorded trace as a program that any allocator can run: the blocks of its start in address order, then what the
 * process asked for. Addresses are gone: where things lie is up to the allocator. A tensor is named after the place in the
 * code that allocated it; what it is for is guessed from the functions that were running.
 *
 *     | allocations of the start | trace: allocate, free where the free completed, a failed request (asked and freed) |
 *
 * An allocation from a private pool stands between `beginPool` and `endPool`; pools stay in use to the end, because a
 * trace does not say when one is let go.
 */
import { CATEGORY, OPERATION, type Trace } from '../trace/trace.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { callSite } from './call-site.js';
import { acceptedPools } from './fidelity.js';
import { finalStacks } from './recorded-heap.js';
import { categoryOfStack } from './stack-category.js';
import { RecordedPools } from './recorded-pools.js';
import { type StartHeap } from './start-heap.js';

export interface RecordedProgram {
  readonly trace: Trace;
  /** Operations before the first entry of the trace. */
  readonly startOperations: number;
  /** Call stack of each tensor, by tensor number; -1 where it is not known. */
  readonly stacks: Int32Array;
  /** Entry of the trace behind each operation; -1 for those of the start. */
  readonly events: Int32Array;
  /** Frees of addresses that were not live: the trace contradicts its segments. */
  readonly strayFrees: number;
}

/** The program of one device's trace. */
export function recordedProgram(snapshot: RecordedSnapshot, trace: RecordedTrace, start: StartHeap): RecordedProgram {
  const pools = new RecordedPools(snapshot, trace, acceptedPools(snapshot, trace));
  // With private pools an allocation is three operations.
  const room = (start.blocks.length + 2 * trace.count) * (pools.any ? 3 : 1);
  const kind = new Uint8Array(room);
  const tensor = new Int32Array(room);
  const size = new Float64Array(room);
  const stream = new Int32Array(room);
  const stacks = new Int32Array(room).fill(-1);
  const events = new Int32Array(room).fill(-1);
  let event = -1;
  const streams = new Map<number, number>();
  const names = new StackNames(snapshot);
  const category = new Uint8Array(room).fill(CATEGORY.unknown);
  const text = new Int32Array(room).fill(-1);
  const live = new Map<number, number>();
  let length = 0;
  let tensors = 0;
  let strayFrees = 0;

  const streamNumber = (handle: number): number => {
    const known = streams.get(handle);
    if (known !== undefined) return known;
    const number = streams.size;
    streams.set(handle, number);
    return number;
  };
  /** Opens or closes a private pool. */
  const scope = (what: number, pool: number): void => {
    kind[length] = what;
    tensor[length] = -1;
    size[length] = pool;
    events[length] = event;
    length++;
  };
  const allocate = (address: number, bytes: number, on: number, stack: number, pool?: number): void => {
    if (pool !== undefined) scope(OPERATION.beginPool, pool);
    kind[length] = OPERATION.allocate;
    tensor[length] = tensors;
    size[length] = bytes;
    events[length] = event;
    stream[length] = streamNumber(on);
    category[length] = names.categoryOf(stack);
    text[length] = names.textOf(stack);
    length++;
    stacks[tensors] = stack;
    live.set(address, tensors++);
    if (pool !== undefined) scope(OPERATION.endPool, pool);
  };
  const free = (address: number): void => {
    const freed = live.get(address);
    if (freed === undefined) {
      strayFrees++;
      return;
    }
    live.delete(address);
    kind[length] = OPERATION.free;
    tensor[length] = freed;
    events[length] = event;
    length++;
  };

  streamNumber(0);
  // A later tenant of an address hides the first one: then the stack is the later one's.
  const startStacks = finalStacks(snapshot, trace.device);
  for (const block of start.blocks) {
    allocate(
      block.address,
      block.requested,
      block.stream,
      startStacks.get(block.address) ?? -1,
      pools.atStart(block.address),
    );
  }
  const startOperations = length;
  for (event = 0; event < trace.count; event++) {
    const address = trace.addr[event]!;
    switch (trace.action[event]) {
      case ACTION.alloc:
        allocate(address, trace.size[event]!, trace.stream[event]!, trace.stack[event]!, pools.of(event));
        break;
      case ACTION.freeCompleted:
        free(address);
        break;
      case ACTION.oom:
        // What the process would have done with the memory is not in the trace.
        allocate(-1, trace.size[event]!, trace.stream[event]!, trace.stack[event]!, pools.of(event));
        free(-1);
        break;
      default:
    }
  }
  return {
    startOperations,
    strayFrees,
    stacks: stacks.slice(0, tensors),
    events: events.slice(0, length),
    trace: {
      name: snapshot.name,
      length,
      kind: kind.slice(0, length),
      tensor: tensor.slice(0, length),
      size: size.slice(0, length),
      stream: stream.slice(0, length),
      category: category.slice(0, length),
      text: text.slice(0, length),
      texts: names.texts,
      placement: undefined,
      firstTensor: 0,
      ids: Float64Array.from({ length: tensors }, (_, i) => i),
      meta: {},
    },
  };
}

/** Place in the code and category of call stacks, each looked up once. */
class StackNames {
  readonly texts: string[] = [];
  readonly #snapshot: RecordedSnapshot;
  readonly #rows = new Map<number, { readonly text: number; readonly category: number }>();
  readonly #numbers = new Map<string, number>();

  constructor(snapshot: RecordedSnapshot) {
    this.#snapshot = snapshot;
  }

  /** Row of `texts`; -1 where no stack was recorded. */
  textOf(stack: number): number {
    return this.#of(stack).text;
  }

  /** `CATEGORY`. */
  categoryOf(stack: number): number {
    return this.#of(stack).category;
  }

  #of(stack: number): { readonly text: number; readonly category: number } {
    const known = this.#rows.get(stack);
    if (known !== undefined) return known;
    const row = {
      text: stack < 0 ? -1 : this.#number(callSite(this.#snapshot, stack)),
      category: CATEGORY[categoryOfStack(this.#snapshot, stack)],
    };
    this.#rows.set(stack, row);
    return row;
  }

  #number(text: string): number {
    const known = this.#numbers.get(text) ?? this.texts.length;
    if (known === this.texts.length) {
      this.texts.push(text);
      this.#numbers.set(text, known);
    }
    return known;
  }
}
