/**
 * A segment a tensor: what a program gets that calls cudaMalloc or createBuffer each time. No fragmentation of its own,
 * no reuse, one device call for every allocate and every free. XLA calls it `platform`.
 */
import { type DeviceMemory } from '../../memory/device-memory.js';
import { checkAlignment } from '../arguments.js';
import { type Block, BlockAllocator } from '../block-allocator.js';

export interface DirectOptions {
  /** Sizes are rounded up to it before the device is asked; a power of two. */
  readonly granularity: number;
}

/** cudaMalloc gives addresses that are multiples of 512; WebGPU offsets are multiples of 256. */
const DEFAULT_GRANULARITY = 512;

export class DirectAllocator extends BlockAllocator<Block> {
  readonly name = 'direct';
  readonly #granularity: number;

  constructor(memory: DeviceMemory, options: Partial<DirectOptions> = {}) {
    super(memory);
    this.#granularity = options.granularity ?? DEFAULT_GRANULARITY;
    checkAlignment(this.#granularity, 'granularity');
  }

  protected place(size: number): Block | undefined {
    const rounded = Math.ceil(size / this.#granularity) * this.#granularity;
    const segment = this.takeSegment(rounded, this.#granularity);
    return segment && { address: segment.address, size: segment.received, requested: size };
  }

  protected giveBack(block: Block): void {
    this.dropSegment(block.address);
  }
}
