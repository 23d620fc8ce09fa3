/** ggml (llama.cpp, whisper.cpp, ollama): buffers planned ahead, so its texts are exact. */
import { say } from '../../../../base/said.js';
import { verdictStep } from '../../steps.js';
import { type Judged, type Message, type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { type Printed, showSize } from '../printed-size.js';

function judgeGgml({ facts, sizes, text }: Message): Judged {
  const tried = sizes['tried_bytes'];
  const free = sizes['free_bytes'];
  if (/requires more system memory/.test(text)) return systemMemory(sizes);
  if (tried === undefined && /kIOGPUCommandBufferCallbackErrorOutOfMemory/.test(text)) return workingSet();
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
  if (
    limit !== undefined ||
    /exceeds device (?:buffer size|memory allocation) limit|exceeds the (?:maximum|max)/.test(text)
  ) {
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
  if (/aligned_malloc|pinned memory/.test(text)) {
    return plainly(
      'unknown',
      say`${showSize(tried.bytes)} of host memory was refused and the text does not say what was left`,
      [...steps, say`2. free host memory: not in the text`, verdictStep('unknown')],
      [
        say`Load with mmap (the default), a smaller or more quantised model, or a shorter context; GGML_CUDA_NO_PINNED=1 does without
          pinned memory.`,
      ],
    );
  }
  if (free !== undefined) return againstStart(tried, free, steps);
  const device = facts['device'];
  return plainly(
    'unknown',
    typeof device === 'number'
      ? say`only the request (${showSize(tried.bytes)}) is printed on device ${device}: neither the device's size nor what was
          free`
      : say`only the request (${showSize(tried.bytes)}) is printed: neither the device's size nor what was free`,
    [...steps, say`2. capacity and free memory: not in the text`, verdictStep('unknown')],
    [say`Compare with the free memory that llama.cpp prints at its start.`, ...LESS_ON_THE_DEVICE],
  );
}

/** What the device had free before anything was loaded. */
function againstStart(tried: Printed, free: Printed, steps: readonly string[]): Judged {
  const test = say`2. free on the device at the start ${showSize(free.bytes)} >= request ${showSize(tried.bytes)}`;
  return free.bytes >= tried.bytes
    ? plainly(
        'unknown',
        say`${showSize(free.bytes)} was free at the start, and what was placed before this buffer of ${showSize(tried.bytes)} is not
          added up in the text`,
        [...steps, say`${test}: yes`, verdictStep('unknown')],
        LESS_ON_THE_DEVICE,
      )
    : plainly(
        'true-shortage',
        say`one buffer of ${showSize(tried.bytes)} is more than the ${showSize(free.bytes)} that was free before anything was loaded`,
        [...steps, say`${test}: no`, verdictStep('true-shortage')],
        LESS_ON_THE_DEVICE,
      );
}

const LESS_ON_THE_DEVICE = [
  say`Fewer layers on the GPU (-ngl), a smaller context (-c), batch or ubatch (-b, -ub), flash attention (-fa) or a quantised KV
    cache (-ctk q8_0 -ctv q8_0) need less.`,
];

/** ollama compares before it loads. */
function systemMemory(sizes: Message['sizes']): Judged {
  const need = showSize(sizes['tried_bytes']?.bytes ?? 0);
  const there = showSize(sizes['available_bytes']?.bytes ?? 0);
  return plainly(
    'true-shortage',
    say`the model needs ${need} of host memory and ${there} is available: not the GPU`,
    [say`1. needed ${need} > available ${there}: yes`, verdictStep('true-shortage')],
    [say`Use a smaller or more quantised model or a shorter context, or end programs that hold memory.`],
  );
}

/** Metal has no size to refuse by then: the buffers of one command do not fit together. */
const workingSet = (): Judged =>
  plainly(
    'unknown',
    say`Metal could not keep all buffers of a command resident at once, and the text prints no figures: the working set of the GPU is
      full`,
    [say`1. size of the request: not in the text`, verdictStep('unknown')],
    [
      say`Compare recommendedMaxWorkingSetSize, which llama.cpp prints at its start, with the sum of its buffers; sysctl
        iogpu.wired_limit_mb raises it at the cost of the system.`,
      ...LESS_ON_THE_DEVICE,
    ],
  );

export const ggml: TextFamily = {
  name: say`ggml`,
  anchor:
    /ggml_[a-z_]+: [^.]{0,80}?(?:allocating [0-9.]+ MiB|failed to allocate|not enough space|newBuffer|Device memory allocation|Requested buffer size|buffer size|cudaMalloc failed|insufficient memory|can't allocate \d+ Bytes)|ggml_metal_\w+: buffer '[^']{1,40}' size \d+ is larger|Buffer Validation newBuffer|model requires more system memory|(?:\[METAL\] Command buffer execution failed: )?Insufficient Memory \(0{7}8:kIOGPU|failed to allocate (?:CUDA|ROCm|Vulkan|Metal|SYCL|CPU)\w* buffer/g,
  parts:
    /failed to allocate (?:CUDA|ROCm|Vulkan|Metal|SYCL|CPU)|ggml_gallocr|Requested buffer|buffer size|Insufficient/,
  framework: (text) => (text.startsWith('[METAL]') ? 'mlx' : 'ggml'),
  fields: [
    field('tried_bytes', 'buffer of size {int}', 'bytes'),
    field('tried_bytes', String.raw`\(needed {int}`, 'bytes'),
    field('tried_bytes', 'Device memory allocation of size {int}', 'bytes'),
    field('tried_bytes', 'allocating {size}'),
    field('tried_bytes', 'length {hex}'),
    field('tried_bytes', 'Requested buffer size {int}', 'bytes'),
    field('tried_bytes', String.raw`buffer '[^']{1,40}' size {int}`, 'bytes'),
    field('tried_bytes', 'buffer, size = {size}'),
    field('tried_bytes', String.raw`' buffer, size = {size}`),
    field('tried_bytes', String.raw`failed to allocate {size} of pinned`),
    field('tried_bytes', String.raw`attempted to allocate {size}`),
    field('tried_bytes', "can't allocate {int} Bytes", 'bytes'),
    field('tried_bytes', String.raw`more system memory \({size}\)`),
    field('available_bytes', String.raw`than is available \({size}\)`),
    field('limit_bytes', 'larger than buffer maximum of {int}', 'bytes'),
    field('limit_bytes', 'must not exceed {size}'),
    field('largest_free_bytes', 'largest block available {int}', 'bytes'),
    field('pool_bytes', ', available {int}', 'bytes'),
    field('limit_bytes', 'must be <= {size}'),
    field('device', 'on device {int}'),
  ],
  context: [field('free_bytes', String.raw`using device \w+ \([^)]{0,80}\)(?: \([^)]{0,60}\))? - {size} free`)],
  judge: judgeGgml,
};
