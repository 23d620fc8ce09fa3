/**
 * No cached block fits: garbage is collected, the device is asked, oversize blocks go back and it is asked again,
 * everything that is free goes back and it is asked a last time. Then it is an out of memory.
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { type AllocationFailure } from '../allocator.js';
import { type ExpandableSegments } from './expandable-segments.js';
import { describeFailure, describeRejection } from './failure.js';
import { releaseOversize, releasePool } from './flush.js';
import { collectGarbage } from './garbage-collection.js';
import { OOM } from './history.js';
import { type Shelf } from './pools.js';
import { type PrivatePools } from './private-pools.js';
import { segmentSize } from './rounding.js';
import { takeSegment } from './segments.js';
import { type AllocatorState } from './state.js';
import { type StreamEvents } from './stream-events.js';

export class RetryLadder {
  /** The last request that no rung could serve. */
  failure: AllocationFailure | undefined;

  constructor(
    private readonly state: AllocatorState,
    private readonly expandable: ExpandableSegments,
    private readonly events: StreamEvents,
    private readonly pools: PrivatePools,
  ) {}

  /** A block of at least `rounded` bytes, on no shelf; 0 when all fail, with `failure` set. `requested`: as asked. */
  take(shelf: Shelf, rounded: number, requested: number): number {
    const { state } = this;
    const segment = segmentSize(rounded, state.settings.largeSegmentSize);
    if (state.collectsGarbage) collectGarbage(state);
    if (this.#rejects(segment)) {
      state.statistics.numOomRejections += 1;
      this.failure = describeRejection(state, requested);
      return 0;
    }
    let block = this.#askDevice(shelf, rounded, segment);
    if (block === 0 && releaseOversize(state, shelf, rounded)) block = this.#askDevice(shelf, rounded, segment);
    if (block === 0 && (state.scopes.length === 0 || state.torch === '2.14')) {
      this.flush();
      // The cache is not searched again, although the flush may have freed a block that fits.
      state.statistics.numAllocRetries += 1;
      block = this.#askDevice(shelf, rounded, segment);
    }
    if (block === 0) {
      state.history?.add(OOM, state.device.info().free, rounded, shelf.stream);
      state.statistics.numOoms += 1;
      this.failure = describeFailure(state, requested, segment);
    }
    return block;
  }

  /** All that is free goes back to the device. Throws `AppError` (`bad-input`) while a private pool is open in 2.6. */
  flush(): void {
    const { state } = this;
    state.statistics.numSyncAllStreams += 1;
    if (state.scopes.length > 0 && state.torch === '2.6') {
      throw badInput(
        'pool',
        say`empty_cache: 2.6 refuses it while a private pool is open (captures_underway.empty()); end the pool first`,
      );
    }
    this.events.synchronize();
    releasePool(state, this.expandable, state.large);
    releasePool(state, this.expandable, state.small);
    this.pools.flush(this.expandable);
  }

  /** 2.14, throw_on_cudamalloc_oom. */
  #rejects(segment: number): boolean {
    const { state } = this;
    if (state.torch !== '2.14' || !state.settings.throwOnCudaMallocOom) return false;
    const limit = state.settings.perProcessMemoryFraction * state.device.info().total;
    return state.reserved + segment > limit;
  }

  #askDevice(shelf: Shelf, rounded: number, segment: number): number {
    const { state } = this;
    if (state.allowed !== undefined && state.reserved + segment > state.allowed) return 0;
    if (!state.settings.expandableSegments) return takeSegment(state, shelf, segment);
    const block = this.expandable.allocate(shelf, rounded);
    if (block !== 0 && shelf.pool.owner !== undefined) shelf.pool.owner.segments += 1;
    return block;
  }
}
