/**
 * What the simpler allocators share: handles, counters, the record of a failure and the view of the heap. A subclass
 * says where a block goes (`place`), what happens to it when it is freed (`giveBack`), and takes its segments through
 * `takeSegment` and `dropSegment`.
 */
import { type DeviceMemory, type Reserved } from '../memory/device-memory.js';
import {
  type AllocationFailure,
  type Allocator,
  type AllocatorTotals,
  type Heap,
  type HeapBlock,
  NULL_BLOCK,
} from './allocator.js';
import { checkSize, notLive } from './arguments.js';

/** A block in use. */
export interface Block {
  readonly address: number;
  /** Bytes it takes of its segment. */
  readonly size: number;
  readonly requested: number;
}

export abstract class BlockAllocator<B extends Block> implements Allocator {
  abstract readonly name: string;
  readonly totals: AllocatorTotals = { allocated: 0, reserved: 0, active: 0, requested: 0, segments: 0 };
  protected readonly memory: DeviceMemory;
  readonly #blocks: (B | undefined)[] = [];
  readonly #unused: number[] = [];
  readonly #segments = new Map<number, number>();
  #failure: AllocationFailure | undefined;
  readonly #counts = { allocations: 0, failures: 0, reserves: 0, releases: 0, peakAllocated: 0, peakReserved: 0 };

  constructor(memory: DeviceMemory) {
    this.memory = memory;
  }

  /** Finds room for `size` bytes, more than 0. Undefined when there is none. */
  protected abstract place(size: number, stream: number): B | undefined;
  protected abstract giveBack(block: B): void;
  /** Freed memory that a stream still uses: it is neither free nor allocated. */
  protected pending(): Iterable<Pick<Block, 'address' | 'size'>> {
    return [];
  }

  malloc(size: number, stream = 0): number {
    checkSize(size);
    if (size === 0) return NULL_BLOCK;
    const block = this.place(size, stream);
    if (block === undefined) {
      this.#fail(size);
      return -1;
    }
    const handle = this.#unused.pop() ?? this.#blocks.length;
    this.#blocks[handle] = block;
    this.#counts.allocations++;
    this.totals.allocated += block.size;
    this.totals.requested += block.requested;
    this.totals.active = this.totals.allocated;
    this.#counts.peakAllocated = Math.max(this.#counts.peakAllocated, this.totals.allocated);
    return handle;
  }

  free(handle: number): void {
    if (handle === NULL_BLOCK) return;
    const block = this.block(handle);
    this.#blocks[handle] = undefined;
    this.#unused.push(handle);
    this.totals.allocated -= block.size;
    this.totals.requested -= block.requested;
    this.totals.active = this.totals.allocated;
    this.giveBack(block);
  }

  /** The block of a handle. Throws `AppError` (`bad-input`) for one that is not in use. */
  protected block(handle: number): B {
    const block = this.#blocks[handle];
    if (block === undefined) throw notLive(handle);
    return block;
  }

  addressOf(handle: number): number {
    return this.block(handle).address;
  }

  sizeOf(handle: number): number {
    return this.block(handle).size;
  }

  flush(): void {}

  recordStream(): void {}

  protected takeSegment(size: number, alignment: number): Reserved | undefined {
    const segment = this.memory.reserve(size, alignment);
    if (segment === undefined) return undefined;
    this.#counts.reserves++;
    this.#segments.set(segment.address, segment.received);
    this.#changeReserved(segment.received);
    return segment;
  }

  protected dropSegment(address: number): void {
    const size = this.#segments.get(address);
    if (size === undefined) throw new Error(`no segment at ${address}`);
    this.memory.release(address);
    this.#counts.releases++;
    this.#segments.delete(address);
    this.#changeReserved(-size);
  }

  #changeReserved(by: number): void {
    this.totals.reserved += by;
    this.totals.segments = this.#segments.size;
    this.#counts.peakReserved = Math.max(this.#counts.peakReserved, this.totals.reserved);
  }

  lastFailure(): AllocationFailure | undefined {
    return this.#failure;
  }

  #fail(requested: number): void {
    this.#counts.failures++;
    const { allocated, reserved } = this.totals;
    const { totalFree, largestFree } = this.holes();
    const deviceFree = this.memory.info().free;
    const text =
      `${this.name}: out of memory: ${requested} bytes were asked for; ${deviceFree} bytes of the device are free, ` +
      `${totalFree} bytes of ${reserved} reserved are unused, the largest hole has ${largestFree}`;
    this.#failure = { requested, totalFree, largestFree, reserved, allocated, deviceFree, text };
  }

  /** Free bytes inside the segments, in all and in the largest piece: asked at each failure. Override where it is known. */
  protected holes(): { readonly totalFree: number; readonly largestFree: number } {
    let totalFree = 0;
    let largestFree = 0;
    for (const segment of this.heap().segments) {
      for (const block of segment.blocks) {
        if (block.state !== 'free') continue;
        totalFree += block.size;
        largestFree = Math.max(largestFree, block.size);
      }
    }
    return { totalFree, largestFree };
  }

  stats(): Record<string, number> {
    return {
      num_allocs: this.#counts.allocations,
      num_ooms: this.#counts.failures,
      allocated_bytes: this.totals.allocated,
      peak_allocated_bytes: this.#counts.peakAllocated,
      requested_bytes: this.totals.requested,
      reserved_bytes: this.totals.reserved,
      peak_reserved_bytes: this.#counts.peakReserved,
      segments: this.#segments.size,
      num_device_alloc: this.#counts.reserves,
      num_device_free: this.#counts.releases,
    };
  }

  heap(): Heap {
    const taken: HeapBlock[] = [];
    this.#blocks.forEach((block, handle) => {
      if (block === undefined) return;
      taken.push({ address: block.address, size: block.size, requested: block.requested, state: 'allocated', handle });
    });
    for (const { address, size } of this.pending()) {
      taken.push({ address, size, requested: 0, state: 'pending', handle: -1 });
    }
    taken.sort((a, b) => a.address - b.address);
    const segments = [...this.#segments].sort(([a], [b]) => a - b);
    let next = 0;
    return {
      segments: segments.map(([address, size]) => {
        const start = next;
        while (next < taken.length && (taken[next]?.address ?? 0) < address + size) next++;
        const blocks = withHoles(taken.slice(start, next), address, size);
        return { address, size, stream: 0, pool: '', expandable: false, blocks };
      }),
    };
  }
}

/** Blocks of one segment with the free ranges between them. */
function withHoles(taken: readonly HeapBlock[], address: number, size: number): HeapBlock[] {
  const blocks: HeapBlock[] = [];
  let at = address;
  const hole = (to: number): void => {
    if (to > at) blocks.push({ address: at, size: to - at, requested: 0, state: 'free', handle: -1 });
  };
  for (const block of taken) {
    hole(block.address);
    blocks.push(block);
    at = block.address + block.size;
  }
  hole(address + size);
  return blocks;
}
