/**
 * Dispatches that go to the GPU in one submit: a table of rows, one dispatch a row, in order in one compute pass. A batch
 * is kept so short that a cancel comes through within a fraction of a second, whatever the adapter.
 */
import { ROW_BYTES, type TensorKernelId, tensorKernels } from '../../../shaders/index.js';
import { workgroupsFor } from '../pipeline.js';
import { type Bench } from '../suite.js';
import {
  type Bound,
  type SharedBuffers,
  type TableRow,
  type TensorKernels,
  threadsFor,
  writeRow,
} from './tensor-kernels.js';

/** Rows of one table. */
export const BATCH_ROWS = 1024;
export const TABLE_BYTES = BATCH_ROWS * ROW_BYTES;
const ROW_WORDS = ROW_BYTES / 4;
/** What a submit should take. */
const TARGET_NS = 80e6;
const FIRST_BYTES = 16 * 2 ** 20;
const LEAST_BYTES = 2 ** 20;
const MOST_BYTES = 2 ** 32;

interface Dispatch {
  readonly kernel: TensorKernelId;
  readonly group: GPUBindGroup;
  readonly threads: number;
}

export class TensorBatch {
  readonly #bench: Bench;
  readonly #kernels: TensorKernels;
  readonly #shared: SharedBuffers;
  readonly #table = new Uint32Array(TABLE_BYTES / 4);
  #dispatches: Dispatch[] = [];
  #bytes = 0;
  #limit = FIRST_BYTES;

  constructor(bench: Bench, kernels: TensorKernels, shared: SharedBuffers) {
    this.#bench = bench;
    this.#kernels = kernels;
    this.#shared = shared;
  }

  /** Time to submit. */
  get isFull(): boolean {
    return this.#dispatches.length >= BATCH_ROWS || this.#bytes >= this.#limit;
  }
  get isEmpty(): boolean {
    return this.#dispatches.length === 0;
  }

  /** Adds a dispatch and returns the bytes that it moves. */
  add(kernel: TensorKernelId, row: TableRow, bound: Bound): number {
    const moved = tensorKernels[kernel].bytesMoved(row.count * 16);
    writeRow(this.#table, this.#dispatches.length * ROW_WORDS, row);
    const group = this.#kernels.group(kernel, bound, this.#shared);
    this.#dispatches.push({ kernel, group, threads: threadsFor(row.count) });
    this.#bytes += moved;
    return moved;
  }

  /** Submits what was added, waits until it is done, and returns the GPU's time (the wall's where it has no clock). */
  async submit(label: string): Promise<number> {
    const { device, stopwatch, clock } = this.#bench;
    const dispatches = this.#dispatches;
    const bytes = this.#bytes;
    this.#dispatches = [];
    this.#bytes = 0;
    device.queue.writeBuffer(this.#shared.rows, 0, this.#table, 0, dispatches.length * ROW_WORDS);
    const time = await stopwatch.time(label, (encoder, { pass: timestampWrites }) => {
      const pass = encoder.beginComputePass({ label, ...(timestampWrites === undefined ? {} : { timestampWrites }) });
      for (const [index, { kernel, group, threads }] of dispatches.entries()) {
        pass.setPipeline(this.#kernels.pipeline(kernel));
        pass.setBindGroup(0, group, [index * ROW_BYTES]);
        pass.dispatchWorkgroups(...workgroupsFor(device, threads));
      }
      pass.end();
    });
    const gpuNs = clock.durationOf(time) ?? time.wallNs;
    const fitting = (bytes * TARGET_NS) / Math.max(gpuNs, time.wallNs, 1);
    this.#limit = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, Math.min(8 * this.#limit, fitting)));
    return gpuNs;
  }
}
