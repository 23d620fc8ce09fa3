/**
 * Where a request goes: the first free chunk in (size, address) order that fits, and how it is cut. The general path
 * with alignment, free counts and the two ends of spatial mode; without those `BfcAllocator.malloc` takes a short cut.
 */
import { type ChunkHeap } from './chunk-heap.js';
import { LOWER, NONE, TAG, UPPER } from './chunk-table.js';
import { type BfcConfig } from './options.js';

const UNIT = 256;
const DEFAULT_THRESHOLD = 128 * 2 ** 20;

export interface Request {
  /** Bytes asked for. */
  readonly size: number;
  /** The same, rounded up to 256. */
  readonly rounded: number;
  /** At least 256. */
  readonly alignment: number;
  /** Over 0: only chunks freed at or before this count. */
  readonly freedBefore: number;
  /** From the upper end (spatial mode). */
  readonly upper: boolean;
}

/** From this many bytes of rest on a chunk is split although the rest is smaller than the request. */
export const splitThreshold = (config: BfcConfig): number =>
  config.fragmentationFraction > 0 ? Math.trunc(config.fragmentationFraction * config.memoryLimit) : DEFAULT_THRESHOLD;

const alignUp = (address: number, alignment: number): number => Math.ceil(address / alignment) * alignment;
const alignDown = (address: number, alignment: number): number => Math.floor(address / alignment) * alignment;

export class Placement {
  readonly #heap: ChunkHeap;
  readonly #threshold: number;
  readonly #spatial: boolean;

  constructor(heap: ChunkHeap, config: BfcConfig) {
    this.#heap = heap;
    this.#threshold = splitThreshold(config);
    this.#spatial = config.spatialPartitioning;
  }

  /** Takes and cuts a chunk for the request. It is loose, not yet in use. NONE when nothing fits. */
  place(request: Request): number {
    const { index, chunks } = this.#heap;
    const tag = request.upper ? UPPER : LOWER;
    for (let chunk = index.atLeast(request.rounded); chunk !== NONE; chunk = index.after(chunk)) {
      if ((!this.#spatial || chunks.tag(chunk) === tag) && this.#fits(chunk, request))
        return this.#carve(chunk, request);
    }
    const { gap } = this.#heap;
    return gap !== NONE && this.#fits(gap, request) ? this.#carve(gap, request) : NONE;
  }

  #fits(chunk: number, request: Request): boolean {
    const { chunks } = this.#heap;
    if (request.freedBefore > 0 && request.freedBefore < chunks.freedAt(chunk)) return false;
    const start = chunks.address(chunk);
    const size = chunks.size(chunk);
    if (request.upper) {
      return size >= request.rounded && alignDown(start + size - request.rounded, request.alignment) >= start;
    }
    return size >= request.rounded + this.#padding(start, request.alignment);
  }

  #padding(start: number, alignment: number): number {
    return alignment <= UNIT ? 0 : alignUp(alignUp(start, alignment) - start, UNIT);
  }

  #carve(chunk: number, request: Request): number {
    this.#heap.removeFree(chunk);
    return request.upper ? this.#carveHigh(chunk, request) : this.#carveLow(chunk, request);
  }

  /** The lower end cuts by the split rule, from the gap as well: a small rest goes with the block. */
  #carveLow(chunk: number, request: Request): number {
    const { chunks } = this.#heap;
    const padding = this.#padding(chunks.address(chunk), request.alignment);
    const taken = padding === 0 ? chunk : this.#cutPrefix(chunk, padding, LOWER);
    if (this.#splits(chunks.size(taken), request.rounded)) this.#heap.split(taken, request.rounded);
    chunks.words[taken * 16 + TAG] = LOWER;
    return taken;
  }

  /** The upper end always cuts exactly: what is left in front stays with the hole or the gap. */
  #carveHigh(chunk: number, request: Request): number {
    const { chunks } = this.#heap;
    const start = chunks.address(chunk);
    const aligned = alignDown(start + chunks.size(chunk) - request.rounded, request.alignment);
    const taken = aligned === start ? chunk : this.#cutPrefix(chunk, aligned - start, chunks.tag(chunk));
    chunks.words[taken * 16 + TAG] = UPPER;
    if (chunks.size(taken) > request.rounded) this.#heap.split(taken, request.rounded);
    return taken;
  }

  /** Cuts off `size` bytes in front, puts them away under `tag` and returns the rest, loose. */
  #cutPrefix(chunk: number, size: number, tag: number): number {
    const { chunks } = this.#heap;
    this.#heap.split(chunk, size);
    const rest = chunks.next(chunk);
    this.#heap.removeFree(rest);
    chunks.words[chunk * 16 + TAG] = tag;
    this.#heap.insertFree(chunk);
    return rest;
  }

  #splits(size: number, rounded: number): boolean {
    return size >= 2 * rounded || size - rounded >= this.#threshold;
  }
}
