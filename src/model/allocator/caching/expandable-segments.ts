/**
 * Expandable segments: one long range of addresses a pool and stream, with memory mapped behind it page by page where it
 * is needed. The range is a chain of blocks in use, free blocks and unmapped ranges:
 *
 *     |AAAA....AA....~~~~~~~~~~~~~~~~~~~~|     A in use   . free   ~ unmapped
 */
import {
  ADDRESS,
  AGE,
  ALLOCATED,
  AWAITING,
  DOUBLES,
  FREE,
  INTS,
  NEXT,
  PREV,
  SEGMENT,
  SIZE,
  STATE,
  UNIT,
  UNMAPPED,
} from './block-table.js';
import { absorbNext, absorbPrevious } from './free-block.js';
import { SEGMENT_MAP, SEGMENT_UNMAP } from './history.js';
import { type Shelf } from './pools.js';
import { SMALL_SEGMENT } from './rounding.js';
import { type AllocatorState } from './state.js';
import { RESERVED_BYTES } from './statistics.js';
import { type VirtualMemory } from '../../memory/device-memory.js';
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';

interface Range {
  readonly base: number;
  readonly size: number;
  readonly pageSize: number;
}

export class ExpandableSegments {
  /** By number; a block's SEGMENT points here. Number 0 means none. Given-up numbers are used again. */
  readonly #ranges: (Range | undefined)[] = [undefined];

  constructor(private readonly state: AllocatorState) {}

  /** A block of at least `size` bytes, taken off its shelf; 0 when the device has no room. What was mapped stays. */
  allocate(shelf: Shelf, size: number): number {
    let candidate = this.#findRoom(shelf, size);
    const startsUnmapped = this.state.table.i32[(candidate << INTS) + STATE] === UNMAPPED;
    if (startsUnmapped && !this.#map(shelf, candidate, Math.min(this.state.sizeOf(candidate), size))) return 0;
    while (this.state.sizeOf(candidate) < size) {
      const missing = size - this.state.sizeOf(candidate);
      const next = this.state.table.i32[(candidate << INTS) + NEXT]!;
      if (!this.#map(shelf, next, Math.min(missing, this.state.sizeOf(next)))) return 0;
      candidate = next;
    }
    shelf.free.remove(candidate);
    return candidate;
  }

  /**
   * Takes over a range that begins at `base` and is mapped up to `mappedEnd` at most; its blocks are linked by the
   * caller. Returns its number and its end: 9/8 of the device, as a range of its own making would have.
   */
  adoptRange(shelf: Shelf, base: number, mappedEnd: number): { readonly number: number; readonly end: number } {
    const { pageSize, size: usual } = this.#dimensions(shelf);
    const size = Math.max(usual, Math.ceil((mappedEnd - base) / pageSize) * pageSize);
    return { number: this.#addRange({ base, size, pageSize }), end: base + size };
  }

  /** Unmaps the pages that lie wholly inside a free block; what is left of it stays free. */
  unmap(block: number): void {
    const { state } = this;
    const { table } = state;
    const shelf = state.shelfOf(block);
    const number = table.i32[(block << INTS) + SEGMENT]!;
    const range = this.#range(number);
    const address = state.addressOf(block);
    const size = state.sizeOf(block);
    const begin = Math.ceil((address - range.base) / range.pageSize) * range.pageSize + range.base;
    const end = Math.floor((address + size - range.base) / range.pageSize) * range.pageSize + range.base;
    if (begin >= end) return;
    state.device.events?.synchronizeStream(shelf.stream);
    this.#virtual().unmap(begin, end - begin, range.pageSize);

    shelf.free.remove(block);
    if (begin > address) {
      const before = this.#cut(shelf, block, address, begin - address);
      this.#link(table.i32[(block << INTS) + PREV]!, before, block);
      state.putFree(shelf, before);
    }
    if (address + size > end) {
      const after = this.#cut(shelf, block, end, address + size - end);
      this.#link(block, after, table.i32[(block << INTS) + NEXT]!);
      state.putFree(shelf, after);
    }
    table.f64[(block << DOUBLES) + ADDRESS] = begin;
    table.i32[(block << INTS) + SIZE] = (end - begin) / UNIT;
    table.i32[(block << INTS) + STATE] = UNMAPPED;
    this.#joinUnmapped(shelf, block);
    shelf.addUnmapped(block);

    state.statistics.decrease(RESERVED_BYTES, shelf.kind, end - begin);
    const owner = shelf.pool.owner;
    if (owner !== undefined) {
      owner.segments = Math.max(0, owner.segments - 1);
      owner.mappedBytes -= end - begin;
    }
    state.statistics.numDeviceFree += 1;
    state.history?.add(SEGMENT_UNMAP, begin, end - begin, shelf.stream);
    this.#giveUpIfEmpty(shelf, block, number);
  }

  /** First place with room for `size` bytes of free and unmapped space in a row; a new range where there is none. */
  #findRoom(shelf: Shelf, size: number): number {
    const { i32 } = this.state.table;
    for (const unmapped of shelf.unmapped) {
      // A free block right before the unmapped range can be used too.
      const previous = i32[(unmapped << INTS) + PREV]!;
      const first = previous !== 0 && this.#isIdle(previous) ? previous : unmapped;
      let bytes = 0;
      for (
        let block = first;
        block !== 0 && bytes < size && this.#isIdle(block);
        block = i32[(block << INTS) + NEXT]!
      ) {
        bytes += this.state.sizeOf(block);
      }
      if (bytes >= size) return first;
    }
    return this.#reserveRange(shelf);
  }

  #isIdle(block: number): boolean {
    const is = this.state.table.i32[(block << INTS) + STATE]!;
    return is !== ALLOCATED && is !== AWAITING;
  }

  #reserveRange(shelf: Shelf): number {
    const { state } = this;
    const { pageSize, size } = this.#dimensions(shelf);
    const range: Range = { base: this.#virtual().reserve(size), size, pageSize };
    const number = this.#addRange(range);
    const block = state.newBlock(shelf, range.base, size / UNIT, state.nextAge(), number);
    state.table.i32[(block << INTS) + STATE] = UNMAPPED;
    shelf.addUnmapped(block);
    return block;
  }

  #dimensions(shelf: Shelf): Pick<Range, 'size' | 'pageSize'> {
    const pageSize = shelf.isSmall ? SMALL_SEGMENT : this.state.settings.largeSegmentSize;
    const { total } = this.state.device.info();
    return { pageSize, size: Math.ceil((total + Math.floor(total / 8)) / pageSize) * pageSize };
  }

  #addRange(range: Range): number {
    const unusedNumber = this.#ranges.indexOf(undefined, 1);
    const number = unusedNumber < 0 ? this.#ranges.length : unusedNumber;
    this.#ranges[number] = range;
    return number;
  }

  /** Maps the first `size` bytes of an unmapped block (whole pages) and joins it with free neighbours. */
  #map(shelf: Shelf, block: number, size: number): boolean {
    const { state } = this;
    const { table } = state;
    const number = table.i32[(block << INTS) + SEGMENT]!;
    const { pageSize } = this.#range(number);
    const address = state.addressOf(block);
    const mapped = Math.ceil(size / pageSize) * pageSize;
    if (!this.#virtual().map(address, mapped, pageSize)) return false;

    shelf.removeUnmapped(block);
    const rest = state.sizeOf(block) - mapped;
    if (rest > 0) {
      const remaining = this.#cut(shelf, block, address + mapped, rest);
      this.#link(block, remaining, table.i32[(block << INTS) + NEXT]!);
      table.i32[(remaining << INTS) + STATE] = UNMAPPED;
      shelf.addUnmapped(remaining);
      table.i32[(block << INTS) + SIZE] = mapped / UNIT;
    }
    const { i32 } = table;
    const previous = i32[(block << INTS) + PREV]!;
    if (previous !== 0 && i32[(previous << INTS) + STATE] === FREE) {
      shelf.free.remove(previous);
      absorbPrevious(table, block, previous);
    }
    const next = i32[(block << INTS) + NEXT]!;
    if (next !== 0 && i32[(next << INTS) + STATE] === FREE) {
      shelf.free.remove(next);
      absorbNext(table, block, next);
    }
    state.putFree(shelf, block);
    state.statistics.increase(RESERVED_BYTES, shelf.kind, mapped);
    const { owner } = shelf.pool;
    if (owner !== undefined) owner.mappedBytes += mapped;
    state.statistics.numDeviceAlloc += 1;
    state.history?.add(SEGMENT_MAP, address, mapped, shelf.stream);
    return true;
  }

  /** A new block of the same range, linked to nothing yet. */
  #cut(shelf: Shelf, from: number, address: number, size: number): number {
    const at = from << INTS;
    const { i32 } = this.state.table;
    return this.state.newBlock(shelf, address, size / UNIT, i32[at + AGE]!, i32[at + SEGMENT]!);
  }

  #link(before: number, block: number, after: number): void {
    const { i32 } = this.state.table;
    i32[(block << INTS) + PREV] = before;
    i32[(block << INTS) + NEXT] = after;
    if (before !== 0) i32[(before << INTS) + NEXT] = block;
    if (after !== 0) i32[(after << INTS) + PREV] = block;
  }

  #joinUnmapped(shelf: Shelf, block: number): void {
    const { table } = this.state;
    const { i32 } = table;
    const previous = i32[(block << INTS) + PREV]!;
    if (previous !== 0 && i32[(previous << INTS) + STATE] === UNMAPPED) {
      shelf.removeUnmapped(previous);
      absorbPrevious(table, block, previous);
    }
    const next = i32[(block << INTS) + NEXT]!;
    if (next !== 0 && i32[(next << INTS) + STATE] === UNMAPPED) {
      shelf.removeUnmapped(next);
      absorbNext(table, block, next);
    }
  }

  /** A range without any memory left gives its addresses back. */
  #giveUpIfEmpty(shelf: Shelf, block: number, number: number): void {
    const { table } = this.state;
    const at = block << INTS;
    if ((table.i32[at + PREV]! | table.i32[at + NEXT]!) !== 0) return;
    const range = this.#range(number);
    shelf.removeUnmapped(block);
    table.giveBack(block);
    this.#ranges[number] = undefined;
    this.#virtual().release(range.base, range.size);
  }

  #range(number: number): Range {
    const range = this.#ranges[number];
    if (range === undefined) throw new Error(`expandable segment ${number} does not exist`);
    return range;
  }

  #virtual(): VirtualMemory {
    const { virtual } = this.state.device;
    if (virtual === undefined) {
      throw badInput(
        'expandable_segments',
        say`expandable_segments: this device cannot map memory page by page; set it to False`,
      );
    }
    return virtual;
  }
}
