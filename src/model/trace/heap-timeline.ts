/**
 * The heap after any operation of a replay, fast enough for a scrubber: placements are written down once, and the living
 * tensors every 512 operations, so that a moment is a short walk from the nearest such checkpoint.
 *
 *     const timeline = new HeapTimeline(trace, allocator);
 *     timeline.heapAt(1234); // segments and blocks after operation 1234
 *     timeline.fragmentation(500); // 500 moments, evenly spread
 *
 * Memory that is freed while another stream still uses it shows as free. A block's `handle` is the tensor's number.
 */
import { type Allocator, type Heap, type HeapBlock, type HeapSegment } from '../allocator/allocator.js';
import { type Fragmentation, fragmentationOf } from './fragmentation.js';
import { Replay, type ReplayResult } from './replay.js';
import { OPERATION, tensorCount, type Trace } from './trace.js';

const CHECKPOINT = 512;

/** Segments from an operation on, without their blocks. */
interface SegmentState {
  readonly operation: number;
  readonly segments: readonly HeapSegment[];
}

export class HeapTimeline {
  readonly result: ReplayResult;
  readonly #trace: Trace;
  readonly #address: Float64Array;
  readonly #size: Float64Array;
  readonly #requested: Float64Array;
  readonly #segments: SegmentState[] = [];
  /** Tensors alive before operation 512 i. */
  readonly #alive: Int32Array[] = [];

  /** Replays the whole trace on a fresh allocator. Throws as `Replay.run` does. */
  constructor(trace: Trace, allocator: Allocator) {
    const tensors = tensorCount(trace);
    this.#trace = trace;
    this.#address = new Float64Array(tensors).fill(-1);
    this.#size = new Float64Array(tensors);
    this.#requested = new Float64Array(tensors);
    const replay = new Replay(allocator);
    const alive = new Set<number>();
    let reserved = 0;
    let segments = 0;
    for (let i = 0; i < trace.length; i++) {
      if (i % CHECKPOINT === 0) this.#alive.push(Int32Array.from(alive));
      replay.step(trace, i);
      const { handle } = replay.last;
      if (handle >= 0) this.#place(i, allocator.addressOf(handle), allocator.sizeOf(handle));
      this.#follow(alive, i);
      const { totals } = allocator;
      // A segment that comes while another of its size goes is seen by the operation being an allocation that placed.
      const mayMove = handle >= 0 || trace.kind[i] === OPERATION.emptyCache || replay.last.failure !== undefined;
      if (totals.reserved !== reserved || totals.segments !== segments || (mayMove && this.#isOutside(i, handle))) {
        reserved = totals.reserved;
        segments = totals.segments;
        this.#segments.push({ operation: i, segments: allocator.heap().segments });
      }
    }
    this.result = replay.result();
  }

  /** The heap after operation `operation`, from 0. */
  heapAt(operation: number): Heap {
    const at = Math.min(Math.max(0, Math.trunc(operation)), this.#trace.length - 1);
    const checkpoint = Math.floor(at / CHECKPOINT);
    const alive = new Set(this.#alive[checkpoint]);
    for (let i = checkpoint * CHECKPOINT; i <= at; i++) this.#follow(alive, i);
    const tensors = Int32Array.from(alive).sort((a, b) => this.#address[a]! - this.#address[b]!);
    let next = 0;
    const segments = this.#segmentsAt(at).map((segment) => {
      const end = segment.address + segment.size;
      while (next < tensors.length && this.#address[tensors[next]!]! < segment.address) next++;
      const from = next;
      while (next < tensors.length && this.#address[tensors[next]!]! < end) next++;
      return { ...segment, blocks: this.#blocks(segment, tensors.subarray(from, next)) };
    });
    return { segments };
  }

  /** Figures at `count` moments, evenly spread from the first operation to the last. */
  fragmentation(count: number): readonly (Fragmentation & { readonly operation: number })[] {
    const last = this.#trace.length - 1;
    if (last < 0) return [];
    const moments = Math.max(2, Math.min(count, last + 1));
    return Array.from({ length: Math.min(moments, last + 1) }, (_, i) => {
      const operation = last === 0 ? 0 : Math.round((i * last) / (moments - 1));
      return { operation, ...fragmentationOf(this.heapAt(operation)) };
    });
  }

  #place(i: number, address: number, size: number): void {
    const tensor = this.#trace.tensor[i]!;
    this.#address[tensor] = address;
    this.#size[tensor] = size;
    this.#requested[tensor] = this.#trace.size[i]!;
  }

  /** Carries the set of living tensors over one operation. */
  #follow(alive: Set<number>, i: number): void {
    const kind = this.#trace.kind[i];
    const tensor = this.#trace.tensor[i]!;
    if (kind === OPERATION.allocate && this.#address[tensor]! >= 0) alive.add(tensor);
    else if (kind === OPERATION.free) alive.delete(tensor);
  }

  /** Whether a block lies in no segment that is known. */
  #isOutside(i: number, handle: number): boolean {
    if (handle < 0) return true;
    const address = this.#address[this.#trace.tensor[i]!]!;
    const segments = this.#segments.at(-1)?.segments ?? [];
    let low = 0;
    let high = segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (segments[middle]!.address <= address) low = middle + 1;
      else high = middle;
    }
    const segment = segments[low - 1];
    return segment === undefined || address >= segment.address + segment.size;
  }

  #segmentsAt(at: number): readonly HeapSegment[] {
    let low = 0;
    let high = this.#segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#segments[middle]!.operation <= at) low = middle + 1;
      else high = middle;
    }
    return this.#segments[low - 1]?.segments ?? [];
  }

  #blocks(segment: HeapSegment, tensors: Int32Array): HeapBlock[] {
    const blocks: HeapBlock[] = [];
    const end = segment.address + segment.size;
    let at = segment.address;
    const gap = (to: number) => {
      if (to > at) blocks.push({ address: at, size: to - at, requested: 0, state: 'free', handle: -1 });
    };
    for (const tensor of tensors) {
      const address = this.#address[tensor]!;
      const size = this.#size[tensor]!;
      gap(address);
      blocks.push({ address, size, requested: this.#requested[tensor]!, state: 'allocated', handle: tensor });
      at = address + size;
    }
    gap(end);
    return blocks;
  }
}
