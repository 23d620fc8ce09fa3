/**
 * The arrays that all stream rows of one size share: `a` and `b` are filled once, `dst` is cleared for each row. Only one
 * size lives at a time, and arrays of a lost device are forgotten.
 */
import { type StreamBuffer } from '../../../shaders/index.js';
import { fillBuffer, fillPipeline } from '../fill.js';
import { type Pipeline } from '../pipeline.js';
import { type Bench } from '../suite.js';

interface Held {
  readonly bench: Bench;
  readonly size: number;
  readonly buffers: Map<StreamBuffer, GPUBuffer>;
  readonly fill: Pipeline;
}

export class StreamArrays {
  #held: Held | undefined;

  constructor(readonly seeds: { readonly a: number; readonly b: number }) {}

  /** The buffer of a role at a size in bytes, filled where it is an input. `sums` is `size` bytes too. */
  async get(bench: Bench, role: StreamBuffer, size: number): Promise<GPUBuffer> {
    const held = await this.#hold(bench, role === 'sums' ? (this.#held?.size ?? size) : size);
    const known = held.buffers.get(role);
    if (known !== undefined && known.size === size) return known;
    if (known !== undefined) bench.pool.destroy(known);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = await bench.pool.create({ label: `stream ${role}`, size, usage });
    held.buffers.set(role, buffer);
    if (role === 'a' || role === 'b') await fillBuffer(bench.device, bench.pool, held.fill, buffer, this.seeds[role]);
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
