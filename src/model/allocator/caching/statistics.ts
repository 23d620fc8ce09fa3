/**
 * The statistics of `torch.cuda.memory_stats()`. Each has a current value, a peak and the running totals of increases
 * and decreases, for all pools, the small and the large ones.
 *
 * Kept are `current`, `peak` and `increased` a pool, and `current` and `peak` over all; the rest follows:
 * all.increased = small + large, and decreased = increased - (current - current at the last reset).
 */
export const ALLOCATION = 0;
export const SEGMENTS = 1;
export const ACTIVE = 2;
export const INACTIVE_SPLIT = 3;
export const ALLOCATED_BYTES = 4;
export const RESERVED_BYTES = 5;
export const ACTIVE_BYTES = 6;
export const INACTIVE_SPLIT_BYTES = 7;
export const REQUESTED_BYTES = 8;
/** Blocks and segments of at least max_split_size; kept for all pools together. */
export const OVERSIZE_ALLOCATIONS = 9;
export const OVERSIZE_SEGMENTS = 10;

const NAMES = [
  'allocation',
  'segment',
  'active',
  'inactive_split',
  'allocated_bytes',
  'reserved_bytes',
  'active_bytes',
  'inactive_split_bytes',
  'requested_bytes',
  'oversize_allocations',
  'oversize_segments',
] as const;

/** Values of one statistic. */
const CURRENT = 0;
const PEAK = 1;
const INCREASED = 2;
const AT_RESET = 3;
const VALUES = 4;

/** Kinds of pool: where their statistics begin. */
const KIND = NAMES.length * VALUES;
export const SMALL = 0;
export const LARGE = KIND;
const ALL = 2 * KIND;

/** Of a pool: current, peak and running total. */
function raise(values: Float64Array, at: number, amount: number): void {
  const current = values[at]! + amount;
  values[at] = current;
  values[at + INCREASED]! += amount;
  if (current > values[at + PEAK]!) values[at + PEAK] = current;
}

/** Over all pools: current and peak. */
function raiseAll(values: Float64Array, at: number, amount: number): void {
  const current = values[at]! + amount;
  values[at] = current;
  if (current > values[at + PEAK]!) values[at + PEAK] = current;
}

export class Statistics {
  numAllocRetries = 0;
  numOoms = 0;
  numSyncAllStreams = 0;
  numDeviceAlloc = 0;
  numDeviceFree = 0;
  /** Requests that were refused before the device was asked (2.14, throw_on_cudamalloc_oom). */
  numOomRejections = 0;
  private readonly values = new Float64Array(3 * KIND);

  /** Value now, over all pools. */
  current(statistic: number): number {
    return this.values[ALL + statistic * VALUES]!;
  }

  /** `kind`: SMALL or LARGE. */
  increase(statistic: number, kind: number, amount: number): void {
    raise(this.values, kind + statistic * VALUES, amount);
    raiseAll(this.values, ALL + statistic * VALUES, amount);
  }

  decrease(statistic: number, kind: number, amount: number): void {
    this.values[kind + statistic * VALUES]! -= amount;
    this.values[ALL + statistic * VALUES]! -= amount;
  }

  /** A block goes into use. */
  allocate(kind: number, size: number, requested: number): void {
    const values = this.values;
    raise(values, kind + ALLOCATION * VALUES, 1);
    raiseAll(values, ALL + ALLOCATION * VALUES, 1);
    raise(values, kind + ACTIVE * VALUES, 1);
    raiseAll(values, ALL + ACTIVE * VALUES, 1);
    raise(values, kind + ALLOCATED_BYTES * VALUES, size);
    raiseAll(values, ALL + ALLOCATED_BYTES * VALUES, size);
    raise(values, kind + ACTIVE_BYTES * VALUES, size);
    raiseAll(values, ALL + ACTIVE_BYTES * VALUES, size);
    raise(values, kind + REQUESTED_BYTES * VALUES, requested);
    raiseAll(values, ALL + REQUESTED_BYTES * VALUES, requested);
  }

  /** The program frees a block; other streams may still use it. */
  free(kind: number, size: number): void {
    const values = this.values;
    values[kind + ALLOCATION * VALUES]! -= 1;
    values[ALL + ALLOCATION * VALUES]! -= 1;
    values[kind + ALLOCATED_BYTES * VALUES]! -= size;
    values[ALL + ALLOCATED_BYTES * VALUES]! -= size;
  }

  /** The free of a block completes. */
  complete(kind: number, size: number, requested: number): void {
    const values = this.values;
    values[kind + ACTIVE * VALUES]! -= 1;
    values[ALL + ACTIVE * VALUES]! -= 1;
    values[kind + ACTIVE_BYTES * VALUES]! -= size;
    values[ALL + ACTIVE_BYTES * VALUES]! -= size;
    values[kind + REQUESTED_BYTES * VALUES]! -= requested;
    values[ALL + REQUESTED_BYTES * VALUES]! -= requested;
  }

  /** reset_peak_memory_stats. */
  resetPeak(): void {
    for (let at = 0; at < this.values.length; at += VALUES) this.values[at + PEAK] = this.values[at + CURRENT]!;
  }

  /** reset_accumulated_memory_stats. */
  resetAccumulated(): void {
    for (let at = 0; at < this.values.length; at += VALUES) {
      this.values[at + INCREASED] = 0;
      this.values[at + AT_RESET] = this.values[at + CURRENT]!;
    }
    this.numAllocRetries = 0;
    this.numOoms = 0;
    this.numSyncAllStreams = 0;
    this.numDeviceAlloc = 0;
    this.numDeviceFree = 0;
    this.numOomRejections = 0;
  }

  /** Flat, under the keys of `memory_stats` and in their order. `maxSplitSize` as that reports it. */
  flat(maxSplitSize: number): Record<string, number> {
    const stats: Record<string, number> = {};
    for (const [statistic, name] of NAMES.entries()) {
      if (statistic >= OVERSIZE_ALLOCATIONS) {
        this.describe(stats, name, statistic, ALL);
      } else {
        this.describe(stats, `${name}.all`, statistic, ALL);
        this.describe(stats, `${name}.small_pool`, statistic, SMALL);
        this.describe(stats, `${name}.large_pool`, statistic, LARGE);
      }
    }
    stats['num_alloc_retries'] = this.numAllocRetries;
    stats['num_ooms'] = this.numOoms;
    stats['num_sync_all_streams'] = this.numSyncAllStreams;
    stats['num_device_alloc'] = this.numDeviceAlloc;
    stats['num_device_free'] = this.numDeviceFree;
    stats['max_split_size'] = maxSplitSize;
    return stats;
  }

  private describe(stats: Record<string, number>, name: string, statistic: number, kind: number): void {
    const values = this.values;
    const start = statistic * VALUES;
    const at = start + kind;
    const increased =
      kind === ALL ? values[start + SMALL + INCREASED]! + values[start + LARGE + INCREASED]! : values[at + INCREASED]!;
    stats[`${name}.current`] = values[at + CURRENT]!;
    stats[`${name}.peak`] = values[at + PEAK]!;
    stats[`${name}.allocated`] = increased;
    stats[`${name}.freed`] = increased - (values[at + CURRENT]! - values[at + AT_RESET]!);
  }
}
