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

/** Kinds of pool, as offsets inside a statistic. */
export const SMALL = 0;
export const LARGE = 4;
const ALL = 8;
const STATISTIC = 12;

/** Values of one kind. */
const CURRENT = 0;
const PEAK = 1;
const INCREASED = 2;
const AT_RESET = 3;

export class Statistics {
  numAllocRetries = 0;
  numOoms = 0;
  numSyncAllStreams = 0;
  numDeviceAlloc = 0;
  numDeviceFree = 0;
  /** Requests that were refused before the device was asked (2.14, throw_on_cudamalloc_oom). */
  numOomRejections = 0;
  readonly #values = new Float64Array(NAMES.length * STATISTIC);

  /** Value now, over all pools. */
  current(statistic: number): number {
    return this.#values[statistic * STATISTIC + ALL + CURRENT]!;
  }

  /** `kind`: SMALL or LARGE. */
  increase(statistic: number, kind: number, amount: number): void {
    const values = this.#values;
    const at = statistic * STATISTIC + kind;
    const all = statistic * STATISTIC + ALL;
    const current = values[at]! + amount;
    const total = values[all]! + amount;
    values[at] = current;
    values[all] = total;
    values[at + INCREASED]! += amount;
    if (current > values[at + PEAK]!) values[at + PEAK] = current;
    if (total > values[all + PEAK]!) values[all + PEAK] = total;
  }

  decrease(statistic: number, kind: number, amount: number): void {
    const values = this.#values;
    values[statistic * STATISTIC + kind]! -= amount;
    values[statistic * STATISTIC + ALL]! -= amount;
  }

  /** A block goes into use. */
  allocate(kind: number, size: number, requested: number): void {
    this.increase(ALLOCATION, kind, 1);
    this.increase(ALLOCATED_BYTES, kind, size);
    this.increase(ACTIVE, kind, 1);
    this.increase(ACTIVE_BYTES, kind, size);
    this.increase(REQUESTED_BYTES, kind, requested);
  }

  /** The program frees a block; other streams may still use it. */
  free(kind: number, size: number): void {
    this.decrease(ALLOCATION, kind, 1);
    this.decrease(ALLOCATED_BYTES, kind, size);
  }

  /** The free of a block completes. */
  complete(kind: number, size: number, requested: number): void {
    this.decrease(ACTIVE, kind, 1);
    this.decrease(ACTIVE_BYTES, kind, size);
    this.decrease(REQUESTED_BYTES, kind, requested);
  }

  /** reset_peak_memory_stats. */
  resetPeak(): void {
    for (let at = 0; at < this.#values.length; at += 4) this.#values[at + PEAK] = this.#values[at + CURRENT]!;
  }

  /** reset_accumulated_memory_stats. */
  resetAccumulated(): void {
    for (let at = 0; at < this.#values.length; at += 4) {
      this.#values[at + INCREASED] = 0;
      this.#values[at + AT_RESET] = this.#values[at + CURRENT]!;
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
        this.#describe(stats, name, statistic, ALL);
      } else {
        this.#describe(stats, `${name}.all`, statistic, ALL);
        this.#describe(stats, `${name}.small_pool`, statistic, SMALL);
        this.#describe(stats, `${name}.large_pool`, statistic, LARGE);
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

  #describe(stats: Record<string, number>, name: string, statistic: number, kind: number): void {
    const values = this.#values;
    const start = statistic * STATISTIC;
    const at = start + kind;
    const increased =
      kind === ALL ? values[start + SMALL + INCREASED]! + values[start + LARGE + INCREASED]! : values[at + INCREASED]!;
    stats[`${name}.current`] = values[at + CURRENT]!;
    stats[`${name}.peak`] = values[at + PEAK]!;
    stats[`${name}.allocated`] = increased;
    stats[`${name}.freed`] = increased - (values[at + CURRENT]! - values[at + AT_RESET]!);
  }
}
