/**
 * Where the free blocks of a recorded run lay at every moment. A trace gives the addresses, so this is known without
 * knowing which pool owned what, and it shows which free blocks an allocation passed over.
 */
import { ACTION, type RecordedTrace } from './recorded-snapshot.js';
import { roundRequest, SMALL_SEGMENT, SMALL_SIZE } from '../allocator/caching/rounding.js';
import { type StartHeap } from './start-heap.js';

const UNIT = 512;
const KEPT_REMAINDER = 2 ** 20;
/** Pages of expandable segments of the large pool. */
const LARGE_PAGE = 20 * 2 ** 20;

/** A cudaMalloc segment, or the addresses that an expandable segment has mapped so far. */
export interface Area {
  readonly number: number;
  readonly stream: number;
  readonly isSmall: boolean;
  readonly isMapped: boolean;
  readonly start: number;
  /** Behind the last address that was ever mapped. */
  end: number;
  /** Bytes that it has now. */
  reserved: number;
}

export interface Piece {
  readonly address: number;
  readonly size: number;
  readonly area: Area;
  readonly isFree: boolean;
}

export interface LayoutSettings {
  readonly divisions: Float64Array;
  /** Infinity without a limit. */
  readonly maxSplit: number;
  /** Whether remainders are split off down to 512 bytes in every segment. */
  readonly expandable: boolean;
}

export class RecordedLayout {
  /** All that ever were, by number: in the order in which they came. */
  readonly areas: Area[] = [];
  readonly #settings: LayoutSettings;
  readonly #live = new Set<Area>();
  readonly #startAt = new Map<number, Piece>();
  readonly #endAt = new Map<number, Piece>();
  /** Free blocks by (size, address), for each stream and size class. */
  readonly #holes = new Map<string, Piece[]>();

  constructor(start: StartHeap, settings: LayoutSettings) {
    this.#settings = settings;
    const ranges = new Map<number, Area>();
    for (const { address, size, stream, isSmall, rangeBase, blocks } of start.segments) {
      const known = rangeBase === undefined ? undefined : ranges.get(rangeBase);
      const area = known ?? this.#open(address, stream, isSmall, rangeBase !== undefined);
      if (rangeBase !== undefined) ranges.set(rangeBase, area);
      area.end = address + size;
      area.reserved += size;
      for (const block of blocks) this.#put(block.address, block.size, area, block.isFree);
    }
  }

  /** Areas that hold memory now. */
  get live(): ReadonlySet<Area> {
    return this.#live;
  }

  /** The block that begins at an address. */
  at(address: number): Piece | undefined {
    return this.#startAt.get(address);
  }

  /** Free blocks of one stream and size class that hold `size` bytes, the smallest and lowest first. */
  *fitting({ stream, isSmall }: Area, size: number): Generator<Piece> {
    const holes = this.#holes.get(keyOf(stream, isSmall)) ?? [];
    for (let i = placeOf(holes, size, -1); i < holes.length; i++) yield holes[i]!;
  }

  /** Whether a page of an expandable segment lies wholly in one of its free blocks. */
  hasFreePage(area: Area): boolean {
    const page = area.isSmall ? SMALL_SEGMENT : LARGE_PAGE;
    return (this.#holes.get(keyOf(area.stream, area.isSmall)) ?? []).some((hole) => {
      const from = hole.address - area.start;
      return hole.area === area && Math.ceil(from / page) < Math.floor((from + hole.size) / page);
    });
  }

  rounded(size: number): number {
    return roundRequest(size, this.#settings.divisions);
  }

  /** Carries an entry of the trace out. False where it contradicts the blocks: nothing after it can be told. */
  apply(trace: RecordedTrace, event: number): boolean {
    const address = trace.addr[event]!;
    const size = trace.size[event]!;
    switch (trace.action[event]) {
      case ACTION.alloc:
        return this.#allocate(address, this.rounded(size));
      case ACTION.freeCompleted:
        return this.#free(address);
      case ACTION.segmentAlloc: {
        const area = this.#open(address, trace.stream[event]!, size === SMALL_SEGMENT, false);
        this.#grow(area, address, size);
        return true;
      }
      case ACTION.segmentFree:
      case ACTION.segmentUnmap:
        return this.#giveBack(address, size);
      case ACTION.segmentMap: {
        const next = allocationAfter(trace, event);
        if (next === undefined) return false;
        this.#grow(this.#rangeFor(trace, event, this.rounded(trace.size[next]!) <= SMALL_SIZE), address, size);
        return true;
      }
      default:
        return true;
    }
  }

  /** Memory is mapped behind what an expandable segment has mapped before, or in a gap of it. */
  #rangeFor(trace: RecordedTrace, event: number, isSmall: boolean): Area {
    const address = trace.addr[event]!;
    const stream = trace.stream[event]!;
    for (const area of this.#live) {
      if (!area.isMapped || area.isSmall !== isSmall || area.stream !== stream) continue;
      if (address >= area.start && address <= area.end) return area;
    }
    return this.#open(address, stream, isSmall, true);
  }

  #open(start: number, stream: number, isSmall: boolean, isMapped: boolean): Area {
    const area = { number: this.areas.length, stream, isSmall, isMapped, start, end: start, reserved: 0 };
    this.areas.push(area);
    this.#live.add(area);
    return area;
  }

  #grow(area: Area, address: number, size: number): void {
    area.end = Math.max(area.end, address + size);
    area.reserved += size;
    this.#join(address, size, area);
  }

  #allocate(address: number, size: number): boolean {
    const hole = this.#startAt.get(address);
    if (hole?.isFree !== true || hole.size < size) return false;
    this.#drop(hole);
    const rest = hole.size - size;
    const { maxSplit, expandable } = this.#settings;
    const splitsFinely = hole.area.isSmall || hole.area.isMapped || expandable;
    const splits = splitsFinely ? rest >= UNIT : size < maxSplit && rest > KEPT_REMAINDER;
    this.#put(address, splits ? size : hole.size, hole.area, false);
    if (splits) this.#put(address + size, rest, hole.area, true);
    return true;
  }

  #free(address: number): boolean {
    const block = this.#startAt.get(address);
    if (block?.isFree !== false) return false;
    this.#drop(block);
    this.#join(address, block.size, block.area);
    return true;
  }

  /** A free block that is one with free neighbours. */
  #join(address: number, size: number, area: Area): void {
    let start = address;
    let end = address + size;
    for (const next of [this.#endAt.get(address), this.#startAt.get(end)]) {
      if (next?.isFree !== true || next.area !== area) continue;
      this.#drop(next);
      start = Math.min(start, next.address);
      end = Math.max(end, next.address + next.size);
    }
    this.#put(start, end - start, area, true);
  }

  #giveBack(address: number, size: number): boolean {
    const hole = this.#startAt.get(address) ?? this.#holeAround(address);
    if (hole?.isFree !== true || hole.address + hole.size < address + size) return false;
    this.#drop(hole);
    const { area } = hole;
    if (address > hole.address) this.#put(hole.address, address - hole.address, area, true);
    const behind = hole.address + hole.size - address - size;
    if (behind > 0) this.#put(address + size, behind, area, true);
    area.reserved -= size;
    if (area.reserved <= 0) this.#live.delete(area);
    return true;
  }

  #holeAround(address: number): Piece | undefined {
    for (const holes of this.#holes.values()) {
      const found = holes.find((hole) => hole.address <= address && address < hole.address + hole.size);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #put(address: number, size: number, area: Area, isFree: boolean): void {
    const piece = { address, size, area, isFree };
    this.#startAt.set(address, piece);
    this.#endAt.set(address + size, piece);
    if (!isFree) return;
    const key = keyOf(area.stream, area.isSmall);
    const holes = this.#holes.get(key) ?? [];
    this.#holes.set(key, holes);
    holes.splice(placeOf(holes, size, address), 0, piece);
  }

  #drop(piece: Piece): void {
    this.#startAt.delete(piece.address);
    this.#endAt.delete(piece.address + piece.size);
    if (!piece.isFree) return;
    const holes = this.#holes.get(keyOf(piece.area.stream, piece.area.isSmall)) ?? [];
    holes.splice(placeOf(holes, piece.size, piece.address), 1);
  }
}

const keyOf = (stream: number, isSmall: boolean): string => `${stream}/${String(isSmall)}`;

/** Index of the first hole that is not before (size, address). */
function placeOf(holes: readonly Piece[], size: number, address: number): number {
  let low = 0;
  let high = holes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const hole = holes[middle]!;
    if (hole.size < size || (hole.size === size && hole.address < address)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The allocation that memory was mapped for. */
export function allocationAfter(trace: RecordedTrace, event: number): number | undefined {
  for (let next = event + 1; next < trace.count; next++) {
    const action = trace.action[next];
    if (action === ACTION.alloc || action === ACTION.oom) return next;
    if (action === ACTION.freeRequested) return undefined;
  }
  return undefined;
}
