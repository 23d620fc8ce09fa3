/** Columns that grow and whose earlier values can still be changed. One class a kind of array: a shared one is far slower. */
import { grownBytes, grownDoubles, grownInts } from '../snapshot/pickle/grow.js';

const FIRST = 256;

export class GrowingInts {
  values = new Int32Array(FIRST);
  length = 0;

  push(value: number): number {
    if (this.length === this.values.length) this.values = grownInts(this.values, 0);
    this.values[this.length] = value;
    return this.length++;
  }

  /** Makes room for `count` more values, which are to be written into `values`. */
  extend(count: number): void {
    this.length += count;
    if (this.length > this.values.length) this.values = grownInts(this.values, this.length);
  }

  finish(): Int32Array<ArrayBuffer> {
    return this.values.slice(0, this.length);
  }
}

export class GrowingDoubles {
  values = new Float64Array(FIRST);
  length = 0;

  push(value: number): number {
    if (this.length === this.values.length) this.values = grownDoubles(this.values, 0);
    this.values[this.length] = value;
    return this.length++;
  }

  finish(): Float64Array<ArrayBuffer> {
    return this.values.slice(0, this.length);
  }
}

export class GrowingBytes {
  values = new Uint8Array(FIRST);
  length = 0;

  push(value: number): number {
    if (this.length === this.values.length) this.values = grownBytes(this.values, 0);
    this.values[this.length] = value;
    return this.length++;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.values.slice(0, this.length);
  }
}
