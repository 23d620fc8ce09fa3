/** Fills buffers on the GPU with incompressible values that the references know. */
import { fillProgram } from '../../shaders/index.js';
import { type BufferPool } from './buffers.js';
import { type Pipeline, pipelineOf, workgroupsFor } from './pipeline.js';

const WORD = 4;
/** Words of one submit: a software adapter fills them well within 0.5 s. */
const CHUNK_WORDS = 2 ** 23;

export const fillPipeline = (device: GPUDevice): Promise<Pipeline> => pipelineOf(device, 'fill', fillProgram);

/** Fills a whole buffer with the words of `filledWord(word, seed)` and waits for it. Stops between submits on abort. */
export async function fillBuffer(
  { device, pool }: { readonly device: GPUDevice; readonly pool: BufferPool },
  fill: Pipeline,
  buffer: GPUBuffer,
  seed: number,
  signal: AbortSignal,
  chunkWords = CHUNK_WORDS,
): Promise<void> {
  const words = buffer.size / WORD;
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  await pool.using({ label: 'fill range', size: 3 * WORD, usage }, async (range) => {
    const group = fill.bind('fill', [range, buffer]);
    for (let first = 0; first < words; first += chunkWords) {
      signal.throwIfAborted();
      const end = Math.min(words, first + chunkWords);
      device.queue.writeBuffer(range, 0, Uint32Array.of(first, end, seed));
      const encoder = device.createCommandEncoder({ label: 'fill' });
      const pass = encoder.beginComputePass({ label: 'fill' });
      pass.setPipeline(fill.pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(...workgroupsFor(device, end - first));
      pass.end();
      device.queue.submit([encoder.finish()]);
      await device.queue.onSubmittedWorkDone();
    }
  });
}
