/**
 * Builds a trace operation by operation and refuses what no program can do: an unknown id, a double free, a size that
 * is no size. A streaming reader takes what has been built so far with `drain()` and goes on, so that a trace of any
 * length passes through in bounded memory.
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { float64Column, int32Column, uint8Column } from './column.js';
import { TensorIds } from './tensor-ids.js';
import { CATEGORY, OPERATION, type PlacementColumns, type Trace } from './trace.js';
import { type PlacementOptions } from '../allocator/allocator.js';

const WHY_NOT_ALIVE = {
  freed: say`was freed before`,
  unseen: say`was never allocated`,
  unknown: say`is not alive: it was never allocated, or it was freed before`,
} as const;

export class TraceBuilder {
  readonly #name: string;
  /** Names the source in messages: a file, a workload. */
  readonly #source: string;
  readonly #kind = uint8Column();
  readonly #tensor = int32Column();
  readonly #size = float64Column();
  readonly #stream = int32Column();
  readonly #category = uint8Column();
  readonly #text = int32Column();
  readonly #alignment = float64Column();
  readonly #freedBefore = float64Column();
  readonly #upperEnd = uint8Column();
  readonly #ids = float64Column();
  readonly #known = new TensorIds();
  #texts: string[] = [];
  #textNumbers = new Map<string, number>();
  #hasCategories = false;
  #hasPlacement = false;
  /** Operations drained so far: messages count from the start of the source. */
  #drained = 0;
  #firstTensor = 0;

  /** `source` stands at the start of every message about a bad operation; the name, unless given. */
  constructor(name: string, source = name) {
    this.#name = name;
    this.#source = source;
  }

  /** Operations so far, drained ones included. */
  get length(): number {
    return this.#drained + this.#kind.length;
  }

  /** Tensors alive now (allocated and not freed), by their ids. Not for hot loops. */
  liveIds(): number[] {
    return this.#known.live();
  }

  /**
   * Allocates `size` bytes as tensor `id` on a stream (0 unless given). `label` names the tensor for people.
   * Throws `AppError` (`bad-input`) for an id that is alive, or a size that is negative, not whole or over 2^53.
   */
  allocate(id: number, size: number, stream = 0, category: number = CATEGORY.unknown, label?: string): void {
    if (!Number.isSafeInteger(size) || size < 0) {
      this.refuse(say`size ${size} of tensor ${id} is not a whole number of bytes from 0 to 2^53`);
    }
    this.#checkId(id);
    this.#checkStream(stream);
    const tensor = this.#known.add(id);
    if (tensor === -1) this.refuse(say`tensor ${id} is allocated a second time while it is alive; give it another id`);
    this.#ids.push(id);
    if (category !== CATEGORY.unknown) this.#hasCategories = true;
    if (label !== undefined) this.#pushText(label);
    this.#push(OPERATION.allocate, tensor, size, stream, category);
  }

  /** Allocates with BFC's further arguments. Throws as `allocate` does. */
  allocatePlaced(id: number, size: number, place: PlacementOptions): void {
    this.allocate(id, size);
    const at = this.#kind.length - 1;
    this.#alignment.fillTo(at, 0);
    this.#freedBefore.fillTo(at, 0);
    this.#upperEnd.fillTo(at, 0);
    this.#alignment.push(place.alignment ?? 0);
    this.#freedBefore.push(place.freedBefore ?? 0);
    this.#upperEnd.push(place.upperEnd === true ? 1 : 0);
    this.#hasPlacement = true;
  }

  /** Frees a tensor. Throws `AppError` (`bad-input`) for an id that was never allocated or is freed already. */
  free(id: number): void {
    const tensor = this.#known.remove(id);
    if (tensor === -1) this.#refuseUnknown(id, say`freed`);
    this.#push(OPERATION.free, tensor, 0, 0);
  }

  /** The tensor is also used on another stream. Throws as `free` does. */
  recordStream(id: number, stream: number): void {
    this.#checkStream(stream);
    const tensor = this.#known.find(id);
    if (tensor === -1) this.#refuseUnknown(id, say`used on a stream`);
    this.#push(OPERATION.recordStream, tensor, 0, stream);
  }

  /** Gives cached memory back to the device. */
  emptyCache(): void {
    this.#push(OPERATION.emptyCache, -1, 0, 0);
  }

  /** Device work is done: on one stream, or everywhere. */
  synchronize(stream = -1): void {
    if (stream !== -1) this.#checkStream(stream);
    this.#push(OPERATION.synchronize, -1, 0, stream);
  }

  /** A label at this place, for people: a step, a phase. */
  mark(label: string): void {
    this.#pushText(label);
    this.#push(OPERATION.marker, -1, 0, 0);
  }

  /** Another settings string from here on (`setAllocatorSettings`). */
  setSettings(conf: string): void {
    this.#pushText(conf);
    this.#push(OPERATION.setSettings, -1, 0, 0);
  }

  /** An operation that has at most a number: the richer ones of the golden files. */
  control(kind: number, value = 0): void {
    if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      this.refuse(say`the number ${value} is not finite, or over 2^53`);
    }
    this.#push(kind, -1, value, 0);
  }

  /** The whole trace. The builder is not used after it. */
  finish(meta: Readonly<Record<string, unknown>> = {}): Trace {
    return this.drain(meta);
  }

  /** What was built since the last call, as a trace of its own; live tensors and ids stay known. */
  drain(meta: Readonly<Record<string, unknown>> = {}): Trace {
    const length = this.#kind.length;
    this.#text.fillTo(length, -1);
    const trace: Trace = {
      name: this.#name,
      length,
      kind: this.#kind.take(),
      tensor: this.#tensor.take(),
      size: this.#size.take(),
      stream: this.#stream.take(),
      category: takeIf(this.#hasCategories, this.#category),
      text: takeIf(this.#texts.length > 0, this.#text),
      texts: this.#texts,
      placement: this.#takePlacement(length),
      firstTensor: this.#firstTensor,
      ids: this.#ids.take(),
      meta,
    };
    this.#drained += trace.length;
    this.#firstTensor += trace.ids.length;
    this.#texts = [];
    this.#textNumbers = new Map();
    this.#hasCategories = false;
    this.#hasPlacement = false;
    return trace;
  }

  /** Throws `AppError` (`bad-input`): one line with the source and the number of the next operation. */
  refuse(why: string): never {
    throw badInput(this.#source, say`${this.#source}: operation ${this.length}: ${why}`);
  }

  #push(kind: number, tensor: number, size: number, stream: number, category: number = CATEGORY.unknown): void {
    this.#kind.push(kind);
    this.#tensor.push(tensor);
    this.#size.push(size);
    this.#stream.push(stream);
    this.#category.push(category);
  }

  /** The text of the operation that is pushed next. */
  #pushText(text: string): void {
    let number = this.#textNumbers.get(text);
    if (number === undefined) {
      number = this.#texts.length;
      this.#texts.push(text);
      this.#textNumbers.set(text, number);
    }
    this.#text.fillTo(this.#kind.length, -1);
    this.#text.push(number);
  }

  #takePlacement(length: number): PlacementColumns | undefined {
    if (!this.#hasPlacement) return undefined;
    this.#alignment.fillTo(length, 0);
    this.#freedBefore.fillTo(length, 0);
    this.#upperEnd.fillTo(length, 0);
    return {
      alignment: this.#alignment.take(),
      freedBefore: this.#freedBefore.take(),
      upperEnd: this.#upperEnd.take(),
    };
  }

  #checkId(id: number): void {
    if (!Number.isSafeInteger(id) || id < 0) this.refuse(say`id ${id} is not a whole number from 0 to 2^53`);
  }

  #checkStream(stream: number): void {
    if (!Number.isInteger(stream) || stream < 0 || stream > 0x7fffffff) {
      this.refuse(say`stream ${stream} is not a whole number from 0 to 2^31`);
    }
  }

  #refuseUnknown(id: number, what: string): never {
    this.#checkId(id);
    const state = this.#known.stateOf(id);
    this.refuse(say`tensor ${id} is ${what}, but it ${WHY_NOT_ALIVE[state]}`);
  }
}

/** Takes a column, or empties it and gives nothing. */
function takeIf<T>(wanted: boolean, column: { take(): T }): T | undefined {
  const taken = column.take();
  return wanted ? taken : undefined;
}
