/**
 * The blocks of the caching allocator: one record of 64 bytes (one cache line) each, all in one ArrayBuffer that is
 * seen as Int32Array and as Float64Array. A block is its record number, from 1; record 0 is "no block" and scratch.
 *
 *     int32   0  1 | 2    3    | 4    | 5    | 6    | 7     | 8     | 9    | 10    | 11  | 12   | 13      | 14      | 15
 *             ADDR | REQUESTED | SIZE | PREV | NEXT | STATE | INDEX | LEFT | RIGHT | AGE | BORN | SEGMENT | PENDING | BACK
 *
 * Sizes are in units of 512 bytes, so that int32 reaches 1 TiB; addresses and requested bytes are doubles.
 */
export const UNIT = 512;
/** Blocks hold fewer than 2^31 units. */
export const MAX_UNITS = 2 ** 31 - 1;

/** Shift from a record number to its first int32 and its first double. */
export const INTS = 4;
export const DOUBLES = 3;

/** Doubles of a record. */
export const ADDRESS = 0;
/** Bytes asked for. It stays when the block is freed, as in the original. */
export const REQUESTED = 1;

/** Int32s of a record. Size in units. */
export const SIZE = 4;
/** Neighbours in the same segment, 0 at its ends. */
export const PREV = 5;
export const NEXT = 6;
export const STATE = 7;
/** Number of the FreeIndex (stream and pool) that the block belongs to. */
export const INDEX = 8;
/** While the block is free: children in the treap of a wide bin, or first child and next sibling in a heap. */
export const LEFT = 9;
export const RIGHT = 10;
/** Serial number of the segment, where ties go to the older segment (2.14); 0 in 2.6. */
export const AGE = 11;
/** Value of the pool's search counter when the block became free (garbage collection). */
export const BORN = 12;
/** Number of the expandable segment, 0 for one of cudaMalloc. */
export const SEGMENT = 13;
/** Events that have to complete before the block is free. */
export const PENDING = 14;
/** In a heap: the sibling before, or the parent of a first child. */
export const BACK = 15;

/** What STATE says. A record that holds no block says UNUSED. */
export const UNUSED = 0;
export const FREE = 1;
export const ALLOCATED = 2;
/** Freed by the program, but another stream may still use it. */
export const AWAITING = 3;
/** Addresses of an expandable segment without memory behind them. */
export const UNMAPPED = 4;

/** 1 MiB, of which only what is used takes memory. Growing is rare, as it makes V8 compile again what knew the arrays. */
const FIRST_RECORDS = 16384;

export class BlockTable {
  i32: Int32Array;
  f64: Float64Array;
  /** Records ever used, the scratch record 0 included. */
  used = 1;
  /** Head of the list of returned records, linked through NEXT. */
  #returned = 0;

  constructor() {
    const buffer = new ArrayBuffer(FIRST_RECORDS << 6);
    this.i32 = new Int32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }

  /** A record with whatever it last held. The arrays may be new ones afterwards: read `i32` and `f64` again. */
  take(): number {
    const block = this.#returned;
    if (block === 0) {
      if (this.used << INTS >= this.i32.length) this.#grow();
      return this.used++;
    }
    this.#returned = this.i32[(block << INTS) + NEXT]!;
    return block;
  }

  giveBack(block: number): void {
    const at = block << INTS;
    this.i32[at + STATE] = UNUSED;
    this.i32[at + NEXT] = this.#returned;
    this.#returned = block;
  }

  #grow(): void {
    const grown = new ArrayBuffer(this.i32.byteLength * 2);
    const i32 = new Int32Array(grown);
    i32.set(this.i32);
    this.i32 = i32;
    this.f64 = new Float64Array(grown);
  }
}
