/** ggml (llama.cpp, whisper.cpp, ollama): buffers planned ahead, so its texts are exact. */
import { say } from '../../../../base/said.js';
import { verdictStep } from '../../steps.js';
import { type Judged, type Message, type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { showSize } from '../printed-size.js';

function judgeGgml({ facts, sizes, text }: Message): Judged {
  const tried = sizes['tried_bytes'];
  const largest = sizes['largest_free_bytes'];
  const pool = sizes['pool_bytes'];
  const limit = sizes['limit_bytes'];
  if (tried === undefined)
    return plainly(
      'unknown',
      say`the text does not say how much was asked for`,
      [say`1. size of the request: not in the text`, verdictStep('unknown')],
      [],
    );
  const steps = [say`1. size of the request: ${showSize(tried.bytes)}`];
  if (limit !== undefined || /exceeds device buffer size limit|exceeds the (?:maximum|max)/.test(text)) {
    const shown = limit === undefined ? say`the device's limit for one buffer` : showSize(limit.bytes);
    return plainly(
      'limit-set',
      say`one buffer of ${showSize(tried.bytes)} is over ${shown}; the total is not the question`,
      [...steps, say`2. request > limit of one buffer (${shown}): yes`, verdictStep('limit-set')],
      [say`Lower the context, batch or ubatch, or split the model over more devices or buffers.`],
    );
  }
  if (largest !== undefined) {
    return plainly(
      'fragmentation',
      say`the buffer was sized by a dry run of the same graph, so the sizes fit, but the largest free block (${showSize(largest.bytes)}) is ${tried.bytes - largest.bytes} B too short for ${showSize(tried.bytes)}: a tensor was placed elsewhere than in the dry run`,
      [...steps, say`2. largest free block ${showSize(largest.bytes)} >= request: no`, verdictStep('fragmentation')],
      [say`Update: measure and allocation passes that disagree are a bug of the planner (llama.cpp PR#5086).`],
    );
  }
  if (pool !== undefined) {
    return plainly(
      'limit-set',
      say`the context's fixed memory pool has ${showSize(pool.bytes)} left for ${showSize(tried.bytes)}`,
      [...steps, say`2. pool ${showSize(pool.bytes)} >= request: no`, verdictStep('limit-set')],
      [say`The pool is sized in the program: update, or raise its mem_size.`],
    );
  }
  const device = facts['device'];
  return plainly(
    'unknown',
    typeof device === 'number'
      ? say`only the request (${showSize(tried.bytes)}) is printed on device ${device}: neither the device's size nor what was
          free`
      : say`only the request (${showSize(tried.bytes)}) is printed: neither the device's size nor what was free`,
    [...steps, say`2. capacity and free memory: not in the text`, verdictStep('unknown')],
    [
      say`Compare with the free memory that llama.cpp prints at its start; fewer layers on the GPU (-ngl), a smaller context, batch or ubatch need less.`,
    ],
  );
}

export const ggml: TextFamily = {
  name: say`ggml`,
  anchor:
    /ggml_[a-z_]+: [^.]{0,80}?(?:allocating [0-9.]+ MiB|failed to allocate|not enough space|newBuffer|Device memory allocation|Requested buffer size|buffer size|cudaMalloc failed)|failed to allocate (?:CUDA|ROCm|Vulkan|Metal|SYCL|CPU)\w* buffer/g,
  parts: /failed to allocate|Requested buffer|buffer size/,
  framework: 'ggml',
  fields: [
    field('tried_bytes', 'buffer of size {int}', 'bytes'),
    field('tried_bytes', String.raw`\(needed {int}`, 'bytes'),
    field('tried_bytes', 'Device memory allocation of size {int}', 'bytes'),
    field('tried_bytes', 'allocating {size}'),
    field('tried_bytes', 'length {hex}'),
    field('tried_bytes', 'Requested buffer size {int}', 'bytes'),
    field('largest_free_bytes', 'largest block available {int}', 'bytes'),
    field('pool_bytes', ', available {int}', 'bytes'),
    field('limit_bytes', 'must be <= {size}'),
    field('device', 'on device {int}'),
  ],
  judge: judgeGgml,
};
