/** The text of `torch.OutOfMemoryError`, to the letter (facts of CUDACachingAllocator.cpp; no NVML, so no process part). */
import { fixedHalfEven } from '../../../base/half-even.js';

export interface OutOfMemoryFacts {
  /** Size of the segment that was asked of the device. */
  readonly segment: number;
  readonly deviceTotal: number;
  readonly deviceFree: number;
  /** Limit of the memory fraction; undefined where none is set. */
  readonly allowed: number | undefined;
  readonly allocated: number;
  readonly reserved: number;
  /** Free bytes cached in private pools. */
  readonly inPrivatePools: number;
}

export type TorchVersion = '2.6' | '2.14';

const LINKS: Readonly<Record<TorchVersion, string>> = {
  '2.6': 'https://pytorch.org/docs/stable/notes/cuda.html#environment-variables',
  '2.14': 'https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf',
};

/** PyTorch's format_size. A negative size wraps around 2^64, as the original's unsigned subtraction does. */
export function formatSize(size: number): string {
  const bytes = size < 0 ? size + 2 ** 64 : size;
  if (bytes <= 2 ** 10) return `${bytes} bytes`;
  if (bytes <= 2 ** 20) return `${fixedHalfEven(bytes / 2 ** 10, 2)} KiB`;
  if (bytes <= 2 ** 30) return `${fixedHalfEven(bytes / 2 ** 20, 2)} MiB`;
  return `${fixedHalfEven(bytes / 2 ** 30, 2)} GiB`;
}

export function outOfMemoryText(facts: OutOfMemoryFacts, torch: TorchVersion): string {
  const allowed = facts.allowed === undefined ? '' : `${formatSize(facts.allowed)} allowed; `;
  const inPools =
    facts.inPrivatePools > 0
      ? `with ${formatSize(facts.inPrivatePools)} allocated in private pools (e.g., CUDA Graphs), `
      : '';
  return (
    `CUDA out of memory. Tried to allocate ${formatSize(facts.segment)}. ` +
    `GPU 0 has a total capacity of ${formatSize(facts.deviceTotal)} of which ${formatSize(facts.deviceFree)} is free. ` +
    `${allowed}Of the allocated memory ${formatSize(facts.allocated + facts.inPrivatePools)} is allocated by PyTorch, ` +
    `${inPools}and ${formatSize(facts.reserved - facts.allocated - facts.inPrivatePools)} is reserved by PyTorch but unallocated. ` +
    'If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid ' +
    `fragmentation.  See documentation for Memory Management  (${LINKS[torch]})`
  );
}

/** Refused before the device was asked (2.14, `throw_on_cudamalloc_oom`). */
export const preemptiveText = (requested: number): string =>
  'CUDA out of memory. Allocation was preemptively rejected because it would exceed per_process_memory_fraction limit. ' +
  `Requested size: ${formatSize(requested)}`;
