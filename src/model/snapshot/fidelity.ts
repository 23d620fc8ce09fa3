/**
 * How exactly the model repeats a recorded run: the trace is replayed forwards from its start, with the addresses that
 * the device gave as input. Each allocation must land at the recorded address, and the allocator must ask the device at
 * the same operations for the same sizes. Only a model that does so is worth asking "what if".
 */
import { type Fidelity } from './fidelity-figures.js';
import { ForwardReplay } from './forward-replay.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { type InferredPools, inferPools } from './inferred-pools.js';
import { type TorchVersion } from '../allocator/caching/oom-text.js';
import { startHeap } from './start-heap.js';

/** True where every allocation, every call to the device and the end agree. */
export const isExact = (fidelity: Fidelity): boolean =>
  fidelity.first_mismatch === null && fidelity.final_reserved_model === fidelity.final_reserved_snap;

/** One row for each device with allocations in its trace. */
export function fidelityOf(snapshot: RecordedSnapshot): readonly Fidelity[] {
  return snapshot.traces
    .filter((trace) => trace.action.includes(ACTION.alloc))
    .map((trace) => replayOf(snapshot, trace).fidelity);
}

/** Private pools that had to be inferred for the model to repeat the run; undefined where none had to, or it did not help. */
export function acceptedPools(snapshot: RecordedSnapshot, trace: RecordedTrace): InferredPools | undefined {
  if (!trace.action.includes(ACTION.alloc)) return undefined;
  return replayOf(snapshot, trace).pools;
}

interface KnownReplay {
  readonly fidelity: Fidelity;
  readonly pools: InferredPools | undefined;
}

/** A trace belongs to one snapshot and neither changes: it is replayed once. */
const known = new WeakMap<RecordedTrace, KnownReplay>();

function replayOf(snapshot: RecordedSnapshot, trace: RecordedTrace): KnownReplay {
  const replay = known.get(trace) ?? bestReplay(snapshot, trace);
  known.set(trace, replay);
  return replay;
}

/** The rules of 2.6; those of the newer line where they fit better; private pools inferred where that makes it exact or better. */
function bestReplay(snapshot: RecordedSnapshot, trace: RecordedTrace): KnownReplay {
  const start = startHeap(snapshot, trace);
  const attempt = (torch: TorchVersion, pools: InferredPools | undefined): KnownReplay => ({
    fidelity: new ForwardReplay(snapshot, trace, start, torch, pools).run(),
    pools,
  });
  let best = attempt('2.6', undefined);
  for (const [torch, infers] of ATTEMPTS) {
    if (isExact(best.fidelity)) return best;
    const pools = infers ? inferPools(snapshot, trace, start, torch) : undefined;
    if (infers && pools === undefined) continue;
    const next = attempt(torch, pools);
    if (isBetter(next, best)) best = next;
  }
  return best;
}

/** After the rules of 2.6 without inference. */
const ATTEMPTS: readonly (readonly [TorchVersion, boolean])[] = [
  ['2.14', false],
  ['2.6', true],
  ['2.14', true],
];

/** Inference has to explain most of what was wrong: it can always find some pool for a single address. */
function isBetter(next: KnownReplay, best: KnownReplay): boolean {
  const wrong = ({ fidelity }: KnownReplay): number => fidelity.alloc - fidelity.addr_match;
  if (wrong(next) === wrong(best)) return isExact(next.fidelity);
  return next.pools === undefined ? wrong(next) < wrong(best) : wrong(next) <= wrong(best) / 2;
}
