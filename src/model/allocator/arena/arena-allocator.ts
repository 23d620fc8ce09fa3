/**
 * Allocate once and reuse: one segment, taken at the first request, and every tensor at the offset that an offline plan
 * gave it. It serves exactly the program it was planned for: the same sizes in the same order.
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { type DeviceMemory } from '../../memory/device-memory.js';
import { type Block, BlockAllocator } from '../block-allocator.js';
import { type Lifetimes } from './lifetimes.js';
import { type ArenaPlan } from './plan.js';

const SEGMENT_ALIGNMENT = 512;

export class ArenaAllocator extends BlockAllocator<Block> {
  readonly name = 'arena';
  readonly plan: ArenaPlan;
  readonly #lifetimes: Lifetimes;
  #base: number | undefined;
  #next = 0;

  constructor(memory: DeviceMemory, lifetimes: Lifetimes, plan: ArenaPlan) {
    super(memory);
    this.#lifetimes = lifetimes;
    this.plan = plan;
  }

  /** Throws `AppError` (`bad-input`) for a size that the plan does not have next. */
  override malloc(size: number, stream = 0): number {
    const tensor = this.#next;
    if (tensor >= this.#lifetimes.count || this.#lifetimes.requested[tensor] !== size) {
      const planned = this.#lifetimes.requested[tensor];
      throw badInput(
        'arena',
        say`arena: allocation ${tensor} asks for ${size} bytes, the plan has ${planned ?? say`no more`}; an arena serves only the trace that it was planned for`,
      );
    }
    const handle = super.malloc(size, stream);
    this.#next++;
    return handle;
  }

  protected place(size: number): Block | undefined {
    this.#base ??= this.takeSegment(this.plan.size, SEGMENT_ALIGNMENT)?.address;
    if (this.#base === undefined) return undefined;
    const tensor = this.#next;
    const offset = this.plan.offsets[tensor]!;
    return { address: this.#base + offset, size: this.#lifetimes.sizes[tensor]!, requested: size };
  }

  protected giveBack(): void {}
}
