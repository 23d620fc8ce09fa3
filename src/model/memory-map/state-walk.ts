/**
 * Goes through a run operation by operation with everything a track or a checkpoint needs: areas of memory, living blocks
 * in order of address, and the holes between them. In one operation deaths come before births, blocks before the memory
 * under them; so a hole is always what lies between two neighbours in one area.
 */
import { AddressIndex } from './address-index.js';
import { LargestSize } from './largest.js';
import { type BlockColumns, CATEGORY_COUNT, NEVER, type RangeColumns, type SegmentColumns } from './memory-run.js';

export class StateWalk {
  readonly live = new AddressIndex();
  readonly categories = new Float64Array(CATEGORY_COUNT);
  allocated = 0;
  reserved = 0;
  free = 0;
  holes = 0;
  readonly #sizes = new LargestSize();
  /** Areas by their first address; each has its end and its range. */
  readonly #areas = new AddressIndex();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #ranges: number[] = [];

  constructor(
    private readonly blocks: BlockColumns,
    private readonly segments: SegmentColumns,
    private readonly ranges: RangeColumns,
  ) {}

  get largestHole(): number {
    return this.#sizes.largest;
  }

  /** Contiguous areas: neighbouring mapped pieces of one range are one. */
  get areas(): number {
    return this.#areas.length;
  }

  openSegment(row: number): void {
    const start = this.segments.address[row]!;
    const end = start + this.segments.size[row]!;
    const range = this.segments.range[row]!;
    this.reserved += end - start;
    this.#areas.floor(start);
    const { previous, next } = this.#areas;
    const joins = this.ranges.expandable[range] === 1;
    const left = joins && previous !== -1 && this.#ends[previous] === start && this.#ranges[previous] === range;
    const right = joins && next !== -1 && this.#starts[next] === end && this.#ranges[next] === range;
    const areaStart = left ? this.#starts[previous]! : start;
    const areaEnd = right ? this.#ends[next]! : end;
    if (right) this.#areas.remove(end);
    if (left) this.#ends[previous] = areaEnd;
    else this.#addArea(start, areaEnd, range);
    this.#changeHoles(start, end, areaStart, areaEnd, 1);
  }

  /** Blocks may live in it where a part of it is opened again in the same operation. */
  closeSegment(row: number): void {
    const start = this.segments.address[row]!;
    const end = start + this.segments.size[row]!;
    this.reserved -= end - start;
    const area = this.#areas.floor(start);
    const [areaStart, areaEnd] = [this.#starts[area]!, this.#ends[area]!];
    this.#changeHoles(start, end, areaStart, areaEnd, -1);
    if (start > areaStart) this.#ends[area] = start;
    else this.#areas.remove(areaStart);
    if (end < areaEnd) this.#addArea(end, areaEnd, this.#ranges[area]!);
  }

  openBlock(row: number): void {
    const start = this.blocks.address[row]!;
    const end = start + this.blocks.size[row]!;
    this.live.insert(start, row);
    const [from, to] = this.#bounds(start);
    this.#removeHole(to - from);
    this.#addHole(start - from);
    this.#addHole(to - end);
    this.allocated += end - start;
    this.categories[this.blocks.category[row]!]! += end - start;
  }

  /** The program is done with a block; its bytes are not free before `closeBlock`. */
  freeBlock(row: number): void {
    const size = this.blocks.size[row]!;
    this.allocated -= size;
    this.categories[this.blocks.category[row]!]! -= size;
  }

  closeBlock(row: number): void {
    const start = this.blocks.address[row]!;
    const end = start + this.blocks.size[row]!;
    this.live.remove(start);
    const [from, to] = this.#bounds(start);
    this.#removeHole(start - from);
    this.#removeHole(to - end);
    this.#addHole(to - from);
  }

  /** The room around an address between the neighbours that the index of living blocks was left at. */
  #bounds(start: number): readonly [from: number, to: number] {
    const { previous, next } = this.live;
    const { address, size } = this.blocks;
    const area = this.#areas.floor(start);
    const from = this.#starts[area]!;
    const to = this.#ends[area]!;
    return [
      previous === -1 ? from : Math.max(from, address[previous]! + size[previous]!),
      next === -1 ? to : Math.min(to, address[next]!),
    ];
  }

  /**
   * Memory [start, end) of an area comes (1) or goes (-1): with it come and go the holes that reach into it, and without
   * it their parts before and behind it are holes of their own.
   */
  #changeHoles(start: number, end: number, areaStart: number, areaEnd: number, sign: 1 | -1): void {
    const { address, size } = this.blocks;
    const before = this.live.floor(start);
    let at = before === -1 ? areaStart : Math.max(areaStart, address[before]! + size[before]!);
    while (at < end) {
      const { next } = this.live;
      const to = next === -1 ? areaEnd : Math.min(areaEnd, address[next]!);
      if (to > at && to > start) {
        const [added, removed] = sign === 1 ? [1, -1] : [-1, 1];
        this.#changeHole(to - at, added);
        this.#changeHole(start - at, removed);
        this.#changeHole(to - end, removed);
      }
      if (next === -1 || to === areaEnd) return;
      at = address[next]! + size[next]!;
      this.live.floor(address[next]!);
    }
  }

  #changeHole(size: number, sign: number): void {
    if (sign === 1) this.#addHole(size);
    else this.#removeHole(size);
  }

  #addArea(start: number, end: number, range: number): void {
    this.#starts.push(start);
    this.#ends.push(end);
    this.#areas.insert(start, this.#ranges.push(range) - 1);
  }

  #addHole(size: number): void {
    if (size <= 0) return;
    this.#sizes.add(size);
    this.free += size;
    this.holes++;
  }

  #removeHole(size: number): void {
    if (size <= 0) return;
    this.#sizes.remove(size);
    this.free -= size;
    this.holes--;
  }
}

/** Rows in the order of a column of operations, without those that never come; rows of one operation keep their order. */
export function rowsByOperation(column: Int32Array, operations: number): Int32Array<ArrayBuffer> {
  const starts = new Int32Array(operations + 1);
  let count = 0;
  for (const at of column) {
    if (at === NEVER) continue;
    starts[at + 1]!++;
    count++;
  }
  // Operation -1 stands first: its rows are counted at 0.
  for (let i = 1; i <= operations; i++) starts[i]! += starts[i - 1]!;
  const next = new Int32Array(operations + 1);
  next.set(starts.subarray(0, operations), 1);
  const rows = new Int32Array(count);
  for (let row = 0; row < column.length; row++) {
    const at = column[row]!;
    if (at !== NEVER) rows[next[at + 1]!++] = row;
  }
  return rows;
}
