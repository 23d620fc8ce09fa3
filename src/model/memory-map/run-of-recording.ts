/**
 * A recorded trace as a run: every entry of it, at the recorded addresses. Block sizes come from `RecordedWorld`, which
 * sees what an allocation took of its hole. What contradicts the state before it (a trace that was cut, two that were
 * mixed) is counted, and the later word counts.
 */
import { callFrames, callSite } from '../snapshot/call-site.js';
import { finalStacks } from '../snapshot/recorded-heap.js';
import { ACTION, type RecordedSnapshot, type RecordedTrace } from '../snapshot/recorded-snapshot.js';
import { RecordedWorld } from '../snapshot/recorded-world.js';
import { Homes } from '../snapshot/segment-homes.js';
import { categoryOfStack } from '../snapshot/stack-category.js';
import { startHeap, type StartHeap } from '../snapshot/start-heap.js';
import { CATEGORY } from '../trace/trace.js';
import { AddressIndex } from './address-index.js';
import { BlockLog } from './block-log.js';
import { DeviceLog } from './device-log.js';
import { finishRun } from './finish-run.js';
import { EVENT, type MarkerColumns, type MemoryRun } from './memory-run.js';

export interface RecordingOptions {
  /** What the process was given; what a failure shows unless given. */
  readonly capacity?: number | undefined;
  /** The heap that the trace began with, where it is known already. */
  readonly start?: StartHeap;
  /** What it is called on screen; the file's name unless given. */
  readonly name?: string;
}

/** The run of one device's trace. */
export function recordedRun(
  snapshot: RecordedSnapshot,
  trace: RecordedTrace,
  options: RecordingOptions = {},
): MemoryRun {
  return new RecordingRun(snapshot, trace, options.start ?? startHeap(snapshot, trace)).run(options);
}

const START = -1;
const NO_MARKERS: MarkerColumns = { count: 0, operation: new Int32Array(0), name: new Int32Array(0) };

class RecordingRun {
  readonly #blocks = new BlockLog();
  readonly #device = new DeviceLog();
  readonly #world: RecordedWorld;
  readonly #homes: Homes;
  readonly #live = new AddressIndex();
  /** Reserved ranges of expandable segments, by their first address. */
  readonly #reserved = new Map<number, number>();
  readonly #stacks: StackRows;
  #contradictions = 0;

  constructor(
    private readonly snapshot: RecordedSnapshot,
    private readonly trace: RecordedTrace,
    private readonly start: StartHeap,
  ) {
    this.#world = new RecordedWorld(snapshot, trace.device);
    for (let event = trace.count - 1; event >= 0; event--) this.#world.undo(trace, event);
    this.#world.begin();
    this.#homes = new Homes(snapshot, trace, start.available);
    this.#stacks = new StackRows(snapshot);
  }

  run({ capacity = this.start.available, name = this.snapshot.name }: RecordingOptions): MemoryRun {
    this.#begin();
    for (let event = 0; event < this.trace.count; event++) {
      this.#world.redo(this.trace, event);
      this.#carryOut(event);
    }
    return finishRun({
      name,
      capacity,
      operations: this.trace.count,
      unit: 'event',
      ...this.#device.finish(),
      ...this.#blocks.finish(),
      markers: NO_MARKERS,
      names: this.#stacks.names,
      stacks: this.#stacks.frames,
      contradictions: this.#contradictions,
    });
  }

  #begin(): void {
    const stacks = finalStacks(this.snapshot, this.trace.device);
    const pending = new Set(this.start.pending);
    for (const { address, size, rangeBase, blocks } of this.start.segments) {
      if (rangeBase === undefined) this.#device.take(address, size, START);
      else this.#device.mapInto(this.#rangeFrom(rangeBase, START), address, size, START);
      for (const block of blocks) {
        if (block.isFree) continue;
        const row = this.#open(block.address, block.size, block.requested, stacks.get(block.address) ?? -1, START);
        if (row !== -1 && pending.has(block.address)) this.#blocks.free(row, START);
      }
    }
  }

  #carryOut(event: number): void {
    const { trace } = this;
    const address = trace.addr[event]!;
    const size = trace.size[event]!;
    switch (trace.action[event]) {
      case ACTION.alloc: {
        const taken = this.#world.sizeAt(address) ?? size;
        const row = this.#open(address, taken, size, trace.stack[event]!, event);
        this.#blocks.event(row === -1 ? EVENT.other : EVENT.allocate, row);
        return;
      }
      case ACTION.freeRequested: {
        const row = this.#rowAt(address);
        if (row === -1) this.#contradictions++;
        else this.#blocks.free(row, event);
        this.#blocks.event(row === -1 ? EVENT.other : EVENT.free, row);
        return;
      }
      case ACTION.freeCompleted: {
        const row = this.#live.remove(address);
        if (row === -1) this.#contradictions++;
        else this.#blocks.close(row, event);
        this.#blocks.event(row === -1 ? EVENT.other : EVENT.completed, row);
        return;
      }
      case ACTION.oom: {
        const stack = this.#stacks.rowOf(trace.stack[event]!);
        this.#blocks.fail(event, size, address, this.#stacks.nameOf(stack), stack);
        return;
      }
      default:
        this.#changeMemory(event, address, size);
    }
  }

  #changeMemory(event: number, address: number, size: number): void {
    switch (this.trace.action[event]) {
      case ACTION.segmentAlloc:
        this.#closeWithin(address, size, event);
        if (this.#device.give(address, event) !== -1) this.#contradictions++;
        this.#device.take(address, size, event);
        this.#blocks.event(EVENT.segmentTaken, this.#device.segmentCount - 1);
        return;
      case ACTION.segmentFree: {
        this.#closeWithin(address, size, event);
        const segment = this.#device.give(address, event);
        if (segment === -1) this.#contradictions++;
        this.#blocks.event(segment === -1 ? EVENT.other : EVENT.segmentGiven, segment);
        return;
      }
      case ACTION.segmentMap: {
        this.#device.unmap(address, size, event);
        const base = this.#homes.rangeBase(this.#homes.of(address, 0, true), address);
        this.#device.mapInto(this.#rangeFrom(base, event), address, size, event);
        this.#blocks.event(EVENT.segmentTaken, this.#device.segmentCount - 1);
        return;
      }
      case ACTION.segmentUnmap: {
        this.#closeWithin(address, size, event);
        const segment = this.#device.unmap(address, size, event);
        this.#blocks.event(segment === -1 ? EVENT.other : EVENT.segmentGiven, segment);
        return;
      }
      default:
        this.#blocks.event(EVENT.other, -1);
    }
  }

  /** A block begins to live; -1 where there is no memory for it. Blocks that it would overlap ended unseen. */
  #open(address: number, size: number, requested: number, stackNumber: number, at: number): number {
    const end = this.#device.memoryEnd(address, address + size);
    if (end <= address) {
      this.#contradictions++;
      return -1;
    }
    this.#closeWithin(address, end - address, at);
    const stack = this.#stacks.rowOf(stackNumber);
    const row = this.#blocks.open(
      {
        address,
        size: end - address,
        requested: Math.min(requested, end - address),
        category: this.#stacks.categoryOf(stack),
        id: this.#blocks.count,
        name: this.#stacks.nameOf(stack),
        stack,
        range: this.#device.rangeAt(address),
      },
      at,
    );
    this.#live.insert(address, row);
    return row;
  }

  /** Ends the blocks that reach into these bytes. */
  #closeWithin(address: number, size: number, at: number): void {
    let row = this.#live.floor(address);
    if (row === -1 || this.#endOf(row) <= address) row = this.#live.next;
    while (row !== -1 && this.#blocks.addressOf(row) < address + size) {
      this.#live.remove(this.#blocks.addressOf(row));
      const { next } = this.#live;
      this.#blocks.close(row, at);
      this.#contradictions++;
      row = next;
    }
  }

  #endOf(row: number): number {
    return this.#blocks.addressOf(row) + this.#blocks.sizeOf(row);
  }

  #rowAt(address: number): number {
    const row = this.#live.floor(address);
    return row !== -1 && this.#blocks.addressOf(row) === address ? row : -1;
  }

  #rangeFrom(base: number, at: number): number {
    const known = this.#reserved.get(base);
    if (known !== undefined) return known;
    const range = this.#device.reserve(base, at);
    this.#reserved.set(base, range);
    return range;
  }
}

/** Call stacks of the file that blocks came from, each once, in words. */
class StackRows {
  readonly names: string[] = [];
  readonly frames: string[][] = [];
  readonly #rows = new Map<number, number>();
  readonly #nameRows = new Map<string, number>();
  readonly #names: number[] = [];
  readonly #categories: number[] = [];

  constructor(private readonly snapshot: RecordedSnapshot) {}

  /** Row of a stack of the file; -1 for none. */
  rowOf(stack: number): number {
    if (stack < 0) return -1;
    const known = this.#rows.get(stack);
    if (known !== undefined) return known;
    const site = callSite(this.snapshot, stack);
    let name = this.#nameRows.get(site);
    if (name === undefined) {
      name = this.names.push(site) - 1;
      this.#nameRows.set(site, name);
    }
    const row = this.frames.push(callFrames(this.snapshot, stack)) - 1;
    this.#names.push(name);
    this.#categories.push(CATEGORY[categoryOfStack(this.snapshot, stack)]);
    this.#rows.set(stack, row);
    return row;
  }

  nameOf(row: number): number {
    return this.#names[row] ?? -1;
  }

  categoryOf(row: number): number {
    return this.#categories[row] ?? CATEGORY.unknown;
  }
}
