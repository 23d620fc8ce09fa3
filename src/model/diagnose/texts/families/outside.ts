/**
 * Refusals of CUDA, HIP and their libraries that print no figures: cuBLAS, cuDNN, NCCL, kernels, other programs than
 * PyTorch. Each is a message of its own: a run that dies prints several, and the first is the cause.
 */
import { say } from '../../../../base/said.js';
import { verdictStep } from '../../steps.js';
import { type Message, type TextFamily, plainly } from '../family.js';
import { field } from '../fields.js';
import { showSize } from '../printed-size.js';
import { type Settings } from '../settings.js';

interface Source {
  /** Matches the anchor of the message. */
  readonly test: RegExp;
  readonly what: string;
  /** Where the memory lies that was refused. */
  readonly where: string;
  readonly advice?: string;
}

const OUTSIDE_THE_CACHE = say`the memory it wanted lies outside the caching allocator`;

/** In this order. */
const SOURCES: readonly Source[] = [
  {
    test: /CUBLAS/,
    what: say`cuBLAS could not get its workspace`,
    where: say`${OUTSIDE_THE_CACHE} (a cuBLAS handle or workspace)`,
  },
  {
    test: /CUDNN/,
    what: say`cuDNN could not get its workspace`,
    where: say`${OUTSIDE_THE_CACHE} (a cuDNN workspace)`,
  },
  {
    test: /nccl|^Cuda failure (?:\d )?'/i,
    what: say`NCCL could not get its buffers`,
    where: say`${OUTSIDE_THE_CACHE} (communication buffers)`,
    advice: say`NCCL_BUFFSIZE, NCCL_MAX_NCHANNELS and fewer communicators need less; make the communicators before the cache fills
        (a first all-reduce right after init_process_group).`,
  },
  {
    test: /^cuda runtime error \(2\)|^THCudaCheck/,
    what: say`the driver refused an allocation`,
    where: say`this version (PyTorch up to 0.4) prints none, whether its cache or a library asked: see what nvidia-smi shows at that moment`,
  },
  {
    test: /error out of memory at line|out of memory at line/i,
    what: say`bitsandbytes could not get memory`,
    where: say`${OUTSIDE_THE_CACHE} (buffers of a quantised optimizer or layer, or paged host memory)`,
  },
  {
    test: /\[TRT\]|TensorRT|defaultAllocator\.cpp|GPU memory \(/,
    what: say`TensorRT could not get memory`,
    where: say`engines allocate weights and one workspace straight from the driver`,
    advice: say`Lower the workspace (IBuilderConfig::setMemoryPoolLimit, trtexec --memPoolSize) and the largest shape of the
        optimization profile; one execution context after another shares its memory (createExecutionContextWithoutDeviceMemory).`,
  },
  {
    test: /ggml/,
    what: say`the driver refused an allocation`,
    where: say`ggml's own pool wanted more for the tensors of one operation, beside the buffers that were planned ahead`,
    advice: say`A smaller ubatch (-ub) needs less at once; leave some hundred MiB free when layers are offloaded (-ngl).`,
  },
  {
    test: /^8007000E/,
    what: say`DirectML was refused memory`,
    where: say`the driver, or the host that backs it, had no more to give`,
  },
  {
    test: /^Call to cuMem|^CUDA_ERROR_OUT_OF_MEMORY|^cudaMalloc|^CUDA runtime error|^CUDA failure/,
    what: say`the driver refused an allocation`,
    where: say`no pool stands between this program and the driver: what was free on the device was too little or in pieces`,
  },
];

const ANY: Source = {
  test: /(?:)/,
  what: say`the driver refused an allocation`,
  where: say`${OUTSIDE_THE_CACHE} (the CUDA context, a kernel's local memory, pinned host memory or a library)`,
};

/** Programs that are not PyTorch, by what their line begins with. */
const OTHER_PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/^Call to cuMem/, 'numba'],
  [/^(?:CUDA failure 2|8007000E)/, 'onnxruntime'],
  [/^CUDA runtime error in/, 'tensorrt-llm'],
  [/^CUDA runtime error: out of memory \S*lmdeploy/, 'lmdeploy'],
  [/^cudaMalloc/, 'cuda'],
  [/^(?:defaultAllocator|\[TRT\])/, 'tensorrt'],
  [/^CUDA_ERROR_OUT_OF_MEMORY/, 'cuda'],
];

function programOf(text: string): string {
  const other = OTHER_PROGRAMS.find(([test]) => test.test(text));
  if (/ggml[-_]cuda/.test(text.slice(0, 400))) return 'ggml';
  return other?.[1] ?? (/\bHIP\b|hipError/.test(text.slice(0, 200)) ? 'pytorch-hip' : 'pytorch-cuda');
}

function adviceOf(program: string, settings: Settings): readonly string[] {
  return program.startsWith('pytorch')
    ? [
        say`The cache may hold everything that was free: call torch.cuda.empty_cache() before the library is first used, or
          leave headroom with set_per_process_memory_fraction (${settings.variable} settings do not act on libraries).`,
        say`Compare torch.cuda.memory_reserved() with what nvidia-smi shows for the process.`,
      ]
    : [say`Look at nvidia-smi at the moment of the peak: what other processes hold, and how much this one.`];
}

export const cudaOutside: TextFamily = {
  name: say`cuda outside the cache`,
  anchor:
    /CUBLAS_STATUS_ALLOC_FAILED|CUDNN_STATUS_(?:ALLOC_FAILED|INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED)|cuda runtime error \(2\)|(?:CUDA|HIP)(?: driver)? error: out of memory|cudaErrorMemoryAllocation|hipErrorOutOfMemory|nccl[^.]{0,120}out of memory|Cuda failure (?:\d )?'out of memory'|Error out of memory at line \d+|Call to cuMem\w{1,40} results in CUDA_ERROR_OUT_OF_MEMORY|CUDA_ERROR_OUT_OF_MEMORY(?=: out of memory)|defaultAllocator\.cpp\S{0,40} Error Code 1: Cuda Runtime \(out of memory\)|\[TRT\][^.]{0,80}Requested amount of GPU memory \(\d+ bytes\) could not be allocated|CUDA failure 2: out of memory|cudaMalloc(?: retry)? failed: out of memory|CUDA runtime error in [^,]{1,60}\([^\n]{0,120}?\): out of memory|CUDA runtime error: out of memory|8007000E Not enough memory resources/gi,
  parts: /^(?!)/,
  framework: programOf,
  fields: [field('tried_bytes', String.raw`GPU memory \({int} bytes\)`, 'bytes')],
  judge({ text, sizes, framework }: Message, settings: Settings) {
    const head = text.slice(0, 200);
    const { what, where, advice } = SOURCES.find(({ test }) => test.test(head)) ?? ANY;
    const tried = sizes['tried_bytes'];
    return plainly(
      'unknown',
      tried === undefined
        ? say`${what} and the text prints no figures: ${where}`
        : say`${what}: ${showSize(tried.bytes)} was refused and the text does not say what was free; ${where}`,
      [
        tried === undefined
          ? say`1. size of the request: not in the text`
          : say`1. size of the request: ${showSize(tried.bytes)}`,
        verdictStep('unknown'),
      ],
      [...(advice === undefined ? [] : [advice]), ...adviceOf(framework, settings)],
    );
  },
};

/** The exception of PyTorch's cache, with its figures cut off. */
export const pytorchBare: TextFamily = {
  name: say`pytorch without figures`,
  anchor:
    /OutOfMemoryError: (?:CUDA|HIP|XPU|NPU|MUSA) out of memory\b(?! occurred)|RuntimeError: (?:CUDA|HIP|XPU|NPU|MUSA) out of memory\b(?! occurred)/g,
  framework: (text) => `pytorch-${(/(CUDA|HIP|XPU|NPU|MUSA) out/.exec(text)?.[1] ?? 'CUDA').toLowerCase()}`,
  fields: [],
  judge: () =>
    plainly(
      'unknown',
      say`the message of the cache is cut before its figures`,
      [say`1. size of the request: not in the text`, verdictStep('unknown')],
      [say`Paste the whole line: it goes on with "Tried to allocate ...", and its figures decide the cause.`],
    ),
};

/** Habana's device allocator. */
export const habana: TextFamily = {
  name: say`pytorch hpu`,
  anchor: /Allocation failed for size::\d+/g,
  framework: 'pytorch-hpu',
  fields: [field('tried_bytes', 'failed for size::{int}', 'bytes')],
  judge: ({ sizes }) =>
    plainly(
      'unknown',
      say`only the request (${showSize(sizes['tried_bytes']?.bytes ?? 0)}) is printed`,
      [say`1. size of the request: ${showSize(sizes['tried_bytes']?.bytes ?? 0)}`, verdictStep('unknown')],
      [
        say`Compare htorch.hpu.max_memory_allocated() with the capacity; lower the batch, or use lazy mode with fewer graphs.`,
      ],
    ),
};
