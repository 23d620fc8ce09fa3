/** The entries of device traces, straight into columns: 52 bytes an event where a Python dictionary takes hundreds. */
/** Room at first: a real file has an event in 300 to 2,000 bytes; growing copies, and room that stays empty costs nothing. */
const FILE_BYTES_A_ROW = 512;
const LEAST_ROWS = 64;
const MOST_FIRST_ROWS = 2 ** 15;
const BYTES_A_ROW = 4 * 8 + 5 * 4;

const NO_INTS = new Int32Array(0);
const NO_DOUBLES = new Float64Array(0);

/** All columns lie in one buffer: making nine costs more than reading a small file. */
export class EventTable {
  #room = 0;
  readonly #firstRoom: number;
  /** String number of the action. */
  action: Int32Array<ArrayBuffer> = NO_INTS;
  /** `addr`, or `device_free` of an `oom` event; NaN where an event has neither. */
  addr: Float64Array<ArrayBuffer> = NO_DOUBLES;
  size = this.addr;
  stream = this.addr;
  /** Microseconds; NaN where a trace has no times. */
  time = this.addr;
  /** Stack number, -1 without frames. */
  stack = this.action;
  /** String number of `user_metadata`, -1 without. */
  metadata = this.action;
  /** String number of `compile_context`, -1 without. */
  context = this.action;
  /** Number of the pool pair, -1 without. */
  pool = this.action;
  count = 0;

  /** `fileBytes` of the pickle. */
  constructor(fileBytes: number) {
    this.#firstRoom = Math.min(MOST_FIRST_ROWS, Math.max(LEAST_ROWS, Math.floor(fileBytes / FILE_BYTES_A_ROW)));
  }

  /** A new event; every column of its row has to be set. */
  add(): number {
    const row = this.count++;
    if (row === this.#room) this.#grow();
    return row;
  }

  #grow(): void {
    const room = this.#room === 0 ? this.#firstRoom : 2 * this.#room;
    const buffer = new ArrayBuffer(room * BYTES_A_ROW);
    const doubles = (old: Float64Array, column: number): Float64Array<ArrayBuffer> => {
      const made = new Float64Array(buffer, 8 * column * room, room);
      made.set(old);
      return made;
    };
    const ints = (old: Int32Array, column: number): Int32Array<ArrayBuffer> => {
      const made = new Int32Array(buffer, (32 + 4 * column) * room, room);
      made.set(old);
      return made;
    };
    this.addr = doubles(this.addr, 0);
    this.size = doubles(this.size, 1);
    this.stream = doubles(this.stream, 2);
    this.time = doubles(this.time, 3);
    this.action = ints(this.action, 0);
    this.stack = ints(this.stack, 1);
    this.metadata = ints(this.metadata, 2);
    this.context = ints(this.context, 3);
    this.pool = ints(this.pool, 4);
    this.#room = room;
  }
}
