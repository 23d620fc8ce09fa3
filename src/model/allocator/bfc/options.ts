/**
 * Options of the BFC allocator under the names of the original (`config` in the golden files), as camelCase here and as
 * snake_case on the command line: `--conf memory_limit=2GiB,allow_growth=true`.
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { parseSize } from '../../../base/sizes.js';
import { type DeviceMemory } from '../../memory/device-memory.js';
import { checkAlignment } from '../arguments.js';
import { type ConfKeys, confFlag, confNumber, confWord, parseConf } from '../conf.js';

export type BfcVersion = '2025' | '2026';

/** `W` warning, `I` information: the severities of the original's log. */
export type LogLine = readonly [severity: 'W' | 'I', text: string];

export interface BfcOptions {
  /** Bytes the allocator may take; need not be a multiple of 256. */
  readonly memoryLimit: number;
  /** Take memory as it is needed (2 MiB, then doubling) instead of everything at the first request. */
  readonly allowGrowth?: boolean;
  /** Give empty regions back when nothing fits (TensorFlow: on, JAX: off). */
  readonly garbageCollection?: boolean;
  /** Over 0: split a chunk when the rest is at least this share of the limit; otherwise 128 MiB. */
  readonly fragmentationFraction?: number;
  /** Join regions that touch (SubAllocator::SupportsCoalescing); GPUs do not. */
  readonly coalesceRegions?: boolean;
  /** Frees carry a count and merge only behind the safe frontier (timestamped_allocator). */
  readonly timingCounter?: boolean;
  /** Lower and upper allocations grow towards each other. 2026 only, needs a fixed pool. */
  readonly spatialPartitioning?: boolean;
  /** Production waits 10 s for frees before it fails; the dump then has no `freed_by_count` line. */
  readonly allowRetryOnFailure?: boolean;
  readonly name?: string;
  readonly version?: BfcVersion;
  /** Alignment of requests that name none; at least 256 in effect. */
  readonly defaultAlignment?: number;
  /** Where regions come from; a bump supply of the limit's size when absent. */
  readonly memory?: DeviceMemory;
  /** Receives each line the original would log. */
  readonly onLog?: (line: LogLine) => void;
}

export interface BfcConfig {
  readonly memoryLimit: number;
  readonly allowGrowth: boolean;
  readonly garbageCollection: boolean;
  readonly fragmentationFraction: number;
  readonly coalesceRegions: boolean;
  readonly timingCounter: boolean;
  readonly spatialPartitioning: boolean;
  readonly allowRetryOnFailure: boolean;
  readonly name: string;
  readonly version: BfcVersion;
  readonly defaultAlignment: number;
}

/** The largest limit and request: far under 2^53, so that sums stay exact. */
export const LARGEST_SIZE = 2 ** 52;

/** Fills in defaults and refuses what the original would abort on. Throws `AppError` (`bad-input`). */
export function checkOptions(options: BfcOptions): BfcConfig {
  const config: BfcConfig = {
    memoryLimit: options.memoryLimit,
    allowGrowth: options.allowGrowth ?? false,
    garbageCollection: options.garbageCollection ?? false,
    fragmentationFraction: options.fragmentationFraction ?? 0,
    coalesceRegions: options.coalesceRegions ?? false,
    timingCounter: options.timingCounter ?? false,
    spatialPartitioning: options.spatialPartitioning ?? false,
    allowRetryOnFailure: options.allowRetryOnFailure ?? true,
    name: options.name ?? 'GPU_0_bfc',
    version: options.version ?? '2026',
    defaultAlignment: options.defaultAlignment ?? 64,
  };
  if (!Number.isInteger(config.memoryLimit) || config.memoryLimit < 0 || config.memoryLimit > LARGEST_SIZE) {
    throw badInput('memory_limit', say`memory_limit: ${config.memoryLimit} is no whole number of bytes from 0 to 2^52`);
  }
  if (!(config.fragmentationFraction >= 0 && config.fragmentationFraction <= 1)) {
    throw badInput(
      'fragmentation_fraction',
      say`fragmentation_fraction: ${config.fragmentationFraction} is not a share from 0 to 1`,
    );
  }
  checkAlignment(config.defaultAlignment, 'default_alignment');
  if (config.spatialPartitioning && (config.allowGrowth || config.version === '2025')) {
    throw badInput(
      'enable_spatial_partitioning',
      say`enable_spatial_partitioning: needs allow_growth=false and version 2026; it splits one fixed range`,
    );
  }
  return config;
}

/** What `--conf` (or a golden file's `config`) says: the allocator's options, and those of the supply under it. */
export interface BfcConf {
  readonly options: Partial<BfcConfig>;
  /** Bytes of the device; the limit plus 256 when absent. */
  readonly subCapacity?: number;
  /** What the device rounds each region up to. */
  readonly subGranularity?: number;
  /** A preset of `presets.ts` that the other keys amend. */
  readonly preset?: string;
}

interface FlatConf extends BfcConfig {
  readonly subCapacity: number;
  readonly subGranularity: number;
  readonly preset: string;
}

const KEYS: ConfKeys<FlatConf> = {
  memory_limit: (text, key) => ({ memoryLimit: parseSize(text, key) }),
  allow_growth: (text, key) => ({ allowGrowth: confFlag(text, key) }),
  garbage_collection: (text, key) => ({ garbageCollection: confFlag(text, key) }),
  fragmentation_fraction: (text, key) => ({ fragmentationFraction: confNumber(text, key, 0, 1) }),
  coalesce_regions: (text, key) => ({ coalesceRegions: confFlag(text, key) }),
  timing_counter: (text, key) => ({ timingCounter: confFlag(text, key) }),
  enable_spatial_partitioning: (text, key) => ({ spatialPartitioning: confFlag(text, key) }),
  allow_retry_on_failure: (text, key) => ({ allowRetryOnFailure: confFlag(text, key) }),
  default_alignment: (text, key) => ({ defaultAlignment: parseSize(text, key) }),
  name: (text) => ({ name: text }),
  version: (text, key) => ({ version: confWord(text, key, ['2025', '2026']) }),
  sub_capacity: (text, key) => ({ subCapacity: parseSize(text, key) }),
  sub_granularity: (text, key) => ({ subGranularity: parseSize(text, key) }),
  preset: (text) => ({ preset: text }),
};

/** Reads `key=value,...`. Sizes take units (`2GiB`). Throws `AppError` (`bad-input`) as `parseConf` does. */
export function parseBfcConf(text: string): BfcConf {
  const { subCapacity, subGranularity, preset, ...options } = parseConf(text, 'bfc', KEYS);
  return {
    options,
    ...(subCapacity === undefined ? {} : { subCapacity }),
    ...(subGranularity === undefined ? {} : { subGranularity }),
    ...(preset === undefined ? {} : { preset }),
  };
}

/** A golden file's `config` as `--conf` takes it. */
export const bfcConfText = (config: Readonly<Record<string, unknown>>): string =>
  Object.entries(config)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',');
