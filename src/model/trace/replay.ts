/**
 * Replays a trace on any allocator. A failed allocation does not end a replay: it is an event, and later frees of its id
 * do nothing (DESIGN section 1). A trace may come in parts; `step` is there for whoever looks at the allocator after
 * every operation.
 *
 *     const { outcome, peakReserved } = replay(trace, new CachingAllocator({ capacity: GiB(40) }));
 *     if (outcome.status === 'out-of-memory') outcome.pins; // what holds the free memory back
 */
import { AppError, badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import {
  type AllocationFailure,
  type Allocator,
  type Heap,
  type AllocatorControls,
  NULL_BLOCK,
} from '../allocator/allocator.js';
import { CONTROLS, placementOf } from './control-calls.js';
import { type Pin, pinsOf } from './pins.js';
import { factAt, type TensorFact, TensorFacts } from './tensor-facts.js';
import { idOf, OPERATION, tensorCount, type Trace } from './trace.js';

export type Outcome =
  | { readonly status: 'completed' }
  | {
      readonly status: 'out-of-memory';
      /** Operation that met the first out of memory, from 0. */
      readonly operation: number;
      /** The program's number of the tensor that was refused. */
      readonly id: number;
      readonly failure: AllocationFailure;
      /** Segments that are partly free, most free bytes first, each with what keeps it. */
      readonly pins: readonly Pin[];
    };

export interface ReplayResult {
  readonly outcome: Outcome;
  readonly operations: number;
  /** Allocations that failed. */
  readonly failures: number;
  /** Highest bytes of blocks in use, after any operation. */
  readonly peakAllocated: number;
  /** Highest bytes of all segments, after any operation. */
  readonly peakReserved: number;
  /** Highest bytes asked for by the tensors that were alive together and placed. */
  readonly peakRequested: number;
}

/** What the last step did, beside changing the allocator. */
export interface StepResult {
  /** Block handed out; -1 where none was or it failed, NULL_BLOCK for a null pointer. */
  readonly handle: number;
  /** Bytes of the block that a free gave back; 0 where it gave none. */
  readonly freedSize: number;
  /** Why an allocation failed. */
  readonly failure: AllocationFailure | undefined;
  /** What the allocator said to a setting it refused; only with `refusals: 'record'`. */
  readonly refusal: string | undefined;
}

export interface ReplayOptions {
  /**
   * What a setting in the trace that the allocator refuses does: end the replay, or become a fact of the step, as a
   * program that catches the error sees it. `throw` unless given.
   */
  readonly refusals?: 'throw' | 'record';
  /** Called at the first failure, right after it, for whoever wants to look at the heap. */
  readonly onFailure?: (failure: FirstFailure) => void;
  /** Names the trace in messages. */
  readonly source?: string;
}

/** The state at the first failure. The allocator goes on, so look now. */
export interface FirstFailure {
  readonly failure: AllocationFailure;
  readonly heap: Heap;
  readonly stream: number;
  /** The tensor that was refused. */
  readonly refused: TensorFact;
  readonly factOf: (handle: number) => TensorFact;
}

const FIRST_TENSORS = 4096;

export class Replay {
  readonly #allocator: Allocator;
  readonly #refusals: 'throw' | 'record';
  readonly #source: string;
  readonly #onFailure: (failure: FirstFailure) => void;
  /** Block of each tensor; -1 for one that failed or is freed, NULL_BLOCK for a null pointer. */
  #handles = new Int32Array(FIRST_TENSORS).fill(-1);
  readonly #facts = new TensorFacts();
  readonly #last: { -readonly [K in keyof StepResult]: StepResult[K] } = {
    handle: -1,
    freedSize: 0,
    failure: undefined,
    refusal: undefined,
  };
  #operations = 0;
  #failures = 0;
  #peakAllocated = 0;
  #peakReserved = 0;
  #peakRequested = 0;
  #outcome: Outcome = { status: 'completed' };

  constructor(allocator: Allocator, { refusals = 'throw', source = 'the trace', onFailure }: ReplayOptions = {}) {
    this.#allocator = allocator;
    this.#onFailure = onFailure ?? (() => undefined);
    this.#refusals = refusals;
    this.#source = source;
  }

  /** Operations replayed so far. */
  get operations(): number {
    return this.#operations;
  }

  /** What the last step did. Changes with the next one. */
  get last(): StepResult {
    return this.#last;
  }

  /**
   * Replays a trace, or its next part. Throws `AppError` (`bad-input`) with the operation for one that this allocator
   * does not know, and for a setting that it refuses.
   */
  run(part: Trace): void {
    for (let i = 0; i < part.length; i++) this.step(part, i);
  }

  /** Replays operation `i` of this part. Operations are given in order, each once. Throws as `run` does. */
  step(part: Trace, i: number): void {
    const last = this.#last;
    last.handle = -1;
    last.freedSize = 0;
    last.failure = undefined;
    last.refusal = undefined;
    const kind = part.kind[i]!;
    try {
      if (kind === OPERATION.allocate) this.#allocate(part, i);
      else if (kind === OPERATION.free) this.#free(part.tensor[i]!);
      else if (kind !== OPERATION.marker) this.#other(part, i, kind);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const refusesSetting = kind === OPERATION.setSettings || kind === OPERATION.setMemoryFraction;
      if (!refusesSetting || this.#refusals === 'throw') throw this.#placed(error);
      last.refusal = error.message;
    }
    this.#operations++;
  }

  /** What came of it so far. */
  result(): ReplayResult {
    return {
      outcome: this.#outcome,
      operations: this.#operations,
      failures: this.#failures,
      peakAllocated: this.#peakAllocated,
      peakReserved: this.#peakReserved,
      peakRequested: this.#peakRequested,
    };
  }

  #allocate(part: Trace, i: number): void {
    const allocator = this.#allocator;
    const tensor = part.tensor[i]!;
    const placement = placementOf(part, i);
    const handle =
      placement === undefined
        ? allocator.malloc(part.size[i]!, part.stream[i])
        : (this.#controls('mallocWith').mallocWith?.(part.size[i]!, placement) ?? -1);
    if (tensor >= this.#handles.length) this.#grow(Math.max(tensor + 1, tensorCount(part)));
    this.#handles[tensor] = handle;
    this.#last.handle = handle;
    if (handle >= 0) this.#facts.set(handle, part, i, this.#operations);
    else if (handle !== NULL_BLOCK) this.#fail(part, i);
    const { totals } = allocator;
    if (totals.allocated > this.#peakAllocated) this.#peakAllocated = totals.allocated;
    if (totals.reserved > this.#peakReserved) this.#peakReserved = totals.reserved;
    if (totals.requested > this.#peakRequested) this.#peakRequested = totals.requested;
  }

  #free(tensor: number): void {
    const handle = this.#handles[tensor] ?? -1;
    if (handle < 0) return;
    this.#handles[tensor] = -1;
    this.#last.freedSize = this.#allocator.sizeOf(handle);
    this.#allocator.free(handle);
  }

  #fail(part: Trace, i: number): void {
    const failure = this.#allocator.lastFailure();
    if (failure === undefined) throw new Error(`${this.#allocator.name} failed without a reason`);
    this.#failures++;
    this.#last.failure = failure;
    if (this.#outcome.status !== 'completed') return;
    const heap = this.#allocator.heap();
    const factOf = (handle: number) => this.#facts.get(handle);
    this.#outcome = {
      status: 'out-of-memory',
      operation: this.#operations,
      id: idOf(part, part.tensor[i]!),
      failure,
      pins: pinsOf(heap, factOf),
    };
    this.#onFailure({ failure, heap, stream: part.stream[i]!, refused: factAt(part, i, this.#operations), factOf });
  }

  #other(part: Trace, i: number, kind: number): void {
    switch (kind) {
      case OPERATION.recordStream: {
        const handle = this.#handles[part.tensor[i]!] ?? -1;
        if (handle >= 0) this.#allocator.recordStream(handle, part.stream[i]!);
        return;
      }
      case OPERATION.emptyCache:
        this.#allocator.flush();
        return;
      case OPERATION.synchronize: {
        const stream = part.stream[i]!;
        this.#allocator.controls?.synchronize?.(stream === -1 ? undefined : stream);
        return;
      }
      case OPERATION.snapshot:
        this.#allocator.controls?.recordSnapshot?.();
        return;
      default:
        this.#set(part, i, kind);
    }
  }

  /** An operation that an allocator may lack. */
  #set(part: Trace, i: number, kind: number): void {
    const control = CONTROLS.get(kind);
    if (control === undefined) throw new Error(`operation kind ${kind} is not known`);
    control.call(this.#controls(control.name), part.size[i]!, textAt(part, i));
  }

  #controls(needed: keyof AllocatorControls): AllocatorControls {
    const { controls, name } = this.#allocator;
    if (controls?.[needed] === undefined) {
      throw badInput(
        needed,
        say`the ${name} allocator has no ${needed}; replay this trace on the allocator it was made for`,
      );
    }
    return controls;
  }

  #placed(error: AppError): AppError {
    const what = error.failure.kind === 'bad-input' ? error.failure.what : this.#source;
    return badInput(what, say`${this.#source}: operation ${this.#operations}: ${error.message}`);
  }

  #grow(needed: number): void {
    const grown = new Int32Array(Math.max(needed, 2 * this.#handles.length)).fill(-1);
    grown.set(this.#handles);
    this.#handles = grown;
  }
}

/** Replays a whole trace. Throws as `Replay.run` does. */
export function replay(trace: Trace, allocator: Allocator, options?: ReplayOptions): ReplayResult {
  const run = new Replay(allocator, options);
  run.run(trace);
  return run.result();
}

const textAt = (part: Trace, i: number): string => part.texts[part.text?.[i] ?? -1] ?? '';
