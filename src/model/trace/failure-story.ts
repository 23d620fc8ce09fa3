/**
 * Why a request failed, as arithmetic: what was needed in one piece, what is free and in how many pieces, what holds the
 * pieces apart, and which frees would have been enough. Data for a screen; `story-text.ts` has the same in lines.
 */
import { type AllocationFailure, type Allocator, type Heap, type HeapBlock } from '../allocator/allocator.js';
import { BfcAllocator } from '../allocator/bfc/bfc-allocator.js';
import { CachingAllocator } from '../allocator/caching/caching-allocator.js';
import { roundRequest, segmentSize, SMALL_SEGMENT, SMALL_SIZE } from '../allocator/caching/rounding.js';
import { type FreeSet, type Need, smallestFrees } from './frees.js';
import { type TensorFact } from './tensor-facts.js';

/** Chunks of BFC are multiples of this. */
const BFC_UNIT = 256;

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
  const need = needOf(context, notReserved);
  const segment = allocator instanceof CachingAllocator ? need?.segment : undefined;
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
    segment,
    mostlyEmpty: empty.count,
    mostlyEmptyFree: empty.free,
    kind: kindOf({
      needed,
      segment,
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

/** What a request needs by the rules of its allocator; undefined where a freed block may not serve it at once. */
function needOf({ allocator, failure, stream }: FailureContext, available: number): Need | undefined {
  if (allocator instanceof CachingAllocator) return cachingNeed(allocator, failure.requested, stream, available);
  return allocator instanceof BfcAllocator ? bfcNeed(allocator, failure.requested) : undefined;
}

function cachingNeed(allocator: CachingAllocator, requested: number, stream: number, available: number): Need {
  const { settings } = allocator;
  const size = roundRequest(requested, settings.roundupDivisions);
  return {
    size,
    segment: segmentSize(size, settings.largeSegmentSize),
    available,
    pool: size <= SMALL_SIZE ? 'small' : 'large',
    stream,
    maxSplit: settings.maxSplitSize,
  };
}

/**
 * BFC takes any chunk that is large enough, on every stream. It keeps its regions, so frees help only by joining. Not told:
 * time-stamped frees wait for the frontier, the two ends of spatial mode do not share chunks, an alignment over 256 pads,
 * and a growing pool that collects garbage may trade regions.
 */
function bfcNeed({ config }: BfcAllocator, requested: number): Need | undefined {
  const pads = config.version !== '2025' && config.defaultAlignment > BFC_UNIT;
  const trades = config.allowGrowth && config.garbageCollection;
  if (config.timingCounter || config.spatialPartitioning || pads || trades) return undefined;
  const size = Math.ceil(requested / BFC_UNIT) * BFC_UNIT;
  return { size, segment: Infinity, available: 0, pool: '', stream: 0, maxSplit: Infinity };
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
