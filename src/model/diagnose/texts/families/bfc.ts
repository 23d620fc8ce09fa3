/** TensorFlow, XLA / JAX and ONNX Runtime: allocators of the best-fit-with-coalescing kind and their dumps. */
import { say } from '../../../../base/said.js';
import { type Verdict } from '../../diagnosis.js';
import { answered, verdictStep } from '../../steps.js';
import { type Judged, type Message, type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { showSize } from '../printed-size.js';

/** From here the pool counts as full. */
const FULL = 0.95;
/** More than any accelerator holds: a shape that was computed wrong. */
const BEYOND_ANY_DEVICE = 2 ** 44;

const TENSORFLOW_ADVICE = [
  say`TF_GPU_ALLOCATOR=cuda_malloc_async replaces the BFC pool by the driver's; set_memory_growth(True) starts small but can
    end up holding more, because regions cannot be joined.`,
  say`nvidia-smi shows the whole pool: TensorFlow takes it at the start, used or not. Another TensorFlow or JAX process on the
    same device leaves nothing.`,
];

function judgeTensorFlow(message: Message): Judged {
  const { sizes, facts, text } = message;
  const tried = sizes['tried_bytes'];
  const limit = sizes['limit_bytes'];
  const inUse = sizes['in_use_bytes'];
  const region = sizes['region_attempt_bytes'];
  const free = sizes['free_bytes'];
  const steps: string[] = [];
  const end = (verdict: Verdict, why: string): Judged => ({
    ...plainly(verdict, why, [...steps, verdictStep(verdict)], TENSORFLOW_ADVICE),
    derived: {
      ...(limit === undefined || 'capacity_bytes' in facts ? {} : { capacity_bytes: limit.bytes }),
      ...(inUse === undefined || 'allocated_bytes' in facts || limit === undefined
        ? {}
        : { allocated_bytes: inUse.bytes }),
    },
  });
  if (/this is not a failure/.test(text)) {
    steps.push(say`1. the caller says that this is not a failure: yes`);
    return end('unknown', say`this is a warning, not a failure: the operation falls back to less workspace`);
  }
  steps.push(say`1. the caller says that this is not a failure: no`);
  if (region !== undefined && tried === undefined) {
    steps.push(say`2. the first region, ${showSize(region.bytes)}, was refused by the device: yes`);
    return end(
      'other-process',
      say`the device refused a region of ${showSize(region.bytes)} while the pool was made: another process holds the memory`,
    );
  }
  if (region !== undefined && tried !== undefined && region.bytes > tried.bytes) {
    steps.push(
      say`2. a region of ${showSize(region.bytes)} was refused before the request of ${showSize(tried.bytes)}: yes`,
    );
    return end(
      'other-process',
      say`the pool could not even take its region of ${showSize(region.bytes)}: another process holds the memory`,
    );
  }
  if (limit !== undefined && inUse !== undefined) {
    const left = limit.bytes - inUse.bytes;
    const need = tried?.bytes;
    steps.push(say`2. limit ${showSize(limit.bytes)} - in use ${showSize(inUse.bytes)} = ${showSize(left)} left`);
    if (need === undefined) {
      if (inUse.bytes >= FULL * limit.bytes)
        return end('true-shortage', say`${showSize(left)} is left under the limit of ${showSize(limit.bytes)}`);
      return end('unknown', say`the request is not in the text; ${showSize(left)} was left under the limit`);
    }
    if (need > limit.bytes)
      return end(
        'true-shortage',
        say`one request of ${showSize(need)} is larger than the whole pool (${showSize(limit.bytes)})`,
      );
    if (left >= need)
      return end(
        'fragmentation',
        say`${showSize(left)} is free under the limit, more than the ${showSize(need)} asked for, yet no chunk was long enough`,
      );
    return end('true-shortage', say`${showSize(left)} is left under the limit, less than the ${showSize(need)} asked for`);
  }
  if (tried !== undefined && free !== undefined) {
    steps.push(
      answered(
        say`2. free chunks ${showSize(free.bytes)} >= request ${showSize(tried.bytes)}`,
        free.bytes >= tried.bytes,
      ),
    );
    return free.bytes >= tried.bytes
      ? end('fragmentation', say`${showSize(free.bytes)} is free in chunks that are too short`)
      : end('true-shortage', say`${showSize(free.bytes)} is free, less than the ${showSize(tried.bytes)} asked for`);
  }
  if (tried === undefined) return end('unknown', say`the text does not say how much was asked for`);
  return end(
    'unknown',
    say`only the request (${showSize(tried.bytes)}) is printed: paste the chunk dump and the Stats block that follow it`,
  );
}

export const tensorflowBfc: TextFamily = {
  name: 'tensorflow bfc',
  anchor:
    /Allocator \(\w+\) ran out of memory|failed to allocate [0-9.]+ ?[KMGT]?i?B? \([0-9]+ bytes\) from device|Stats: Limit: ?[0-9]|Bin \([0-9]+\): Total Chunks|in use [0-9.]+ ?[KMGT]iB, tried to allocate|OOM when allocating tensor with shape/g,
  framework: 'tensorflow',
  fields: [
    field('tried_bytes', String.raw`\(rounded to {int}\)`, 'bytes'),
    field('tried_bytes', 'trying to allocate {size}'),
    field('tried_bytes', 'tried to allocate {size}'),
    field(
      'region_attempt_bytes',
      String.raw`failed to allocate [0-9.]+ ?[KMGT]?i?B? \({int} bytes\) from device`,
      'bytes',
    ),
    field('limit_bytes', 'Limit: {int}', 'bytes'),
    field('in_use_bytes', 'InUse: {int}', 'bytes'),
    field('in_use_bytes', '{size} in use in bin'),
    field('in_use_bytes', 'in use {size}'),
    field('max_in_use_bytes', 'MaxInUse: {int}', 'bytes'),
    field('num_allocs', 'NumAllocs: {int}'),
    field('max_alloc_bytes', 'MaxAllocSize: {int}', 'bytes'),
    field('largest_free_bytes', 'LargestFreeBlock: {int}', 'bytes'),
    field('region_bytes', '{size} allocated for chunks'),
    field('tensor_shape', 'shape ?{shape}'),
  ],
  judge(message) {
    const { sizes } = message;
    const region = sizes['region_attempt_bytes'];
    const tried = sizes['tried_bytes'];
    const judged = judgeTensorFlow(message);
    const chunks = sizes['region_bytes'];
    const inUse = sizes['in_use_bytes'];
    const derived = {
      ...judged.derived,
      ...(tried === undefined && region !== undefined ? { tried_bytes: region.bytes } : {}),
      ...(chunks !== undefined && inUse !== undefined ? { free_bytes: chunks.bytes - inUse.bytes } : {}),
    };
    return { ...judged, derived, ...(tried === undefined ? { dropped: ['region_attempt_bytes'] } : {}) };
  },
};

export const jax: TextFamily = {
  name: 'jax',
  anchor:
    /RESOURCE_EXHAUSTED: (?:Out of memory|Failed to allocate|Error loading program|XLA:TPU|Ran out of memory|Attempting to (?:allocate|reserve))[^"]{0,20}/g,
  framework: 'jax',
  fields: [
    field('tried_bytes', String.raw`while trying to allocate {int} bytes`, 'bytes'),
    field('tried_bytes', String.raw`Failed to allocate request for [0-9.]+ ?[KMGT]i?B \({int}B\)`, 'bytes'),
    field('tried_bytes', 'while trying to allocate {size}'),
    field('tried_bytes', '(?:Failed to allocate request for|Attempting to (?:allocate|reserve)) {size}'),
    field('tried_bytes', 'Used {size} of [0-9.]+ ?[KMGT]'),
    field('capacity_bytes', 'Used [0-9.]+ ?[KMGT]i?B? of {size}'),
    field('exceeded_bytes', 'Exceeded [a-z]+ capacity by {size}'),
    field('free_bytes', '{size} free'),
    field('device', 'device ordinal {int}'),
  ],
  judge({ sizes }) {
    const tried = sizes['tried_bytes'];
    const capacity = sizes['capacity_bytes'];
    const free = sizes['free_bytes'];
    const advice = [
      say`XLA_PYTHON_CLIENT_PREALLOCATE=false stops the up-front pool (75 % of the device by default);
        XLA_PYTHON_CLIENT_MEM_FRACTION sets its size; XLA_PYTHON_CLIENT_ALLOCATOR=platform allocates piece by piece (slow).`,
      say`A second JAX process on the same device finds only what the first left: nvidia-smi shows the pool, not its use.`,
    ];
    if (tried === undefined)
      return plainly(
        'unknown',
        say`the text does not say how much was asked for`,
        [say`1. size of the request: not in the text`, say`verdict: unknown`],
        advice,
      );
    const steps = [say`1. size of the request: ${showSize(tried.bytes)}`];
    if (capacity !== undefined && tried.bytes > capacity.bytes) {
      return plainly(
        'true-shortage',
        say`the program needs ${showSize(tried.bytes)} and the device has ${showSize(capacity.bytes)}`,
        [...steps, say`2. request > capacity ${showSize(capacity.bytes)}: yes`, say`verdict: true-shortage`],
        advice,
      );
    }
    if (free !== undefined && tried.bytes > free.bytes) {
      return plainly(
        'true-shortage',
        say`${showSize(free.bytes)} is free, less than the ${showSize(tried.bytes)} asked for`,
        [...steps, say`2. free ${showSize(free.bytes)} >= request: no`, say`verdict: true-shortage`],
        advice,
      );
    }
    return plainly(
      'unknown',
      say`only the request (${showSize(tried.bytes)}) is printed: neither the pool's size nor what was free`,
      [...steps, say`2. pool size and free memory: not in the text`, say`verdict: unknown`],
      advice,
    );
  },
};

export const onnxRuntime: TextFamily = {
  name: 'onnxruntime',
  anchor:
    /Failed to allocate memory for requested buffer of size [0-9]|Available memory of [0-9]+ is smaller than requested bytes of/g,
  framework: 'onnxruntime',
  fields: [
    field('tried_bytes', 'requested buffer of size {int}', 'bytes'),
    field('tried_bytes', 'requested bytes of {int}', 'bytes'),
    field('available_bytes', 'Available memory of {int}', 'bytes'),
  ],
  judge({ sizes }) {
    const tried = sizes['tried_bytes'];
    const available = sizes['available_bytes'];
    const size = showSize(tried?.bytes ?? 0);
    const steps = [say`1. size of the request: ${size}`];
    if (tried !== undefined && tried.bytes > BEYOND_ANY_DEVICE) {
      return plainly(
        'unknown',
        say`${size} is no size that a model can want: a dimension or shape was computed wrong before memory was asked for`,
        [...steps, say`2. more than any device holds: yes`, say`verdict: unknown`],
        [say`Check the input shape and dynamic axes.`],
      );
    }
    if (available !== undefined) {
      return plainly(
        'limit-set',
        say`the arena's limit is spent: ${showSize(available.bytes)} is left of it for a request of ${size}`,
        [...steps, say`2. available under the arena's limit: ${showSize(available.bytes)}`, say`verdict: limit-set`],
        [
          say`Raise gpu_mem_limit of the CUDA provider, or set arena_extend_strategy to kSameAsRequested: the default doubles each extension.`,
        ],
      );
    }
    return plainly(
      'unknown',
      say`only the request (${size}) is printed`,
      [...steps, say`2. what the arena and the device hold: not in the text`, say`verdict: unknown`],
      [
        say`Set arena_extend_strategy to kSameAsRequested and cudnn_conv_use_max_workspace to 0, and look at nvidia-smi at the same moment.`,
      ],
    );
  },
};
