/** What a snapshot has most of, straight into columns: entries of traces, blocks of segments, segments. */
import { type Columns, ColumnTable, NO_DOUBLES, NO_INTS } from './column-table.js';

/** A real file has an event in 100 to 2,000 bytes; growing copies, and room that stays empty costs nothing. */
const FILE_BYTES_AN_EVENT = 512;
const LEAST_EVENTS = 64;
const MOST_FIRST_EVENTS = 2 ** 15;
const FIRST_BLOCKS = 128;
const FIRST_SEGMENTS = 32;

/** Entries of all device traces, in the order of the file. */
export class EventTable extends ColumnTable {
  /** `addr`, or `device_free` of an `oom` event; NaN where an event has neither. */
  addr: Float64Array<ArrayBuffer> = NO_DOUBLES;
  size = this.addr;
  stream = this.addr;
  /** Microseconds; NaN where a trace has no times. */
  time = this.addr;
  /** String number of the action. */
  action: Int32Array<ArrayBuffer> = NO_INTS;
  /** Stack number, -1 without frames. */
  stack = this.action;
  /** String number of `user_metadata`, -1 without. */
  metadata = this.action;
  /** String number of `compile_context`, -1 without. */
  context = this.action;
  /** Number of the pool pair, -1 without. */
  pool = this.action;

  /** `fileBytes` of the pickle. */
  constructor(fileBytes: number) {
    const guessed = Math.floor(fileBytes / FILE_BYTES_AN_EVENT);
    super(Math.min(MOST_FIRST_EVENTS, Math.max(LEAST_EVENTS, guessed)), 4 * 8 + 5 * 4);
  }

  protected override move(columns: Columns): void {
    this.addr = columns.doubles(this.addr);
    this.size = columns.doubles(this.size);
    this.stream = columns.doubles(this.stream);
    this.time = columns.doubles(this.time);
    this.action = columns.ints(this.action);
    this.stack = columns.ints(this.stack);
    this.metadata = columns.ints(this.metadata);
    this.context = columns.ints(this.context);
    this.pool = columns.ints(this.pool);
  }
}

/** Blocks of all segments. */
export class BlockTable extends ColumnTable {
  /** NaN where a block has no address. */
  address: Float64Array<ArrayBuffer> = NO_DOUBLES;
  size = this.address;
  /** Bytes asked for; NaN where the version has none. */
  requested = this.address;
  /** String number of the state. */
  state: Int32Array<ArrayBuffer> = NO_INTS;
  /** Stack number, -1 without frames. */
  stack = this.state;

  constructor() {
    super(FIRST_BLOCKS, 3 * 8 + 2 * 4);
  }

  protected override move(columns: Columns): void {
    this.address = columns.doubles(this.address);
    this.size = columns.doubles(this.size);
    this.requested = columns.doubles(this.requested);
    this.state = columns.ints(this.state);
    this.stack = columns.ints(this.stack);
  }
}

/** Segments whose keys and blocks are all of the usual kind; any other stays a dictionary. */
export class SegmentTable extends ColumnTable {
  address: Float64Array<ArrayBuffer> = NO_DOUBLES;
  size = this.address;
  /** Sums that the file gives; NaN where the version has none. */
  allocated = this.address;
  active = this.address;
  requested = this.address;
  device = this.address;
  stream = this.address;
  /** String number of the type, -1 without. */
  type: Int32Array<ArrayBuffer> = NO_INTS;
  /** Number of the pool pair, -1 without. */
  pool = this.type;
  /** 1 for expandable ones; -1 where the version does not say. */
  expandable = this.type;
  /** Stack number, -1 without frames. */
  stack = this.type;
  /** Number of the list of its blocks. */
  blocks = this.type;

  constructor() {
    super(FIRST_SEGMENTS, 7 * 8 + 5 * 4);
  }

  protected override move(columns: Columns): void {
    this.address = columns.doubles(this.address);
    this.size = columns.doubles(this.size);
    this.allocated = columns.doubles(this.allocated);
    this.active = columns.doubles(this.active);
    this.requested = columns.doubles(this.requested);
    this.device = columns.doubles(this.device);
    this.stream = columns.doubles(this.stream);
    this.type = columns.ints(this.type);
    this.pool = columns.ints(this.pool);
    this.expandable = columns.ints(this.expandable);
    this.stack = columns.ints(this.stack);
    this.blocks = columns.ints(this.blocks);
  }
}
