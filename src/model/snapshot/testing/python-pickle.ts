/**
 * Pickles as CPython writes them, any protocol from 0 to 5: the same opcodes, batches of 1,000 items, and a memo by
 * identity, so that a frame that many events share is written once. For tests and benchmarks of the reader.
 *
 *     const bytes = pythonPickle({ segments: [], device_traces: [[event, event]] }, 4);
 */
const BATCH = 1000;

/** Two or three items that Python shall see as a tuple. */
export class Tuple {
  constructor(readonly items: readonly unknown[]) {}
}

/** The bytes of `value`: objects, arrays, tuples, texts, numbers, bigints, booleans; undefined is None. */
export function pythonPickle(value: unknown, protocol: number): Uint8Array {
  const pickler = new PythonPickler(protocol);
  pickler.save(value);
  return pickler.finish();
}

class PythonPickler {
  readonly #protocol: number;
  readonly #memo = new Map<unknown, number>();
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  constructor(protocol: number) {
    this.#protocol = protocol;
    if (protocol >= 2) this.#put(0x80, protocol);
  }

  finish(): Uint8Array {
    this.#put(0x2e);
    return this.#bytes.slice(0, this.#length);
  }

  save(value: unknown): void {
    if (value === undefined) this.#put(0x4e);
    else if (typeof value === 'boolean') this.#boolean(value);
    else if (typeof value === 'bigint') this.#integer(value);
    else if (typeof value === 'number') {
      if (Number.isInteger(value)) this.#integer(BigInt(value));
      else this.#float(value);
    } else if (this.#remembered(value)) return;
    else if (typeof value === 'string') this.#text(value);
    else if (Array.isArray(value)) this.#list(value);
    else if (value instanceof Tuple) this.#tuple(value);
    else this.#dictionary(value as Readonly<Record<string, unknown>>);
  }

  #remembered(value: unknown): boolean {
    const slot = this.#memo.get(value);
    if (slot === undefined) return false;
    if (this.#protocol === 0) this.#line(`g${slot}`);
    else if (slot < 256) this.#put(0x68, slot);
    else this.#put(0x6a, ...fourBytes(slot));
    return true;
  }

  #remember(value: unknown): void {
    const slot = this.#memo.size;
    this.#memo.set(value, slot);
    if (this.#protocol >= 4) this.#put(0x94);
    else if (this.#protocol === 0) this.#line(`p${slot}`);
    else if (slot < 256) this.#put(0x71, slot);
    else this.#put(0x72, ...fourBytes(slot));
  }

  #boolean(value: boolean): void {
    if (this.#protocol >= 2) this.#put(value ? 0x88 : 0x89);
    else this.#line(value ? 'I01' : 'I00');
  }

  #integer(value: bigint): void {
    if (this.#protocol === 0) {
      this.#line(value >= -(2n ** 31n) && value < 2n ** 31n ? `I${value}` : `L${value}L`);
    } else if (value >= 0n && value < 256n) this.#put(0x4b, Number(value));
    else if (value >= 0n && value < 65536n) this.#put(0x4d, Number(value) & 255, Number(value) >> 8);
    else if (value >= -(2n ** 31n) && value < 2n ** 31n) this.#put(0x4a, ...fourBytes(Number(value)));
    else if (this.#protocol < 2) this.#line(`L${value}L`);
    else {
      const bytes: number[] = [];
      let rest = value;
      do {
        bytes.push(Number(rest & 255n));
        rest >>= 8n;
      } while (rest !== 0n && rest !== -1n);
      const top = (bytes[bytes.length - 1] ?? 0) >= 128;
      if (top !== value < 0n) bytes.push(value < 0n ? 255 : 0);
      this.#put(0x8a, bytes.length, ...bytes);
    }
  }

  #float(value: number): void {
    if (this.#protocol === 0) {
      this.#line(`F${value}`);
      return;
    }
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value, false);
    this.#put(0x47, ...bytes);
  }

  #text(value: string): void {
    if (this.#protocol === 0) {
      // Raw unicode escape: what is not Latin-1, and the backslash, stand as \uXXXX.
      const escaped = value.replace(
        /[\u0100-\uffff\\\n]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      this.#line(`V${escaped}`);
    } else {
      const bytes = new TextEncoder().encode(value);
      if (this.#protocol >= 4 && bytes.length < 256) this.#put(0x8c, bytes.length);
      else this.#put(0x58, ...fourBytes(bytes.length));
      this.#raw(bytes);
    }
    this.#remember(value);
  }

  #list(items: readonly unknown[]): void {
    if (this.#protocol === 0) this.#put(0x28, 0x6c);
    else this.#put(0x5d);
    this.#remember(items);
    this.#batches(items, 0x61, 0x65, (item) => {
      this.save(item);
    });
  }

  #dictionary(value: Readonly<Record<string, unknown>>): void {
    if (this.#protocol === 0) this.#put(0x28, 0x64);
    else this.#put(0x7d);
    this.#remember(value);
    this.#batches(Object.entries(value), 0x73, 0x75, ([key, item]) => {
      this.save(key);
      this.save(item);
    });
  }

  #tuple(tuple: Tuple): void {
    const count = tuple.items.length;
    const short = this.#protocol >= 2 && count >= 1 && count <= 3;
    if (!short) this.#put(0x28);
    for (const item of tuple.items) this.save(item);
    this.#put(short ? 0x84 + count : 0x74);
    this.#remember(tuple);
  }

  /** One item: its own opcode. More: a mark, at most 1,000 of them, one opcode. Protocol 0 knows only the first. */
  #batches<T>(items: readonly T[], single: number, many: number, save: (item: T) => void): void {
    for (let from = 0; from < items.length;) {
      const batch = items.slice(from, from + BATCH);
      from += batch.length;
      if (this.#protocol === 0 || batch.length === 1) {
        for (const item of batch) {
          save(item);
          this.#put(single);
        }
        continue;
      }
      this.#put(0x28);
      for (const item of batch) save(item);
      this.#put(many);
    }
  }

  #line(text: string): void {
    this.#raw(Uint8Array.from(Array.from(`${text}\n`), (c) => c.charCodeAt(0)));
  }

  #put(...bytes: number[]): void {
    this.#room(bytes.length);
    for (const byte of bytes) this.#bytes[this.#length++] = byte;
  }

  #raw(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #room(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + more));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

const fourBytes = (value: number): number[] => [
  value & 255,
  (value >> 8) & 255,
  (value >> 16) & 255,
  (value >>> 24) & 255,
];
