/** Reads what the checks found: one pair of words a check, zero where the tensor was whole. */
import { type Bench } from '../suite.js';

const FINDING_WORDS = 2;

export interface Finding {
  /** Number of the check. */
  readonly row: number;
  readonly words: number;
  readonly firstWord: number;
}

/** Reads `count` findings back and returns those of broken tensors. */
export async function readFindings({ device, pool }: Bench, findings: GPUBuffer, count: number): Promise<Finding[]> {
  const size = Math.max(1, count) * FINDING_WORDS * 4;
  const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
  return pool.using({ label: 'findings read-back', size, usage }, async (staging) => {
    const encoder = device.createCommandEncoder({ label: 'findings read-back' });
    encoder.copyBufferToBuffer(findings, 0, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    const words = new Uint32Array(staging.getMappedRange());
    const found: Finding[] = [];
    for (let row = 0; row < count; row++) {
      const wrong = words[row * FINDING_WORDS] ?? 0;
      const fromEnd = words[row * FINDING_WORDS + 1] ?? 0;
      if (wrong > 0) found.push({ row, words: wrong, firstWord: 0xffffffff - fromEnd });
    }
    staging.unmap();
    return found;
  });
}
