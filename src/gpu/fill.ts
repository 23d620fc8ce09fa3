/** Fills buffers on the GPU with incompressible values that the references know. */
import { fillProgram } from '../../shaders/index.js';
import { type BufferPool } from './buffers.js';
import { createPipeline, type Pipeline, workgroupsFor } from './pipeline.js';

const WORD = 4;

export const fillPipeline = (device: GPUDevice): Promise<Pipeline> => createPipeline(device, 'fill', fillProgram);

/** Fills a whole buffer with the words of `filledWord(word, seed)` and waits for it. */
export async function fillBuffer(
  device: GPUDevice,
  pool: BufferPool,
  fill: Pipeline,
  buffer: GPUBuffer,
  seed: number,
): Promise<void> {
  const words = buffer.size / WORD;
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  await pool.using({ label: 'fill range', size: 2 * WORD, usage }, async (range) => {
    device.queue.writeBuffer(range, 0, Uint32Array.of(words, seed));
    const encoder = device.createCommandEncoder({ label: 'fill' });
    const pass = encoder.beginComputePass({ label: 'fill' });
    pass.setPipeline(fill.pipeline);
    pass.setBindGroup(0, fill.bind('fill', [range, buffer]));
    pass.dispatchWorkgroups(...workgroupsFor(device, words));
    pass.end();
    device.queue.submit([encoder.finish()]);
    await device.queue.onSubmittedWorkDone();
  });
}
