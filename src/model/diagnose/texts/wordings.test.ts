import { describe, expect, it } from 'vitest';
import { type Verdict } from '../diagnosis.js';
import { explainText } from './explain-text.js';

const GIB = 2 ** 30;
const MIB = 2 ** 20;

interface Wording {
  readonly text: string;
  readonly framework: string;
  readonly verdict: Verdict;
  readonly facts?: Readonly<Record<string, number>>;
  /** Words of the reason. */
  readonly why?: string;
}

/** Messages as the sources of the frameworks print them, figures made up. */
const WORDINGS: Readonly<Record<string, Wording>> = {
  'PyTorch 0.3, whose cache prints no figures': {
    text: 'THCudaCheck FAIL file=/work/THC/generic/THCStorage.cu line=58 error=2 : out of memory\nRuntimeError: cuda runtime error (2) : out of memory at /work/THC/generic/THCStorage.cu:58',
    framework: 'pytorch-cuda',
    verdict: 'unknown',
    why: 'PyTorch up to 0.4',
  },
  'PyTorch, cut before the figures': {
    text: 'torch.cuda.OutOfMemoryError: CUDA out of memory.',
    framework: 'pytorch-cuda',
    verdict: 'unknown',
    why: 'cut before its figures',
  },
  'NCCL, as PyTorch shows it': {
    text: "torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1970, unhandled cuda error, NCCL version 2.20.5\nncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\nCuda failure 'out of memory'",
    framework: 'pytorch-cuda',
    verdict: 'unknown',
    why: 'NCCL could not get its buffers',
  },
  bitsandbytes: {
    text: 'Error out of memory at line 380 in file /src/csrc/ops.cu',
    framework: 'pytorch-cuda',
    verdict: 'unknown',
    why: 'bitsandbytes could not get memory',
  },
  TensorRT: {
    text: '[W] [TRT] Requested amount of GPU memory (8589934592 bytes) could not be allocated. There may not be enough free memory for allocation to succeed.',
    framework: 'tensorrt',
    verdict: 'unknown',
    facts: { tried_bytes: 8 * GIB },
  },
  Numba: {
    text: 'numba.cuda.cudadrv.driver.CudaAPIError: [2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY',
    framework: 'numba',
    verdict: 'unknown',
  },
  'Metal, one array': {
    text: 'failed assertion `[MPSNDArray initWithDevice:descriptor:isTextureBacked:] Error: total bytes of NDArray > 2**32',
    framework: 'pytorch-mps',
    verdict: 'limit-set',
  },
  Habana: {
    text: 'RuntimeError: [Rank:0] FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed for size::134217728 (128)MB',
    framework: 'pytorch-hpu',
    verdict: 'unknown',
    facts: { tried_bytes: 128 * MIB },
  },
  'Triton, shared memory': {
    text: 'triton.runtime.errors.OutOfResources: out of resource: shared memory, Required: 147456, Hardware limit: 101376. Reducing block sizes or `num_stages` may help.',
    framework: 'triton',
    verdict: 'limit-set',
    facts: { tried_bytes: 147456, limit_bytes: 101376 },
  },
  'Triton, from Inductor': {
    text: 'RuntimeError: No valid triton configs. OutOfMemoryError: out of resource: triton_mm Required: 163840 Hardware limit:101376 Reducing block sizes or `num_stages` may help.',
    framework: 'triton',
    verdict: 'limit-set',
    facts: { tried_bytes: 163840, limit_bytes: 101376 },
  },
  'the kernel, in a container': {
    text: '[12345.678901] Memory cgroup out of memory: Killed process 42 (python3) total-vm:105234564kB, anon-rss:64213456kB, file-rss:123456kB',
    framework: 'host',
    verdict: 'limit-set',
    facts: { resident_bytes: 64213456 * 1024, virtual_bytes: 105234564 * 1024 },
  },
  'the kernel, on the whole machine': {
    text: 'Out of memory: Killed process 42 (python3) total-vm:105234564kB, anon-rss:64213456kB',
    framework: 'host',
    verdict: 'true-shortage',
  },
  Slurm: {
    text: 'slurmstepd: error: Detected 1 oom_kill event in StepId=123456.batch. Some of the step tasks have been OOM Killed.',
    framework: 'host',
    verdict: 'limit-set',
  },
  Kubernetes: {
    text: '      Reason:       OOMKilled\n      Exit Code:    137',
    framework: 'host',
    verdict: 'limit-set',
  },
  'DeepSpeed, a process gone': {
    text: "[2023-05-01 10:11:12,124] [ERROR] [launch.py:434:sigkill_handler] ['/usr/bin/python3', 'main.py'] exits with return code = -9",
    framework: 'host',
    verdict: 'unknown',
    why: 'SIGKILL',
  },
  'torchrun, a process gone': {
    text: '  exitcode  : -9 (pid: 2071)\n  traceback : Signal 9 (SIGKILL) received by PID 2071',
    framework: 'host',
    verdict: 'unknown',
  },
  'a loader without shared memory': {
    text: 'ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).',
    framework: 'host',
    verdict: 'limit-set',
    why: '/dev/shm',
  },
  NumPy: {
    text: 'numpy.core._exceptions._ArrayMemoryError: Unable to allocate 12.5 GiB for an array with shape (100000, 16384) and data type float64',
    framework: 'host',
    verdict: 'unknown',
    facts: { tried_bytes: 12.5 * GIB },
  },
  "PyTorch's host allocator": {
    text: "RuntimeError: [enforce fail at alloc_cpu.cpp:114] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 40132173824 bytes. Error code 12 (Cannot allocate memory)",
    framework: 'pytorch-cpu',
    verdict: 'unknown',
    facts: { tried_bytes: 40132173824 },
  },
  Ray: {
    text: 'ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.\nMemory on the node (IP: 172.31.0.1, ID: 8e9) where the task was running was 59.00GB / 62.00GB (0.951612), which exceeds the memory usage threshold of 0.95.',
    framework: 'host',
    verdict: 'limit-set',
    facts: { allocated_bytes: 59 * GIB, capacity_bytes: 62 * GIB },
  },
  'CuPy, with thousands': {
    text: 'cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 1,073,741,824 bytes (allocated so far: 1,345,678,848 bytes, limit set to: 2,147,483,648 bytes).',
    framework: 'cupy',
    verdict: 'limit-set',
    facts: { tried_bytes: GIB, reserved_bytes: 1345678848, limit_bytes: 2 * GIB },
  },
  'JAX, short': {
    text: 'jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 17179869184 bytes.',
    framework: 'jax',
    verdict: 'unknown',
    facts: { tried_bytes: 16 * GIB },
  },
  'JAX, with the plan of the program': {
    text: 'RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes.\nBufferAssignment OOM Debugging.\nBufferAssignment stats:\n  parameter allocation:    1.25GiB\n  constant allocation:         0B\n  preallocated temp allocation:    8.00GiB\n  total allocation:    9.25GiB',
    framework: 'jax',
    verdict: 'unknown',
    facts: { tried_bytes: 8 * GIB, parameter_bytes: 1.25 * GIB, temporary_bytes: 8 * GIB, program_bytes: 9.25 * GIB },
  },
  'vLLM, no room for blocks, with its sum': {
    text: 'INFO worker.py:267] the current vLLM instance can use total_gpu_memory (8.00GiB) x gpu_memory_utilization (0.70) = 5.60GiB\nINFO worker.py:267] model weights take 5.20GiB; non_torch_memory takes 0.03GiB; PyTorch activation peak memory takes 1.42GiB; the rest of the memory reserved for KV Cache is -1.05GiB.\nValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.',
    framework: 'vllm',
    verdict: 'limit-set',
    facts: { budget_bytes: Math.round(5.6 * GIB), kv_available_bytes: Math.round(-1.05 * GIB) },
  },
  'vLLM, warm-up': {
    text: 'RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization` when initializing the engine.',
    framework: 'vllm',
    verdict: 'limit-set',
  },
  'vLLM, profiling disturbed': {
    text: 'AssertionError: Error in memory profiling. Initial free memory 38.20 GiB, current free memory 39.10 GiB.',
    framework: 'vllm',
    verdict: 'other-process',
  },
  SGLang: {
    text: 'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
    framework: 'sglang',
    verdict: 'limit-set',
  },
  'llama.cpp, with what was free': {
    text: 'llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3060) - 11247 MiB free\nggml_backend_cuda_buffer_type_alloc_buffer: allocating 14539.38 MiB on device 0: cudaMalloc failed: out of memory\nggml_gallocr_reserve_n: failed to allocate CUDA0 buffer of size 15245664256',
    framework: 'ggml',
    verdict: 'true-shortage',
    facts: { tried_bytes: 15245664256, free_bytes: 11247 * MIB, device: 0 },
  },
  'llama.cpp, inside an operation': {
    text: 'CUDA error: out of memory\n  current device: 0, in function alloc at /llama.cpp/ggml/src/ggml-cuda/ggml-cuda.cu:400\n  cuMemCreate(&handle, reserve_size, &prop, 0)',
    framework: 'ggml',
    verdict: 'unknown',
  },
  'Vulkan, one buffer': {
    text: 'ggml_vulkan: Device memory allocation of size 2166360064 failed.\nggml_vulkan: Requested buffer size exceeds device memory allocation limit: ErrorOutOfDeviceMemory\nggml_gallocr_reserve_n: failed to allocate Vulkan0 buffer of size 2166360064',
    framework: 'ggml',
    verdict: 'limit-set',
    facts: { tried_bytes: 2166360064 },
  },
  'Vulkan, full': {
    text: 'ggml_vulkan: Device memory allocation of size 118497280 failed.\nggml_vulkan: vk::Device::allocateMemory: ErrorOutOfDeviceMemory',
    framework: 'ggml',
    verdict: 'unknown',
    facts: { tried_bytes: 118497280 },
  },
  'Metal, one buffer': {
    text: "ggml_metal_add_buffer: buffer 'data' size 18300780544 is larger than buffer maximum of 17179869184",
    framework: 'ggml',
    verdict: 'limit-set',
    facts: { tried_bytes: 18300780544, limit_bytes: 16 * GIB },
  },
  'Metal, working set': {
    text: 'ggml_metal_graph_compute: command buffer 3 failed with status 5\nerror: Insufficient Memory (00000008:kIOGPUCommandBufferCallbackErrorOutOfMemory)',
    framework: 'ggml',
    verdict: 'unknown',
  },
  MLX: {
    text: '[metal::malloc] Attempting to allocate 34359738368 bytes which is greater than the maximum allowed buffer size of 22613000192 bytes.',
    framework: 'mlx',
    verdict: 'limit-set',
    facts: { tried_bytes: 32 * GIB, limit_bytes: 22613000192 },
  },
  'ollama, host memory': {
    text: 'Error: model requires more system memory (12.5 GiB) than is available (8.0 GiB)',
    framework: 'ggml',
    verdict: 'true-shortage',
    facts: { tried_bytes: 12.5 * GIB, available_bytes: 8 * GIB },
  },
  'RMM, with its sizes': {
    text: 'MemoryError: std::bad_alloc: out_of_memory: RMM failure at: rmm/mr/device/pool_memory_resource.hpp:257: Maximum pool size exceeded (failed to allocate 2.000 GiB): Not enough room to grow, current/max/try size = 6.000 GiB, 7.000 GiB, 2.000 GiB',
    framework: 'rmm',
    verdict: 'limit-set',
    facts: { tried_bytes: 2 * GIB, reserved_bytes: 6 * GIB, limit_bytes: 7 * GIB },
  },
  'RMM, without a pool': {
    text: 'MemoryError: std::bad_alloc: out_of_memory: CUDA error (failed to allocate 8589934592 bytes) at: /include/rmm/mr/device/cuda_memory_resource.hpp:62: cudaErrorMemoryAllocation out of memory',
    framework: 'rmm',
    verdict: 'unknown',
    facts: { tried_bytes: 8 * GIB },
  },
  'Paddle, older': {
    text: 'Out of memory error on GPU 0. Cannot allocate 145.500000MB GPU memory, available memory is 72.250000MB.',
    framework: 'paddle',
    verdict: 'unknown',
    facts: { device: 0, tried_bytes: 145.5 * MIB, free_bytes: 72.25 * MIB },
  },
  'OpenVINO, newer': {
    text: '[GPU] Exceeded max size of memory object allocation: Requested 8589934592 bytes but max alloc size is 4294959104 bytes',
    framework: 'openvino',
    verdict: 'limit-set',
    facts: { tried_bytes: 8 * GIB, limit_bytes: 4294959104 },
  },
  'ONNX Runtime, from CUDA': {
    text: '[ONNXRuntimeError] : 1 : FAIL : CUDA failure 2: out of memory ; GPU=0 ; hostname=x ; expr=cudaMalloc((void**)&p, size);',
    framework: 'onnxruntime',
    verdict: 'unknown',
    why: 'the driver refused',
  },
};

describe('wordings of the frameworks', () => {
  it.each(Object.entries(WORDINGS))('%s', (_name, { text, framework, verdict, facts, why }) => {
    const result = explainText(text);
    expect({ framework: result.framework, verdict: result.verdict }).toEqual({ framework, verdict });
    expect(result.facts).toMatchObject(facts ?? {});
    expect(result.why).toContain(why ?? '');
    expect(explainText(text.replace(/\n/g, '\r\n')).facts).toEqual(result.facts);
  });
});

const ranks = [
  { device: 0, tried: '1.50 GiB', free: '1.20 GiB', live: '34.00 GiB', idle: '3.50 GiB' },
  { device: 1, tried: '1.75 GiB', free: '300.00 MiB', live: '38.00 GiB', idle: '500.00 MiB' },
].map(
  ({ device, tried, free, live, idle }) =>
    `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate ${tried}. GPU ${device} has a total capacity of 39.39 GiB of which ${free} is free. ` +
    `Of the allocated memory ${live} is allocated by PyTorch, and ${idle} is reserved by PyTorch but unallocated.`,
);

/** Broken in short lines that alternate, as two processes that share a terminal write. */
function mixed(mark: (rank: number) => string): string {
  const lines = ranks.map((text) => text.match(/.{1,60}(?: |$)/g) ?? []);
  const longest = Math.max(...lines.map((own) => own.length));
  return Array.from({ length: longest }, (_, row) =>
    lines.flatMap((own, rank) => (own[row] === undefined ? [] : [`${mark(rank)}${own[row]}`])),
  )
    .flat()
    .join('\n');
}

describe('ranks that fail at the same time', () => {
  it.each([
    ['torchrun', (rank: number) => `[rank${rank}]: `],
    ['mpirun', (rank: number) => `[1,${rank}]<stderr>:`],
    ['srun', (rank: number) => `${rank}: `],
    ['Ray', (rank: number) => `(TrainWorker pid=${4000 + rank}, ip=10.0.0.1) `],
    ['kubectl', (rank: number) => `[pod/trainer-${rank}/pytorch] `],
    ['docker compose', (rank: number) => `trainer-${rank}  | `],
    ['pdsh', (rank: number) => `node${rank}: [rank${rank}]: `],
  ])('are read apart in the log of %s', (_name, mark) => {
    const [first, second] = ranks.map((text) => explainText(text));
    const both = explainText(mixed(mark));
    expect(both.facts).toEqual(first?.facts);
    expect(both.verdict).toBe('fragmentation');
    expect(second?.verdict).toBe('true-shortage');
    expect(both.steps.slice(0, 2)).toEqual([
      expect.stringContaining('2 such messages'),
      'note: another: device 1, 1.75 GiB asked for, true-shortage',
    ]);
  });

  it('say once what happened often', () => {
    const [first = '', second = ''] = ranks;
    const { steps } = explainText([first, second, second, second].join('\n'));
    expect(steps.filter((step) => step.startsWith('note:'))).toHaveLength(2);
    expect(steps[1]).toContain('3 times another: device 1');
  });
});
