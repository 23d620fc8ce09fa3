/**
 * The state of the cache when each `oom` entry of a trace was raised, not when the file was written: by then the
 * exception has unwound and freed most of it. The trace is run backwards from the final segments to its start, then
 * forwards again: on the way forward each allocation shows what it took of its hole, so block sizes are exact although
 * a trace holds only requests.
 */
import { ACTION, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { RecordedWorld } from './recorded-world.js';

export interface OomState {
  readonly device: number;
  /** Index of the entry in the device's trace. */
  readonly event: number;
  /** The rounded request. */
  readonly tried_bytes: number;
  /** What the device itself had free. */
  readonly device_free_bytes: number;
  readonly reserved_bytes: number;
  readonly allocated_bytes: number;
  /** Allocated plus freed but still used by a stream. */
  readonly active_bytes: number;
  readonly inactive_bytes: number;
  readonly inactive_blocks: number;
  readonly largest_inactive_block: number;
  /** Blocks live before the trace began whose unsplit remainder had to be inferred. */
  readonly inferred_slack_blocks: number;
  /** Entries that contradict the blocks (a trace that was cut or mixed); 0 means that every step fitted. */
  readonly contradictions: number;
}

/** States looked at: a retry loop can raise thousands. */
const MOST_STATES = 1000;

/** The states at the `oom` entries of all traces, in the order of the trace. */
export function oomStates(snapshot: RecordedSnapshot): readonly OomState[] {
  return snapshot.traces.flatMap((trace) => (trace.action.includes(ACTION.oom) ? statesOf(snapshot, trace) : []));
}

function statesOf(snapshot: RecordedSnapshot, trace: RecordedTrace): OomState[] {
  const world = new RecordedWorld(snapshot, trace.device);
  for (let event = trace.count - 1; event >= 0; event--) world.undo(trace, event);
  world.begin();
  const states: OomState[] = [];
  for (let event = 0; event < trace.count && states.length < MOST_STATES; event++) {
    if (trace.action[event] === ACTION.oom) states.push(describe(world, trace, event));
    else world.redo(trace, event);
  }
  return states;
}

function describe(world: RecordedWorld, trace: RecordedTrace, event: number): OomState {
  let reserved = 0;
  let allocated = 0;
  let pending = 0;
  let inactive = 0;
  let holes = 0;
  let largest = 0;
  const gap = (size: number): void => {
    if (size <= 0) return;
    inactive += size;
    holes++;
    if (size > largest) largest = size;
  };
  world.forEachArea((start, end, blocks) => {
    reserved += end - start;
    let at = start;
    for (const [address, block] of blocks) {
      gap(address - at);
      if (block.pending) pending += block.size;
      else allocated += block.size;
      at = address + block.size;
    }
    gap(end - at);
  });
  return {
    device: trace.device,
    event,
    tried_bytes: trace.size[event]!,
    device_free_bytes: trace.addr[event]!,
    reserved_bytes: reserved,
    allocated_bytes: allocated,
    active_bytes: allocated + pending,
    inactive_bytes: inactive,
    inactive_blocks: holes,
    largest_inactive_block: largest,
    inferred_slack_blocks: world.inferredSlackBlocks,
    contradictions: world.contradictions,
  };
}
