/**
 * Reads one big JSON object as it arrives, without ever holding it: members are kept, skipped, or (for a long array)
 * handed out element by element. Works on bytes, so that nothing is decoded that is not looked at.
 *
 *     const reader = new JsonMembers('run.trace.json', {
 *       choose: (key) => (key === 'ops' ? 'stream' : 'keep'),
 *       kept: (key, value) => header.set(key, value),
 *       element: (bytes, start, end) => readOperation(bytes, start, end),
 *       place: () => `operation ${count}`,
 *     });
 *     for await (const chunk of chunks) reader.push(chunk);
 *     reader.end();
 */
import { badInput, messageOf } from '../../base/errors.js';
import { say } from '../../base/said.js';

export interface MemberHandlers {
  choose(key: string): 'keep' | 'skip' | 'stream';
  kept(key: string, value: unknown): void;
  /** One element of the streamed array: its bytes without surrounding space. Valid during the call only. */
  element(bytes: Uint8Array, start: number, end: number): void;
  /** Where the reader is, in the words of the file's kind: `operation 17`. Empty when that says nothing. */
  place(): string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** A kept member is a fact about a trace, not a trace: more than this is a wrong file. */
const LONGEST_KEPT = 2 ** 26;

type State =
  | 'start'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'value'
  | 'skipping'
  | 'first-element'
  | 'element'
  | 'after-element'
  | 'after-value'
  | 'done';

export class JsonMembers {
  readonly #source: string;
  readonly #handlers: MemberHandlers;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #state: State = 'start';
  #key = '';
  /** Bytes of the last chunk that belong to a value which is not complete yet. */
  #rest = new Uint8Array(0);
  /** Bytes before the buffer that is looked at now. */
  #offset = 0;
  /** Where the search for the end of the value at hand stopped, so that it goes on instead of starting again. */
  readonly #scan = new ValueScan();

  constructor(source: string, handlers: MemberHandlers) {
    this.#source = source;
    this.#handlers = handlers;
  }

  /** Takes the next bytes. Throws `AppError` (`bad-input`) with the byte offset where this is no JSON object. */
  push(chunk: Uint8Array): void {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    let at = 0;
    while (at < bytes.length) {
      const next = this.#step(bytes, at);
      if (next === -1) break;
      at = next;
    }
    this.#rest = at === bytes.length ? new Uint8Array(0) : bytes.slice(at);
    this.#offset += at;
    if (this.#rest.length > LONGEST_KEPT) this.#fail(0, say`the member "${this.#key}" does not end`);
  }

  /** The bytes are all there. Throws `AppError` (`bad-input`) when the object is not complete. */
  end(): void {
    if (this.#state === 'done') return;
    const size = this.#offset + this.#rest.length;
    if (size === 0) throw badInput(this.#source, say`${this.#source}: the file is empty`);
    if (this.#state === 'start') throw badInput(this.#source, say`${this.#source}: not a trace file: it is all space`);
    throw badInput(this.#source, say`${this.#where()}: the file ends in the middle, at byte ${size}; it was cut off`);
  }

  /** Goes one token further. Gives the new position, or -1 when more bytes are needed first. */
  #step(bytes: Uint8Array, from: number): number {
    if (this.#state === 'skipping') return this.#skip(bytes, from);
    // Space is a step of its own, so that a value whose end is not there yet starts where the rest starts.
    const space = this.#scan.waiting ? from : skipSpace(bytes, from);
    if (space > from) return space;
    const at = from;
    const byte = bytes[at];
    switch (this.#state) {
      case 'start':
        if (byte !== OPEN_OBJECT) this.#failStart(bytes, at);
        this.#state = 'first-key';
        return at + 1;
      case 'first-key':
        if (byte === CLOSE_OBJECT) {
          this.#state = 'done';
          return at + 1;
        }
        return this.#readKey(bytes, at);
      case 'key':
        return this.#readKey(bytes, at);
      case 'colon':
        if (byte !== COLON) this.#fail(at, say`a colon is missing`);
        this.#state = 'value';
        return at + 1;
      case 'value':
        return this.#readValue(bytes, at);
      case 'first-element':
        if (byte === CLOSE_ARRAY) {
          this.#state = 'after-value';
          return at + 1;
        }
        return this.#readElement(bytes, at);
      case 'element':
        return this.#readElement(bytes, at);
      case 'after-element':
        if (byte !== COMMA && byte !== CLOSE_ARRAY) this.#fail(at, say`a comma is missing`);
        this.#state = byte === COMMA ? 'element' : 'after-value';
        return at + 1;
      case 'after-value':
        if (byte !== COMMA && byte !== CLOSE_OBJECT) this.#fail(at, say`a comma is missing`);
        this.#state = byte === COMMA ? 'key' : 'done';
        return at + 1;
      case 'done':
        return this.#fail(at, say`something follows the end of the object`);
    }
  }

  #readKey(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== QUOTE) this.#fail(at, say`a key in quotes is missing`);
    const end = this.#scan.find(bytes, at);
    if (end === -1) return -1;
    this.#key = String(this.#parse(bytes, at, end));
    this.#state = 'colon';
    return end;
  }

  #readValue(bytes: Uint8Array, at: number): number {
    const choice = this.#handlers.choose(this.#key);
    if (choice === 'stream' && bytes[at] === OPEN_ARRAY) {
      this.#state = 'first-element';
      return at + 1;
    }
    if (choice === 'skip') {
      this.#state = 'skipping';
      return this.#skip(bytes, at);
    }
    const end = this.#scan.find(bytes, at);
    if (end === -1) return -1;
    this.#handlers.kept(this.#key, this.#parse(bytes, at, end));
    this.#state = 'after-value';
    return end;
  }

  #readElement(bytes: Uint8Array, at: number): number {
    const end = this.#scan.find(bytes, at);
    if (end === -1) return -1;
    if (end === at) this.#fail(at, say`a value is missing`);
    this.#handlers.element(bytes, at, end);
    this.#state = 'after-element';
    return end;
  }

  /** Passes over a value without holding any of it. */
  #skip(bytes: Uint8Array, at: number): number {
    const end = this.#scan.find(bytes, at);
    if (end === -1) {
      this.#scan.drop(bytes.length - at);
      return bytes.length;
    }
    if (end === at) this.#fail(at, say`a value is missing`);
    this.#state = 'after-value';
    return end;
  }

  #parse(bytes: Uint8Array, start: number, end: number): unknown {
    try {
      return JSON.parse(this.#decoder.decode(bytes.subarray(start, end)));
    } catch (error) {
      return this.#fail(start, messageOf(error));
    }
  }

  /** The file, and the operation in it where one is read. */
  #where(): string {
    const place = this.#handlers.place();
    return place === '' ? this.#source : say`${this.#source}: ${place}`;
  }

  #failStart(bytes: Uint8Array, at: number): never {
    const start = bytes.subarray(at, at + 8);
    if (start.every((byte) => byte >= 0x20 && byte <= 0x7e)) {
      const seen = String.fromCharCode(...start);
      throw badInput(
        this.#source,
        say`${this.#source}: not a trace file: it starts with "${seen}", not with a JSON object`,
      );
    }
    const seen = Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    throw badInput(
      this.#source,
      say`${this.#source}: not a trace file: it starts with the bytes ${seen}, not with a JSON object`,
    );
  }

  #fail(at: number, why: string): never {
    throw badInput(this.#source, say`${this.#where()}: not valid JSON at byte ${this.#offset + at}: ${why}`);
  }
}

/** Finds where a JSON value ends. Remembers its place when the bytes run out, and goes on in the longer buffer. */
class ValueScan {
  #depth = 0;
  #inString = false;
  #scanned = 0;
  waiting = false;

  /** Index after the value that starts at `start`; -1 when its end is not in these bytes. */
  find(bytes: Uint8Array, start: number): number {
    let depth = this.waiting ? this.#depth : 0;
    let inString = this.waiting && this.#inString;
    let i = this.waiting ? start + this.#scanned : start;
    this.waiting = false;
    for (; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (inString) {
        if (byte === BACKSLASH) i++;
        else if (byte === QUOTE) {
          inString = false;
          if (depth === 0) return i + 1;
        }
        continue;
      }
      if (byte === QUOTE) inString = true;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        if (depth === 0) return i;
        if (--depth === 0) return i + 1;
      } else if (depth === 0 && (byte === COMMA || byte <= 0x20)) return i;
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#scanned = i - start;
    this.waiting = true;
    return -1;
  }

  /** The first `count` bytes scanned are not kept: the next buffer starts after them. */
  drop(count: number): void {
    this.#scanned -= count;
  }
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at]!)) at++;
  return at;
}

/** The space of JSON: a file of zeros is no space. */
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
