/**
 * Chunks and how they split and merge: the part of BFC that is the same in every mode. In spatial mode one free chunk,
 * the central gap, lies between the lower and the upper allocations and is in no bin (facts: section 10).
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import {
  ADDRESS,
  BINNED,
  CENTRAL_GAP,
  ChunkTable,
  FREED_AT,
  IN_USE,
  LOOSE,
  LOWER,
  NEXT,
  NONE,
  PREVIOUS,
  REQUESTED,
  SIZE,
  STATE,
  TAG,
  UPPER,
} from './chunk-table.js';
import { FreeIndex } from './free-index.js';

export class ChunkHeap {
  readonly chunks = new ChunkTable();
  readonly index = new FreeIndex(this.chunks);
  /** The central gap in spatial mode, NONE otherwise. */
  gap = NONE;
  readonly #spatial: boolean;

  constructor(spatial: boolean) {
    this.#spatial = spatial;
  }

  /** A free chunk over fresh memory, linked behind `previous`, in no bin yet. */
  create(address: number, size: number, previous: number): number {
    const chunk = this.chunks.take();
    const { doubles, words } = this.chunks;
    doubles[chunk * 8 + ADDRESS] = address;
    doubles[chunk * 8 + SIZE] = size;
    doubles[chunk * 8 + FREED_AT] = 0;
    words[chunk * 16 + PREVIOUS] = previous;
    words[chunk * 16 + NEXT] = NONE;
    words[chunk * 16 + STATE] = LOOSE;
    words[chunk * 16 + TAG] = this.#spatial ? CENTRAL_GAP : LOWER;
    if (previous !== NONE) words[previous * 16 + NEXT] = chunk;
    return chunk;
  }

  /** Cuts a loose chunk: it keeps the first `size` bytes, the rest becomes a free chunk, which is put away. */
  split(chunk: number, size: number): void {
    const rest = this.chunks.take();
    const { doubles, words } = this.chunks;
    const front = chunk * 8;
    const back = rest * 8;
    doubles[back + ADDRESS] = doubles[front + ADDRESS]! + size;
    doubles[back + SIZE] = doubles[front + SIZE]! - size;
    doubles[back + FREED_AT] = doubles[front + FREED_AT]!;
    doubles[front + SIZE] = size;
    const after = words[chunk * 16 + NEXT]!;
    words[rest * 16 + PREVIOUS] = chunk;
    words[rest * 16 + NEXT] = after;
    words[rest * 16 + TAG] = words[chunk * 16 + TAG]!;
    words[chunk * 16 + NEXT] = rest;
    if (after !== NONE) words[after * 16 + PREVIOUS] = rest;
    this.insertFree(rest);
  }

  insertFree(chunk: number): void {
    if (this.chunks.words[chunk * 16 + TAG]! !== CENTRAL_GAP) {
      this.index.insert(chunk);
      return;
    }
    if (this.gap !== NONE) {
      throw badInput(
        'enable_spatial_partitioning',
        say`spatial partitioning: there would be a second central gap, where the original aborts; give the pool one region`,
      );
    }
    this.chunks.words[chunk * 16 + STATE] = LOOSE;
    this.gap = chunk;
  }

  removeFree(chunk: number): void {
    if (chunk === this.gap) this.gap = NONE;
    else this.index.remove(chunk);
  }

  isFree(chunk: number): boolean {
    const state = this.chunks.state(chunk);
    return state === BINNED || state === LOOSE;
  }

  /**
   * Merges a loose chunk with its free neighbours, the next one first, and returns what came of it (still loose).
   * Chunks that carry a free count stay apart unless `ignoreFreedAt`.
   */
  coalesce(chunk: number, ignoreFreedAt: boolean): number {
    const { doubles, words } = this.chunks;
    if (!ignoreFreedAt && doubles[chunk * 8 + FREED_AT]! > 0) return chunk;
    const next = words[chunk * 16 + NEXT]!;
    if (next !== NONE && this.#mergeable(next, ignoreFreedAt)) {
      this.removeFree(next);
      this.#merge(chunk, next);
    }
    const previous = words[chunk * 16 + PREVIOUS]!;
    if (previous !== NONE && this.#mergeable(previous, ignoreFreedAt)) {
      this.removeFree(previous);
      this.#merge(previous, chunk);
      return previous;
    }
    return chunk;
  }

  #mergeable(chunk: number, ignoreFreedAt: boolean): boolean {
    const { doubles, words } = this.chunks;
    return words[chunk * 16 + STATE]! !== IN_USE && (ignoreFreedAt || doubles[chunk * 8 + FREED_AT]! === 0);
  }

  /** The right chunk goes into the left one; the left handle stays. */
  #merge(left: number, right: number): void {
    const { doubles, words } = this.chunks;
    const after = words[right * 16 + NEXT]!;
    words[left * 16 + NEXT] = after;
    if (after !== NONE) words[after * 16 + PREVIOUS] = left;
    doubles[left * 8 + SIZE]! += doubles[right * 8 + SIZE]!;
    if (words[left * 16 + TAG]! !== words[right * 16 + TAG]!) words[left * 16 + TAG] = CENTRAL_GAP;
    const freedAt = doubles[right * 8 + FREED_AT]!;
    if (freedAt > doubles[left * 8 + FREED_AT]!) doubles[left * 8 + FREED_AT] = freedAt;
    this.chunks.drop(right);
  }

  /** In spatial mode a free chunk that borders on the gap's side belongs to the gap. */
  returnBoundaryToGap(chunk: number): void {
    if (!this.#spatial) return;
    const { words } = this.chunks;
    const tag = words[chunk * 16 + TAG]!;
    const neighbour = tag === LOWER ? words[chunk * 16 + NEXT]! : words[chunk * 16 + PREVIOUS]!;
    const inside = neighbour !== NONE && words[neighbour * 16 + TAG] === tag;
    if ((tag === LOWER || tag === UPPER) && !inside) words[chunk * 16 + TAG] = CENTRAL_GAP;
  }

  use(chunk: number, requested: number): void {
    this.chunks.doubles[chunk * 8 + REQUESTED] = requested;
    this.chunks.words[chunk * 16 + STATE] = IN_USE;
  }

  /** Bytes of the largest free chunk; `tag` narrows to one end's bins (the gap serves both). */
  largestFree(): number {
    return Math.max(this.largestBinned(), this.gap === NONE ? 0 : this.chunks.size(this.gap));
  }

  largestBinned(): number {
    const chunk = this.index.largest();
    return chunk === NONE ? 0 : this.chunks.size(chunk);
  }
}
