/** Whether a request that failed succeeds when some tensors are freed right before it: tried, not reckoned. */
import { makeAllocator } from '../allocator/registry.js';
import { Replay } from '../trace/replay.js';
import { OPERATION, type Trace } from '../trace/trace.js';
import { type LabSetup } from './lab-program.js';

/**
 * Replays the program up to the request of operation `at`, with the tensors that operations `allocations` made freed right
 * before it. True when the request gets its memory.
 */
export function freesSuffice(trace: Trace, setup: LabSetup, at: number, allocations: readonly number[]): boolean {
  const changed = withFrees(trace, at, allocations);
  const { allocator } = makeAllocator({ ...setup, trace: changed });
  const replay = new Replay(allocator, { source: trace.name, refusals: 'record' });
  for (let i = 0; i < changed.length; i++) replay.step(changed, i);
  return replay.last.failure === undefined;
}

/** The program up to and with operation `at`, with frees before that one. */
function withFrees(trace: Trace, at: number, allocations: readonly number[]): Trace {
  const extra = allocations.length;
  const insert = <A extends Uint8Array | Int32Array | Float64Array>(
    column: A,
    made: A,
    values: readonly number[],
  ): A => {
    made.set(column.subarray(0, at));
    made.set(values, at);
    made[at + extra] = column[at] ?? 0;
    return made;
  };
  const length = at + 1 + extra;
  const same = (value: number): number[] => allocations.map(() => value);
  const tensors = allocations.map((operation) => trace.tensor[operation] ?? -1);
  return {
    ...trace,
    length,
    kind: insert(trace.kind, new Uint8Array(length), same(OPERATION.free)),
    tensor: insert(trace.tensor, new Int32Array(length), tensors),
    size: insert(trace.size, new Float64Array(length), same(0)),
    stream: insert(trace.stream, new Int32Array(length), same(0)),
    category: trace.category && insert(trace.category, new Uint8Array(length), same(0)),
    text: trace.text && insert(trace.text, new Int32Array(length), same(-1)),
    placement: undefined,
  };
}
