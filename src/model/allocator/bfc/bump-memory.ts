/**
 * The supply that the golden data of BFC was made with: addresses only ever go up and are never reused, each segment
 * is rounded up to a granularity, and the budget counts bytes handed out (golden/bfc/README.md).
 */
import { type DeviceMemory, type Reserved } from '../../memory/device-memory.js';

export class BumpMemory implements DeviceMemory {
  readonly base: number;
  /** Calls so far: segments asked for, failed ones too, and given back. */
  calls = 0;
  readonly #capacity: number;
  readonly #granularity: number;
  readonly #segments = new Map<number, number>();
  #next: number;
  #out = 0;

  constructor(capacity: number, granularity = 1, base = 2 ** 40) {
    this.base = base;
    this.#next = base;
    this.#capacity = capacity;
    this.#granularity = granularity;
  }

  reserve(size: number, alignment: number): Reserved | undefined {
    this.calls++;
    const received = Math.ceil(size / this.#granularity) * this.#granularity;
    if (this.#out + received > this.#capacity) return undefined;
    const step = Math.max(256, alignment);
    const address = Math.ceil(this.#next / step) * step;
    this.#next = address + received;
    this.#out += received;
    this.#segments.set(address, received);
    return { address, received };
  }

  release(address: number): void {
    const size = this.#segments.get(address);
    if (size === undefined) throw new Error(`no segment starts at ${address}`);
    this.calls++;
    this.#segments.delete(address);
    this.#out -= size;
  }

  info(): { readonly total: number; readonly free: number } {
    return { total: this.#capacity, free: this.#capacity - this.#out };
  }
}
