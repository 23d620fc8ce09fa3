/**
 * What else PyTorch's allocators print: the cudaMallocAsync backend, the preemptive refusal, Metal (MPS).
 */
import { say } from '../../../../base/said.js';
import { answered, verdictStep } from '../../steps.js';
import { adviseCache } from '../../verdict/cache-advice.js';
import { judgeCache } from '../../verdict/cache-rule.js';
import { figuresOf } from '../../verdict/figures.js';
import { type Judged, type Message, type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { type Printed, showSize } from '../printed-size.js';

/** Over 2^60 stands for "no limit". */
const NO_LIMIT = 2 ** 60;

export const pytorchAsync: TextFamily = {
  name: say`pytorch cudaMallocAsync`,
  anchor: /Allocation on device\b/g,
  framework: 'pytorch-cuda',
  fields: [
    field('device', 'Allocation on device {int}'),
    field('allocated_bytes', 'Currently allocated ?: {size}'),
    field('tried_bytes', 'Requested ?: {size}'),
    field('capacity_bytes', 'Device limit ?: {size}'),
    field('free_bytes', String.raw`Free \(according to CUDA\) ?: {size}`),
    field('allowed_bytes', String.raw`memory fraction\) ?: {size}`),
  ],
  judge(message, settings) {
    const { allowed_bytes: allowed, ...rest } = message.sizes;
    const limited = allowed !== undefined && allowed.bytes < NO_LIMIT;
    const figures = figuresOf({ sizes: limited ? message.sizes : rest });
    if (figures.tried === undefined) {
      return plainly(
        'unknown',
        say`the cudaMallocAsync backend printed no figures`,
        [say`1. size of the request: not in the text`, verdictStep('unknown')],
        [say`Paste the torch.cuda.memory_summary() that follows, or the output of nvidia-smi: they hold the figures.`],
      );
    }
    const verdict = judgeCache(figures);
    return {
      ...verdict,
      why:
        verdict.verdict === 'other-process'
          ? say`${verdict.why}. The backend does not print what the driver's own pool keeps: part of that memory can be freed
            blocks of this process in the pool, which is fragmentation of the pool`
          : verdict.why,
      advice: [
        say`This is the cudaMallocAsync backend: PyTorch settings such as expandable_segments do not act on it. Compare with
          backend:native.`,
        ...adviseCache({ verdict: verdict.verdict, figures, settings, backend: 'pytorch-cuda-async' }),
      ],
      oddities:
        limited || allowed === undefined ? figures.oddities : [say`the PyTorch limit is 2^64 bytes: no limit is set`],
      ...(limited || allowed === undefined ? {} : { dropped: ['allowed_bytes'] }),
    };
  },
};

export const pytorchPreemptive: TextFamily = {
  name: say`pytorch preemptive`,
  anchor: /Allocation was preemptively rejected/g,
  framework: 'pytorch-cuda',
  fields: [field('tried_bytes', 'Requested size: {size}')],
  judge({ sizes }, settings) {
    const tried = sizes['tried_bytes'];
    return plainly(
      'limit-set',
      tried === undefined
        ? say`the request would pass per_process_memory_fraction; it was refused before the device was asked`
        : say`${showSize(tried.bytes)} would pass per_process_memory_fraction; it was refused before the device was asked`,
      [say`1. the text names the limit: per_process_memory_fraction`, verdictStep('limit-set')],
      [
        say`Raise per_process_memory_fraction in ${settings.variable}, or torch.cuda.set_per_process_memory_fraction().`,
      ],
    );
  },
};

export const pytorchHuge: TextFamily = {
  name: say`pytorch over 1 EB`,
  anchor: /Tried to allocate more than 1EB memory/g,
  framework: 'pytorch-cuda',
  fields: [],
  judge: () =>
    plainly(
      'true-shortage',
      say`more than 2^60 bytes were asked for: no device has that, a shape was computed wrong`,
      [say`1. request > 2^60 B, the largest that the allocator accepts: yes`, verdictStep('true-shortage')],
      [say`Check the shape that the size comes from: a negative or overflowed dimension.`],
    ),
};

function judgeMps({ sizes }: Message): Judged {
  const tried = sizes['tried_bytes'];
  const allowed = sizes['allowed_bytes'];
  const allocated = sizes['allocated_bytes'];
  const other = sizes['other_bytes'];
  if (tried === undefined || allowed === undefined || allocated === undefined) {
    return plainly(
      'unknown',
      say`the text is cut before its figures`,
      [say`1. request, limit and allocated: not all in the text`],
      [],
    );
  }
  const own = allocated.bytes + tried.bytes;
  const over = own > allowed.bytes;
  const steps = [
    answered(
      say`1. MPS allocated ${showSize(allocated.bytes)} + request ${showSize(tried.bytes)} = ${showSize(own)} > max allowed
        ${showSize(allowed.bytes)}`,
      over,
    ),
    ...otherStep(own, other, allowed),
  ];
  const advice = [
    say`PYTORCH_MPS_HIGH_WATERMARK_RATIO is a share of the memory that Metal recommends (1.7 by default on older versions,
      0.0 turns it off). Without it macOS swaps, and can freeze.`,
    say`torch.mps.empty_cache() frees cached buffers; "other allocations" are Metal objects of this process and of the system.`,
  ];
  return over
    ? plainly(
        'true-shortage',
        say`the tensors alone would pass the watermark: ${showSize(own)} of ${showSize(allowed.bytes)} allowed`,
        steps,
        [say`Use a smaller model, batch or precision.`, ...advice],
      )
    : plainly(
        'limit-set',
        say`only with the other allocations (${showSize(other?.bytes ?? 0)}) does the request pass the watermark of ${showSize(allowed.bytes)}`,
        steps,
        advice,
      );
}

function otherStep(own: number, other: Printed | undefined, allowed: Printed): string[] {
  if (other === undefined) return [];
  return [
    say`2. with other allocations ${showSize(other.bytes)}: ${showSize(own + other.bytes)} against ${showSize(allowed.bytes)}`,
  ];
}

export const pytorchMps: TextFamily = {
  name: say`pytorch mps`,
  anchor: /MPS backend out of memory/g,
  framework: 'pytorch-mps',
  fields: [
    field('tried_bytes', 'Tried to allocate {size}'),
    field('allowed_bytes', 'max allowed: {size}'),
    field('allocated_bytes', 'MPS allocated: {size}'),
    field('other_bytes', 'other allocations: {size}'),
  ],
  judge: (message) => {
    const judged = judgeMps(message);
    return { ...judged, derived: { device: 0 } };
  },
};

export const pytorchMetalBuffer: TextFamily = {
  name: say`pytorch metal buffer`,
  anchor:
    /Invalid buffer size: ?[0-9]|total bytes of NDArray > 2\*\*32|\[metal::malloc\] Attempting to allocate \d+ bytes which is greater/g,
  framework: (text) => (text.startsWith('[metal::malloc]') ? 'mlx' : 'pytorch-mps'),
  fields: [
    field('tried_bytes', 'Invalid buffer size: {size}'),
    field('tried_bytes', 'Attempting to allocate {int} bytes', 'bytes'),
    field('limit_bytes', 'maximum allowed buffer size of {int}', 'bytes'),
  ],
  judge: ({ sizes: { tried_bytes: tried } }) =>
    plainly(
      'limit-set',
      tried === undefined
        ? say`one array is over 2^32 bytes (4.00 GiB), the limit of this version of Metal for one array`
        : say`one Metal buffer of ${showSize(tried.bytes)} is over the device's maxBufferLength`,
      [say`1. the text refuses the size of one buffer, not the total`, verdictStep('limit-set')],
      [say`Split the tensor: attention in chunks, a smaller batch or sequence.`],
    ),
};
