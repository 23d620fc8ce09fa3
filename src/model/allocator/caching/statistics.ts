/**
 * The statistics of `torch.cuda.memory_stats()`. Each has a current value, a peak and the running totals of increases
 * and decreases, for all pools, the small and the large ones.
 *
 * Kept are `current`, `peak` and `increased` a pool, and `peak` over all. The rest follows: a value over all is small +
 * large, and decreased = increased - (current - current at the last reset). What is active is what is allocated plus
 * what waits for streams; it increases together with that, so only the waiting part is counted, and the peak of the sum
 * while something waits.
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

/** Values of one statistic; first the current one. */
const PEAK = 1;
const INCREASED = 2;
const AT_RESET = 3;
const VALUES = 4;

/** Kinds of pool: where their statistics begin. */
const KIND = NAMES.length * VALUES;
export const SMALL = 0;
export const LARGE = KIND;
const ALL = 2 * KIND;

/** A value of one pool rises, and with it that over all pools. `at`: of the statistic, without its kind. */
function raise(values: Float64Array, kind: number, at: number, amount: number): void {
  const own = kind + at;
  const current = values[own]! + amount;
  values[own] = current;
  values[own + INCREASED]! += amount;
  if (current > values[own + PEAK]!) values[own + PEAK] = current;
  const total = values[SMALL + at]! + values[LARGE + at]!;
  if (total > values[ALL + at + PEAK]!) values[ALL + at + PEAK] = total;
}

export class Statistics {
  numAllocRetries = 0;
  numOoms = 0;
  numSyncAllStreams = 0;
  numDeviceAlloc = 0;
  numDeviceFree = 0;
  /** Requests that were refused before the device was asked (2.14, throw_on_cudamalloc_oom). */
  numOomRejections = 0;
  /** Blocks that wait for streams. */
  private waiting = 0;
  private readonly values = new Float64Array(3 * KIND);

  /** Value now, over all pools. */
  current(statistic: number): number {
    return this.valueOf(statistic, SMALL) + this.valueOf(statistic, LARGE);
  }

  /** `kind`: SMALL or LARGE. */
  increase(statistic: number, kind: number, amount: number): void {
    raise(this.values, kind, statistic * VALUES, amount);
  }

  decrease(statistic: number, kind: number, amount: number): void {
    this.values[kind + statistic * VALUES]! -= amount;
  }

  /** Split blocks that lie idle change by `blocks` and `bytes`, each up or down. */
  changeIdle(kind: number, blocks: number, bytes: number): void {
    const values = this.values;
    if (blocks > 0) raise(values, kind, INACTIVE_SPLIT * VALUES, blocks);
    else values[kind + INACTIVE_SPLIT * VALUES]! += blocks;
    if (bytes > 0) raise(values, kind, INACTIVE_SPLIT_BYTES * VALUES, bytes);
    else values[kind + INACTIVE_SPLIT_BYTES * VALUES]! += bytes;
  }

  /** A block goes into use. */
  allocate(kind: number, size: number, requested: number): void {
    const values = this.values;
    raise(values, kind, ALLOCATION * VALUES, 1);
    raise(values, kind, ALLOCATED_BYTES * VALUES, size);
    raise(values, kind, REQUESTED_BYTES * VALUES, requested);
    if (this.waiting !== 0) this.notePeakOfActive();
  }

  /** The program frees a block; other streams may still use it. */
  free(kind: number, size: number): void {
    const values = this.values;
    values[kind + ALLOCATION * VALUES]! -= 1;
    values[kind + ALLOCATED_BYTES * VALUES]! -= size;
  }

  /** A freed block begins (`by` 1) or ends (-1) to wait for streams. */
  wait(kind: number, size: number, by: 1 | -1): void {
    this.values[kind + ACTIVE * VALUES]! += by;
    this.values[kind + ACTIVE_BYTES * VALUES]! += by * size;
    this.waiting += by;
  }

  /** The free of a block completes. */
  complete(kind: number, requested: number): void {
    this.values[kind + REQUESTED_BYTES * VALUES]! -= requested;
  }

  private notePeakOfActive(): void {
    for (const statistic of [ACTIVE, ACTIVE_BYTES]) {
      for (const kind of [SMALL, LARGE, ALL]) {
        const at = kind + statistic * VALUES + PEAK;
        this.values[at] = Math.max(this.values[at]!, this.valueOf(statistic, kind));
      }
    }
  }

  /** Value now. */
  private valueOf(statistic: number, kind: number): number {
    if (kind === ALL) return this.valueOf(statistic, SMALL) + this.valueOf(statistic, LARGE);
    const own = this.values[kind + statistic * VALUES]!;
    return isActive(statistic) ? own + this.values[kind + allocatedOf(statistic) * VALUES]! : own;
  }

  /** reset_peak_memory_stats. */
  resetPeak(): void {
    this.setAll(PEAK);
  }

  /** reset_accumulated_memory_stats. */
  resetAccumulated(): void {
    this.setAll(AT_RESET);
    for (let at = 0; at < this.values.length; at += VALUES) this.values[at + INCREASED] = 0;
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

  /** Sets one of the values of every statistic to what it is now. */
  private setAll(value: number): void {
    for (const statistic of NAMES.keys()) {
      for (const kind of [SMALL, LARGE, ALL]) {
        this.values[kind + statistic * VALUES + value] = this.valueOf(statistic, kind);
      }
    }
  }

  private describe(stats: Record<string, number>, name: string, statistic: number, kind: number): void {
    const { values } = this;
    const counted = (isActive(statistic) ? allocatedOf(statistic) : statistic) * VALUES;
    const increased =
      kind === ALL
        ? values[SMALL + counted + INCREASED]! + values[LARGE + counted + INCREASED]!
        : values[kind + counted + INCREASED]!;
    const at = kind + statistic * VALUES;
    const current = this.valueOf(statistic, kind);
    stats[`${name}.current`] = current;
    stats[`${name}.peak`] = Math.max(values[at + PEAK]!, values[kind + counted + PEAK]!);
    stats[`${name}.allocated`] = increased;
    stats[`${name}.freed`] = increased - (current - values[at + AT_RESET]!);
  }
}

const isActive = (statistic: number): boolean => statistic === ACTIVE || statistic === ACTIVE_BYTES;
/** Active blocks are those of this statistic, and the waiting ones. */
const allocatedOf = (statistic: number): number => (statistic === ACTIVE ? ALLOCATION : ALLOCATED_BYTES);
