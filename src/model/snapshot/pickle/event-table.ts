/** The entries of device traces, straight into columns: 45 bytes an event where a Python dictionary takes hundreds. */
import { grownDoubles, grownInts } from './grow.js';

/** Small files are common: they should not pay for tables they do not fill. */
const FIRST_ROWS = 64;

export class EventTable {
  /** String number of the action. */
  action = new Int32Array(FIRST_ROWS);
  /** `addr`, or `device_free` of an `oom` event; NaN where an event has neither. */
  addr = new Float64Array(FIRST_ROWS);
  size = new Float64Array(FIRST_ROWS);
  stream = new Float64Array(FIRST_ROWS);
  /** Microseconds; NaN where a trace has no times. */
  time = new Float64Array(FIRST_ROWS);
  /** Stack number, -1 without frames. */
  stack = new Int32Array(FIRST_ROWS);
  /** String number of `user_metadata`, -1 without. */
  metadata = new Int32Array(FIRST_ROWS);
  /** String number of `compile_context`, -1 without. */
  context = new Int32Array(FIRST_ROWS);
  /** Number of the pool pair, -1 without. */
  pool = new Int32Array(FIRST_ROWS);
  count = 0;

  /** A new event with nothing in it. */
  add(): number {
    const row = this.count++;
    if (row === this.action.length) this.#grow();
    this.action[row] = -1;
    this.addr[row] = NaN;
    this.size[row] = NaN;
    this.stream[row] = 0;
    this.time[row] = NaN;
    this.stack[row] = -1;
    this.metadata[row] = -1;
    this.context[row] = -1;
    this.pool[row] = -1;
    return row;
  }

  #grow(): void {
    this.action = grownInts(this.action, 0);
    this.addr = grownDoubles(this.addr, 0);
    this.size = grownDoubles(this.size, 0);
    this.stream = grownDoubles(this.stream, 0);
    this.time = grownDoubles(this.time, 0);
    this.stack = grownInts(this.stack, 0);
    this.metadata = grownInts(this.metadata, 0);
    this.context = grownInts(this.context, 0);
    this.pool = grownInts(this.pool, 0);
  }
}
