/**
 * Options of the BFC allocator under the names of the original (`config` in the golden files), as camelCase here and as
 * snake_case on the command line: `--conf memory_limit=2GiB,allow_growth=true`.
 */
import { badInput } from '../../../base/errors.js';
import { parseSize } from '../../../base/sizes.js';
import { type DeviceMemory } from '../../memory/device-memory.js';

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
    throw badInput('memory_limit', `memory_limit: ${config.memoryLimit} is no whole number of bytes from 0 to 2^52`);
  }
  if (!(config.fragmentationFraction >= 0 && config.fragmentationFraction <= 1)) {
    throw badInput(
      'fragmentation_fraction',
      `fragmentation_fraction: ${config.fragmentationFraction} is not a share from 0 to 1`,
    );
  }
  checkAlignment(config.defaultAlignment, 'default_alignment');
  if (config.spatialPartitioning && (config.allowGrowth || config.version === '2025')) {
    throw badInput(
      'enable_spatial_partitioning',
      'enable_spatial_partitioning: needs allow_growth=false and version 2026; it splits one fixed range',
    );
  }
  return config;
}

/** Throws `AppError` (`bad-input`) unless the alignment is a power of two. */
export function checkAlignment(alignment: number, what: string): void {
  if (!(alignment >= 1 && alignment <= 2 ** 40 && Number.isInteger(Math.log2(alignment)))) {
    throw badInput(what, `${what}: ${alignment} is not a power of two from 1 to 2^40`);
  }
}

const flag = (text: string, key: string): boolean => {
  const known = ({ true: true, false: false, '1': true, '0': false } as Record<string, boolean>)[text.toLowerCase()];
  if (known === undefined) throw badInput(key, `--conf ${key}: "${text}" is neither true nor false`);
  return known;
};
const share = (text: string, key: string): number => {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw badInput(key, `--conf ${key}: "${text}" is not a number`);
  return value;
};
const version = (text: string, key: string): BfcVersion => {
  if (text !== '2025' && text !== '2026') throw badInput(key, `--conf ${key}: "${text}" is neither 2025 nor 2026`);
  return text;
};

/** What `--conf` (or a golden file's `config`) says: the allocator's options, and those of the supply under it. */
export interface BfcConf {
  readonly options: Partial<BfcConfig>;
  /** Bytes of the device; the limit plus 256 when absent. */
  readonly subCapacity?: number;
  /** What the device rounds each region up to. */
  readonly subGranularity?: number;
}

const KEYS: Readonly<Record<string, (text: string, key: string) => BfcConf>> = {
  memory_limit: (text, key) => ({ options: { memoryLimit: parseSize(text, key) } }),
  allow_growth: (text, key) => ({ options: { allowGrowth: flag(text, key) } }),
  garbage_collection: (text, key) => ({ options: { garbageCollection: flag(text, key) } }),
  fragmentation_fraction: (text, key) => ({ options: { fragmentationFraction: share(text, key) } }),
  coalesce_regions: (text, key) => ({ options: { coalesceRegions: flag(text, key) } }),
  timing_counter: (text, key) => ({ options: { timingCounter: flag(text, key) } }),
  enable_spatial_partitioning: (text, key) => ({ options: { spatialPartitioning: flag(text, key) } }),
  allow_retry_on_failure: (text, key) => ({ options: { allowRetryOnFailure: flag(text, key) } }),
  default_alignment: (text, key) => ({ options: { defaultAlignment: parseSize(text, key) } }),
  name: (text) => ({ options: { name: text } }),
  version: (text, key) => ({ options: { version: version(text, key) } }),
  sub_capacity: (text, key) => ({ options: {}, subCapacity: parseSize(text, key) }),
  sub_granularity: (text, key) => ({ options: {}, subGranularity: parseSize(text, key) }),
};

/**
 * Reads `key=value,...`. Sizes take units (`2GiB`).
 * Throws `AppError` (`bad-input`) for an unknown or repeated key, a missing `=` or an unusable value.
 */
export function parseBfcConf(text: string): BfcConf {
  const pairs = text.split(',').filter((part) => part.trim() !== '');
  const seen = new Set<string>();
  let conf: BfcConf = { options: {} };
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const key = (at < 0 ? pair : pair.slice(0, at)).trim();
    const read = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (at < 0 || read === undefined) {
      throw badInput(
        '--conf',
        `--conf: "${pair.trim()}" is no setting of bfc; write key=value with one of ${Object.keys(KEYS).join(', ')}`,
      );
    }
    if (seen.has(key)) throw badInput('--conf', `--conf: ${key} is given twice`);
    seen.add(key);
    const part = read(pair.slice(at + 1).trim(), key);
    conf = { ...conf, ...part, options: { ...conf.options, ...part.options } };
  }
  return conf;
}
