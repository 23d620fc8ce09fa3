/**
 * Memory as it comes from the device and goes back: address ranges and the pieces of memory in them, each from the
 * operation that took it to the one that gave it back. A part of mapped memory that is unmapped ends its row; what is left
 * of it goes on as rows of its own.
 */
import { AddressIndex } from './address-index.js';
import { GrowingBytes, GrowingDoubles, GrowingInts } from './growing.js';
import { NEVER, type RangeColumns, type SegmentColumns } from './memory-run.js';

export class DeviceLog {
  readonly #rangeAddress = new GrowingDoubles();
  readonly #rangeSize = new GrowingDoubles();
  readonly #rangeCreated = new GrowingInts();
  readonly #rangeReleased = new GrowingInts();
  readonly #expandable = new GrowingBytes();
  readonly #address = new GrowingDoubles();
  readonly #size = new GrowingDoubles();
  readonly #created = new GrowingInts();
  readonly #released = new GrowingInts();
  readonly #range = new GrowingInts();
  readonly #liveRanges = new AddressIndex();
  readonly #live = new AddressIndex();

  get segmentCount(): number {
    return this.#address.length;
  }

  /** A piece of memory of its own. */
  take(address: number, size: number, at: number): void {
    const range = this.#addRange(address, at, 0);
    this.#rangeSize.values[range] = size;
    this.#addSegment(address, size, at, range);
  }

  /** The piece of memory at an address goes back. Its row, -1 where there is none. */
  give(address: number, at: number): number {
    const segment = this.#live.remove(address);
    if (segment === -1) return -1;
    this.#released.values[segment] = at;
    this.#rangeReleased.values[this.#range.values[segment]!] = at;
    this.#liveRanges.remove(address);
    return segment;
  }

  /** Addresses that memory will be mapped into; the row of the range. */
  reserve(address: number, at: number): number {
    return this.#addRange(address, at, 1);
  }

  releaseRange(address: number, at: number): void {
    const range = this.#liveRanges.remove(address);
    if (range !== -1) this.#rangeReleased.values[range] = at;
  }

  /** Memory is put behind addresses of the reserved range that begins at or before them. */
  map(address: number, size: number, at: number): void {
    this.mapInto(this.#liveRanges.floor(address), address, size, at);
  }

  /** Memory is put behind addresses of a range. */
  mapInto(range: number, address: number, size: number, at: number): void {
    const extent = address + size - this.#rangeAddress.values[range]!;
    if (extent > this.#rangeSize.values[range]!) this.#rangeSize.values[range] = extent;
    this.#addSegment(address, size, at, range);
  }

  /** Memory is taken away from addresses, whatever pieces it was mapped in. The first piece's row, -1 without one. */
  unmap(address: number, size: number, at: number): number {
    const end = address + size;
    let segment = this.#live.floor(address);
    if (segment === -1 || this.#endOf(segment) <= address) segment = this.#live.next;
    const first = segment !== -1 && this.#address.values[segment]! < end ? segment : -1;
    while (segment !== -1 && this.#address.values[segment]! < end) {
      const [from, to] = [this.#address.values[segment]!, this.#endOf(segment)];
      const range = this.#range.values[segment]!;
      this.#live.remove(from);
      const next = this.#live.next;
      this.#released.values[segment] = at;
      if (from < address) this.#addSegment(from, address - from, at, range);
      if (to > end) this.#addSegment(end, to - end, at, range);
      segment = next;
    }
    return first;
  }

  /** The range of the memory behind an address, -1 where there is none. */
  rangeAt(address: number): number {
    const segment = this.#live.floor(address);
    return segment !== -1 && address < this.#endOf(segment) ? this.#range.values[segment]! : -1;
  }

  /**
   * Where the memory behind an address ends, `most` at the latest: mapped parts that touch are one. The address itself
   * where there is none.
   */
  memoryEnd(address: number, most: number): number {
    let segment = this.#live.floor(address);
    if (segment === -1 || address >= this.#endOf(segment)) return address;
    const range = this.#range.values[segment]!;
    let end = this.#endOf(segment);
    for (; end < most && this.#expandable.values[range] === 1; end = this.#endOf(segment)) {
      this.#live.floor(end);
      segment = this.#live.previous;
      if (this.#address.values[segment] !== end || this.#range.values[segment] !== range) break;
    }
    return Math.min(end, most);
  }

  finish(): { readonly ranges: RangeColumns; readonly segments: SegmentColumns } {
    return {
      ranges: {
        count: this.#rangeAddress.length,
        address: this.#rangeAddress.finish(),
        size: this.#rangeSize.finish(),
        createdAt: this.#rangeCreated.finish(),
        releasedAt: this.#rangeReleased.finish(),
        expandable: this.#expandable.finish(),
      },
      segments: {
        count: this.#address.length,
        address: this.#address.finish(),
        size: this.#size.finish(),
        createdAt: this.#created.finish(),
        releasedAt: this.#released.finish(),
        range: this.#range.finish(),
      },
    };
  }

  #endOf(segment: number): number {
    return this.#address.values[segment]! + this.#size.values[segment]!;
  }

  #addRange(address: number, at: number, expandable: number): number {
    const range = this.#rangeAddress.push(address);
    this.#rangeSize.push(0);
    this.#rangeCreated.push(at);
    this.#rangeReleased.push(NEVER);
    this.#expandable.push(expandable);
    this.#liveRanges.insert(address, range);
    return range;
  }

  #addSegment(address: number, size: number, at: number, range: number): void {
    const segment = this.#address.push(address);
    this.#size.push(size);
    this.#created.push(at);
    this.#released.push(NEVER);
    this.#range.push(range);
    this.#live.insert(address, segment);
  }
}
