/** A program on an allocator as a run: the trace is replayed once, with an eye on the device and on every block. */
import { type Allocator } from '../allocator/allocator.js';
import { type AllocatorSetup, makeAllocator } from '../allocator/registry.js';
import { type DeviceMemory } from '../memory/device-memory.js';
import { Replay, type ReplayResult } from '../trace/replay.js';
import { CATEGORY, OPERATION, tensorCount, type Trace } from '../trace/trace.js';
import { BlockLog } from './block-log.js';
import { DeviceLog } from './device-log.js';
import { finishRun } from './finish-run.js';
import { GrowingInts } from './growing.js';
import { EVENT, type MarkerColumns, type MemoryRun } from './memory-run.js';
import { WatchedMemory } from './watched-memory.js';

export interface RunOptions {
  /** What it is called on screen; the trace's name unless given. */
  readonly name?: string;
  /** A program that cannot get its memory stops. `go-on`: what it frees and asks afterwards is replayed all the same. */
  readonly afterFailure?: 'stop' | 'go-on';
}

/**
 * Replays the trace on the allocator of the setup. Throws `AppError` (`bad-input`) for an allocator or settings that
 * cannot be used, and for an operation that this allocator does not know.
 */
export function memoryRunOf(trace: Trace, setup: Omit<AllocatorSetup, 'trace'>, options: RunOptions = {}): MemoryRun {
  return replayedRun(trace, setup, options).run;
}

/** The run, and what came of the replay in words and figures. Throws as `memoryRunOf` does. */
export function replayedRun(
  trace: Trace,
  setup: Omit<AllocatorSetup, 'trace'>,
  options: RunOptions = {},
): { readonly run: MemoryRun; readonly result: ReplayResult } {
  return new TraceRun(trace, setup, options).run();
}

class TraceRun {
  readonly #blocks = new BlockLog();
  readonly #device = new DeviceLog();
  readonly #allocator: Allocator;
  readonly #memory: WatchedMemory;
  /** Row of each tensor that lives, -1 otherwise. */
  readonly #rows: Int32Array;
  /** Freed blocks that a stream still uses, by address. */
  readonly #pending = new Map<number, number>();
  #pendingBytes = 0;
  #markers = 0;

  constructor(
    private readonly trace: Trace,
    private readonly setup: Omit<AllocatorSetup, 'trace'>,
    private readonly options: RunOptions,
  ) {
    let watched: WatchedMemory | undefined;
    const through = (memory: DeviceMemory): DeviceMemory => (watched = new WatchedMemory(memory, this.#device));
    this.#allocator = makeAllocator({ ...setup, trace, through }).allocator;
    if (watched === undefined) throw new Error(`the ${setup.name} allocator has no device`);
    this.#memory = watched;
    this.#rows = new Int32Array(tensorCount(trace)).fill(-1);
  }

  run(): { readonly run: MemoryRun; readonly result: ReplayResult } {
    const { trace, setup, options } = this;
    const replay = new Replay(this.#allocator, { refusals: 'record', source: options.name ?? trace.name });
    const stops = options.afterFailure !== 'go-on';
    for (let i = 0; i < trace.length; i++) {
      this.#memory.operation = i;
      replay.step(trace, i);
      this.#note(i, replay);
      if (stops && replay.last.failure !== undefined) break;
    }
    const run = finishRun({
      name: options.name ?? trace.name,
      capacity: setup.capacity,
      operations: trace.length,
      unit: 'operation',
      ...this.#device.finish(),
      ...this.#blocks.finish(),
      markers: markersOf(trace),
      names: trace.texts,
      stacks: [],
      contradictions: 0,
    });
    return { run, result: replay.result() };
  }

  #note(i: number, replay: Replay): void {
    const { trace } = this;
    const tensor = trace.tensor[i]!;
    switch (trace.kind[i]) {
      case OPERATION.allocate:
        this.#settle(i, 0);
        this.#allocated(i, tensor, replay);
        return;
      case OPERATION.free:
        this.#freed(i, tensor, replay.last.freedSize);
        return;
      case OPERATION.marker:
        this.#blocks.event(EVENT.marker, this.#markers++);
        return;
      default:
        this.#settle(i, 0);
        this.#blocks.event(PLAIN_EVENTS.get(trace.kind[i]!) ?? EVENT.other, -1);
    }
  }

  #allocated(i: number, tensor: number, replay: Replay): void {
    const { trace } = this;
    const { handle, failure } = replay.last;
    const requested = trace.size[i]!;
    const name = trace.text?.[i] ?? -1;
    if (failure !== undefined) this.#blocks.fail(i, requested, failure.deviceFree, name, -1);
    if (handle < 0) {
      // A null pointer for a request of no bytes is an event without a block.
      if (failure === undefined) this.#blocks.event(EVENT.other, -1);
      return;
    }
    const address = this.#allocator.addressOf(handle);
    const row = this.#blocks.open(
      {
        address,
        size: this.#allocator.sizeOf(handle),
        requested,
        category: trace.category?.[i] ?? CATEGORY.unknown,
        id: trace.ids[tensor - trace.firstTensor]!,
        name,
        stack: -1,
        range: this.#device.rangeAt(address),
      },
      i,
    );
    this.#rows[tensor] = row;
    this.#blocks.event(EVENT.allocate, row);
  }

  #freed(i: number, tensor: number, size: number): void {
    const row = this.#rows[tensor]!;
    if (row === -1) {
      // Its allocation failed, so that there is nothing to free.
      this.#blocks.event(EVENT.other, -1);
      return;
    }
    this.#rows[tensor] = -1;
    this.#blocks.free(row, i);
    this.#blocks.event(EVENT.free, row);
    if (this.#waiting > this.#pendingBytes) {
      this.#pending.set(this.#blocks.addressOf(row), row);
      this.#settle(i, size);
    } else this.#blocks.close(row, i);
  }

  /** Bytes that are freed but that a stream still uses. */
  get #waiting(): number {
    const { active, allocated } = this.#allocator.totals;
    return active - allocated;
  }

  /** Blocks that no stream uses any more are free from this operation on. `added`: bytes that began to wait with it. */
  #settle(i: number, added: number): void {
    const waiting = this.#waiting;
    if (waiting === this.#pendingBytes + added) {
      this.#pendingBytes = waiting;
      return;
    }
    this.#pendingBytes = waiting;
    const still = new Set<number>();
    for (const { blocks } of this.#allocator.heap().segments) {
      for (const { state, address } of blocks) if (state === 'pending') still.add(address);
    }
    for (const [address, row] of this.#pending) {
      if (still.has(address)) continue;
      this.#pending.delete(address);
      this.#blocks.close(row, i);
    }
  }
}

const PLAIN_EVENTS: ReadonlyMap<number, number> = new Map<number, number>([
  [OPERATION.emptyCache, EVENT.emptyCache],
  [OPERATION.synchronize, EVENT.synchronize],
]);

/** All markers of the program, also those that the run does not come to. */
function markersOf({ kind, text, length }: Trace): MarkerColumns {
  const operation = new GrowingInts();
  const name = new GrowingInts();
  for (let i = 0; i < length; i++) {
    if (kind[i] !== OPERATION.marker) continue;
    operation.push(i);
    name.push(text?.[i] ?? -1);
  }
  return { count: operation.length, operation: operation.finish(), name: name.finish() };
}
