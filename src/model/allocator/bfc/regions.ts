/** Regions: what BFC holds of the device, how it asks for more (Extend) and gives empty ones back (garbage collection). */
import { type DeviceMemory } from '../../memory/device-memory.js';
import { type ChunkHeap } from './chunk-heap.js';
import { BINNED, IN_USE, NONE } from './chunk-table.js';
import { type BfcConfig } from './options.js';

export interface Region {
  readonly address: number;
  size: number;
  /** Its leftmost chunk: splits and merges keep the left handle, so it never changes. */
  readonly first: number;
}

const UNIT = 256;
const FIRST_GROWTH = 2 * 2 ** 20;
const roundUp = (size: number): number => Math.ceil(size / UNIT) * UNIT;

export class Regions {
  /** In address order. */
  readonly list: Region[] = [];
  poolBytes = 0;
  peakPoolBytes = 0;
  /** Bytes of the next region if nothing stands against it (curr_region_allocation_bytes_). */
  nextBytes: number;
  readonly #config: BfcConfig;
  readonly #memory: DeviceMemory;
  readonly #heap: ChunkHeap;

  constructor(config: BfcConfig, memory: DeviceMemory, heap: ChunkHeap) {
    this.#config = config;
    this.#memory = memory;
    this.#heap = heap;
    this.nextBytes = roundUp(config.allowGrowth ? Math.min(config.memoryLimit, FIRST_GROWTH) : config.memoryLimit);
  }

  /** Takes a region that holds `rounded` bytes. False when the limit or the device does not allow it. */
  extend(alignment: number, rounded: number): boolean {
    const left = this.#config.memoryLimit - this.poolBytes;
    // limit - pool is unsigned in the original: it wraps when the device gave more than was asked.
    const available = left < 0 ? Infinity : Math.floor(left / UNIT) * UNIT;
    if (rounded > available) return false;
    let grew = false;
    while (rounded > this.nextBytes) {
      this.nextBytes *= 2;
      grew = true;
    }
    let size = Math.min(this.nextBytes, available);
    let got = this.#memory.reserve(size, alignment);
    while (got === undefined) {
      size = backOff(size);
      if (size < rounded) return false;
      got = this.#memory.reserve(size, alignment);
    }
    if (!grew) this.nextBytes *= 2;
    this.poolBytes += got.received;
    this.peakPoolBytes = Math.max(this.peakPoolBytes, this.poolBytes);
    this.#add(got.address, got.received);
    return true;
  }

  #add(address: number, size: number): void {
    const at = this.list.findIndex((region) => region.address > address);
    const index = at < 0 ? this.list.length : at;
    const before = this.list[index - 1];
    const joins = this.#config.coalesceRegions && before !== undefined && before.address + before.size === address;
    const chunk = this.#heap.create(address, size, joins ? this.#last(before) : NONE);
    if (joins) before.size += size;
    else this.list.splice(index, 0, { address, size, first: chunk });
    this.#heap.insertFree(this.#heap.coalesce(chunk, false));
  }

  #last(region: Region): number {
    let chunk = region.first;
    for (;;) {
      const next = this.#heap.chunks.next(chunk);
      if (next === NONE) return chunk;
      chunk = next;
    }
  }

  /**
   * Gives back every region without a chunk in use, if that could make room for `rounded` bytes.
   * `announce` is called before the first goes. False when nothing was given back.
   */
  collect(rounded: number, announce: () => void): boolean {
    if (!this.#config.garbageCollection) return false;
    const empty = this.list.filter((region) => !this.#anyInUse(region));
    const total = empty.reduce((sum, region) => sum + region.size, 0);
    if (total === 0) return false;
    const available = this.#config.memoryLimit - this.poolBytes + total;
    if (available >= 0 && rounded > available) return false;
    announce();
    for (const region of empty) this.#remove(region);
    return true;
  }

  #anyInUse(region: Region): boolean {
    for (let chunk = region.first; chunk !== NONE; chunk = this.#heap.chunks.next(chunk)) {
      if (this.#heap.chunks.state(chunk) === IN_USE) return true;
    }
    return false;
  }

  #remove(region: Region): void {
    let chunk = region.first;
    while (chunk !== NONE) {
      const next = this.#heap.chunks.next(chunk);
      if (this.#heap.chunks.state(chunk) === BINNED || chunk === this.#heap.gap) this.#heap.removeFree(chunk);
      this.#heap.chunks.drop(chunk);
      chunk = next;
    }
    this.list.splice(this.list.indexOf(region), 1);
    this.poolBytes -= region.size;
    this.#memory.release(region.address);
  }
}

/**
 * The next smaller size to ask the device for: nine tenths in single precision, rounded up to 256 B.
 * Where that is no smaller (2,560 B and less) one unit less; the 2025 state loops for ever there, a model must not.
 */
export function backOff(size: number): number {
  const tenths = roundUp(Math.trunc(Math.fround(Math.fround(size) * Math.fround(0.9))));
  return tenths >= size ? size - UNIT : tenths;
}
