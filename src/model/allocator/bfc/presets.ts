/**
 * How TensorFlow and JAX set up their memory, as data: what a person writes, what it means in bytes, what the framework
 * says when it is not enough, and what it lets them see. Facts: facts/bfc-allocator.md section 9 (read in the sources of
 * tensorflow/core/common_runtime/gpu, jaxlib and xla/pjrt/gpu).
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { humanReadableBytes } from './human-readable.js';
import { type BfcConfig } from './options.js';

const MiB = 2 ** 20;
const GiB = 2 ** 30;

/** What a preset is computed from. */
export interface GpuFacts {
  readonly totalBytes: number;
  /** Free before the framework starts: other processes and the CUDA context are gone from it. */
  readonly freeBytes: number;
  /** Major compute capability: 7 Volta and Turing, 8 Ampere and Ada, 9 Hopper, 10 and 12 Blackwell. */
  readonly computeMajor: number;
}

export interface PresetSettings {
  /** Share of the device's total memory; the framework's default unless given. */
  readonly fraction?: number;
  /** `memory_limit` of a logical device, bytes. */
  readonly limitBytes?: number;
}

export interface Preset {
  readonly id: string;
  readonly framework: 'tensorflow' | 'jax';
  /** What a person writes to get it. */
  readonly written: string;
  readonly explanation: string;
  /** Allocator of the registry, `bfc` for most. */
  readonly allocator: 'bfc' | 'direct' | 'stream-ordered';
  /** Bytes that the allocator may take. */
  readonly limit: (gpu: GpuFacts, settings: PresetSettings) => number;
  /** BFC's other options. */
  readonly options: Partial<BfcConfig>;
}

/**
 * Bytes that TensorFlow leaves to the system when nothing is set (MinSystemMemory): by free memory and compute
 * capability. Releases up to 2.15 or so took 1,536 MiB for all of 8 and above.
 */
export function systemReserve(gpu: GpuFacts): number {
  if (gpu.freeBytes < 2 * GiB) return 225 * MiB;
  if (gpu.computeMajor <= 6) return 500 * MiB;
  if (gpu.computeMajor === 7) return 1050 * MiB;
  return gpu.computeMajor === 8 ? 1536 * MiB : 1800 * MiB;
}

const wholeTensorFlow = (gpu: GpuFacts, { fraction }: PresetSettings): number =>
  fraction === undefined ? Math.max(0, gpu.freeBytes - systemReserve(gpu)) : Math.trunc(gpu.totalBytes * fraction);

const JAX_FRACTION = 0.75;
/** Since 2026 XLA rounds its limit up to 2 MiB, so that the unsigned `limit - pool` cannot wrap. */
const wholeJax = (gpu: GpuFacts, { fraction = JAX_FRACTION }: PresetSettings): number =>
  Math.ceil(Math.trunc(gpu.totalBytes * fraction) / (2 * MiB)) * 2 * MiB;

const TENSORFLOW: Partial<BfcConfig> = { garbageCollection: true, allowRetryOnFailure: true };
const JAX: Partial<BfcConfig> = { garbageCollection: false, allowRetryOnFailure: true };

export const PRESETS: readonly Preset[] = [
  {
    id: 'tensorflow',
    framework: 'tensorflow',
    written: '(nothing)',
    explanation:
      'TensorFlow, version 2 as well, takes nearly all free memory in one piece at the first allocation on the GPU: ' +
      'free memory less a reserve for the system. nvidia-smi then shows the pool, not what the model uses. Growth has ' +
      'to be asked for before the first use of the GPU.',
    allocator: 'bfc',
    limit: wholeTensorFlow,
    options: TENSORFLOW,
  },
  {
    id: 'tensorflow-growth',
    framework: 'tensorflow',
    written:
      'tf.config.experimental.set_memory_growth(gpu, True), before the GPU is first used, or TF_FORCE_GPU_ALLOW_GROWTH=true',
    explanation:
      'The pool starts at 2 MiB and doubles, up to the same limit. A tensor never spans two regions, so growth strands ' +
      'memory that the one piece of the default would still serve, and no region goes back before nothing else fits. ' +
      'TF_FORCE_GPU_ALLOW_GROWTH overrides what the program says, either way. It cannot be combined with logical devices.',
    allocator: 'bfc',
    limit: wholeTensorFlow,
    options: { ...TENSORFLOW, allowGrowth: true },
  },
  {
    id: 'tensorflow-limit',
    framework: 'tensorflow',
    written: 'tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=MB)])',
    explanation:
      'A logical device is an allocator of its own with a hard limit in MiB, taken in one piece. Its out of memory is ' +
      "the limit's, whatever the GPU has left. Several of them share a GPU but never their free memory.",
    allocator: 'bfc',
    limit: (gpu, settings) => settings.limitBytes ?? wholeTensorFlow(gpu, settings),
    options: TENSORFLOW,
  },
  {
    id: 'tensorflow-async',
    framework: 'tensorflow',
    written: 'TF_GPU_ALLOCATOR=cuda_malloc_async',
    explanation:
      'cudaMallocAsync instead of BFC: the driver maps memory behind addresses, so that fragmentation matters less. ' +
      'This is what the out-of-memory text of BFC advises.',
    allocator: 'stream-ordered',
    limit: wholeTensorFlow,
    options: {},
  },
  {
    id: 'jax',
    framework: 'jax',
    written: '(nothing)',
    explanation:
      'JAX takes 75 % of the total memory (not of the free) in one piece at the first use. The other quarter is for ' +
      'the CUDA context, libraries and other programs; another process that holds more than it makes the start fail.',
    allocator: 'bfc',
    limit: wholeJax,
    options: JAX,
  },
  {
    id: 'jax-growth',
    framework: 'jax',
    written: 'XLA_PYTHON_CLIENT_PREALLOCATE=false',
    explanation:
      'Regions from 2 MiB, doubling. The 75 % stay as the cap, so this alone does not give a program more memory. ' +
      'Nothing is ever given back: JAX has no garbage collection of regions.',
    allocator: 'bfc',
    limit: wholeJax,
    options: { ...JAX, allowGrowth: true },
  },
  {
    id: 'jax-fraction',
    framework: 'jax',
    written: 'XLA_CLIENT_MEM_FRACTION=.90 (older name: XLA_PYTHON_CLIENT_MEM_FRACTION; both together are an error)',
    explanation: 'Another share of the total memory, for the pool and for growth alike.',
    allocator: 'bfc',
    limit: (gpu, { fraction = 0.9 }) => wholeJax(gpu, { fraction }),
    options: JAX,
  },
  {
    id: 'jax-platform',
    framework: 'jax',
    written: 'XLA_PYTHON_CLIENT_ALLOCATOR=platform',
    explanation:
      'cudaMalloc and cudaFree for every buffer: the smallest footprint and by far the slowest; good for finding out ' +
      'what a program needs.',
    allocator: 'direct',
    limit: (gpu) => gpu.freeBytes,
    options: {},
  },
  {
    id: 'jax-async',
    framework: 'jax',
    written: 'XLA_PYTHON_CLIENT_ALLOCATOR=cuda_async',
    explanation:
      'cudaMallocAsync with the pool of the default: it keeps up to the limit when preallocating, nothing beyond what ' +
      'is in use otherwise.',
    allocator: 'stream-ordered',
    limit: wholeJax,
    options: {},
  },
];

/** The preset of an id. Throws `AppError` (`bad-input`) for one that is not known. */
export function findPreset(id: string): Preset {
  const found = PRESETS.find((preset) => preset.id === id);
  if (found !== undefined) return found;
  throw badInput('preset', say`preset: "${id}" is not known; one of ${PRESETS.map((preset) => preset.id).join(', ')}`);
}

/**
 * BFC's options under a preset on a device of `capacity` bytes, all of it free, with compute capability 8.
 * Throws `AppError` (`bad-input`) for a preset that is unknown or sets up another allocator.
 */
export function bfcOptionsOf(id: string, capacity: number): Partial<BfcConfig> {
  const preset = findPreset(id);
  if (preset.allocator !== 'bfc') {
    throw badInput('preset', say`preset: ${id} is not bfc; use --allocator ${preset.allocator}`);
  }
  const gpu = { totalBytes: capacity, freeBytes: capacity, computeMajor: 8 };
  return { ...preset.options, memoryLimit: preset.limit(gpu, {}) };
}

/** Types as TensorFlow writes them in messages. */
export interface TensorFlowTensor {
  readonly shape: readonly number[];
  /** float, half, bfloat16, int32, ... */
  readonly type: string;
  readonly device: number;
  readonly allocator: string;
}

/** What TensorFlow raises: it names the tensor, never the free memory. The log's dump has the figures. */
export const tensorFlowOomText = ({ shape, type, device, allocator }: TensorFlowTensor): string =>
  `OOM when allocating tensor with shape[${shape.join(',')}] and type ${type} on ` +
  `/job:localhost/replica:0/task:0/device:GPU:${device} by allocator ${allocator}`;

/** When an XLA was built: its message changed on 5 November 2025 and on 23 July 2026. */
export type JaxEra = 'to-2025-11' | 'from-2025-11' | 'from-2026-07';

/** What JAX raises. */
export function jaxOomText(requested: number, era: JaxEra, device = 0, allocator = `GPU_${device}_bfc`): string {
  const start = 'RESOURCE_EXHAUSTED: Out of memory while trying to allocate ';
  if (era === 'to-2025-11') return `${start}${requested} bytes.`;
  const size = humanReadableBytes(requested);
  return era === 'from-2025-11'
    ? `${start}${size}.`
    : `${start}${size} with allocator ${allocator} on device ${device}.`;
}

/**
 * `tf.config.experimental.get_memory_info('GPU:0')`: bytes in use now and at most. People say that it shows
 * fragmentation; it does not: neither the pool nor the largest free chunk is in it.
 */
export const tensorFlowMemoryInfo = (stats: Readonly<Record<string, number>>): { current: number; peak: number } => ({
  current: stats['bytes_in_use'] ?? 0,
  peak: stats['peak_bytes_in_use'] ?? 0,
});
