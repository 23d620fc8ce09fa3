/**
 * One side of the Lab: the program on its allocator, up to its end or to the first request that fails, as the map draws
 * it, and at a failure everything that explains it. Nothing is guessed: every set of frees that is offered was tried.
 *
 *     const { run, failure } = labRun(traceOfProgram(program), { name: 'caching', conf: '', capacity: MiB(992) });
 *     failure?.story.kind; // 'fragmentation'
 */
import { lifetimesOf, maxLive } from '../allocator/arena/lifetimes.js';
import { makeAllocator } from '../allocator/registry.js';
import { type MemoryRun, peaksOf } from '../memory-map/memory-run.js';
import { memoryRunOf } from '../memory-map/run-of-trace.js';
import { type FailureStory, type NamedFreeSet, type NamedTensor, storyOf } from '../trace/failure-story.js';
import { Replay } from '../trace/replay.js';
import { type Trace } from '../trace/trace.js';
import { freesSuffice } from './try-frees.js';
import { type LabSetup } from './lab-program.js';

export interface LabRun {
  readonly run: MemoryRun;
  readonly peakReserved: number;
  readonly peakAllocated: number;
  /** Times that the cache gave back what was empty and tried again; undefined for allocators that do not. */
  readonly retries: number | undefined;
  /** Undefined where the program completed. */
  readonly failure: LabFailure | undefined;
}

export interface LabFailure {
  readonly operation: number;
  /** The framework's own text. */
  readonly text: string;
  readonly story: FailureStory;
  /** Empty segments that this request made the allocator give back before it tried again. */
  readonly givenBack: number;
  /** Those that earlier flushes gave back. */
  readonly givenBackBefore: number;
  /**
   * The smallest sets of frees, fewest bytes first, at most three, each tried in a replay; empty: none of up to three
   * frees is enough. Undefined where the allocator's rule is not known.
   */
  readonly frees: readonly NamedFreeSet[] | undefined;
  /** The tensor that the request is a larger copy of, where its free alone was tried and is enough. */
  readonly oldCopy: NamedTensor | undefined;
  /** Most bytes that tensors hold together at any time: no allocator runs this program in less. */
  readonly tensorsAlone: number;
}

/** Sets of frees that are shown. */
const MOST_SETS = 3;

/** Runs one side. Throws `AppError` (`bad-input`) for settings or operations that the allocator refuses. */
export function labRun(trace: Trace, setup: LabSetup): LabRun {
  const run = memoryRunOf(trace, setup, { name: trace.name });
  const { reserved, allocated } = peaksOf(run);
  const { failure, retries } = explain(trace, setup, run);
  return { run, peakReserved: reserved, peakAllocated: allocated, retries, failure };
}

function explain(trace: Trace, setup: LabSetup, run: MemoryRun) {
  const { allocator } = makeAllocator({ ...setup, trace });
  let story: FailureStory | undefined;
  const replay = new Replay(allocator, {
    source: trace.name,
    refusals: 'record',
    onFailure: (first) => {
      story = storyOf({ ...first, allocator, allowed: setup.capacity * (setup.fraction ?? 1) });
    },
  });
  let at = 0;
  for (; at < run.end; at++) {
    replay.step(trace, at);
    if (story !== undefined) break;
  }
  const retries = allocator.stats()['num_alloc_retries'];
  if (story === undefined) return { retries, failure: undefined };
  const failure: LabFailure = {
    operation: at,
    text: allocator.lastFailure()?.text ?? '',
    story,
    ...givenBackAt(run, at),
    frees: triedFrees(trace, setup, at, story),
    oldCopy:
      story.oldCopy !== undefined && freesSuffice(trace, setup, at, [story.oldCopy.operation])
        ? story.oldCopy
        : undefined,
    tensorsAlone: maxLive(lifetimesOf(trace, 1)),
  };
  return { retries, failure };
}

function givenBackAt({ segments }: MemoryRun, operation: number) {
  const count = (wanted: (at: number) => boolean): number => segments.releasedAt.filter(wanted).length;
  return { givenBack: count((at) => at === operation), givenBackBefore: count((at) => at < operation) };
}

function triedFrees(trace: Trace, setup: LabSetup, at: number, { frees }: FailureStory) {
  if (frees === undefined) return undefined;
  const enough: NamedFreeSet[] = [];
  for (const set of frees) {
    if (enough.length === MOST_SETS) break;
    const operations = set.tensors.map(({ operation }) => operation);
    if (freesSuffice(trace, setup, at, operations)) enough.push(set);
  }
  return enough;
}
