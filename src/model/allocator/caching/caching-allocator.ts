/**
 * PyTorch's CUDA caching allocator, exact to the byte. `docs/ALLOCATOR.md` explains how it is built.
 *
 *     const allocator = new CachingAllocator({ capacity: 40 * 2 ** 30, conf: 'expandable_segments:True' });
 *     const block = allocator.malloc(1 << 20);
 *     if (block === -1) console.error(allocator.lastFailure()?.text);
 *     else allocator.free(block);
 *     allocator.stats()['reserved_bytes.all.peak'];
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { type DeviceMemory } from '../../memory/device-memory.js';
import { SimulatedDevice } from '../../memory/simulated-device.js';
import {
  type AllocationFailure,
  type Allocator,
  type AllocatorControls,
  type AllocatorTotals,
  type Heap,
  NULL_BLOCK,
} from '../allocator.js';
import { adoptHeap, releaseAt, type StartSegment } from './adopt.js';
import { takeBestFit } from './best-fit.js';
import { ADDRESS, ALLOCATED, DOUBLES, INDEX, INTS, REQUESTED, SIZE, STATE, UNIT } from './block-table.js';
import { CachingTotals } from './caching-totals.js';
import { ExpandableSegments } from './expandable-segments.js';
import { freeBlock } from './free-block.js';
import { handOut } from './hand-out.js';
import { viewHeap } from './heap-view.js';
import { FREE_REQUESTED, History, SNAPSHOT } from './history.js';
import { type TorchVersion } from './oom-text.js';
import { PrivatePools } from './private-pools.js';
import { RetryLadder } from './retry-ladder.js';
import { roundRequest, SMALL_UNITS } from './rounding.js';
import { Settings } from './settings.js';
import { AllocatorState } from './state.js';
import { ACTIVE_BYTES, INACTIVE_SPLIT_BYTES, OVERSIZE_ALLOCATIONS, type Statistics } from './statistics.js';
import { StreamEvents } from './stream-events.js';

/** Sizes are int32 in units of 512 bytes, and an expandable segment spans 9/8 of the device. */
const MAX_CAPACITY = 900 * 2 ** 30;

export interface CachingOptions {
  /** Bytes of the device, at most 900 GiB. */
  readonly capacity: number;
  /** PYTORCH_CUDA_ALLOC_CONF; '' by default. */
  readonly conf?: string;
  /** As `torch.cuda.set_per_process_memory_fraction`: 0 to 1; undefined: never called. */
  readonly fraction?: number | undefined;
  /** Behaviour to follow, '2.6' by default. */
  readonly torch?: TorchVersion;
  /** Where segments come from; a `SimulatedDevice` of that capacity by default. */
  readonly memory?: DeviceMemory;
  /** Keep history entries (`history`); off by default. */
  readonly history?: boolean;
}

export class CachingAllocator implements Allocator, AllocatorControls {
  readonly name = 'caching';
  /** This allocator knows all of the framework's calls itself. */
  readonly controls: AllocatorControls = this;
  readonly torch: TorchVersion;
  readonly memory: DeviceMemory;
  readonly totals: Readonly<AllocatorTotals>;
  /** What happened, entry by entry; undefined unless the option was set. */
  readonly history: History | undefined;
  readonly #state: AllocatorState;
  readonly #events: StreamEvents;
  readonly #pools: PrivatePools;
  readonly #expandable: ExpandableSegments;
  readonly #ladder: RetryLadder;

  /** Throws `AppError` (`bad-input`) for an unusable capacity, settings string (its exact text) or fraction. */
  constructor(options: CachingOptions) {
    if (options.capacity > MAX_CAPACITY) {
      throw badInput(
        'capacity',
        say`capacity: ${options.capacity} is not usable; give at most 900 GiB (${MAX_CAPACITY} bytes)`,
      );
    }
    this.memory = options.memory ?? new SimulatedDevice(options.capacity);
    this.torch = options.torch ?? '2.6';
    this.history = options.history === true ? new History() : undefined;
    const settings = new Settings(this.torch);
    settings.read(options.conf ?? '');
    this.#state = new AllocatorState(this.memory, settings, this.torch, this.history);
    this.#events = new StreamEvents(this.#state);
    this.#pools = new PrivatePools(this.#state);
    this.#expandable = new ExpandableSegments(this.#state);
    this.#ladder = new RetryLadder(this.#state, this.#expandable, this.#events, this.#pools);
    this.totals = new CachingTotals(this.#state.statistics);
    if (this.torch === '2.14') this.setMemoryFraction(settings.perProcessMemoryFraction);
    if (options.fraction !== undefined) this.setMemoryFraction(options.fraction);
  }

  /**
   * Allocates `size` bytes on a stream. Returns a block handle (from 0, reused after `free`), -1 on out of memory (see
   * `lastFailure`), NULL_BLOCK for size 0. Throws `AppError` (`bad-input`) for a size that is no whole number from 0
   * to 2^53, or a stream that is no whole number.
   */
  malloc(size: number, stream = 0): number {
    if (!(size >= 0 && size <= Number.MAX_SAFE_INTEGER && Math.floor(size) === size)) throw badSize(size);
    if (size === 0) return NULL_BLOCK;
    const state = this.#state;
    const hasScope = state.scopes.length > 0;
    if (this.#events.isBusy && !(hasScope && this.torch === '2.6')) this.#events.process();

    const { settings } = state;
    const rounded = settings.roundsToDivisions ? roundRequest(size, settings.roundupDivisions) : size;
    const units = Math.ceil(rounded / UNIT);
    const isSmall = units <= SMALL_UNITS;
    const pool = hasScope ? this.#pools.poolFor(isSmall) : isSmall ? state.small : state.large;
    const shelf = pool.shelf(stream);
    let block = takeBestFit(state, shelf, units);
    if (block === 0) {
      block = this.#ladder.take(shelf, units * UNIT, size);
      if (block === 0) return -1;
    }
    return handOut(state, shelf, block, units, size) - 1;
  }

  /** Frees a block; NULL_BLOCK is a no-op. Throws `AppError` (`bad-input`) for a handle that is not live. */
  free(handle: number): void {
    if (handle === NULL_BLOCK) return;
    const block = this.#live(handle);
    const state = this.#state;
    const { i32, f64 } = state.table;
    const at = block << INTS;
    const shelf = state.shelves[i32[at + INDEX]!]!;
    const size = i32[at + SIZE]! * UNIT;
    state.statistics.free(shelf.kind, size);
    if (this.history !== undefined) {
      const double = block << DOUBLES;
      this.history.addBlock(FREE_REQUESTED, f64, double + ADDRESS, double + REQUESTED, shelf.stream);
    }
    if (size >= state.settings.maxSplitSize) state.statistics.decrease(OVERSIZE_ALLOCATIONS, shelf.kind, 1);
    if (this.#events.isUsed(block)) this.#events.free(block);
    else freeBlock(state, shelf, block);
  }

  /** Bytes; offsets from where the device begins to give addresses out. */
  addressOf(handle: number): number {
    return this.#state.addressOf(this.#live(handle));
  }

  /** Bytes of the block; more than the rounded request where the rest was not split off. */
  sizeOf(handle: number): number {
    return this.#state.sizeOf(this.#live(handle));
  }

  /** The block is also used on `stream`; its own stream and NULL_BLOCK are ignored. */
  recordStream(handle: number, stream: number): void {
    if (handle === NULL_BLOCK) return;
    const block = this.#live(handle);
    if (this.#state.shelfOf(block).stream !== stream) this.#events.recordStream(block, stream);
  }

  /** torch.cuda.empty_cache(). Throws `AppError` (`bad-input`) while a private pool is open in 2.6, as that refuses it. */
  flush(): void {
    this.#ladder.flush();
  }

  /**
   * Takes over the heap of another process before the first operation; `heap()` then has the handles of its blocks.
   * The device must hold the segments already.
   */
  adopt(segments: readonly StartSegment[]): void {
    if (this.#state.table.used > 1) throw new Error('adopt: the allocator has been used already');
    adoptHeap(this.#state, this.#expandable, this.#pools, segments);
  }

  /**
   * Gives back those whole free segments, and free pages of expandable ones, that begin at these addresses, and no others.
   * Returns how many it were.
   */
  releaseSegments(addresses: ReadonlySet<number>): number {
    this.#events.process();
    return releaseAt(this.#state, this.#expandable, addresses);
  }

  /** The program waited for a stream, or for all: their events are complete. */
  synchronize(stream?: number): void {
    this.memory.events?.complete(stream);
  }

  /** beginAllocateToPool, for every stream. */
  beginAllocateToPool(id: number): void {
    this.#pools.begin(id);
  }

  /** endAllocateToPool. */
  endAllocateToPool(id: number): void {
    this.#pools.end(id);
  }

  /** releasePool: one user less; without users its free memory goes back at the next flush. */
  releasePool(id: number): void {
    this.#pools.release(id);
  }

  /** set_per_process_memory_fraction. Throws `AppError` (`bad-input`) outside 0 to 1. In 2.14, 1 means no limit. */
  setMemoryFraction(fraction: number): void {
    if (!(fraction >= 0 && fraction <= 1)) {
      throw badInput('fraction', say`fraction: ${fraction} is out of range; give a number from 0 to 1`);
    }
    const bytes = fraction * this.memory.info().total;
    if (this.torch === '2.6') this.#state.allowed = Math.floor(bytes);
    else this.#state.allowed = fraction < 1 ? Math.round(bytes) : undefined;
  }

  /** Bytes that the memory fraction allows, by whatever way it was set; undefined without a limit. */
  get allowedBytes(): number | undefined {
    return this.#state.allowed;
  }

  /** torch.cuda.memory._set_allocator_settings: a PYTORCH_CUDA_ALLOC_CONF string. Throws `SettingsError`. */
  setSettings(conf: string): void {
    this.#state.settings.read(conf);
  }

  /** Settings in effect. */
  get settings(): Readonly<Settings> {
    return this.#state.settings;
  }

  resetPeakStats(): void {
    this.#state.statistics.resetPeak();
  }

  resetAccumulatedStats(): void {
    this.#state.statistics.resetAccumulated();
  }

  /** Counters and the values of single statistics, cheap enough to read after every operation. */
  get statistics(): Statistics {
    return this.#state.statistics;
  }

  /** Bytes of idle split blocks (`inactive_split_bytes.all.current`). */
  get inactiveSplitBytes(): number {
    return this.#state.statistics.current(INACTIVE_SPLIT_BYTES);
  }

  lastFailure(): AllocationFailure | undefined {
    return this.#ladder.failure;
  }

  /** torch.cuda.memory_stats(), flat. */
  stats(): Record<string, number> {
    return this.#state.statistics.flat(this.#state.settings.reportedMaxSplitSize);
  }

  heap(): Heap {
    return viewHeap(this.#state);
  }

  /** The program takes a snapshot (`heap`): an entry in the history. */
  recordSnapshot(): void {
    this.history?.add(SNAPSHOT, 0, this.#state.statistics.current(ACTIVE_BYTES), 0);
  }

  /** The record of a live handle. */
  #live(handle: number): number {
    const { i32, used } = this.#state.table;
    const block = handle + 1;
    if (block > 0 && block < used && (block | 0) === block && i32[(block << INTS) + STATE] === ALLOCATED) return block;
    throw badInput(
      'handle',
      say`handle ${handle}: no live block has it; it was never given out, or it was freed already`,
    );
  }
}

const badSize = (size: number): Error =>
  badInput('size', say`size: ${size} is not usable; give a whole number of bytes from 0 to 2^53`);
