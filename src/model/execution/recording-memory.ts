/**
 * A supply of segments that only counts, and remembers what was asked of it: the part of a plan that says which buffers
 * to make and to destroy, and which requests the budget will refuse. Addresses are never given out twice.
 */
import { type DeviceMemory, type Reserved } from '../memory/device-memory.js';

export type MemoryEvent =
  | { readonly kind: 'create'; readonly segment: number; readonly size: number }
  | { readonly kind: 'refuse'; readonly size: number }
  | { readonly kind: 'destroy'; readonly segment: number };

interface Segment {
  readonly number: number;
  readonly address: number;
  readonly size: number;
}

export class RecordingMemory implements DeviceMemory {
  #events: MemoryEvent[] = [];
  /** Live segments in address order: addresses only go up. */
  readonly #live: Segment[] = [];
  #next = 0;
  #created = 0;
  #used = 0;
  #peak = 0;

  /** Every segment starts at a multiple of `unit` bytes and is a multiple of it long. */
  constructor(
    readonly capacity: number,
    readonly unit: number,
  ) {}

  /** Most bytes of segments at once. */
  get peak(): number {
    return this.#peak;
  }
  get used(): number {
    return this.#used;
  }

  reserve(size: number, alignment: number): Reserved | undefined {
    const received = Math.ceil(size / this.unit) * this.unit;
    if (this.#used + received > this.capacity) {
      this.#events.push({ kind: 'refuse', size: received });
      return undefined;
    }
    const step = Math.max(this.unit, alignment);
    const address = Math.ceil(this.#next / step) * step;
    const number = this.#created++;
    this.#next = address + received;
    this.#used += received;
    this.#peak = Math.max(this.#peak, this.#used);
    this.#live.push({ number, address, size: received });
    this.#events.push({ kind: 'create', segment: number, size: received });
    return { address, received };
  }

  release(address: number): void {
    const at = this.#indexAt(address);
    const segment = this.#live[at];
    if (segment?.address !== address) throw new Error(`no segment starts at ${address}`);
    this.#live.splice(at, 1);
    this.#used -= segment.size;
    this.#events.push({ kind: 'destroy', segment: segment.number });
  }

  info(): { readonly total: number; readonly free: number } {
    return { total: this.capacity, free: this.capacity - this.#used };
  }

  /** Where an address lies: the number of its segment and the offset in it. */
  locate(address: number): { readonly segment: number; readonly offset: number } {
    const segment = this.#live[this.#indexAt(address)];
    if (segment === undefined || address >= segment.address + segment.size) {
      throw new Error(`address ${address} lies in no segment`);
    }
    return { segment: segment.number, offset: address - segment.address };
  }

  /** What happened since the last call. */
  takeEvents(): readonly MemoryEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Place in `#live` of the last segment that starts at or before an address; -1 when there is none. */
  #indexAt(address: number): number {
    let low = 0;
    let high = this.#live.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#live[middle]?.address ?? Infinity) <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
