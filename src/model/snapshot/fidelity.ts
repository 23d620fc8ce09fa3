/**
 * How exactly the model repeats a recorded run: the trace is replayed forwards from its start, with the addresses that
 * the device gave as input. Each allocation must land at the recorded address, and the allocator must ask the device at
 * the same operations for the same sizes. Only a model that does so is worth asking "what if".
 */
import { type Fidelity, ForwardReplay } from './forward-replay.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { startHeap } from './start-heap.js';

/** True where every allocation, every call to the device and the end agree. */
export const isExact = (fidelity: Fidelity): boolean =>
  fidelity.first_mismatch === null && fidelity.final_reserved_model === fidelity.final_reserved_snap;

/** One row for each device with allocations in its trace. */
export function fidelityOf(snapshot: RecordedSnapshot): readonly Fidelity[] {
  return snapshot.traces
    .filter((trace) => trace.action.includes(ACTION.alloc))
    .map((trace) => {
      const fidelity = known.get(trace) ?? replayed(snapshot, trace);
      known.set(trace, fidelity);
      return fidelity;
    });
}

/** A trace belongs to one snapshot and neither changes: it is replayed once. */
const known = new WeakMap<RecordedTrace, Fidelity>();

/** The rules of 2.6; those of the newer line where they fit better. */
function replayed(snapshot: RecordedSnapshot, trace: RecordedTrace): Fidelity {
  const start = startHeap(snapshot, trace);
  const old = new ForwardReplay(snapshot, trace, start, '2.6').run();
  if (isExact(old)) return old;
  const newer = new ForwardReplay(snapshot, trace, start, '2.14').run();
  return newer.addr_match > old.addr_match ? newer : old;
}
