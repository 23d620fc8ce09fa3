/**
 * The arrays that all stream rows of one size share: `a` and `b` are filled once, `dst` is cleared for each row. Only one
 * size lives at a time, and arrays of a lost device are forgotten.
 */
import { type StreamBuffer } from '../../../shaders/index.js';
import { fillBuffer, fillPipeline } from '../fill.js';
import { type Pipeline } from '../pipeline.js';
import { type Bench, type RowContext } from '../suite.js';

interface Held {
  readonly bench: Bench;
  readonly size: number;
  readonly buffers: Map<StreamBuffer, GPUBuffer>;
  readonly fill: Pipeline;
}

export class StreamArrays {
  #held: Held | undefined;

  constructor(readonly seeds: { readonly a: number; readonly b: number }) {}

  /**
   * The buffer of a role in the set whose arrays have `size` bytes, filled where it is an input. `bytes` is its own
   * size: that of an array unless it is `sums`. Throws `AppError` (`out-of-memory`).
   */
  async get({ bench, signal }: RowContext, size: number, role: StreamBuffer, bytes = size): Promise<GPUBuffer> {
    const { buffers, fill } = await this.#hold(bench, size);
    const known = buffers.get(role);
    if (known !== undefined) return known;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = await bench.pool.create({ label: `stream ${role}`, size: bytes, usage });
    buffers.set(role, buffer);
    try {
      if (role === 'a' || role === 'b') await fillBuffer(bench, fill, buffer, this.seeds[role], signal);
    } catch (error) {
      // Half filled is worse than not there.
      buffers.delete(role);
      bench.pool.destroy(buffer);
      throw error;
    }
    return buffer;
  }

  dispose(): void {
    const held = this.#held;
    this.#held = undefined;
    for (const buffer of held?.buffers.values() ?? []) held?.bench.pool.destroy(buffer);
  }

  async #hold(bench: Bench, size: number): Promise<Held> {
    const held = this.#held;
    if (held !== undefined && held.bench === bench && held.size === size) return held;
    const fill = held?.bench === bench ? held.fill : await fillPipeline(bench.device);
    this.dispose();
    this.#held = { bench, size, buffers: new Map(), fill };
    return this.#held;
  }
}
