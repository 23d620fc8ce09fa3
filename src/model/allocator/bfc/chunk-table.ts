/**
 * Chunks of the BFC allocator, one 64-byte record each in one buffer that is seen as doubles and as int32, so that a
 * chunk is a small integer and a million of them make no garbage. A record:
 *
 *     double 0 address   1 size   2 requested   3 freed-at count
 *     int32  8 previous  9 next  10 left       11 right  12 state  13 tag
 *
 * Deleted records are reused last in, first out. That order is visible: dumps of the original print chunk handles.
 */
export const NONE = -1;

export const ADDRESS = 0;
export const SIZE = 1;
export const REQUESTED = 2;
export const FREED_AT = 3;

export const PREVIOUS = 8;
export const NEXT = 9;
export const LEFT = 10;
export const RIGHT = 11;
export const STATE = 12;
export const TAG = 13;

/** A record that stands for no chunk now. */
export const DELETED = 0;
export const IN_USE = 1;
/** Free, and in a bin. */
export const BINNED = 2;
/** Free, and in no bin: the central gap, or between two steps of one operation. */
export const LOOSE = 3;

/** Which end owns a chunk in spatial mode; everything is LOWER otherwise. */
export const LOWER = 0;
export const CENTRAL_GAP = 1;
export const UPPER = 2;

const FIRST_CAPACITY = 1024;

export class ChunkTable {
  /** 8 doubles a record. */
  doubles = new Float64Array(FIRST_CAPACITY * 8);
  /** 16 int32 a record, over the same bytes. */
  words = new Int32Array(this.doubles.buffer);
  /** Records ever taken: handles are below it. */
  used = 0;
  #capacity = FIRST_CAPACITY;
  #unused = NONE;

  /** Takes a record: the one deleted last, else a new one. Its fields hold what they held. */
  take(): number {
    const reused = this.#unused;
    if (reused !== NONE) {
      this.#unused = this.words[reused * 16 + NEXT]!;
      return reused;
    }
    if (this.used === this.#capacity) this.#grow();
    return this.used++;
  }

  drop(chunk: number): void {
    this.words[chunk * 16 + STATE] = DELETED;
    this.words[chunk * 16 + NEXT] = this.#unused;
    this.#unused = chunk;
  }

  #grow(): void {
    this.#capacity *= 2;
    const doubles = new Float64Array(this.#capacity * 8);
    doubles.set(this.doubles);
    this.doubles = doubles;
    this.words = new Int32Array(doubles.buffer);
  }

  isLive(chunk: number): boolean {
    return chunk >= 0 && chunk < this.used && Number.isInteger(chunk) && this.words[chunk * 16 + STATE] === IN_USE;
  }
  address(chunk: number): number {
    return this.doubles[chunk * 8 + ADDRESS]!;
  }
  size(chunk: number): number {
    return this.doubles[chunk * 8 + SIZE]!;
  }
  requested(chunk: number): number {
    return this.doubles[chunk * 8 + REQUESTED]!;
  }
  freedAt(chunk: number): number {
    return this.doubles[chunk * 8 + FREED_AT]!;
  }
  next(chunk: number): number {
    return this.words[chunk * 16 + NEXT]!;
  }
  previous(chunk: number): number {
    return this.words[chunk * 16 + PREVIOUS]!;
  }
  state(chunk: number): number {
    return this.words[chunk * 16 + STATE]!;
  }
  tag(chunk: number): number {
    return this.words[chunk * 16 + TAG]!;
  }
}
