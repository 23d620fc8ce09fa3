/**
 * A column that grows: a typed array that doubles. Three kinds of array meet in this class and no more: V8 keeps up to
 * four apart at one place in the code, beyond that each access becomes ten times slower.
 */
const FIRST_CAPACITY = 1024;

type Values = Uint8Array | Int32Array | Float64Array;

export class Column<A extends Values> {
  #values: A;
  #length = 0;
  readonly #make: (length: number) => A;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#values = make(FIRST_CAPACITY);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow(this.#length + 1);
    this.#values[this.#length++] = value;
  }

  /** Appends `value` until the column has `length` values. */
  fillTo(length: number, value: number): void {
    if (length <= this.#length) return;
    if (length > this.#values.length) this.#grow(length);
    this.#values.fill(value, this.#length, length);
    this.#length = length;
  }

  /** The values as an array of their own; the column is empty afterwards and keeps its room. */
  take(): A {
    const taken = this.#make(this.#length);
    taken.set(this.#values.subarray(0, this.#length));
    this.#length = 0;
    return taken;
  }

  #grow(needed: number): void {
    const grown = this.#make(Math.max(needed, 2 * this.#values.length));
    grown.set(this.#values);
    this.#values = grown;
  }
}

/** Whole numbers from 0 to 255. */
export const uint8Column = (): Column<Uint8Array> => new Column((length) => new Uint8Array(length));
/** Whole numbers from -2^31 to 2^31 - 1. */
export const int32Column = (): Column<Int32Array> => new Column((length) => new Int32Array(length));
/** Doubles: sizes, addresses, ids. */
export const float64Column = (): Column<Float64Array> => new Column((length) => new Float64Array(length));
