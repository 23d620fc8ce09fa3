/**
 * A recorded trace as a program that any allocator can run: the blocks of its start in address order, then what the
 * process asked for. Addresses are gone: where things lie is up to the allocator.
 *
 *     | allocations of the start | trace: allocate, free where the free completed, a failed request (asked and freed) |
 */
import { CATEGORY, OPERATION, type Trace } from '../trace/trace.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { finalStacks } from './recorded-heap.js';
import { type StartHeap } from './start-heap.js';

export interface RecordedProgram {
  readonly trace: Trace;
  /** Operations before the first entry of the trace. */
  readonly startOperations: number;
  /** Call stack of each tensor, by tensor number; -1 where it is not known. */
  readonly stacks: Int32Array;
  /** Frees of addresses that were not live: the trace contradicts its segments. */
  readonly strayFrees: number;
}

/** The program of one device's trace. */
export function recordedProgram(snapshot: RecordedSnapshot, trace: RecordedTrace, start: StartHeap): RecordedProgram {
  const room = start.blocks.length + 2 * trace.count;
  const kind = new Uint8Array(room);
  const tensor = new Int32Array(room);
  const size = new Float64Array(room);
  const stream = new Int32Array(room);
  const stacks = new Int32Array(room).fill(-1);
  const streams = new Map<number, number>();
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
  const allocate = (address: number, bytes: number, on: number, stack: number): void => {
    kind[length] = OPERATION.allocate;
    tensor[length] = tensors;
    size[length] = bytes;
    stream[length] = streamNumber(on);
    length++;
    stacks[tensors] = stack;
    live.set(address, tensors++);
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
    length++;
  };

  streamNumber(0);
  // A later tenant of an address hides the first one: then the stack is the later one's.
  const startStacks = finalStacks(snapshot, trace.device);
  for (const block of start.blocks) {
    allocate(block.address, block.requested, block.stream, startStacks.get(block.address) ?? -1);
  }
  const startOperations = length;
  for (let event = 0; event < trace.count; event++) {
    const address = trace.addr[event]!;
    switch (trace.action[event]) {
      case ACTION.alloc:
        allocate(address, trace.size[event]!, trace.stream[event]!, trace.stack[event]!);
        break;
      case ACTION.freeCompleted:
        free(address);
        break;
      case ACTION.oom:
        // What the process would have done with the memory is not in the trace.
        allocate(-1, trace.size[event]!, trace.stream[event]!, trace.stack[event]!);
        free(-1);
        break;
      default:
    }
  }
  return {
    startOperations,
    strayFrees,
    stacks: stacks.slice(0, tensors),
    trace: {
      name: snapshot.name,
      length,
      kind: kind.slice(0, length),
      tensor: tensor.slice(0, length),
      size: size.slice(0, length),
      stream: stream.slice(0, length),
      category: new Uint8Array(length).fill(CATEGORY.unknown),
      text: undefined,
      texts: [],
      placement: undefined,
      firstTensor: 0,
      ids: Float64Array.from({ length: tensors }, (_, i) => i),
      meta: {},
    },
  };
}
