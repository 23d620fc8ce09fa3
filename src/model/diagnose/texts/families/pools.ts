/** Paddle, CuPy, RMM and OpenVINO: a line each, few figures. */
import { say } from '../../../../base/said.js';
import { verdictStep } from '../../steps.js';
import { judgeCache } from '../../verdict/cache-rule.js';
import { figuresOf } from '../../verdict/figures.js';
import { type Judged, type Message, type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { showSize } from '../printed-size.js';

export const paddle: TextFamily = {
  name: say`paddle`,
  anchor:
    /Out of memory error on GPU [0-9]+|Cannot allocate [0-9.]+ ?[KMGT]?i?B (?:memory on GPU|GPU memory)|enforce allocating <= available failed/g,
  framework: 'paddle',
  fields: [
    field('device', 'on GPU {int}'),
    field('tried_bytes', 'Cannot allocate {size} memory on GPU'),
    field('allocated_bytes', '{size} memory has been allocated'),
    field('tried_bytes', 'Cannot allocate {size} GPU memory'),
    field('tried_bytes', 'available failed, {int} > ', 'bytes'),
    field('free_bytes', 'available memory is only {size}'),
    field('free_bytes', 'available memory is {size}'),
    field('free_bytes', 'available failed, [0-9]+ > {int}', 'bytes'),
  ],
  judge({ sizes }) {
    const figures = figuresOf({ sizes });
    return {
      ...judgeCache(figures),
      advice: [
        say`FLAGS_fraction_of_gpu_memory_to_use and FLAGS_allocator_strategy=auto_growth decide how much Paddle takes at once.`,
        say`Lower the batch or input size; look at nvidia-smi at the moment of the peak, not after it.`,
      ],
      oddities: figures.oddities,
    };
  },
};

export const cupy: TextFamily = {
  name: say`cupy`,
  anchor: /(?<!RESOURCE_EXHAUSTED: )out of memory (?:to allocate|allocating) [0-9,]+ bytes/gi,
  framework: 'cupy',
  fields: [
    field('tried_bytes', 'llocat(?:e|ing) {grouped} bytes'),
    field('reserved_bytes', String.raw`\(total {grouped} bytes\)`),
    field('reserved_bytes', 'allocated so far: {grouped} bytes'),
    field('limit_bytes', 'limit set to: {grouped} bytes'),
  ],
  judge({ sizes }) {
    const tried = sizes['tried_bytes'];
    const limit = sizes['limit_bytes'];
    const taken = sizes['reserved_bytes'];
    const steps = [say`1. size of the request: ${showSize(tried?.bytes ?? 0)}`];
    const advice = [
      say`cupy.get_default_memory_pool().free_all_blocks() gives unused blocks back; set_limit() bounds the pool;
        MemoryAsyncPool uses the driver's pool.`,
    ];
    if (limit !== undefined) {
      return plainly(
        'limit-set',
        say`the pool's own limit is ${showSize(limit.bytes)}`,
        [...steps, say`2. a limit is printed: ${showSize(limit.bytes)}`, verdictStep('limit-set')],
        advice,
      );
    }
    return plainly(
      'unknown',
      say`the text prints only the request and what the pool has taken with it (${showSize(taken?.bytes ?? 0)}): not how much of the pool is in use, nor what the device has free`,
      [...steps, say`2. used part of the pool and device free: not in the text`, verdictStep('unknown')],
      advice,
    );
  },
};

const RMM_ADVICE = [
  say`Sizes are rounded up to 256 bytes and the first block need not start at the edge: two halves need not fit a pool.
    Raise maximum_pool_size, or use the arena or cuda_async resource.`,
];

function judgeRmm({ sizes, text }: Message): Judged {
  const { tried_bytes: tried, reserved_bytes: pool, limit_bytes: limit } = sizes;
  const asked =
    tried === undefined
      ? say`1. size of the request: not in the text`
      : say`1. size of the request: ${showSize(tried.bytes)}`;
  if (tried !== undefined && pool !== undefined && limit !== undefined) {
    const room = showSize(Math.max(0, limit.bytes - pool.bytes));
    return plainly(
      'limit-set',
      say`the pool holds ${showSize(pool.bytes)} of at most ${showSize(limit.bytes)}: it may grow by ${room}, less than the
        ${showSize(tried.bytes)} asked for, and no free block in it was long enough`,
      [asked, say`2. room to grow ${room} >= request: no`, verdictStep('limit-set')],
      RMM_ADVICE,
    );
  }
  if (/\): std::bad_alloc|: std::bad_alloc\)/.test(text)) {
    return plainly(
      'unknown',
      say`no free block in the pool was long enough, and what stands behind the pool refused to grow it (std::bad_alloc): the text
        prints neither the pool's size nor its free blocks. Where the pool is as large as its maximum this is fragmentation, where the
        device is full a shortage`,
      [asked, say`2. free in the pool and behind it: not in the text`, verdictStep('unknown')],
      RMM_ADVICE,
    );
  }
  if (/[Mm]aximum pool size exceeded/.test(text)) {
    return plainly(
      'limit-set',
      say`the pool reached its maximum size; whether a hole of the size was missing or memory, the text does not say`,
      [say`1. the text names the limit: maximum pool size`, verdictStep('limit-set')],
      RMM_ADVICE,
    );
  }
  return plainly(
    'unknown',
    say`the text prints neither the pool's size nor what is free`,
    [asked, verdictStep('unknown')],
    RMM_ADVICE,
  );
}

export const rmm: TextFamily = {
  name: say`rmm`,
  anchor:
    /RMM failure|rmm\/mr\/device\/\w+\.hpp:\d+: cudaErrorMemoryAllocation|CUDA error \(failed to allocate \d+ bytes\)/g,
  framework: 'rmm',
  fields: [
    field('tried_bytes', 'failed to allocate {size}'),
    field('tried_bytes', 'allocate {int} bytes', 'bytes'),
    field('reserved_bytes', 'current/max/try size = {size}'),
    field('limit_bytes', String.raw`current/max/try size = [\d.]+ ?[KMGT]?i?B, {size}`),
  ],
  judge: judgeRmm,
};

export const openvino: TextFamily = {
  name: say`openvino`,
  anchor: /Exceeded max size of memory (?:object )?allocation|max alloc size supported by device/g,
  framework: 'openvino',
  fields: [
    field('tried_bytes', '[Rr]equested {int} bytes', 'bytes'),
    field('limit_bytes', 'supported by device is {int} bytes', 'bytes'),
    field('limit_bytes', 'max alloc size is {int} bytes', 'bytes'),
  ],
  judge({ sizes }) {
    const tried = showSize(sizes['tried_bytes']?.bytes ?? 0);
    const limit = showSize(sizes['limit_bytes']?.bytes ?? 0);
    return plainly(
      'limit-set',
      say`one allocation of ${tried} is over the device's limit of ${limit} for a single one`,
      [say`1. request ${tried} > limit of one allocation ${limit}: yes`, verdictStep('limit-set')],
      [say`Lower the batch size or precision.`],
    );
  },
};
