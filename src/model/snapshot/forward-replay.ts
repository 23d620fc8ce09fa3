/**
 * One recorded trace replayed forwards on the model from the heap that it began with. The device answers as the recorded
 * one did; whether memory went back inside an allocation or before it is told from the calls around it.
 */
import { say } from '../../base/said.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { type TorchVersion } from '../allocator/caching/oom-text.js';
import { type Fidelity, type FirstMismatch } from './fidelity-figures.js';
import { hasRoom, isGivenBack, isWholeFlush } from './given-back.js';
import { ACTION, ACTIONS, type RecordedSnapshot, type RecordedTrace } from './recorded-snapshot.js';
import { type RecordedCall, RecordedDevice } from './recorded-device.js';
import { type InferredPools } from './inferred-pools.js';
import { RecordedPools } from './recorded-pools.js';
import { recordedConf } from './recorded-settings.js';
import { RecordedSwitches } from './recorded-switches.js';
import { type StartHeap } from './start-heap.js';

export class ForwardReplay {
  readonly #snapshot: RecordedSnapshot;
  readonly #trace: RecordedTrace;
  readonly #start: StartHeap;
  readonly #torch: TorchVersion;
  readonly #device: RecordedDevice;
  readonly #allocator: CachingAllocator;
  /** Handles by recorded address. */
  readonly #handles = new Map<number, number>();
  /** Blocks that wait for a stream: the stream of each, by recorded address. */
  readonly #waiting = new Map<number, number>();
  readonly #pools: RecordedPools;
  readonly #inferred: InferredPools | undefined;
  readonly #switches: RecordedSwitches;
  #calls: RecordedCall[] = [];
  #completions: number[] = [];
  #mismatch: FirstMismatch | null = null;
  #addressMatches = 0;
  #failureMatches = 0;
  #nextStream = -1;

  constructor(
    snapshot: RecordedSnapshot,
    trace: RecordedTrace,
    start: StartHeap,
    torch: TorchVersion,
    pools?: InferredPools,
  ) {
    this.#snapshot = snapshot;
    this.#trace = trace;
    this.#start = start;
    this.#torch = torch;
    this.#device = new RecordedDevice(start.available);
    this.#allocator = new CachingAllocator({
      capacity: this.#device.info().total,
      conf: recordedConf(snapshot, torch),
      memory: this.#device,
      torch,
    });
    this.#inferred = pools;
    this.#pools = new RecordedPools(snapshot, trace, pools);
    this.#switches = new RecordedSwitches(trace, start);
  }

  run(): Fidelity {
    this.#adopt();
    const { action, addr, size, count } = this.#trace;
    for (let event = 0; event < count; event++) {
      switch (action[event]) {
        case ACTION.alloc:
        case ACTION.oom:
          this.#allocate(event);
          break;
        case ACTION.freeRequested: {
          this.#settle(event);
          const completes = action[event + 1] === ACTION.freeCompleted && addr[event + 1] === addr[event];
          this.#free(event, completes);
          if (completes) event++;
          break;
        }
        case ACTION.freeCompleted:
          this.#completions.push(addr[event]!);
          break;
        case ACTION.segmentAlloc:
        case ACTION.segmentFree:
        case ACTION.segmentMap:
        case ACTION.segmentUnmap:
          this.#calls.push({ action: action[event]!, address: addr[event]!, size: size[event]! });
          break;
        default:
      }
    }
    this.#settle(count);
    return this.#result();
  }

  #adopt(): void {
    const { segments } = this.#start;
    this.#allocator.adopt(
      this.#inferred === undefined
        ? segments
        : segments.map((segment) => ({ ...segment, privatePool: this.#pools.atStart(segment.address) })),
    );
    for (const { blocks } of this.#allocator.heap().segments) {
      for (const { address, handle } of blocks) if (handle >= 0) this.#handles.set(address, handle);
    }
    for (const address of this.#start.pending) this.#freeLater(address);
  }

  /** Memory that went back outside of an allocation: torch.cuda.empty_cache(). */
  #settle(event: number): void {
    this.#complete();
    if (this.#calls.length === 0) return;
    this.#device.expect(this.#calls, false);
    this.#giveBack();
    this.#check(event);
    this.#calls = [];
  }

  #complete(): void {
    for (const address of this.#completions) {
      const stream = this.#waiting.get(address);
      if (stream === undefined) continue;
      this.#waiting.delete(address);
      this.#device.events.complete(stream);
    }
    this.#completions = [];
  }

  #allocate(event: number): void {
    const { addr, size, stream, action } = this.#trace;
    const fails = action[event] === ACTION.oom;
    const pool = this.#pools.of(event);
    this.#switch(event);
    if (this.#calls.some(isGivenBack)) this.#prepareRetry(event, pool);
    else if (!fails) this.#complete();
    // While a pool is open 2.6 does not look at its streams; what is complete by now was seen before.
    if (pool !== undefined) this.#allocator.releaseSegments(new Set());
    this.#device.expect(this.#calls, fails);
    if (pool !== undefined) this.#allocator.beginAllocateToPool(pool);
    const handle = this.#allocator.malloc(size[event]!, stream[event]);
    if (pool !== undefined) this.#allocator.endAllocateToPool(pool);
    this.#calls = [];
    // What ended while the allocation waited for the device counts from here on.
    this.#complete();
    this.#check(event);
    if (fails) {
      if (handle < 0) this.#failureMatches++;
      else {
        this.#note(
          event,
          (action) => say`${action}: the model found room for ${size[event]!} bytes, the recorded run did not`,
        );
        this.#allocator.free(handle);
      }
      return;
    }
    if (handle < 0) {
      this.#note(event, (action) => say`${action}: the model found no room for ${size[event]!} bytes`);
      return;
    }
    this.#handles.set(addr[event]!, handle);
    const placed = this.#allocator.addressOf(handle);
    if (placed === addr[event]) this.#addressMatches++;
    else
      this.#note(
        event,
        (action) => say`${action}: ${size[event]!} bytes were placed at ${addr[event]!}, by the model at ${placed}`,
      );
  }

  /** The run had expandable segments on or off at this entry, whatever the file says of the end. */
  #switch(event: number): void {
    const expandable = this.#switches.at(event);
    if (expandable === undefined || expandable === this.#allocator.settings.expandableSegments) return;
    const others = recordedConf(this.#snapshot, this.#torch)
      .split(/,(?=[a-z])/)
      .filter((option) => option !== '' && !option.startsWith('expandable_segments'));
    this.#allocator.setSettings([...others, `expandable_segments:${expandable ? 'True' : 'False'}`].join(','));
  }

  /**
   * Memory went back before an allocation: by a retry inside it, or by empty_cache() (or garbage collection) before its
   * search. A retry comes only after a search that found nothing.
   */
  #prepareRetry(event: number, privatePool: number | undefined): void {
    const { size, stream, action } = this.#trace;
    const asks = action[event] === ACTION.oom || this.#calls.some((call) => !isGivenBack(call));
    const first = this.#calls.findIndex(isGivenBack);
    const isRetry =
      isWholeFlush(this.#allocator, this.#calls) &&
      !(privatePool !== undefined && this.#torch === '2.6') &&
      asks &&
      (first > 0 || !hasRoom(this.#allocator, { size: size[event]!, stream: stream[event]!, privatePool }));
    if (isRetry) {
      this.#giveBackPrivate();
      return;
    }
    const back = this.#calls.filter(isGivenBack);
    const rest = this.#calls.filter((call) => !isGivenBack(call));
    this.#complete();
    this.#calls = back;
    this.#device.expect(back, false);
    this.#giveBack();
    this.#check(event);
    this.#calls = rest;
  }

  /** Flushes, or releases just what the trace has where that is less than all. */
  #giveBack(): void {
    if (isWholeFlush(this.#allocator, this.#calls)) this.#allocator.flush();
    const given = new Set(this.#calls.filter(isGivenBack).map(({ address }) => address));
    if (given.size > 0) this.#allocator.releaseSegments(given);
  }

  /** A flush gives free memory of pools that nobody uses any more back; when that began to be so is not in a trace. */
  #giveBackPrivate(): void {
    const mine = new Set<number>();
    for (const { address, size, privatePool } of this.#allocator.heap().segments) {
      if (privatePool === undefined) continue;
      for (const call of this.#calls) {
        if (isGivenBack(call) && call.address >= address && call.address < address + size) mine.add(call.address);
      }
    }
    if (mine.size === 0) return;
    const isMine = (call: RecordedCall): boolean => isGivenBack(call) && mine.has(call.address);
    this.#device.expect(this.#calls.filter(isMine), false);
    this.#allocator.releaseSegments(mine);
    this.#calls = this.#calls.filter((call) => !isMine(call));
  }

  #free(event: number, completes: boolean): void {
    const address = this.#trace.addr[event]!;
    const handle = this.#handles.get(address);
    if (handle === undefined) {
      this.#note(event, (action) => say`${action}: the block at ${address} is freed, but it is not live`);
      return;
    }
    if (!completes) {
      this.#freeLater(address);
      return;
    }
    this.#handles.delete(address);
    this.#allocator.free(handle);
  }

  /** Another stream still uses the block: it is free when the trace says so. */
  #freeLater(address: number): void {
    const handle = this.#handles.get(address);
    if (handle === undefined) return;
    const stream = this.#nextStream--;
    this.#handles.delete(address);
    this.#waiting.set(address, stream);
    this.#allocator.recordStream(handle, stream);
    this.#allocator.free(handle);
  }

  #check(event: number): void {
    if (this.#device.differences > 0)
      this.#note(event, (action) => say`${action}: the model asked the device for something else than the run did`);
    else if (this.#device.missing > 0) {
      this.#note(
        event,
        (action) => say`${action}: the run asked the device for memory, or gave some back, where the model did not`,
      );
    }
    this.#device.expect([], false);
  }

  #note(event: number, what: (action: string) => string): void {
    if (this.#mismatch !== null) return;
    const action = ACTIONS[this.#trace.action[event] ?? ACTION.other];
    this.#mismatch = { event, what: what(action ?? '') };
  }

  #result(): Fidelity {
    const { device, action } = this.#trace;
    const counts = new Float64Array(ACTIONS.length);
    for (const each of action) counts[each]!++;
    const reserved = this.#snapshot.segments
      .filter((segment) => segment.device === device)
      .reduce((sum, segment) => sum + segment.size, 0);
    return {
      device,
      alloc: counts[ACTION.alloc]!,
      addr_match: this.#addressMatches,
      segment_alloc: counts[ACTION.segmentAlloc]!,
      segsize_match: this.#device.allocMatches,
      segment_map: counts[ACTION.segmentMap]!,
      map_match: this.#device.mapMatches,
      oom: counts[ACTION.oom]!,
      oom_match: this.#failureMatches,
      initial_active: this.#start.blocks.length,
      inferred_slack_blocks: this.#start.inferredSlackBlocks,
      inferred_pools: this.#inferred?.count ?? 0,
      inferred_pool_allocations: this.#inferred?.allocations ?? 0,
      settings_changed: this.#switches.changedAt ?? null,
      final_reserved_model: this.#allocator.totals.reserved,
      final_reserved_snap: reserved,
      torch: this.#torch,
      first_mismatch: this.#mismatch,
    };
  }
}
