/** Which places in the code hold what is live at one moment of a trace. */
import { OPERATION, tensorCount, type Trace } from './trace.js';

export interface HeldSite {
  readonly site: number;
  /** Live at the moment. */
  readonly bytes: number;
  readonly tensors: number;
}

/** The operation after which most bytes are live; 0 for a trace without any. */
export function peakOperation(trace: Trace): number {
  const sizes = new Float64Array(tensorCount(trace));
  let live = 0;
  let most = 0;
  let at = 0;
  for (let i = 0; i < trace.length; i++) {
    const tensor = trace.tensor[i]!;
    if (trace.kind[i] === OPERATION.allocate) {
      sizes[tensor] = trace.size[i]!;
      live += trace.size[i]!;
      if (live > most) {
        most = live;
        at = i;
      }
    } else if (trace.kind[i] === OPERATION.free) live -= sizes[tensor]!;
  }
  return at;
}

/**
 * Places with live bytes after `operation`, most bytes first. `sites`: by tensor, -1 where it is not known; those are not
 * in the answer, nor are tensors that were there before operation `first`.
 */
export function heldSites(trace: Trace, sites: Int32Array, first: number, operation: number): HeldSite[] {
  const sizes = new Float64Array(tensorCount(trace));
  const held = new Map<number, { bytes: number; tensors: number }>();
  const last = Math.min(operation, trace.length - 1);
  for (let i = first; i <= last; i++) {
    const tensor = trace.tensor[i]!;
    const kind = trace.kind[i];
    if (kind !== OPERATION.allocate && kind !== OPERATION.free) continue;
    const site = sites[tensor]!;
    if (site === -1 || (kind === OPERATION.free && sizes[tensor] === 0)) continue;
    let sum = held.get(site);
    if (sum === undefined) {
      sum = { bytes: 0, tensors: 0 };
      held.set(site, sum);
    }
    if (kind === OPERATION.allocate) sizes[tensor] = trace.size[i]!;
    sum.bytes += kind === OPERATION.allocate ? sizes[tensor]! : -sizes[tensor]!;
    sum.tensors += kind === OPERATION.allocate ? 1 : -1;
  }
  return [...held]
    .map(([site, sum]) => ({ site, ...sum }))
    .filter(({ tensors }) => tensors > 0)
    .sort((a, b) => b.bytes - a.bytes);
}
