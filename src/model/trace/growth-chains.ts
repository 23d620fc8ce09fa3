/**
 * Tensors that grow by copy, as `x = torch.cat([x, new])` does: a larger tensor is allocated at the same place in the
 * code, the old one is freed right after. Such a chain holds two copies at each step and leaves holes that the next copy
 * cannot use; one allocation of the last size, written in place, needs neither.
 *
 *     A |====|          B |=====|         C |======|      a chain of three: A's free follows B's allocation,
 *            free A ^             free B ^                B's that of C
 */
import { pickOperations } from './pick-operations.js';
import { OPERATION, tensorCount, type Trace } from './trace.js';

/** The tensors of a chain, oldest first. */
export interface GrowthChain {
  readonly site: number;
  readonly tensors: readonly number[];
  readonly firstSize: number;
  readonly lastSize: number;
}

/** Operations between the allocation of the copy and the free of the old one. */
const RIGHT_AFTER = 16;
/** Shorter ones are no growth. */
const LEAST_TENSORS = 3;
/** Copies of one place that may be in the making at once (layers, streams). */
const MOST_OPEN = 16;

/** Chains of a trace, most bytes first. `sites`: the place in the code of each tensor, -1 where it is not known. */
export function growthChains(trace: Trace, sites: Int32Array): GrowthChain[] {
  const count = tensorCount(trace);
  const sizes = new Float64Array(count);
  const made = new Int32Array(count);
  const before = new Int32Array(count).fill(-1);
  const after = new Int32Array(count).fill(-1);
  const open = new Map<number, number[]>();
  for (let i = 0; i < trace.length; i++) {
    const tensor = trace.tensor[i]!;
    if (trace.kind[i] === OPERATION.allocate) {
      sizes[tensor] = trace.size[i]!;
      made[tensor] = i;
      const site = sites[tensor] ?? -1;
      if (site === -1) continue;
      const recent = open.get(site) ?? [];
      open.set(site, recent);
      recent.push(tensor);
      if (recent.length > MOST_OPEN) recent.shift();
    } else if (trace.kind[i] === OPERATION.free) {
      const recent = open.get(sites[tensor] ?? -1);
      if (recent === undefined) continue;
      const copy = recent.findIndex(
        (other) =>
          made[other]! > made[tensor]! &&
          i - made[other]! <= RIGHT_AFTER &&
          sizes[other]! > sizes[tensor]! &&
          before[other] === -1,
      );
      if (copy < 0) continue;
      after[tensor] = recent[copy]!;
      before[recent[copy]!] = tensor;
    }
  }
  const chains: GrowthChain[] = [];
  for (let tensor = 0; tensor < count; tensor++) {
    if (before[tensor] !== -1 || after[tensor] === -1) continue;
    const tensors = [tensor];
    for (let next = after[tensor]!; next !== -1; next = after[next]!) tensors.push(next);
    if (tensors.length < LEAST_TENSORS) continue;
    const last = tensors[tensors.length - 1]!;
    chains.push({ site: sites[tensor]!, tensors, firstSize: sizes[tensor]!, lastSize: sizes[last]! });
  }
  return chains.sort((a, b) => b.lastSize - a.lastSize);
}

/** The trace with each chain as one tensor of its last size, from the first allocation to the last free. */
export function preallocated(trace: Trace, chains: readonly GrowthChain[]): Trace {
  const count = tensorCount(trace);
  const grown = new Float64Array(count);
  /** The tensor that stands for this one; its own number for most. */
  const standIn = Int32Array.from({ length: count }, (_, tensor) => tensor);
  const isLast = new Uint8Array(count).fill(1);
  for (const { tensors, lastSize } of chains) {
    const first = tensors[0]!;
    grown[first] = lastSize;
    tensors.forEach((tensor, index) => {
      standIn[tensor] = first;
      isLast[tensor] = index === tensors.length - 1 ? 1 : 0;
    });
  }
  const kept: number[] = [];
  for (let i = 0; i < trace.length; i++) {
    const tensor = trace.tensor[i]!;
    const isDropped =
      (trace.kind[i] === OPERATION.allocate && standIn[tensor] !== tensor) ||
      (trace.kind[i] === OPERATION.free && isLast[tensor] === 0);
    if (!isDropped) kept.push(i);
  }
  const rows = Int32Array.from(kept);
  return {
    ...pickOperations(trace, rows),
    tensor: Int32Array.from(rows, (i) => (trace.tensor[i] === -1 ? -1 : standIn[trace.tensor[i]!]!)),
    size: Float64Array.from(rows, (i) =>
      trace.kind[i] === OPERATION.allocate && grown[trace.tensor[i]!]! > 0 ? grown[trace.tensor[i]!]! : trace.size[i]!,
    ),
  };
}
