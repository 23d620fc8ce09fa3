/**
 * Writes Python's pickle format, protocol 4, as much of it as plain data need: dicts, lists, tuples, texts, whole
 * numbers to 2^53, floats, True, False and None. CPython's `pickle.loads` reads it.
 *
 *     const pickle = new PickleWriter();
 *     pickle.beginDict();
 *     pickle.text('frames');
 *     pickle.value([]);
 *     pickle.endDict();
 *     const bytes = pickle.finish();
 */
const MARK = 0x28;
const STOP = 0x2e;
const BINGET = 0x68;
const LONG_BINGET = 0x6a;
const BININT = 0x4a;
const BININT1 = 0x4b;
const BININT2 = 0x4d;
const NONE = 0x4e;
const BINUNICODE = 0x58;
const EMPTY_LIST = 0x5d;
const APPENDS = 0x65;
const BINFLOAT = 0x47;
const TUPLE = 0x74;
const SETITEMS = 0x75;
const EMPTY_DICT = 0x7d;
const PROTO = 0x80;
const NEWTRUE = 0x88;
const NEWFALSE = 0x89;
const LONG1 = 0x8a;
const SHORT_BINUNICODE = 0x8c;
const MEMOIZE = 0x94;

const PROTOCOL = 4;

/** A number that Python shall see as a float, also when it is whole. */
export class PickleFloat {
  constructor(readonly value: number) {}
}

/** A sequence that Python shall see as a tuple. */
export class PickleTuple {
  constructor(readonly items: readonly Pickled[]) {}
}

export type Pickled =
  | string
  | number
  | boolean
  | null
  | PickleFloat
  | PickleTuple
  | readonly Pickled[]
  | { readonly [key: string]: Pickled };

export class PickleWriter {
  #bytes = new Uint8Array(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  readonly #encoder = new TextEncoder();
  /** Texts written before: their number in the memo. Keys repeat by the million, so each is written once. */
  readonly #memo = new Map<string, number>();
  readonly #shared = new Map<object, number>();
  /** Values in the memo. */
  #memoized = 0;

  constructor() {
    this.#byte(PROTO);
    this.#byte(PROTOCOL);
  }

  /** What follows until `endDict` are keys and values in turn. */
  beginDict(): void {
    this.#byte(EMPTY_DICT);
    this.#byte(MARK);
  }

  endDict(): void {
    this.#byte(SETITEMS);
  }

  /** What follows until `endList` are its items. */
  beginList(): void {
    this.#byte(EMPTY_LIST);
    this.#byte(MARK);
  }

  endList(): void {
    this.#byte(APPENDS);
  }

  text(text: string): void {
    const known = this.#memo.get(text);
    if (known !== undefined) {
      this.#recall(known);
      return;
    }
    const encoded = this.#encoder.encode(text);
    if (encoded.length < 256) {
      this.#byte(SHORT_BINUNICODE);
      this.#byte(encoded.length);
    } else {
      this.#byte(BINUNICODE);
      this.#uint32(encoded.length);
    }
    this.#need(encoded.length);
    this.#bytes.set(encoded, this.#length);
    this.#length += encoded.length;
    this.#byte(MEMOIZE);
    this.#memo.set(text, this.#memoized++);
  }

  /** A value that comes again and again, told by identity: written once, then recalled. */
  shared(value: Pickled & object): void {
    const known = this.#shared.get(value);
    if (known !== undefined) {
      this.#recall(known);
      return;
    }
    this.value(value);
    this.#byte(MEMOIZE);
    this.#shared.set(value, this.#memoized++);
  }

  /** A whole number from -2^53 to 2^53. */
  int(value: number): void {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number a double holds`);
    if (value >= 0 && value < 2 ** 8) {
      this.#byte(BININT1);
      this.#byte(value);
    } else if (value >= 0 && value < 2 ** 16) {
      this.#byte(BININT2);
      this.#need(2);
      this.#view.setUint16(this.#length, value, true);
      this.#length += 2;
    } else if (value >= -(2 ** 31) && value < 2 ** 31) {
      this.#byte(BININT);
      this.#need(4);
      this.#view.setInt32(this.#length, value, true);
      this.#length += 4;
    } else {
      this.#byte(LONG1);
      this.#byte(8);
      this.#need(8);
      this.#view.setBigInt64(this.#length, BigInt(value), true);
      this.#length += 8;
    }
  }

  float(value: number): void {
    this.#byte(BINFLOAT);
    this.#need(8);
    this.#view.setFloat64(this.#length, value, false);
    this.#length += 8;
  }

  /** Plain data, however deep. Numbers are ints; wrap floats in `PickleFloat`. */
  value(value: Pickled): void {
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number') this.int(value);
    else if (typeof value === 'boolean') this.#byte(value ? NEWTRUE : NEWFALSE);
    else if (value === null) this.#byte(NONE);
    else if (value instanceof PickleFloat) this.float(value.value);
    else if (value instanceof PickleTuple) this.#tuple(value.items);
    else if (isList(value)) this.#list(value);
    else this.#dict(value);
  }

  /** The whole pickle. Nothing is written after it. */
  finish(): Uint8Array {
    this.#byte(STOP);
    return this.#bytes.slice(0, this.#length);
  }

  #list(items: readonly Pickled[]): void {
    this.#byte(EMPTY_LIST);
    if (items.length === 0) return;
    this.#byte(MARK);
    for (const item of items) this.value(item);
    this.#byte(APPENDS);
  }

  #tuple(items: readonly Pickled[]): void {
    this.#byte(MARK);
    for (const item of items) this.value(item);
    this.#byte(TUPLE);
  }

  #dict(fields: { readonly [key: string]: Pickled }): void {
    this.beginDict();
    for (const [key, field] of Object.entries(fields)) {
      this.text(key);
      this.value(field);
    }
    this.endDict();
  }

  #recall(number: number): void {
    if (number < 256) {
      this.#byte(BINGET);
      this.#byte(number);
    } else {
      this.#byte(LONG_BINGET);
      this.#uint32(number);
    }
  }

  #byte(value: number): void {
    this.#need(1);
    this.#bytes[this.#length++] = value;
  }

  #uint32(value: number): void {
    this.#need(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  #need(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#length + count, 2 * this.#bytes.length));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

const isList = (value: readonly Pickled[] | { readonly [key: string]: Pickled }): value is readonly Pickled[] =>
  Array.isArray(value);
