/**
 * Dawn's allocator under createBuffer, as Chromium has it (facts/webgpu.md, "Dawn's own sub-allocator"). Small buffers
 * are powers of two inside heaps of a fixed size; a heap lives while any buffer in it does, then goes to a pool that
 * only the end of the device empties. So one small buffer pins a heap, and 1 MiB + 4 KiB costs 2 MiB.
 *
 * A freed block is reusable at once here; in the browser it is after the work that uses it has completed.
 */
import { type DeviceMemory } from '../../memory/device-memory.js';
import { type Block, BlockAllocator } from '../block-allocator.js';
import { BuddyBlocks, nextPowerOfTwo } from './buddy-blocks.js';

const MiB = 2 ** 20;

export const DAWN_BACKENDS = ['vulkan', 'd3d12', 'metal'] as const;
export type DawnBackend = (typeof DAWN_BACKENDS)[number];

interface BackendRules {
  /** Bytes of one heap; 0: nothing is sub-allocated. */
  readonly heap: number;
  readonly subAllocates: (size: number) => boolean;
  /** Sizes are rounded up to it, blocks start at multiples of it. */
  readonly granularity: number;
}

/**
 * Vulkan: under 4 MiB in heaps of 8 MiB; alignment is bufferImageGranularity (1,024 is common, 64 KiB on some NVIDIA).
 * D3D12: to 4 MiB in heaps of 4 MiB, placed at 64 KiB. Metal: an MTLBuffer each.
 */
const RULES: Readonly<Record<DawnBackend, BackendRules>> = {
  vulkan: { heap: 8 * MiB, subAllocates: (size) => size < 4 * MiB, granularity: 256 },
  d3d12: { heap: 4 * MiB, subAllocates: (size) => size <= 4 * MiB, granularity: 64 * 1024 },
  metal: { heap: 0, subAllocates: () => false, granularity: 256 },
};

export interface DawnOptions {
  readonly backend: DawnBackend;
  /** False: the browser's `disable_resource_suballocation`. */
  readonly subAllocation: boolean;
}

interface DawnBlock extends Block {
  /** Offset in the buddy system; undefined for a buffer with memory of its own. */
  readonly offset: number | undefined;
}

export class DawnAllocator extends BlockAllocator<DawnBlock> {
  readonly name = 'buddy';
  readonly #rules: BackendRules;
  readonly #subAllocation: boolean;
  readonly #buddies: BuddyBlocks | undefined;
  /** Heaps in use by their number in the buddy system's range. */
  readonly #heaps = new Map<number, { readonly address: number; blocks: number }>();
  /** Emptied heaps, last emptied first used. */
  readonly #pool: number[] = [];

  constructor(memory: DeviceMemory, options: Partial<DawnOptions> = {}) {
    super(memory);
    this.#rules = RULES[options.backend ?? 'vulkan'];
    this.#subAllocation = (options.subAllocation ?? true) && this.#rules.heap > 0;
    // The buddy system spans the largest power of two within the device.
    const span = 2 ** Math.floor(Math.log2(Math.max(memory.info().total, 1)));
    this.#buddies = span >= this.#rules.heap ? new BuddyBlocks(span) : undefined;
  }

  protected place(size: number): DawnBlock | undefined {
    const { granularity } = this.#rules;
    const rounded = Math.ceil(size / granularity) * granularity;
    if (this.#subAllocation && this.#rules.subAllocates(rounded)) {
      const block = this.#subAllocate(size, nextPowerOfTwo(rounded));
      if (block !== 'no room') return block;
    }
    const own = this.takeSegment(rounded, granularity);
    return own && { address: own.address, size: own.received, requested: size, offset: undefined };
  }

  /** Undefined: the device refused a heap. `no room`: the buddy system is full, which asks for memory of its own. */
  #subAllocate(requested: number, size: number): DawnBlock | undefined | 'no room' {
    const { heap: heapSize, granularity } = this.#rules;
    const offset = this.#buddies?.allocate(size, granularity);
    if (offset === undefined) return 'no room';
    const heap = this.#heapAt(Math.floor(offset / heapSize));
    if (heap === undefined) {
      this.#buddies?.free(offset, size);
      return undefined;
    }
    heap.blocks++;
    return { address: heap.address + (offset % heapSize), size, requested, offset };
  }

  #heapAt(number: number) {
    const known = this.#heaps.get(number);
    if (known !== undefined) return known;
    const address = this.#pool.pop() ?? this.takeSegment(this.#rules.heap, this.#rules.granularity)?.address;
    if (address === undefined) return undefined;
    const heap = { address, blocks: 0 };
    this.#heaps.set(number, heap);
    return heap;
  }

  protected giveBack(block: DawnBlock): void {
    if (block.offset === undefined) {
      this.dropSegment(block.address);
      return;
    }
    this.#buddies?.free(block.offset, block.size);
    const number = Math.floor(block.offset / this.#rules.heap);
    const heap = this.#heaps.get(number);
    if (heap === undefined) throw new Error(`no heap ${number} in the buddy system`);
    heap.blocks--;
    if (heap.blocks > 0) return;
    this.#heaps.delete(number);
    this.#pool.push(heap.address);
  }

  /** Heaps that hold no buffer and are kept all the same. */
  get pooledHeaps(): number {
    return this.#pool.length;
  }
}
