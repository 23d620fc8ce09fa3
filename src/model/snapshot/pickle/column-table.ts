/**
 * Tables whose rows are columns of numbers that grow together: 52 bytes for a trace entry where a Python dictionary takes
 * hundreds. All columns of a table lie in one buffer, because making nine costs more than reading a small file.
 *
 *     class Sizes extends ColumnTable {
 *       size = NO_DOUBLES;
 *       protected override move(columns: Columns): void {
 *         this.size = columns.doubles(this.size);
 *       }
 *     }
 */
export const NO_DOUBLES = new Float64Array(0);
export const NO_INTS = new Int32Array(0);

/** A buffer for all columns of a table, which are taken from it in turn: doubles before integers, so that all are aligned. */
export class Columns {
  readonly #buffer: ArrayBuffer;
  readonly #rows: number;
  #taken = 0;

  constructor(rows: number, bytesARow: number) {
    this.#buffer = new ArrayBuffer(rows * bytesARow);
    this.#rows = rows;
  }

  /** The next column, which begins as `old`. */
  doubles(old: Float64Array): Float64Array<ArrayBuffer> {
    const made = new Float64Array(this.#buffer, this.#taken, this.#rows);
    made.set(old);
    this.#taken += made.byteLength;
    return made;
  }

  ints(old: Int32Array): Int32Array<ArrayBuffer> {
    const made = new Int32Array(this.#buffer, this.#taken, this.#rows);
    made.set(old);
    this.#taken += made.byteLength;
    return made;
  }
}

export abstract class ColumnTable {
  count = 0;
  #room = 0;
  readonly #firstRows: number;
  readonly #bytesARow: number;

  /** Room at first, and what its columns take together. */
  constructor(firstRows: number, bytesARow: number) {
    this.#firstRows = firstRows;
    this.#bytesARow = bytesARow;
  }

  /** Bytes of memory that it holds. */
  get bytes(): number {
    return this.#bytesARow * this.#room;
  }

  /** A new row; every column of it has to be set. */
  add(): number {
    const row = this.count++;
    if (row === this.#room) {
      this.#room = this.#room === 0 ? this.#firstRows : 2 * this.#room;
      this.move(new Columns(this.#room, this.#bytesARow));
    }
    return row;
  }

  /** Takes every column again from a larger place. */
  protected abstract move(columns: Columns): void;
}
