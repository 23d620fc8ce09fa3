/**
 * A device that answers as the recorded one did: addresses come from the trace, and a call fails where the trace shows
 * that it failed. The calls of one operation are laid out before it (`expect`); what the model asks for beyond them is
 * served from far away and counted, so that a replay can go on.
 */
import { type DeviceEvents, type DeviceMemory, type Reserved, type VirtualMemory } from '../memory/device-memory.js';
import { ACTION } from './recorded-snapshot.js';

/** Where the trace does not show how large the device is: more than any has. Whether a call succeeds is the trace's to say. */
const LARGEST = 900 * 2 ** 30;
/** Over every address of a 47-bit process. */
const ELSEWHERE = 2 ** 48;

export interface RecordedCall {
  /** `ACTION`: of the four that begin with `segment`. */
  readonly action: number;
  readonly address: number;
  readonly size: number;
}

export class RecordedDevice implements DeviceMemory {
  readonly #total: number;
  readonly virtual: VirtualMemory = {
    // The first mapping may fail and be tried again after a flush, so it need not be the next call.
    reserve: (size) => this.#calls.find(({ action }) => action === ACTION.segmentMap)?.address ?? this.#elsewhere(size),
    map: (address, size) => this.#map(address, size),
    unmap: (address) => {
      this.#takeBack(ACTION.segmentUnmap, address);
    },
    release: () => undefined,
  };
  readonly events = new RecordedEvents();
  /** Calls of the trace that the model made at the same operation with the same size. */
  allocMatches = 0;
  mapMatches = 0;
  #calls: readonly RecordedCall[] = [];
  readonly #done = new Set<number>();
  #next = 0;
  #fails = false;
  #last = ELSEWHERE;
  /** Calls of this operation that only one side made, or that differ in size. */
  differences = 0;

  /** `total`: its memory, which decides how many addresses an expandable segment reserves. */
  constructor(total = LARGEST) {
    this.#total = total;
  }

  /** The calls that the trace has for the next operation; `fails`: it ends in an out of memory. */
  expect(calls: readonly RecordedCall[], fails: boolean): void {
    this.#calls = calls;
    this.#done.clear();
    this.#next = 0;
    this.#fails = fails;
    this.differences = 0;
  }

  /** Calls that the trace has and the model did not make. */
  get missing(): number {
    return this.#calls.length - this.#done.size;
  }

  reserve(size: number): Reserved | undefined {
    const call = this.#take(ACTION.segmentAlloc);
    if (call === undefined) {
      if (this.#fails || this.#pending !== undefined) return undefined;
      this.differences++;
      return { address: this.#elsewhere(size), received: size };
    }
    if (call.size === size) this.allocMatches++;
    else this.differences++;
    return { address: call.address, received: size };
  }

  release(address: number): void {
    this.#takeBack(ACTION.segmentFree, address);
  }

  info(): { readonly total: number; readonly free: number } {
    return { total: this.#total, free: this.#total };
  }

  #map(address: number, size: number): boolean {
    const call = this.#take(ACTION.segmentMap);
    if (call === undefined) {
      if (this.#fails || this.#pending !== undefined) return false;
      this.differences++;
    } else if (call.size === size && call.address === address) this.mapMatches++;
    else this.differences++;
    return true;
  }

  get #pending(): RecordedCall | undefined {
    while (this.#done.has(this.#next)) this.#next++;
    return this.#calls[this.#next];
  }

  /** The next call, where it is of this kind. */
  #take(action: number): RecordedCall | undefined {
    const call = this.#pending;
    if (call?.action !== action) return undefined;
    this.#done.add(this.#next);
    return call;
  }

  /** Memory goes back in any order. */
  #takeBack(action: number, address: number): void {
    const place = this.#calls.findIndex(
      (call, index) => call.action === action && call.address === address && !this.#done.has(index),
    );
    if (place < 0) this.differences++;
    else this.#done.add(place);
  }

  #elsewhere(size: number): number {
    const address = this.#last;
    this.#last += size;
    return address;
  }
}

/** Streams whose work ends when the trace says so: one stream for each block that waits. */
export class RecordedEvents implements DeviceEvents {
  #recorded = 0;
  readonly #complete = new Set<number>();

  record(): number {
    return ++this.#recorded;
  }

  isComplete(_event: number, stream: number): boolean {
    return this.#complete.has(stream);
  }

  synchronize(): void {}

  synchronizeStream(): void {}

  complete(stream?: number): void {
    if (stream !== undefined) this.#complete.add(stream);
  }
}
