/**
 * The smallest sets of frees that would have let the failing request succeed, found by trying every set on the model,
 * smallest first. Slower than `smallestFrees`, and true for any allocator: each set is freed right before the request and
 * the request is made.
 */
import { combinations } from '../../base/combinations.js';
import { Replay } from '../trace/replay.js';
import { OPERATION, type Trace } from '../trace/trace.js';
import { type FailedMoment } from './record-run.js';
import { allocatorOfRun } from './run-allocator.js';
import { type Run } from './schema.js';

export interface TriedSet {
  /** Names in the order of allocation. */
  readonly tensors: readonly string[];
  /** Bytes of their blocks. */
  readonly bytes: number;
}

/** Operations that all tries together may take: a few seconds. */
const MOST_WORK = 1_000_000;

interface Live {
  readonly tensor: number;
  readonly name: string;
  readonly bytes: number;
}

/**
 * All sets of the smallest number of frees, up to `limit`, that are enough; none when no such set is. Undefined where
 * trying them would take too long.
 */
export function triedFrees(
  run: Run,
  trace: Trace,
  failed: FailedMoment,
  limit: number,
): readonly TriedSet[] | undefined {
  const live = liveTensors(trace, failed);
  let work = 0;
  for (let count = 1; count <= limit; count++) {
    work += choices(live.length, count) * failed.operation;
    if (work > MOST_WORK) return undefined;
    const enough = [...combinations(live, count)].filter((set) => isEnough(run, trace, failed.operation, set));
    if (enough.length > 0) {
      return enough.map((set) => ({
        tensors: set.map(({ name }) => name),
        bytes: set.reduce((sum, { bytes }) => sum + bytes, 0),
      }));
    }
  }
  return [];
}

/** Tensors that are placed and not freed when the request fails. */
function liveTensors(trace: Trace, { operation, heap, factOf }: FailedMoment): readonly Live[] {
  const live: Live[] = [];
  for (const { blocks } of heap.segments) {
    for (const { state, handle, size } of blocks) {
      if (state !== 'allocated') continue;
      const fact = factOf(handle);
      live.push({ tensor: trace.tensor[fact.operation] ?? -1, name: fact.label, bytes: size });
    }
  }
  return live.filter(({ tensor }) => tensor >= 0 && operation > 0).sort((a, b) => a.tensor - b.tensor);
}

function isEnough(run: Run, trace: Trace, operation: number, set: readonly Live[]): boolean {
  const { allocator } = allocatorOfRun(run);
  const replay = new Replay(allocator);
  const wanted = new Map(set.map(({ tensor }) => [tensor, -1]));
  for (let i = 0; i < operation; i++) {
    replay.step(trace, i);
    const tensor = trace.tensor[i] ?? -1;
    if (trace.kind[i] === OPERATION.allocate && wanted.has(tensor)) wanted.set(tensor, replay.last.handle);
  }
  for (const handle of wanted.values()) allocator.free(handle);
  return allocator.malloc(trace.size[operation] ?? 0, trace.stream[operation]) >= 0;
}

function choices(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways;
}
