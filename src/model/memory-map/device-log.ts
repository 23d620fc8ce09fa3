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
  /** Bytes of addresses of each live range. */
  readonly #reach = new Map<number, number>();

  get segmentCount(): number {
    return this.#address.length;
  }

  /** A piece of memory of its own. */
  take(address: number, size: number, at: number): void {
    const range = this.#addRange(address, size, at, 0);
    this.#rangeSize.values[range] = size;
    this.#addSegment(address, size, at, range);
  }

  /** The piece of memory at an address goes back. False where there is none. */
  give(address: number, at: number): boolean {
    const segment = this.#live.remove(address);
    if (segment === -1) return false;
    this.#released.values[segment] = at;
    this.releaseRange(address, at);
    return true;
  }

  /** Addresses that memory will be mapped into. */
  reserve(address: number, size: number, at: number): void {
    this.#addRange(address, size, at, 1);
  }

  releaseRange(address: number, at: number): void {
    const range = this.#liveRanges.remove(address);
    if (range === -1) return;
    this.#rangeReleased.values[range] = at;
    this.#reach.delete(range);
  }

  /** Memory is put behind addresses of a reserved range. False where no range has them. */
  map(address: number, size: number, at: number): boolean {
    const range = this.rangeAt(address);
    if (range === -1) return false;
    const extent = address + size - this.#rangeAddress.values[range]!;
    if (extent > this.#rangeSize.values[range]!) this.#rangeSize.values[range] = extent;
    this.#addSegment(address, size, at, range);
    return true;
  }

  /** Memory is taken away from addresses, whatever pieces it was mapped in. */
  unmap(address: number, size: number, at: number): void {
    const end = address + size;
    let segment = this.#live.floor(address);
    if (segment === -1 || this.#endOf(segment) <= address) segment = this.#live.next;
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
  }

  /** The live range of an address, -1 without one. */
  rangeAt(address: number): number {
    const range = this.#liveRanges.floor(address);
    if (range === -1) return -1;
    const reach = this.#reach.get(range) ?? 0;
    return address < this.#rangeAddress.values[range]! + reach ? range : -1;
  }

  /** Whether there is memory behind an address. */
  hasMemory(address: number): boolean {
    const segment = this.#live.floor(address);
    return segment !== -1 && address < this.#endOf(segment);
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

  #addRange(address: number, reach: number, at: number, expandable: number): number {
    const range = this.#rangeAddress.push(address);
    this.#rangeSize.push(0);
    this.#rangeCreated.push(at);
    this.#rangeReleased.push(NEVER);
    this.#expandable.push(expandable);
    this.#liveRanges.insert(address, range);
    this.#reach.set(range, reach);
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
