/**
 * Reads trace files: `vramlab-trace`, and the golden files of PyTorch's and BFC's allocators, told apart by what is in
 * them. Bytes go in as they come, parts of the trace come out, so that a file of any length passes through in bounded
 * memory; `readTrace` gathers everything for whoever wants one trace.
 *
 *     const reader = new TraceReader('run.trace.json', { part: (trace) => replay.run(trace) });
 *     for await (const chunk of file) reader.push(chunk);
 *     reader.end();
 *     reader.header.capacity; // 80 GiB, say
 */
import { badInput, messageOf } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { Churn, type ChurnGenerator, churnGenerator } from './churn.js';
import { joinParts } from './join-parts.js';
import { JsonMembers } from './json-members.js';
import { addBfcOperation, addOperation } from './operations.js';
import { TraceBuilder } from './trace-builder.js';
import { type TraceHeader, traceHeader } from './trace-header.js';
import { type Trace } from './trace.js';

/** Operations in one part: large enough that a part costs nothing, small enough to stay in the processor's cache. */
const PART = 65536;

/** Members of golden files that hold results, not the trace. */
const RESULTS = new Set([
  'expected',
  'errors',
  'snapshots',
  'final',
  'trace',
  'mock',
  'checkpoints',
  ...['off', 'alloc', 'in_use', 'peak', 'pool', 'peak_pool', 'regions', 'next_region', 'largest_alloc', 'largest_free'],
  ...['num_allocs_at', 'sub', 'oom_rows', 'log_2025', 'log_2026', 'variants'],
]);

export class TraceReader {
  readonly #source: string;
  readonly #part: (trace: Trace) => void;
  readonly #members: JsonMembers;
  readonly #builder: TraceBuilder;
  readonly #fields = new Map<string, unknown>();
  readonly #decoder = new TextDecoder();
  #pending = 0;
  /** The file has a member "ops". */
  #namesOperations = false;
  #hasOperations = false;
  #header: TraceHeader | undefined;

  /** `source` names the file in messages. `part` gets the trace piece by piece, in order. */
  constructor(source: string, { part }: { readonly part: (trace: Trace) => void }) {
    this.#source = source;
    this.#part = part;
    this.#builder = new TraceBuilder(source, source);
    this.#members = new JsonMembers(source, {
      choose: (key) => {
        if (key !== 'ops') return RESULTS.has(key) ? 'skip' : 'keep';
        this.#namesOperations = true;
        return 'stream';
      },
      kept: (key, value) => {
        this.#fields.set(key, value);
        // Refused before a long list of operations is read, where the file says it first.
        if (key === 'schema' || key === 'version') traceHeader(this.#fields, this.#source, 'partial');
      },
      element: (bytes, start, end) => this.#readOperation(bytes, start, end),
      place: () => (this.#hasOperations ? say`operation ${this.#builder.length}` : ''),
    });
  }

  /** Takes the next bytes. Throws `AppError` (`bad-input`): the file, the operation or byte, and what is wrong. */
  push(bytes: Uint8Array): void {
    this.#members.push(bytes);
  }

  /** The bytes are all there. Throws `AppError` (`bad-input`) when they do not make a whole trace file. */
  end(): void {
    this.#members.end();
    const generator = this.#fields.get('generator');
    const isGenerated = !this.#namesOperations && typeof generator === 'object';
    if (!this.#namesOperations && !isGenerated) {
      throw badInput(this.#source, say`${this.#source}: not a trace file: there are no "ops"`);
    }
    if (this.#fields.has('ops'))
      throw badInput(this.#source, say`${this.#source}: "ops" is not an array of operations`);
    this.#header = traceHeader(this.#fields, this.#source, 'whole');
    if (isGenerated) this.#generate(churnGenerator(generator, this.#source));
    this.#flush();
  }

  /** What the file says about itself. Known after `end`. */
  get header(): TraceHeader {
    if (this.#header === undefined) throw new Error('the header is known after end()');
    return this.#header;
  }

  /** Operations read so far. */
  get length(): number {
    return this.#builder.length;
  }

  #readOperation(bytes: Uint8Array, start: number, end: number): void {
    this.#hasOperations = true;
    if (!addPlainOperation(this.#builder, bytes, start, end)) {
      this.#addParsed(this.#decoder.decode(bytes.subarray(start, end)));
    }
    if (++this.#pending === PART) this.#flush();
  }

  #addParsed(text: string): void {
    let operation: unknown;
    try {
      operation = JSON.parse(text);
    } catch (error) {
      this.#builder.refuse(say`${text.slice(0, 80)} is not valid JSON (${messageOf(error)})`);
    }
    if (Array.isArray(operation)) addOperation(this.#builder, operation);
    else if (typeof operation === 'string') addBfcOperation(this.#builder, operation);
    else this.#builder.refuse(say`${text.slice(0, 80)} is no operation; an array such as ["a",1,512,0] is`);
  }

  #generate(generator: ChurnGenerator): void {
    const churn = new Churn(generator);
    while (churn.add(this.#builder, PART) > 0) this.#flush();
  }

  #flush(): void {
    this.#pending = 0;
    if (this.#builder.length > 0) this.#part(this.#builder.drain());
  }
}

/**
 * A whole trace file that is already in memory (unpacked): its trace and what it says about itself.
 * Throws `AppError` (`bad-input`) as the reader does.
 */
export function parseTrace(
  file: string | Uint8Array,
  source = 'the trace',
): { readonly trace: Trace; readonly header: TraceHeader } {
  const parts: Trace[] = [];
  const reader = new TraceReader(source, { part: (part) => parts.push(part) });
  reader.push(typeof file === 'string' ? new TextEncoder().encode(file) : file);
  reader.end();
  const { header } = reader;
  return { trace: { ...joinParts(parts), name: header.name, meta: header.meta }, header };
}

const OPEN = 0x5b;
const CLOSE = 0x5d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_A = 0x61;
const LETTER_F = 0x66;
/** Digits that a double surely holds. */
const SAFE_DIGITS = 15;

/**
 * Reads `["a",id,size,stream]` and `["f",id]` written without spaces straight from the bytes, ten times as fast as
 * JSON.parse. False, and nothing added, for anything else.
 */
function addPlainOperation(builder: TraceBuilder, bytes: Uint8Array, start: number, end: number): boolean {
  const letter = bytes[start + 2]!;
  if (bytes[start] !== OPEN || bytes[start + 1] !== QUOTE || bytes[start + 3] !== QUOTE) return false;
  if (letter !== LETTER_A && letter !== LETTER_F) return false;
  const wanted = letter === LETTER_A ? 3 : 1;
  let first = 0;
  let second = 0;
  let third = 0;
  let count = 0;
  let i = start + 4;
  while (bytes[i] === COMMA && count < wanted) {
    const from = ++i;
    let value = 0;
    while (bytes[i]! >= ZERO && bytes[i]! <= NINE) value = 10 * value + (bytes[i++]! - ZERO);
    const digits = i - from;
    if (digits === 0 || digits > SAFE_DIGITS || (digits > 1 && bytes[from] === ZERO)) return false;
    if (count === 0) first = value;
    else if (count === 1) second = value;
    else third = value;
    count++;
  }
  if (count !== wanted || bytes[i] !== CLOSE || i + 1 !== end) return false;
  if (letter === LETTER_A) builder.allocate(first, second, third);
  else builder.free(first);
  return true;
}
