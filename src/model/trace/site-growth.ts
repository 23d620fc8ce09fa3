/**
 * Places in the code whose live bytes rise step over step: what a leak looks like. Steps are compared at like moments:
 * where the program holds least, or at the markers that a trace has.
 */
import { OPERATION, tensorCount, type Trace } from './trace.js';

export interface SiteGrowth {
  readonly site: number;
  /** Live bytes at each moment, in order. */
  readonly bytes: readonly number[];
  /** Live tensors at the last moment. */
  readonly tensors: number;
}

/** Moments that a trace without markers is looked at. */
const MOMENTS = 8;
/** A rise of less is noise. */
const LEAST_RISE = 2 ** 20;

/** In each of `count` equal parts of the trace the operation before which least is live. */
export function quietMoments(trace: Trace, first = 0, count = MOMENTS): number[] {
  const sizes = new Float64Array(tensorCount(trace));
  const moments: number[] = [];
  const part = Math.max(1, Math.ceil((trace.length - first) / count));
  let live = 0;
  let least = Infinity;
  let at = first;
  for (let i = 0; i < trace.length; i++) {
    const tensor = trace.tensor[i]!;
    if (i >= first && live < least) {
      least = live;
      at = i;
    }
    if (trace.kind[i] === OPERATION.allocate) {
      sizes[tensor] = trace.size[i]!;
      live += trace.size[i]!;
    } else if (trace.kind[i] === OPERATION.free) live -= sizes[tensor]!;
    if (i >= first && ((i - first + 1) % part === 0 || i === trace.length - 1)) {
      moments.push(at);
      least = Infinity;
    }
  }
  return moments;
}

/**
 * Sites that rise: never less than the moment before, more at three of four steps at least, and by 1 MiB in all. Most
 * first. `sites`: by tensor, -1 where not known; `moments`: operations, ascending.
 */
export function siteGrowth(trace: Trace, sites: Int32Array, moments: readonly number[]): SiteGrowth[] {
  const sizes = new Float64Array(tensorCount(trace));
  const live = new Map<number, { bytes: number; tensors: number; readonly seen: number[] }>();
  let next = 0;
  const look = (operation: number): void => {
    while (next < moments.length && moments[next]! <= operation) {
      for (const state of live.values()) {
        while (state.seen.length < next) state.seen.push(0);
        state.seen.push(state.bytes);
      }
      next++;
    }
  };
  for (let i = 0; i < trace.length; i++) {
    look(i);
    const tensor = trace.tensor[i]!;
    const kind = trace.kind[i];
    if (kind !== OPERATION.allocate && kind !== OPERATION.free) continue;
    const site = sites[tensor]!;
    if (site === -1) continue;
    let state = live.get(site);
    if (state === undefined) {
      state = { bytes: 0, tensors: 0, seen: [] };
      live.set(site, state);
    }
    if (kind === OPERATION.allocate) {
      sizes[tensor] = trace.size[i]!;
      state.bytes += trace.size[i]!;
      state.tensors++;
    } else {
      state.bytes -= sizes[tensor]!;
      state.tensors--;
    }
  }
  look(trace.length);
  return [...live]
    .map(([site, { seen, tensors }]) => ({ site, bytes: seen, tensors }))
    .filter(({ bytes }) => isRising(bytes, moments.length))
    .sort((a, b) => riseOf(b.bytes) - riseOf(a.bytes));
}

const riseOf = (bytes: readonly number[]): number => (bytes[bytes.length - 1] ?? 0) - (bytes[0] ?? 0);

function isRising(bytes: readonly number[], moments: number): boolean {
  if (bytes.length < moments || moments < 3 || riseOf(bytes) < LEAST_RISE) return false;
  let rises = 0;
  for (let i = 1; i < bytes.length; i++) {
    if (bytes[i]! < bytes[i - 1]!) return false;
    if (bytes[i]! > bytes[i - 1]!) rises++;
  }
  return rises >= (3 * (bytes.length - 1)) / 4;
}
