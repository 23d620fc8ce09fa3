/**
 * Why a request failed, as arithmetic: what was needed in one piece, what is free and in how many pieces, what holds the
 * pieces apart, and which frees would have been enough. Data for a screen; `storyText` is the same in lines.
 */
import { formatBytes, formatNumber } from '../../base/format.js';
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
  /** Segments over 2 MiB whose free bytes are at least their live bytes, and the free bytes in them. */
  readonly mostlyEmpty: number;
  readonly mostlyEmptyFree: number;
  readonly kind: 'true-shortage' | 'limit' | 'fragmentation' | 'unused-hole';
  /** Smallest sets of frees that would have been enough; undefined where the allocator's rule is not known. */
  readonly frees: readonly NamedFreeSet[] | undefined;
  /** The tensor that the request is a larger copy of: of the same category, at least half as large, its free alone enough. */
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
  /** Bytes that a memory fraction allows; Infinity where none is set. */
  readonly allowed: number;
}

/** Tells the story of a failure. */
export function storyOf(context: FailureContext): FailureStory {
  const { allocator, failure, heap, refused, factOf, allowed } = context;
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
    mostlyEmpty: empty.count,
    mostlyEmptyFree: empty.free,
    kind: kindOf(needed, free, largestHole, notReserved, failure.deviceFree),
    frees,
    oldCopy: oldCopyOf(frees ?? [], needed, refused),
  };
}

/** What grows by a copy needs the old copy until the new one is made: the latest tensor of its kind. */
function oldCopyOf(frees: readonly NamedFreeSet[], needed: number, refused: TensorFact): NamedTensor | undefined {
  return frees
    .filter(({ blocks, bytes }) => blocks.length === 1 && 2 * bytes >= needed)
    .flatMap(({ tensors, bytes }) => tensors.map((fact) => ({ ...fact, size: bytes })))
    .filter(({ category }) => category === refused.category)
    .sort((a, b) => b.operation - a.operation)[0];
}

const isFree = ({ state }: HeapBlock): boolean => state === 'free';

function kindOf(needed: number, free: number, largest: number, notReserved: number, deviceFree: number) {
  if (needed > free + notReserved)
    return deviceFree > notReserved && needed <= free + deviceFree ? 'limit' : 'true-shortage';
  return largest >= needed ? 'unused-hole' : 'fragmentation';
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

/** Sets of frees that are named; the data have all. */
const MOST_SETS = 3;

/** The story in lines for people. */
export function storyText(story: FailureStory): string[] {
  const { needed, free, holes, largestHole, notReserved } = story;
  const short = (have: number) => (have >= needed ? '' : `, ${mib(needed - have)} too few`);
  return [
    story.kind === 'true-shortage'
      ? `${formatBytes(needed)} were needed. ${formatBytes(free + notReserved)} are free in total${short(free + notReserved)}.`
      : `${formatBytes(needed)} were needed in one piece. ${formatBytes(free)} are free, but in ${pieces(holes)}.`,
    `  needed        ${mib(needed)}`,
    `  largest hole  ${mib(largestHole)}${short(largestHole)}`,
    `  not reserved  ${mib(notReserved)}${short(notReserved)}`,
    ...oldCopyText(story),
    ...(story.mostlyEmpty === 0
      ? []
      : [
          `${story.mostlyEmpty} segments are mostly empty: live blocks in them keep ${formatBytes(story.mostlyEmptyFree)} from being given back.`,
        ]),
    ...freesText(story),
  ];
}

/** In one unit, so that sums can be followed. */
const mib = (size: number): string => `${formatNumber(size / 2 ** 20, 1)} MiB`;

const nameOf = ({ id, label }: TensorFact): string => (label === '' ? `tensor ${id}` : `tensor ${id} (${label})`);

function oldCopyText({ refused, oldCopy }: FailureStory): string[] {
  if (oldCopy === undefined) return [];
  return [`${nameOf(refused)} was asked for while ${nameOf(oldCopy)}, ${mib(oldCopy.size)}, was still live.`];
}

const pieces = (count: number): string => (count === 1 ? '1 piece' : `${count} pieces`);

function freesText({ frees, notReserved }: FailureStory): string[] {
  if (frees === undefined) return [];
  const [first] = frees;
  if (first === undefined) return ['No set of up to 3 frees makes room.'];
  const count = first.blocks.length;
  const head = count === 1 ? 'One free would have been enough' : `${count} frees would have been enough`;
  const more = frees.length > MOST_SETS ? ` (${frees.length} ways, the cheapest first)` : '';
  return [`${head}${more}:`, ...frees.slice(0, MOST_SETS).map((set) => `  ${freeSetText(set, notReserved)}`)];
}

function freeSetText({ kind, tensors, bytes, segments, room, needed }: NamedFreeSet, notReserved: number): string {
  const names = tensors.map(nameOf).join(', ');
  const enough = `${mib(room)} >= ${mib(needed)}`;
  if (kind === 'join') return `${names}, ${mib(bytes)}: joins its neighbours to ${enough}`;
  const given = segments.map(mib).join(' + ');
  return `${names}, ${mib(bytes)}: gives back ${given}: ${mib(notReserved)} + ${given} = ${enough}`;
}
