/**
 * The state of the cache when each `oom` entry of a trace was raised, not when the file was written: by then the
 * exception has unwound and freed most of it. The trace is run backwards from the final segments: an allocation takes
 * its block away again, a free puts it back, and so for segments and mapped pages.
 *
 * A block that was freed later comes back with its rounded request. What the allocator could not split off stays with a
 * block, so in a cudaMalloc segment a gap of at most 1 MiB behind a live block is counted as part of it: no free block
 * of that size can exist there (the large pool splits only remainders over 1 MiB).
 */
import { ACTION, BLOCK, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { RangeSet } from './range-set.js';

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
  /** Entries that contradict the blocks (a trace that was cut or mixed); 0 means that every step fitted. */
  readonly contradictions: number;
}

const UNIT = 512;
const SMALL_SEGMENT = 2 * 2 ** 20;
/** Remainders of the large pool up to this stay in the block. */
const KEPT_REMAINDER = 2 ** 20;
/** Blocks of max_split_size and more are never split: up to this much stays (max_non_split_rounding). */
const KEPT_OVERSIZE = 20 * 2 ** 20;
/** States looked at: a retry loop can raise thousands. */
const MOST_STATES = 1000;

interface Live {
  size: number;
  pending: boolean;
}

/** The states at the `oom` entries of all traces, in the order of the trace. */
export function oomStates(snapshot: RecordedSnapshot): readonly OomState[] {
  return snapshot.traces.flatMap((trace) => (trace.action.includes(ACTION.oom) ? statesOf(snapshot, trace) : []));
}

function statesOf(snapshot: RecordedSnapshot, trace: RecordedTrace): OomState[] {
  const world = new World(snapshot, trace.device);
  const states: OomState[] = [];
  for (let event = trace.count - 1; event >= 0 && states.length < MOST_STATES; event--) {
    if (trace.action[event] === ACTION.oom) states.push(world.describe(trace, event));
    else world.undo(trace, event);
  }
  return states.reverse();
}

/** Live blocks and segments of one device at one moment. */
class World {
  readonly #live = new Map<number, Live>();
  /** cudaMalloc segments: address and size. */
  readonly #segments = new Map<number, number>();
  readonly #mapped = new RangeSet();
  readonly #maxSplit: number;
  #contradictions = 0;

  constructor(snapshot: RecordedSnapshot, device: number) {
    const limit = snapshot.settings?.['max_split_size'];
    this.#maxSplit = typeof limit === 'number' && limit > 0 ? limit : Infinity;
    const { blocks } = snapshot;
    for (const segment of snapshot.segments) {
      if (segment.device !== device) continue;
      if (segment.expandable) this.#mapped.add(segment.address, segment.address + segment.size);
      else this.#segments.set(segment.address, segment.size);
      for (let row = segment.firstBlock; row < segment.firstBlock + segment.blockCount; row++) {
        if (blocks.state[row] === BLOCK.inactive) continue;
        this.#live.set(blocks.address[row]!, { size: blocks.size[row]!, pending: blocks.state[row] === BLOCK.pending });
      }
    }
  }

  /** Takes entry `event` back. */
  undo(trace: RecordedTrace, event: number): void {
    const addr = trace.addr[event]!;
    const size = trace.size[event]!;
    switch (trace.action[event]) {
      case ACTION.alloc:
        if (!this.#live.delete(addr)) this.#contradictions++;
        break;
      case ACTION.freeCompleted:
        if (this.#live.has(addr)) this.#contradictions++;
        this.#live.set(addr, { size: Math.max(UNIT, Math.ceil(size / UNIT) * UNIT), pending: true });
        break;
      case ACTION.freeRequested: {
        const block = this.#live.get(addr);
        if (block === undefined) this.#contradictions++;
        else block.pending = false;
        break;
      }
      case ACTION.segmentAlloc:
        if (!this.#segments.delete(addr)) this.#contradictions++;
        break;
      case ACTION.segmentFree:
        this.#segments.set(addr, size);
        break;
      case ACTION.segmentMap:
        this.#mapped.remove(addr, addr + size);
        break;
      case ACTION.segmentUnmap:
        this.#mapped.add(addr, addr + size);
        break;
      default:
    }
  }

  describe(trace: RecordedTrace, event: number): OomState {
    const live = [...this.#live].sort(([a], [b]) => a - b);
    const areas = [
      ...[...this.#segments].map(([start, size]) => ({ start, end: start + size, splits: false })),
      ...this.#mapped.ranges.map(({ start, end }) => ({ start, end, splits: true })),
    ].sort((a, b) => a.start - b.start);
    let reserved = 0;
    let allocated = 0;
    let pending = 0;
    let inactive = 0;
    let holes = 0;
    let largest = 0;
    let next = 0;
    for (const { start, end, splits } of areas) {
      reserved += end - start;
      while (next < live.length && live[next]![0] < start) next++;
      let at = start;
      let last: Live | undefined;
      const gap = (to: number): void => {
        const size = to - at;
        if (size <= 0) return;
        if (last !== undefined && !splits && size <= this.#kept(end - start, last.size)) {
          if (last.pending) pending += size;
          else allocated += size;
          return;
        }
        inactive += size;
        holes++;
        if (size > largest) largest = size;
      };
      for (; next < live.length && live[next]![0] < end; next++) {
        const [address, block] = live[next]!;
        gap(address);
        if (block.pending) pending += block.size;
        else allocated += block.size;
        at = address + block.size;
        last = block;
      }
      gap(end);
    }
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
      contradictions: this.#contradictions,
    };
  }

  /** The longest gap behind a block of this size that is part of it, in a cudaMalloc segment. */
  #kept(segmentSize: number, blockSize: number): number {
    if (blockSize >= this.#maxSplit) return KEPT_OVERSIZE;
    return segmentSize === SMALL_SEGMENT ? UNIT - 1 : KEPT_REMAINDER;
  }
}
