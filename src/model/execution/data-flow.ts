/**
 * Which kernel makes each tensor. A trace says when tensors come and go, not what is computed; what it leaves open is
 * filled in by rules that any trace can be read with, so that every tensor is written by real work on real data:
 *
 * - weights, moments and what arrives from other ranks are filled;
 * - a tensor after which several are freed whose sizes add up to it is their concatenation;
 * - one after which a smaller tensor of the same name is freed is grown: a concatenation of the old copy and the newest
 *   data. The old copy's bytes are moved for nothing;
 * - everything else is computed element by element from the tensor that is freed next, or from the newest one alive;
 * - a buffer made once gets slices of what is produced (`SLICES`).
 */
import { defined } from '../../base/errors.js';
import { CATEGORY, OPERATION, tensorCount, type Trace } from '../trace/trace.js';

/** Bytes from `from` on of `source` go to byte `at`. */
export interface Part {
  readonly source: number;
  readonly from: number;
  readonly at: number;
  readonly bytes: number;
}

export type Work =
  | { readonly kind: 'fill' }
  | { readonly kind: 'map'; readonly source: number }
  /** `recopied`: bytes that were there before and are copied again. */
  | { readonly kind: 'concat'; readonly parts: readonly Part[]; readonly recopied: number };

export interface SliceWrite {
  readonly target: number;
  readonly part: Part;
}

export interface DataFlow {
  /** By tensor. */
  readonly works: readonly Work[];
  /** Slices that are written once the tensor is there. */
  readonly slices: ReadonlyMap<number, readonly SliceWrite[]>;
  /** Bytes by tensor. */
  readonly bytes: Float64Array;
}

interface SliceRule {
  /** The buffer that is made once. */
  readonly target: RegExp;
  /** What is written into it. */
  readonly source: RegExp;
  /** Every training step starts at the front again, and its backward pass writes nothing. */
  readonly eachStep: boolean;
  /** Share of the source that is kept. */
  readonly share: number;
  /** Parameters that the trace's workload must have been run with. */
  readonly given?: Readonly<Record<string, unknown>>;
}

/** Who writes into the preallocated buffers of our workloads. */
const SLICES: readonly SliceRule[] = [
  { target: /^bank \(preallocated\)$/, source: /^features$/, eachStep: false, share: 1 },
  { target: /^hidden states \(one buffer\)$/, source: /^layers\.\d+\.output$/, eachStep: true, share: 1 },
  // Keys or values: 8 of 32 heads, a third of the projections of q, k and v.
  {
    target: /^layers\.\d+\.[kv] cache, \d+ tokens$/,
    source: /^q, k, v$/,
    eachStep: false,
    share: 1 / 12,
    given: { cache: 'prealloc' },
  },
];

/** Copies begin and end at multiples of one vec4. */
const GRAIN = 16;
const toGrain = (size: number): number => Math.floor(size / GRAIN) * GRAIN;
/** Sizes are rounded up to 256 bytes, so sums may differ by one step a part. */
const ROUNDING = 256;

/** Reads a whole trace. Tensors are numbered from 0. */
export const dataFlowOf = (trace: Trace): DataFlow => new DataFlowReader(trace).read();

class DataFlowReader {
  readonly #works: Work[] = [];
  readonly #slices = new Map<number, SliceWrite[]>();
  readonly #bytes: Float64Array;
  readonly #labels: string[];
  readonly #categories: Uint8Array;
  readonly #isLive: Uint8Array;
  /** In order of allocation; the dead ones are dropped when they come to the end. */
  readonly #newest: number[] = [];
  /** Buffers made once, by rule, and where the next slice goes. */
  readonly #targets: { readonly rule: SliceRule; readonly tensor: number; at: number }[] = [];
  readonly #rules: readonly SliceRule[];
  #isBackward = false;

  constructor(readonly trace: Trace) {
    const count = tensorCount(trace);
    this.#bytes = new Float64Array(count);
    this.#labels = new Array<string>(count).fill('');
    this.#categories = new Uint8Array(count);
    this.#isLive = new Uint8Array(count);
    const { params } = trace.meta;
    const values: Readonly<Record<string, unknown>> = typeof params === 'object' ? { ...params } : {};
    this.#rules = SLICES.filter(({ given = {} }) =>
      Object.entries(given).every(([key, value]) => values[key] === value),
    );
  }

  read(): DataFlow {
    const { trace } = this;
    for (let i = 0; i < trace.length; i++) {
      const kind = trace.kind[i];
      if (kind === OPERATION.allocate) this.#allocate(i);
      else if (kind === OPERATION.free) this.#isLive[trace.tensor[i] ?? 0] = 0;
      else if (kind === OPERATION.marker) this.#mark(trace.texts[trace.text?.[i] ?? -1] ?? '');
    }
    return { works: this.#works, slices: this.#slices, bytes: this.#bytes };
  }

  #allocate(i: number): void {
    const { trace } = this;
    const tensor = defined(trace.tensor[i], 'tensor');
    this.#bytes[tensor] = trace.size[i] ?? 0;
    this.#labels[tensor] = trace.texts[trace.text?.[i] ?? -1] ?? '';
    this.#categories[tensor] = trace.category?.[i] ?? CATEGORY.unknown;
    this.#works[tensor] = this.#workOf(tensor, this.#freedAfter(i));
    this.#isLive[tensor] = 1;
    this.#newest.push(tensor);
    this.#writeSlices(tensor);
    for (const rule of this.#rules) {
      if (rule.target.test(this.#label(tensor))) this.#targets.push({ rule, tensor, at: 0 });
    }
  }

  #label(tensor: number): string {
    return this.#labels[tensor] ?? '';
  }

  #size(tensor: number): number {
    return this.#bytes[tensor] ?? 0;
  }

  /** Tensors freed between this allocation and whatever comes next, itself left out. */
  #freedAfter(i: number): number[] {
    const { trace } = this;
    const freed: number[] = [];
    for (let j = i + 1; trace.kind[j] === OPERATION.free; j++) {
      const tensor = trace.tensor[j] ?? -1;
      if (this.#isLive[tensor] === 1) freed.push(tensor);
    }
    return freed;
  }

  #newestLive(except = -1): number | undefined {
    const { length } = this.#newest;
    for (let i = length - 1; i >= 0 && i > length - 64; i--) {
      const tensor = this.#newest[i] ?? -1;
      if (this.#isLive[tensor] !== 1) this.#newest.splice(i, 1);
      else if (tensor !== except && this.#size(tensor) >= GRAIN) return tensor;
    }
    return undefined;
  }

  #workOf(tensor: number, freed: readonly number[]): Work {
    const category = this.#categories[tensor];
    const arrives =
      category === CATEGORY.parameter || category === CATEGORY.optimizer || category === CATEGORY.communication;
    const joined = this.#joined(tensor, freed);
    if (joined !== undefined) return joined;
    if (arrives) return { kind: 'fill' };
    const [consumed = -1] = freed;
    const grown = this.#grown(tensor, consumed);
    if (grown !== undefined) return grown;
    const source = this.#size(consumed) >= GRAIN ? consumed : this.#newestLive();
    return source === undefined ? { kind: 'fill' } : { kind: 'map', source };
  }

  /** Several tensors whose sizes add up. */
  #joined(tensor: number, freed: readonly number[]): Work | undefined {
    const total = freed.reduce((sum, each) => sum + this.#size(each), 0);
    const size = this.#size(tensor);
    if (freed.length < 2 || Math.abs(total - size) > ROUNDING * freed.length) return undefined;
    return this.#concat(size, freed, 0);
  }

  /** A larger copy of `old`, with the newest data behind it. */
  #grown(tensor: number, old: number): Work | undefined {
    const size = this.#size(tensor);
    const before = this.#size(old);
    if (!(before >= size / 2 && before < size) || this.#categories[tensor] !== this.#categories[old]) return undefined;
    if (family(this.#label(tensor)) !== family(this.#label(old))) return undefined;
    const added = this.#newestLive(old);
    if (added === undefined) return undefined;
    const isNamed = this.#label(tensor) !== '';
    const rest = size - before;
    if (!isNamed && Math.abs(this.#size(added) - rest) > 2 * ROUNDING) return undefined;
    return this.#concat(size, [old, added], before);
  }

  #concat(size: number, sources: readonly number[], recopied: number): Work {
    const parts: Part[] = [];
    let at = 0;
    for (const [index, source] of sources.entries()) {
      const isLast = index === sources.length - 1;
      const bytes = isLast ? size - at : Math.min(toGrain(this.#size(source)), size - at);
      if (bytes > 0) parts.push({ source, from: 0, at, bytes });
      at += Math.max(0, bytes);
    }
    return { kind: 'concat', parts, recopied };
  }

  #writeSlices(tensor: number): void {
    const label = this.#label(tensor);
    for (const target of this.#targets) {
      const { rule } = target;
      if (!rule.source.test(label) || (rule.eachStep && this.#isBackward)) continue;
      const room = toGrain(this.#size(target.tensor));
      const bytes = Math.min(toGrain(this.#size(tensor) * rule.share), room);
      if (bytes === 0 || this.#isLive[target.tensor] !== 1) continue;
      if (target.at + bytes > room) target.at = 0;
      const write = { target: target.tensor, part: { source: tensor, from: 0, at: target.at, bytes } };
      this.#slices.set(tensor, [...(this.#slices.get(tensor) ?? []), write]);
      target.at += bytes;
      // One slice of a tensor goes to one buffer; the next slice to the next of them (keys and values by layer).
      if (rule.share < 1) {
        this.#targets.splice(this.#targets.indexOf(target), 1);
        this.#targets.push(target);
        return;
      }
    }
  }

  #mark(label: string): void {
    if (label.startsWith('step')) {
      this.#isBackward = false;
      for (const target of this.#targets) if (target.rule.eachStep) target.at = 0;
    } else if (label.startsWith('backward')) this.#isBackward = true;
  }
}

/** A name without its numbers: `cat of 3 hidden states` and `cat of 4 hidden states` are one family. */
const family = (label: string): string => label.replace(/\d+/g, '#');
