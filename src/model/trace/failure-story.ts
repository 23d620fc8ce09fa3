/**
 * Why a request failed, as arithmetic: what was needed in one piece, what is free and in how many pieces, what holds the
 * pieces apart, and which frees would have been enough. Data for a screen; `story-text.ts` has the same in lines.
 */
import { type AllocationFailure, type Allocator, type Heap, type HeapBlock } from '../allocator/allocator.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { roundRequest, segmentSize, SMALL_SEGMENT, SMALL_SIZE } from '../allocator/caching/rounding.js';
import { type FreeSet, smallestFrees } from './frees.js';
import { type TensorFact } from './tensor-facts.js';

export interface FailureStory {
  readonly refused: TensorFact;
  readonly requested: number;
  /** Rounded, where the allocator's rule is known. */
  readonly needed: number;
  readonly free: number;
  readonly holes: number;
  readonly largestHole: number;
  /** Bytes that the allocator may still take from the device. */
  readonly notReserved: number;
  /** The segment that would have to be taken from the device; undefined where the allocator's rule is not known. */
  readonly segment: number | undefined;
  /** Segments over 2 MiB whose free bytes are at least their live bytes, and the free bytes in them. */
  readonly mostlyEmpty: number;
  readonly mostlyEmptyFree: number;
  /**
   * `segment`: what is left of the device would do, but a new segment is larger than that. `unused-hole`: a free block is
   * large enough, but the allocator may not use it for this request.
   */
  readonly kind: 'true-shortage' | 'limit' | 'segment' | 'fragmentation' | 'unused-hole';
  /** Smallest sets of frees that would have been enough; undefined where the allocator's rule is not known. */
  readonly frees: readonly NamedFreeSet[] | undefined;
  /** The tensor that the request is a larger copy of: of the same category, half as large to as large, its free alone enough. */
  readonly oldCopy: NamedTensor | undefined;
}

export interface NamedTensor extends TensorFact {
  readonly size: number;
}

export interface NamedFreeSet extends FreeSet {
  readonly tensors: readonly TensorFact[];
}

/** The state at a failure, right after it. */
export interface FailureContext {
  readonly allocator: Allocator;
  readonly failure: AllocationFailure;
  readonly heap: Heap;
  readonly stream: number;
  readonly refused: TensorFact;
  readonly factOf: (handle: number) => TensorFact;
  /** Bytes that the caller's memory fraction allows; Infinity where none is set. The allocator's own counts too. */
  readonly allowed: number;
}

/** Tells the story of a failure. */
export function storyOf(context: FailureContext): FailureStory {
  const { allocator, failure, heap, refused, factOf } = context;
  // 2.14 has the fraction in its settings too (`per_process_memory_fraction`), and a trace may set it.
  const own = allocator instanceof CachingAllocator ? (allocator.allowedBytes ?? Infinity) : Infinity;
  const allowed = Math.min(context.allowed, own);
  const holes = heap.segments.flatMap(({ blocks }) => blocks.filter(isFree).map(({ size }) => size));
  const free = holes.reduce((sum, size) => sum + size, 0);
  const largestHole = holes.reduce((most, size) => Math.max(most, size), 0);
  const notReserved = Math.max(0, Math.min(failure.deviceFree, allowed - failure.reserved));
  const need = allocator instanceof CachingAllocator ? needOf(allocator, context, notReserved) : undefined;
  const needed = need?.size ?? failure.requested;
  const empty = mostlyEmpty(heap);
  const frees =
    need === undefined
      ? undefined
      : smallestFrees(heap, need).map((set) => ({ ...set, tensors: set.blocks.map(({ handle }) => factOf(handle)) }));
  return {
    refused,
    requested: failure.requested,
    needed,
    free,
    holes: holes.length,
    largestHole,
    notReserved,
    segment: need?.segment,
    mostlyEmpty: empty.count,
    mostlyEmptyFree: empty.free,
    kind: kindOf({
      needed,
      segment: need?.segment,
      free,
      largest: largestHole,
      notReserved,
      deviceFree: failure.deviceFree,
    }),
    frees,
    oldCopy: oldCopyOf(frees ?? [], needed, refused),
  };
}

/** What grows by a copy needs the old copy until the new one is made: the latest tensor of its kind. */
function oldCopyOf(frees: readonly NamedFreeSet[], needed: number, refused: TensorFact): NamedTensor | undefined {
  return frees
    .filter(({ blocks, bytes }) => blocks.length === 1 && bytes <= needed && 2 * bytes >= needed)
    .flatMap(({ tensors, bytes }) => tensors.map((fact) => ({ ...fact, size: bytes })))
    .filter(({ category }) => category === refused.category)
    .sort((a, b) => b.operation - a.operation)[0];
}

const isFree = ({ state }: HeapBlock): boolean => state === 'free';

interface Amounts {
  readonly needed: number;
  readonly segment: number | undefined;
  readonly free: number;
  readonly largest: number;
  readonly notReserved: number;
  readonly deviceFree: number;
}

function kindOf({ needed, segment = needed, free, largest, notReserved, deviceFree }: Amounts): FailureStory['kind'] {
  if (needed > free + notReserved)
    return deviceFree > notReserved && needed <= free + deviceFree ? 'limit' : 'true-shortage';
  if (largest >= needed) return 'unused-hole';
  return notReserved >= needed && notReserved < segment ? 'segment' : 'fragmentation';
}

function needOf(allocator: CachingAllocator, { failure, stream }: FailureContext, available: number) {
  const { settings } = allocator;
  const size = roundRequest(failure.requested, settings.roundupDivisions);
  return {
    size,
    segment: segmentSize(size, settings.largeSegmentSize),
    available,
    pool: size <= SMALL_SIZE ? 'small' : 'large',
    stream,
    maxSplit: settings.maxSplitSize,
  };
}

function mostlyEmpty({ segments }: Heap): { readonly count: number; readonly free: number } {
  let count = 0;
  let total = 0;
  for (const { size, blocks } of segments) {
    const free = blocks.filter(isFree).reduce((sum, block) => sum + block.size, 0);
    if (size <= SMALL_SEGMENT || free === size || 2 * free < size) continue;
    count += 1;
    total += free;
  }
  return { count, free: total };
}

/** The story as the data of `vramlab replay --json`. Sizes are bytes. */
export function storyJson(story: FailureStory): Record<string, unknown> {
  return {
    kind: story.kind,
    refused: { id: story.refused.id, label: story.refused.label },
    old_copy:
      story.oldCopy === undefined
        ? null
        : { id: story.oldCopy.id, label: story.oldCopy.label, size: story.oldCopy.size },
    needed: story.needed,
    free: story.free,
    holes: story.holes,
    largest_hole: story.largestHole,
    not_reserved: story.notReserved,
    segment: story.segment ?? null,
    mostly_empty_segments: story.mostlyEmpty,
    free_in_them: story.mostlyEmptyFree,
    frees:
      story.frees?.map(({ kind, tensors, bytes, room, needed, segments }) => ({
        kind,
        tensors: tensors.map(({ id, label }) => ({ id, label })),
        bytes,
        room,
        needed,
        segments,
      })) ?? null,
  };
}
