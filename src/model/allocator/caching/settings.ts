/**
 * PYTORCH_CUDA_ALLOC_CONF, read as the original reads it, mistakes included: the same text for the same mistake, and
 * what came before the mistake is kept. 2.6 and 2.14 have a reader each.
 */
import { type TorchVersion } from './oom-text.js';
import { readSettings26 } from './settings-2-6.js';
import { readCudaSettings214, readSettings214 } from './settings-2-14.js';

const MiB = 2 ** 20;

/** Effective options. Sizes in bytes. */
export class Settings {
  /** Infinity where there is no limit; at most 2^64 - 1 MiB otherwise. */
  maxSplitSize = Infinity;
  maxNonSplitRounding = 20 * MiB;
  garbageCollectionThreshold = 0;
  /** Divisions a power of two: entry 0 for sizes under 2 MiB, ... entry 15 from 32 GiB. */
  readonly roundupDivisions = new Float64Array(16);
  /** False while all divisions are 0 or 1. */
  roundsToDivisions = false;
  expandableSegments = false;
  largeSegmentSize = 20 * MiB;
  /** 2.14: read when the allocator is made. */
  perProcessMemoryFraction = 1;
  /** 2.14: refuse a request that would pass the limit before the device is asked. */
  throwOnCudaMallocOom = false;

  constructor(readonly torch: TorchVersion) {}

  /**
   * Reads a settings string over what is set now. Throws `SettingsError` with the original's exact text.
   * `cudaKeys`: 2.14 reads in two steps, common keys first, those of CUDA after; 'skip' stops after the first.
   */
  read(text: string, cudaKeys: 'read' | 'skip' = 'read'): void {
    try {
      this.readVersion(text, cudaKeys);
    } finally {
      this.roundsToDivisions = this.roundupDivisions.some((parts) => parts > 1);
    }
  }

  private readVersion(text: string, cudaKeys: 'read' | 'skip'): void {
    if (this.torch === '2.6') {
      readSettings26(this, text);
      return;
    }
    readSettings214(this, text);
    if (cudaKeys === 'read') readCudaSettings214(this, text);
  }

  /** As `memory_stats` and snapshots report it: a signed 64-bit number, -1 without a limit. */
  get reportedMaxSplitSize(): number {
    if (this.maxSplitSize === Infinity) return -1;
    return this.maxSplitSize >= 2 ** 63 ? this.maxSplitSize - 2 ** 64 : this.maxSplitSize;
  }
}
