/** The blocks of segments, straight into columns, as `EventTable` does with trace entries. */
const BYTES_A_ROW = 3 * 8 + 2 * 4;
/** Room at first; growing copies. */
const FIRST_ROWS = 128;

export class BlockTable {
  #room = 0;
  /** NaN where a block has no address. */
  address = new Float64Array(0);
  size = this.address;
  /** Bytes asked for; NaN where the version has none. */
  requested = this.address;
  /** String number of the state. */
  state = new Int32Array(0);
  /** Stack number, -1 without frames. */
  stack = this.state;
  count = 0;

  /** Empties it; its memory is taken again. */
  clear(): void {
    this.count = 0;
  }

  /** Bytes of memory that it holds. */
  get bytes(): number {
    return BYTES_A_ROW * this.#room;
  }

  /** A new block; every column of its row has to be set. */
  add(): number {
    const row = this.count++;
    if (row === this.#room) this.#grow();
    return row;
  }

  #grow(): void {
    const room = Math.max(FIRST_ROWS, 2 * this.#room);
    const buffer = new ArrayBuffer(room * BYTES_A_ROW);
    const doubles = (old: Float64Array, column: number): Float64Array<ArrayBuffer> => {
      const made = new Float64Array(buffer, 8 * column * room, room);
      made.set(old);
      return made;
    };
    const ints = (old: Int32Array, column: number): Int32Array<ArrayBuffer> => {
      const made = new Int32Array(buffer, (24 + 4 * column) * room, room);
      made.set(old);
      return made;
    };
    this.address = doubles(this.address, 0);
    this.size = doubles(this.size, 1);
    this.requested = doubles(this.requested, 2);
    this.state = ints(this.state, 0);
    this.stack = ints(this.stack, 1);
    this.#room = room;
  }
}
