/**
 * Live blocks and segments of one device at one moment of a recorded trace. `undo` takes an entry back, `redo` carries
 * it out. A trace holds requests, not block sizes: what an allocation could not split off stays with its block. In a
 * cudaMalloc segment of the large pool that is up to 1 MiB, so no free block of that size can exist behind a live one.
 */
import { ACTION, BLOCK, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { RangeSet } from './range-set.js';
import { recordedDivisions } from './recorded-settings.js';
import { roundRequest } from '../allocator/caching/rounding.js';

const UNIT = 512;
const SMALL_SEGMENT = 2 * 2 ** 20;
/** Remainders of the large pool up to this stay in the block. */
const KEPT_REMAINDER = 2 ** 20;

export interface LiveBlock {
  size: number;
  /** Bytes asked for; its size where the file does not say. */
  readonly requested: number;
  /** Freed, but a stream still uses it. */
  pending: boolean;
  /**
   * How its size is known: from the file or the search that placed it; as a rounded request, with the remainder behind
   * it not known; or with the short gap behind it, which no allocation has confirmed yet.
   */
  known: 'exactly' | 'rounded' | 'with-gap';
}

/** A cudaMalloc segment with the addresses of its live blocks in order. */
interface Segment {
  readonly start: number;
  readonly size: number;
  readonly live: number[];
}

export class RecordedWorld {
  readonly #live = new Map<number, LiveBlock>();
  #segments: Segment[] = [];
  readonly #mapped = new RangeSet();
  readonly #maxSplit: number;
  readonly #divisions: Float64Array;
  contradictions = 0;
  /** Blocks of the start whose hidden remainder an allocation right behind them showed. */
  inferredSlackBlocks = 0;

  /** The final state of a device. */
  constructor(snapshot: RecordedSnapshot, device: number) {
    const limit = snapshot.settings?.maxSplitSize ?? -1;
    this.#maxSplit = limit > 0 ? limit : Infinity;
    this.#divisions = recordedDivisions(snapshot);
    const { blocks } = snapshot;
    for (const segment of snapshot.segments) {
      if (segment.device !== device) continue;
      if (segment.expandable) this.#mapped.add(segment.address, segment.address + segment.size);
      else this.#addSegment(segment.address, segment.size);
      for (let row = segment.firstBlock; row < segment.firstBlock + segment.blockCount; row++) {
        if (blocks.state[row] === BLOCK.inactive) continue;
        const pending = blocks.state[row] === BLOCK.pending;
        const size = blocks.size[row]!;
        const asked = blocks.requested[row]!;
        const requested = asked > 0 && asked <= size ? asked : size;
        this.#live.set(blocks.address[row]!, { size, requested, pending, known: 'exactly' });
        this.#enter(blocks.address[row]!);
      }
    }
  }

  /** Bytes of the live block at an address; undefined where none is. */
  sizeAt(address: number): number | undefined {
    return this.#live.get(address)?.size;
  }

  /** Takes entry `event` back. */
  undo(trace: RecordedTrace, event: number): void {
    const addr = trace.addr[event]!;
    const size = trace.size[event]!;
    switch (trace.action[event]) {
      case ACTION.alloc:
        if (!this.#live.delete(addr)) this.contradictions++;
        else this.#leave(addr);
        break;
      case ACTION.freeCompleted:
        this.#unfree(addr, size);
        break;
      case ACTION.freeRequested:
        this.#setPending(addr, false);
        break;
      case ACTION.segmentAlloc:
        this.#removeSegment(addr);
        break;
      case ACTION.segmentFree:
        this.#addSegment(addr, size);
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

  /** After every entry was taken back: infers remainders that no later neighbour showed. */
  begin(): void {
    for (const segment of this.#segments) {
      segment.live.forEach((address, index) => {
        const block = this.#live.get(address);
        if (block?.known === 'rounded') this.#takeGap(segment, index, address, block);
      });
    }
  }

  /** Carries entry `event` out; `begin` comes first. */
  redo(trace: RecordedTrace, event: number): void {
    const addr = trace.addr[event]!;
    const size = trace.size[event]!;
    switch (trace.action[event]) {
      case ACTION.alloc:
        this.#allocate(addr, size);
        break;
      case ACTION.freeRequested:
        this.#setPending(addr, true);
        break;
      case ACTION.freeCompleted: {
        this.#leave(addr);
        this.#live.delete(addr);
        break;
      }
      case ACTION.segmentAlloc:
        this.#addSegment(addr, size);
        break;
      case ACTION.segmentFree:
        this.#removeSegment(addr);
        break;
      case ACTION.segmentMap:
        this.#mapped.add(addr, addr + size);
        break;
      case ACTION.segmentUnmap:
        this.#mapped.remove(addr, addr + size);
        break;
      default:
    }
  }

  /** Visits segments and mapped ranges in address order, each with its live blocks in order. */
  forEachArea(
    visit: (start: number, end: number, blocks: readonly (readonly [number, LiveBlock])[], expandable: boolean) => void,
  ): void {
    const live = [...this.#live].sort(([a], [b]) => a - b);
    const areas = [
      ...this.#segments.map(({ start, size }) => ({ start, end: start + size, expandable: false })),
      ...this.#mapped.ranges.map(({ start, end }) => ({ start, end, expandable: true })),
    ].sort((a, b) => a.start - b.start);
    let next = 0;
    for (const { start, end, expandable } of areas) {
      while (next < live.length && live[next]![0] < start) next++;
      const first = next;
      while (next < live.length && live[next]![0] < end) next++;
      visit(start, end, live.slice(first, next), expandable);
    }
  }

  /** Takes what the allocator takes of the hole at `addr`: the rounded request, or all where it would not split. */
  #allocate(addr: number, requested: number): void {
    const size = this.#rounded(requested);
    const segment = this.#segmentAt(addr);
    let taken = size;
    if (segment !== undefined) {
      const index = lowerBound(segment.live, addr);
      this.#inferBefore(segment, index, addr);
      const end = segment.live[index] ?? segment.start + segment.size;
      const rest = end - addr - size;
      if (rest > 0 && rest <= this.#kept(segment, size)) taken += rest;
      if (rest < 0) this.contradictions++;
      segment.live.splice(index, 0, addr);
    }
    this.#live.set(addr, { size: taken, requested, pending: false, known: 'exactly' });
  }

  /**
   * An allocation begins where its hole begins: a short gap before it belongs to a block of the start, also where that
   * is the last one of the segment before.
   */
  #inferBefore(segment: Segment, index: number, addr: number): void {
    const home = index > 0 ? segment : addr === segment.start ? this.#endingAt(addr) : undefined;
    const before = home === segment ? segment.live[index - 1] : home?.live.at(-1);
    const block = before === undefined ? undefined : this.#live.get(before);
    if (home === undefined || before === undefined || block === undefined || block.known === 'exactly') return;
    const gap = addr - before - block.size;
    if (gap < 0 || gap > this.#kept(home, block.size)) return;
    if (gap > 0 || block.known === 'with-gap') this.inferredSlackBlocks++;
    block.size += gap;
    block.known = 'exactly';
  }

  #endingAt(addr: number): Segment | undefined {
    const segment = this.#segments[this.#indexAfter(addr) - 2];
    return segment !== undefined && segment.start + segment.size === addr ? segment : undefined;
  }

  /** A block comes back to life. Where the next one follows closely, all between belonged to it. */
  #unfree(addr: number, requested: number): void {
    if (this.#live.has(addr)) this.contradictions++;
    const size = this.#rounded(requested);
    const block: LiveBlock = { size, requested, pending: true, known: 'rounded' };
    this.#live.set(addr, block);
    const segment = this.#segmentAt(addr);
    if (segment === undefined) return;
    this.#takeGap(segment, this.#enter(addr), addr, block);
  }

  /** No free block is as short as a remainder: such a gap up to the next live block belongs to this one. */
  #takeGap(segment: Segment, index: number, addr: number, block: LiveBlock): void {
    const gap = (segment.live[index + 1] ?? segment.start + segment.size) - addr - block.size;
    if (gap < 0 || gap > this.#kept(segment, block.size)) return;
    block.size += gap;
    block.known = gap === 0 ? 'exactly' : 'with-gap';
  }

  /** Notes a live block in its segment; its place there, -1 in expandable segments. */
  #enter(addr: number): number {
    const segment = this.#segmentAt(addr);
    if (segment === undefined) return -1;
    const index = lowerBound(segment.live, addr);
    if (segment.live[index] !== addr) segment.live.splice(index, 0, addr);
    return index;
  }

  #leave(addr: number): void {
    const live = this.#segmentAt(addr)?.live;
    if (live === undefined) return;
    const index = lowerBound(live, addr);
    if (live[index] === addr) live.splice(index, 1);
  }

  /** The longest remainder that stays with a block of this size: oversize blocks (max_split_size) keep all. */
  #kept(segment: Segment, size: number): number {
    if (segment.size === SMALL_SEGMENT) return UNIT - 1;
    return size >= this.#maxSplit ? Infinity : KEPT_REMAINDER;
  }

  #rounded(size: number): number {
    return roundRequest(size, this.#divisions);
  }

  #setPending(addr: number, pending: boolean): void {
    const block = this.#live.get(addr);
    if (block === undefined) this.contradictions++;
    else block.pending = pending;
  }

  #addSegment(start: number, size: number): void {
    this.#segments.splice(this.#indexAfter(start), 0, { start, size, live: [] });
  }

  #removeSegment(start: number): void {
    const index = this.#indexAfter(start) - 1;
    if (this.#segments[index]?.start === start) this.#segments.splice(index, 1);
    else this.contradictions++;
  }

  #segmentAt(addr: number): Segment | undefined {
    const segment = this.#segments[this.#indexAfter(addr) - 1];
    return segment !== undefined && addr < segment.start + segment.size ? segment : undefined;
  }

  /** Index of the first segment that begins after `addr`. */
  #indexAfter(addr: number): number {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#segments[middle]!.start <= addr) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function lowerBound(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
