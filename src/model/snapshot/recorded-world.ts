/**
 * Live blocks and segments of one device at one moment of a recorded trace. `undo` takes an entry back, `redo` carries
 * it out. A trace holds requests, not block sizes: what an allocation could not split off stays with its block. In a
 * cudaMalloc segment of the large pool that is up to 1 MiB, so no free block of that size can exist behind a live one.
 */
import { ACTION, BLOCK, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { RangeSet } from './range-set.js';

const UNIT = 512;
const SMALL_SEGMENT = 2 * 2 ** 20;
/** Remainders of the large pool up to this stay in the block. */
const KEPT_REMAINDER = 2 ** 20;

export interface LiveBlock {
  size: number;
  /** Freed, but a stream still uses it. */
  pending: boolean;
  /** Its size is a rounded request: the remainder behind it is not known yet. */
  guessed: boolean;
}

/** A cudaMalloc segment with the addresses of its live blocks in order. */
interface Segment {
  readonly start: number;
  readonly size: number;
  readonly live: number[];
}

const rounded = (size: number): number => Math.max(UNIT, Math.ceil(size / UNIT) * UNIT);

export class RecordedWorld {
  readonly #live = new Map<number, LiveBlock>();
  #segments: Segment[] = [];
  readonly #mapped = new RangeSet();
  readonly #maxSplit: number;
  contradictions = 0;
  inferredSlackBlocks = 0;

  /** The final state of a device. */
  constructor(snapshot: RecordedSnapshot, device: number) {
    const limit = snapshot.settings?.['max_split_size'];
    this.#maxSplit = typeof limit === 'number' && limit > 0 ? limit : Infinity;
    const { blocks } = snapshot;
    for (const segment of snapshot.segments) {
      if (segment.device !== device) continue;
      if (segment.expandable) this.#mapped.add(segment.address, segment.address + segment.size);
      else this.#addSegment(segment.address, segment.size);
      for (let row = segment.firstBlock; row < segment.firstBlock + segment.blockCount; row++) {
        if (blocks.state[row] === BLOCK.inactive) continue;
        const pending = blocks.state[row] === BLOCK.pending;
        this.#live.set(blocks.address[row]!, { size: blocks.size[row]!, pending, guessed: false });
      }
    }
  }

  /** Takes entry `event` back. */
  undo(trace: RecordedTrace, event: number): void {
    const addr = trace.addr[event]!;
    const size = trace.size[event]!;
    switch (trace.action[event]) {
      case ACTION.alloc:
        if (!this.#live.delete(addr)) this.contradictions++;
        break;
      case ACTION.freeCompleted:
        if (this.#live.has(addr)) this.contradictions++;
        this.#live.set(addr, { size: rounded(size), pending: true, guessed: true });
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

  /** After every entry was taken back: puts the live blocks into their segments and infers short remainders. */
  begin(): void {
    for (const address of [...this.#live.keys()].sort((a, b) => a - b)) this.#segmentAt(address)?.live.push(address);
    for (const segment of this.#segments) {
      segment.live.forEach((address, index) => {
        const block = this.#live.get(address);
        if (block?.guessed !== true) return;
        const gap = (segment.live[index + 1] ?? segment.start + segment.size) - address - block.size;
        if (gap > 0 && gap <= kept(segment)) this.#extend(block, gap);
      });
    }
  }

  /** Carries entry `event` out; `begin` comes first. */
  redo(trace: RecordedTrace, event: number): void {
    const addr = trace.addr[event]!;
    const size = trace.size[event]!;
    switch (trace.action[event]) {
      case ACTION.alloc:
        this.#allocate(addr, rounded(size));
        break;
      case ACTION.freeRequested:
        this.#setPending(addr, true);
        break;
      case ACTION.freeCompleted: {
        const live = this.#segmentAt(addr)?.live;
        const index = live?.indexOf(addr) ?? -1;
        if (index !== -1) live?.splice(index, 1);
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
  forEachArea(visit: (start: number, end: number, blocks: readonly (readonly [number, LiveBlock])[]) => void): void {
    const live = [...this.#live].sort(([a], [b]) => a - b);
    const areas = [
      ...this.#segments.map(({ start, size }) => ({ start, end: start + size })),
      ...this.#mapped.ranges,
    ].sort((a, b) => a.start - b.start);
    let next = 0;
    for (const { start, end } of areas) {
      while (next < live.length && live[next]![0] < start) next++;
      const first = next;
      while (next < live.length && live[next]![0] < end) next++;
      visit(start, end, live.slice(first, next));
    }
  }

  /** Takes what the allocator takes of the hole at `addr`: the rounded request, or all where it would not split. */
  #allocate(addr: number, size: number): void {
    const segment = this.#segmentAt(addr);
    let taken = size;
    if (segment !== undefined) {
      const index = lowerBound(segment.live, addr);
      this.#inferBefore(segment, index, addr);
      const end = segment.live[index] ?? segment.start + segment.size;
      const rest = end - addr - size;
      if (rest > 0 && (rest <= kept(segment) || size >= this.#maxSplit)) taken += rest;
      if (rest < 0) this.contradictions++;
      segment.live.splice(index, 0, addr);
    }
    this.#live.set(addr, { size: taken, pending: false, guessed: false });
  }

  /** An allocation begins where its hole begins: a short gap before it belongs to a block of the start. */
  #inferBefore(segment: Segment, index: number, addr: number): void {
    const before = segment.live[index - 1];
    const block = before === undefined ? undefined : this.#live.get(before);
    if (before === undefined || block?.guessed !== true) return;
    const gap = addr - before - block.size;
    if (gap > 0 && gap <= kept(segment)) this.#extend(block, gap);
  }

  #extend(block: LiveBlock, gap: number): void {
    block.size += gap;
    block.guessed = false;
    this.inferredSlackBlocks++;
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

/** The longest remainder that stays with a block in this segment: the small pool splits from 512 bytes on. */
const kept = (segment: Segment): number => (segment.size === SMALL_SEGMENT ? UNIT - 1 : KEPT_REMAINDER);

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
