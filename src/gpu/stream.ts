/** A stream kernel bound to its arrays: uniforms, dispatch, and how far through the array it has come. */
import { SCALAR, type StreamBuffer, type StreamKernel } from '../../shaders/index.js';
import { defined } from '../base/errors.js';
import { pipelineOf, workgroupsFor } from './pipeline.js';

const WORD = 4;
/** Size of `Stream` in lib/stream.wgsl. */
export const UNIFORM_BYTES = 24;

export interface StreamRow {
  readonly id: string;
  readonly kernel: StreamKernel;
  /** Bytes of one array; a power of two. */
  readonly size: number;
  readonly threads: number;
  readonly seedWrite: number;
  /** How the figure was got, where the kernel's own words do not do. */
  readonly method?: string;
}

/** The uniform and what the kernel binds. */
export type StreamBuffers = { readonly uniform: GPUBuffer } & { readonly [role in StreamBuffer]?: GPUBuffer };

/** A kernel bound to its arrays, with the count of steps since its output was cleared. */
export interface BoundStream {
  readonly pipelineCreationNs: number;
  readonly output: GPUBuffer;
  /** The part of the output buffer that is this row's. */
  readonly outputBytes: number;
  /** Loop steps since the output was cleared. */
  steps(): number;
  /** Sets the uniform for the next dispatch and counts its steps. */
  readonly prepare: (steps: number) => void;
  encode(encoder: GPUCommandEncoder, timestampWrites?: GPUComputePassTimestampWrites): void;
}

export async function bindStream(device: GPUDevice, row: StreamRow, held: StreamBuffers): Promise<BoundStream> {
  const pipeline = await pipelineOf(device, row.id, row.kernel);
  const buffers = row.kernel.buffers.map((role) => ({
    buffer: defined(held[role], `${row.id}: ${role}`),
    size: role === 'sums' ? row.threads * WORD : row.size,
  }));
  const output = defined(buffers.at(-1), `${row.id}: output`);
  const group = pipeline.bind(row.id, [held.uniform, ...buffers]);
  const workgroups = workgroupsFor(device, row.threads);
  const elements = row.size / WORD / row.kernel.elementWords;
  let done = 0;
  const clear = device.createCommandEncoder({ label: `${row.id} clear` });
  clear.clearBuffer(output.buffer, 0, output.size);
  device.queue.submit([clear.finish()]);
  return {
    pipelineCreationNs: pipeline.creationNs,
    output: output.buffer,
    outputBytes: output.size,
    steps: () => done,
    prepare: (steps) => {
      const values = new DataView(new ArrayBuffer(UNIFORM_BYTES));
      [elements - 1, steps, done, row.threads].forEach((value, i) => values.setUint32(i * WORD, value, true));
      values.setFloat32(16, SCALAR, true);
      values.setUint32(20, row.seedWrite, true);
      device.queue.writeBuffer(held.uniform, 0, values);
      done += steps;
    },
    encode: (encoder, timestampWrites) => {
      const pass = encoder.beginComputePass({
        label: row.id,
        ...(timestampWrites === undefined ? {} : { timestampWrites }),
      });
      pass.setPipeline(pipeline.pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(...workgroups);
      pass.end();
    },
  };
}
