/** A BFC model set up as a golden file was made: its options, its supply, its calls and its log. */
import { BfcAllocator } from '../allocator/bfc/bfc-allocator.js';
import { BumpMemory } from '../allocator/bfc/bump-memory.js';
import { bfcConfText, type BfcVersion, type LogLine, parseBfcConf } from '../allocator/bfc/options.js';
import { binOfSize } from '../allocator/bfc/bins.js';
import { type DeviceMemory, type Reserved } from '../memory/device-memory.js';
import { type BfcEnd } from './bfc-file.js';
import { type Tally } from './tally.js';

/** A hash that can be read while it grows. The caller gives one: the model has no cryptography of its own. */
export interface GrowingHash {
  update(text: string): void;
  /** Hexadecimal digest of everything so far. */
  digest(): string;
}
export type NewHash = () => GrowingHash;

/** `["alloc", offset, given, asked]`, `["fail", -1, asked, 0]` or `["free", offset, size, 0]`. */
export type DeviceCall = readonly (string | number)[];

/** Passes calls on and writes them down as golden files have them. */
class RecordingMemory implements DeviceMemory {
  readonly #memory: BumpMemory;
  readonly #sizes = new Map<number, number>();
  readonly #record: (call: DeviceCall) => void;

  constructor(memory: BumpMemory, record: (call: DeviceCall) => void) {
    this.#memory = memory;
    this.#record = record;
  }

  reserve(size: number, alignment: number): Reserved | undefined {
    const got = this.#memory.reserve(size, alignment);
    if (got === undefined) this.#record(['fail', -1, size, 0]);
    else {
      this.#sizes.set(got.address, got.received);
      this.#record(['alloc', got.address - this.#memory.base, got.received, size]);
    }
    return got;
  }

  release(address: number): void {
    this.#record(['free', address - this.#memory.base, this.#sizes.get(address) ?? 0, 0]);
    this.#memory.release(address);
  }

  info(): { readonly total: number; readonly free: number } {
    return this.#memory.info();
  }
}

const DEVICE_SLACK = 256;

export class BfcModel {
  readonly allocator: BfcAllocator;
  readonly hash: GrowingHash;
  fails = 0;
  /** Calls and log lines since the last `startRow`. */
  calls: DeviceCall[] = [];
  log: LogLine[] = [];
  readonly counts = { calls: 0, fails: 0, frees: 0 };
  readonly #base: number;

  constructor(config: Readonly<Record<string, string | number | boolean>>, version: BfcVersion, newHash: NewHash) {
    const { options, subCapacity, subGranularity } = parseBfcConf(bfcConfText(config));
    const memoryLimit = options.memoryLimit ?? 0;
    const memory = new BumpMemory(subCapacity ?? memoryLimit + DEVICE_SLACK, subGranularity);
    this.#base = memory.base;
    this.hash = newHash();
    this.allocator = new BfcAllocator({
      // Golden files without the member were made with retries off.
      allowRetryOnFailure: false,
      ...options,
      memoryLimit,
      version,
      memory: new RecordingMemory(memory, (call) => this.#count(call)),
      onLog: (line) => this.log.push(line),
    });
  }

  #count(call: DeviceCall): void {
    this.calls.push(call);
    if (call[0] === 'free') this.counts.frees++;
    else this.counts.calls++;
    if (call[0] === 'fail') this.counts.fails++;
  }

  startRow(): void {
    this.calls = [];
    this.log = [];
  }

  /** Counts an allocation into the hash of offsets and returns its offset, -1 when it failed. */
  addOffset(handle: number): number {
    const offset = handle >= 0 ? this.offsetOf(handle) : -1;
    if (handle < 0) this.fails++;
    this.hash.update(`${offset}\n`);
    return offset;
  }

  offsetOf(handle: number): number {
    return this.allocator.addressOf(handle) - this.#base;
  }

  /** Compares the state now with a checkpoint or the end of a file. */
  compareEnd(tally: Tally, where: string, want: BfcEnd): void {
    const { allocator } = this;
    const stats = allocator.stats();
    const blocks = allocator.heap().segments.flatMap((segment) => segment.blocks);
    const free = blocks.filter((block) => block.state !== 'allocated');
    const fragmentation = allocator.fragmentation();
    const got: Record<string, unknown> = {
      fails: this.fails,
      sha256: this.hash.digest(),
      in_use: stats['bytes_in_use'],
      peak: stats['peak_bytes_in_use'],
      pool: stats['pool_bytes'],
      largest_free: allocator.largestFree,
      num_allocs: stats['num_allocs'],
      largest_alloc: stats['largest_alloc_size'],
      regions: allocator.totals.segments,
      chunks: blocks.length,
      free_chunks: free.length,
      fragmentation: Number.isNaN(fragmentation) ? null : fragmentation,
      sub_calls: this.counts.calls,
      sub_fails: this.counts.fails,
      sub_frees: this.counts.frees,
    };
    const bins = allocator
      .bins()
      .map((bin, index) => [index, bin.bytesInUse, bin.bytesInBin, bin.chunksInUse, bin.chunksInBin]);
    if (want.bins !== undefined) got['bins'] = bins;
    if (want.map !== undefined) got['map'] = this.#map();
    for (const [key, value] of Object.entries(got)) {
      tally.equal(() => `${where}, ${key}`, value, want[key as keyof BfcEnd]);
    }
  }

  /** `[offset, size, requested or -1, in use, bin or -1]` in address order. */
  #map(): number[][] {
    const { allocator } = this;
    return allocator.heap().segments.flatMap((segment) =>
      segment.blocks.map((block) => {
        const inUse = block.state === 'allocated';
        const isBinned = !inUse && block.address !== allocator.centralGap;
        return [
          block.address - this.#base,
          block.size,
          inUse ? block.requested : -1,
          inUse ? 1 : 0,
          isBinned ? binOfSize(block.size) : -1,
        ];
      }),
    );
  }
}
