/**
 * How web-ML runtimes keep GPUBuffers, as data (read in onnxruntime `core/providers/webgpu/buffer_manager.cc` and tfjs
 * `tfjs-backend-webgpu/src/buffer_manager.ts`). All of them hold a released buffer back until the commands that use it
 * are submitted: onnxruntime flushes every 16 dispatches, tfjs every 15.
 */
export interface CacheRules {
  readonly explanation: string;
  /** Bytes of the buffer made for a request. */
  readonly bufferSize: (requested: number) => number;
  /** Buffers of one size that are kept; 0 keeps none. */
  readonly kept: (bufferSize: number) => number;
  /** Allocations between two flushes; 0: a released buffer is destroyed at once. One allocation stands for one dispatch. */
  readonly flushEvery: number;
}

const to16 = (size: number): number => Math.ceil(size / 16) * 16;
const to4 = (size: number): number => Math.ceil(size / 4) * 4;

/** onnxruntime's default buckets: bytes, and how many buffers each keeps. */
export const BUCKETS: readonly (readonly [size: number, limit: number])[] = [
  [64, 250],
  [128, 200],
  [256, 200],
  [512, 200],
  [2048, 230],
  [4096, 200],
  [8192, 50],
  [16384, 50],
  [32768, 50],
  [65536, 50],
  [131072, 50],
  [262144, 50],
  [524288, 50],
  [1048576, 50],
  [2097152, 30],
  [4194304, 20],
  [8388608, 10],
  [12582912, 10],
  [16777216, 10],
  [26214400, 15],
  [33554432, 22],
  [44236800, 2],
  [58982400, 6],
  [67108864, 6],
  [134217728, 6],
  [167772160, 6],
];

const LIMITS = new Map(BUCKETS);
const none = (): number => 0;
const all = (): number => Infinity;

export const CACHE_RULES = {
  'cache-none': {
    explanation: 'onnxruntime-web, mode disabled: a buffer a tensor, destroyed when released',
    bufferSize: to16,
    kept: none,
    flushEvery: 0,
  },
  'cache-lazy': {
    explanation: 'onnxruntime-web, mode lazyRelease: destroyed at the next flush, never reused',
    bufferSize: to16,
    kept: none,
    flushEvery: 16,
  },
  'cache-exact': {
    explanation: 'onnxruntime-web, mode simple: reused for requests of the same size (to 16 bytes), never destroyed',
    bufferSize: to16,
    kept: all,
    flushEvery: 16,
  },
  'cache-bucket': {
    explanation: 'onnxruntime-web, mode bucket: rounded up to one of 26 sizes, a limited number kept of each',
    bufferSize: (requested) => BUCKETS.find(([size]) => size >= requested)?.[0] ?? to16(requested),
    kept: (size) => LIMITS.get(size) ?? 0,
    flushEvery: 16,
  },
  'cache-tfjs': {
    explanation: 'tfjs: reused for requests of exactly the same bytes, never destroyed',
    bufferSize: to4,
    kept: all,
    flushEvery: 15,
  },
} as const satisfies Readonly<Record<string, CacheRules>>;

export type CacheName = keyof typeof CACHE_RULES;
export const CACHE_NAMES = Object.keys(CACHE_RULES) as readonly CacheName[];
