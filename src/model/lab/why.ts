/**
 * What the Why panel claims, as statements with their figures (design/SPEC.md section 6). Each is made into one sentence
 * by `app/why-words.ts`; a test recomputes every figure. Sizes are bytes.
 */
import { type NamedFreeSet, type NamedTensor } from '../trace/failure-story.js';
import { type TensorFact } from '../trace/tensor-facts.js';
import { type LabFailure } from './lab-run.js';

/** The first sentence: why this request could not be served. */
export type WhyHead =
  | { readonly kind: 'in-pieces'; readonly request: number; readonly free: number; readonly pieces: number }
  | { readonly kind: 'too-little'; readonly request: number; readonly free: number; readonly short: number }
  /** A memory fraction or limit; `outside` is what the device has beyond it. */
  | { readonly kind: 'limit'; readonly request: number; readonly free: number; readonly short: number }
  /** What is left of the device would do, but a segment is taken whole. */
  | { readonly kind: 'segment-step'; readonly request: number; readonly left: number; readonly segment: number };

/** The three bars, to one scale. A shortfall is 0 where the request fits. */
export interface WhyBars {
  readonly needed: number;
  readonly largestHole: number;
  readonly holeShort: number;
  readonly notReserved: number;
  /** Against the segment that would be taken, which can be larger than the request. */
  readonly notReservedShort: number;
}

export interface FailureWhy {
  readonly head: WhyHead;
  readonly bars: WhyBars;
  /** `operation` asked while `other` was live; present only where freeing it would have been enough. */
  readonly asked: { readonly operation: TensorFact; readonly other: NamedTensor } | undefined;
  /** What the flush before the last try did and left; absent where it had nothing to do and nothing is mostly empty. */
  readonly flush:
    { readonly givenBack: number; readonly givenBackBefore: number; readonly mostlyEmpty: number } | undefined;
  /** Undefined where the allocator's rule is not known. */
  readonly frees: WhyFrees | undefined;
  /** A free block that would have fitted and is not used. */
  readonly unused: { readonly size: number } | undefined;
}

export interface WhyFrees {
  /** Frees of each set; 0: no set is enough. */
  readonly frees: number;
  /** The largest set that was looked for. */
  readonly limit: number;
  readonly sets: readonly WhyFreeSet[];
}

export interface WhyFreeSet {
  readonly tensors: readonly TensorFact[];
  readonly bytes: number;
  readonly how:
    | { readonly kind: 'gives-back'; readonly segments: readonly number[]; readonly left: number }
    | { readonly kind: 'joins'; readonly holes: readonly number[] };
  readonly room: number;
  readonly need: number;
}

const MOST_FREES = 3;

/** The statements at a failure. */
export function whyOf({ story, givenBack, givenBackBefore, frees, oldCopy }: LabFailure): FailureWhy {
  const { needed, largestHole, notReserved, segment = needed, mostlyEmpty, refused } = story;
  return {
    head: headOf(story),
    bars: {
      needed,
      largestHole,
      holeShort: Math.max(0, needed - largestHole),
      notReserved,
      notReservedShort: Math.max(0, segment - notReserved),
    },
    asked: oldCopy === undefined ? undefined : { operation: refused, other: oldCopy },
    flush: givenBack + givenBackBefore + mostlyEmpty === 0 ? undefined : { givenBack, givenBackBefore, mostlyEmpty },
    frees: frees === undefined ? undefined : freesOf(frees, notReserved),
    unused: story.kind === 'unused-hole' ? { size: largestHole } : undefined,
  };
}

function headOf({ kind, needed, free, holes, notReserved, segment }: LabFailure['story']): WhyHead {
  const all = free + notReserved;
  switch (kind) {
    case 'true-shortage':
    case 'limit':
      return {
        kind: kind === 'limit' ? 'limit' : 'too-little',
        request: needed,
        free: all,
        short: needed - all,
      };
    case 'segment':
      return { kind: 'segment-step', request: needed, left: notReserved, segment: segment ?? needed };
    case 'fragmentation':
    case 'unused-hole':
      return { kind: 'in-pieces', request: needed, free: all, pieces: holes + (notReserved > 0 ? 1 : 0) };
  }
}

function freesOf(sets: readonly NamedFreeSet[], notReserved: number): WhyFrees {
  return {
    frees: sets[0]?.blocks.length ?? 0,
    limit: MOST_FREES,
    sets: sets.map(({ kind, tensors, bytes, segments, holes, room, needed }) => ({
      tensors,
      bytes,
      how: kind === 'release' ? { kind: 'gives-back', segments, left: notReserved } : { kind: 'joins', holes },
      room,
      need: needed,
    })),
  };
}
