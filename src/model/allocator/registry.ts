/**
 * The allocators by name, for `--allocator`, sweeps and screens. An entry knows its settings and makes an allocator on a
 * simulated device.
 *
 *     const { allocator } = makeAllocator({ name: 'buddy', conf: 'backend=d3d12', capacity: GiB(8) });
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { parseSize } from '../../base/sizes.js';
import { type DeviceMemory } from '../memory/device-memory.js';
import { SimulatedDevice } from '../memory/simulated-device.js';
import { type Trace } from '../trace/trace.js';
import { type Allocator } from './allocator.js';
import { ArenaAllocator } from './arena/arena-allocator.js';
import { lifetimesOf } from './arena/lifetimes.js';
import { planArena } from './arena/plan.js';
import { BfcAllocator } from './bfc/bfc-allocator.js';
import { BumpMemory } from './bfc/bump-memory.js';
import { parseBfcConf } from './bfc/options.js';
import { bfcOptionsOf } from './bfc/presets.js';
import { DAWN_BACKENDS, DawnAllocator, type DawnOptions } from './buddy/dawn-allocator.js';
import { BufferCacheAllocator, type CacheOptions } from './buffer-cache/buffer-cache-allocator.js';
import { CACHE_NAMES, CACHE_RULES, type CacheName } from './buffer-cache/cache-rules.js';
import { CachingAllocator } from './caching/caching-allocator.js';
import { type TorchVersion } from './caching/oom-text.js';
import { type ConfKeys, confFlag, confNumber, confWord, parseConf } from './conf.js';
import { DirectAllocator, type DirectOptions } from './direct/direct-allocator.js';
import { StreamPoolAllocator, type StreamPoolOptions } from './stream-ordered/stream-pool.js';

export interface AllocatorSetup {
  /** As in `--allocator`. */
  readonly name: string;
  /** `key=value,...`, or PyTorch's own settings string for `caching`. */
  readonly conf?: string | undefined;
  /** Bytes of the device. */
  readonly capacity: number;
  /** The whole program, for allocators that plan ahead. */
  readonly trace?: Trace | undefined;
  /** `caching` only: share of the device that PyTorch may use. */
  readonly fraction?: number | undefined;
  /** `caching` only: the version to follow, 2.6 unless given. */
  readonly torch?: TorchVersion | undefined;
  /** `caching` only: keep history entries. */
  readonly history?: boolean | undefined;
  /** Stands between the allocator and its device, for whoever wants to see what it asks for. */
  readonly through?: ((memory: DeviceMemory) => DeviceMemory) | undefined;
}

export interface ReadyAllocator {
  readonly allocator: Allocator;
  /** Address that its device gives out first. */
  readonly firstAddress: number;
  /** Calls to the device so far. */
  readonly deviceCalls: () => number;
}

export interface AllocatorEntry {
  readonly name: string;
  /** One line: what it is. */
  readonly about: string;
  /** It places tensors by a plan over the whole trace, so the setup needs one. */
  readonly plansAhead: boolean;
  readonly make: (setup: AllocatorSetup) => ReadyAllocator;
}

const DIRECT_KEYS: ConfKeys<DirectOptions> = {
  granularity: (text, key) => ({ granularity: parseSize(text, key) }),
};
const ARENA_KEYS: ConfKeys<{ readonly alignment: number }> = {
  alignment: (text, key) => ({ alignment: parseSize(text, key) }),
};
const BUDDY_KEYS: ConfKeys<DawnOptions> = {
  backend: (text, key) => ({ backend: confWord(text, key, DAWN_BACKENDS) }),
  suballocation: (text, key) => ({ subAllocation: confFlag(text, key) }),
};
const CACHE_KEYS: ConfKeys<CacheOptions> = {
  flush_every: (text, key) => ({ flushEvery: confNumber(text, key, 0, 2 ** 31) }),
  retry: (text, key) => ({ retryAfterFlush: confFlag(text, key) }),
};
const POOL_KEYS: ConfKeys<StreamPoolOptions> = {
  release_threshold: (text, key) => ({ releaseThreshold: text === '0' ? 0 : parseSize(text, key) }),
  segment_size: (text, key) => ({ segmentSize: parseSize(text, key) }),
};

/** An entry whose allocator sits on a plain supply of the setup's capacity. */
function plainEntry(
  name: string,
  about: string,
  make: (memory: DeviceMemory, setup: AllocatorSetup) => Allocator,
): AllocatorEntry {
  return {
    name,
    about,
    plansAhead: false,
    make: (setup) => ready(new BumpMemory(setup.capacity), setup, (memory) => make(memory, setup)),
  };
}

function ready(
  memory: BumpMemory,
  { through = (device) => device }: AllocatorSetup,
  make: (memory: DeviceMemory) => Allocator,
): ReadyAllocator {
  return { allocator: make(through(memory)), firstAddress: memory.base, deviceCalls: () => memory.calls };
}

function makeBfc(setup: AllocatorSetup): ReadyAllocator {
  const { options: given, subCapacity, subGranularity, preset } = parseBfcConf(setup.conf ?? '');
  const options = preset === undefined ? given : { ...bfcOptionsOf(preset, setup.capacity), ...given };
  const memoryLimit = options.memoryLimit ?? setup.capacity;
  const memory = new BumpMemory(subCapacity ?? memoryLimit + 256, subGranularity);
  return ready(memory, setup, (through) => new BfcAllocator({ ...options, memoryLimit, memory: through }));
}

const WEBGPU_ALIGNMENT = 256;

function makeArena(setup: AllocatorSetup): ReadyAllocator {
  if (setup.trace === undefined) throw new Error('an arena needs the whole trace before it starts');
  const { alignment = WEBGPU_ALIGNMENT } = parseConf(setup.conf ?? '', 'arena', ARENA_KEYS);
  const lifetimes = lifetimesOf(setup.trace, alignment);
  const plan = planArena(lifetimes);
  return ready(new BumpMemory(setup.capacity), setup, (memory) => new ArenaAllocator(memory, lifetimes, plan));
}

const cacheEntry = (name: CacheName): AllocatorEntry =>
  plainEntry(
    name,
    CACHE_RULES[name].explanation,
    (memory, { conf = '' }) => new BufferCacheAllocator(name, memory, parseConf(conf, name, CACHE_KEYS)),
  );

function makeCaching({
  capacity,
  conf = '',
  fraction,
  torch = '2.6',
  history = false,
  through,
}: AllocatorSetup): ReadyAllocator {
  const memory = through?.(new SimulatedDevice(capacity));
  const allocator = new CachingAllocator({ capacity, conf, fraction, torch, history, ...(memory && { memory }) });
  return {
    allocator,
    firstAddress: 0,
    deviceCalls: () => allocator.statistics.numDeviceAlloc + allocator.statistics.numDeviceFree,
  };
}

/** Every allocator, in the order of tables. */
export const ALLOCATORS: readonly AllocatorEntry[] = [
  {
    name: 'caching',
    about: "PyTorch's CUDA caching allocator, exact to the byte; --conf is PYTORCH_CUDA_ALLOC_CONF",
    plansAhead: false,
    make: makeCaching,
  },
  {
    name: 'bfc',
    about: 'best fit with coalescing, as TensorFlow and XLA have it; a fixed pool unless allow_growth=true',
    plansAhead: false,
    make: makeBfc,
  },
  plainEntry(
    'stream-ordered',
    'a pool in the order of streams, as cudaMallocAsync has one, with a release threshold',
    (memory, { conf = '' }) => new StreamPoolAllocator(memory, parseConf(conf, 'stream-ordered', POOL_KEYS)),
  ),
  {
    name: 'arena',
    about: 'allocate once and reuse: one segment, offsets from an offline plan over the whole trace',
    plansAhead: true,
    make: makeArena,
  },
  plainEntry(
    'direct',
    'a segment a tensor: cudaMalloc and cudaFree, or createBuffer and destroy, each time',
    (memory, { conf = '' }) => new DirectAllocator(memory, parseConf(conf, 'direct', DIRECT_KEYS)),
  ),
  plainEntry(
    'buddy',
    "Dawn's sub-allocator under WebGPU: powers of two in heaps of 8 MiB (Vulkan) or 4 MiB (D3D12)",
    (memory, { conf = '' }) => new DawnAllocator(memory, parseConf(conf, 'buddy', BUDDY_KEYS)),
  ),
  ...CACHE_NAMES.map(cacheEntry),
];

/** The entry of a name. Throws `AppError` (`bad-input`) for one that is not known. */
export function findAllocator(name: string): AllocatorEntry {
  const entry = ALLOCATORS.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry;
  const known = ALLOCATORS.map((candidate) => candidate.name).join(', ');
  throw badInput('--allocator', say`--allocator: "${name}" is not known; one of ${known}`);
}

/** Makes the allocator that a setup names. Throws `AppError` (`bad-input`) for an unknown name or unusable settings. */
export const makeAllocator = (setup: AllocatorSetup): ReadyAllocator => findAllocator(setup.name).make(setup);
