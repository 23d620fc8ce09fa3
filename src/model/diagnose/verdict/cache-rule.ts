/**
 * The rule for a failed allocation of a caching allocator, test by test in a fixed order; the first test that holds
 * gives the verdict. Each test leaves a step with its numbers, also those that did not hold, so that a reader can check
 * every one. Where the printed precision leaves a test open, the step says so.
 *
 *     judgeCache(figures).steps; // "5. cached but unallocated 4.94 GiB >= request 2.87 GiB: yes"
 */
import { say } from '../../../base/said.js';
import { type Verdict } from '../diagnosis.js';
import { answered, verdictStep } from '../steps.js';
import { type Printed, exactly, showSize, sum } from '../texts/printed-size.js';
import { type Figures, outsideOf } from './figures.js';

export interface CacheVerdict {
  readonly verdict: Verdict;
  readonly why: string;
  readonly steps: readonly string[];
}

/** Share of the device held by others from which they are the cause. */
const OTHERS_SHARE = 0.25;

/** Judges the figures of one failed request. Never throws; missing figures end in `unknown, because ...`. */
export function judgeCache(figures: Figures): CacheVerdict {
  const steps: string[] = figures.oddities.map((oddity) => say`note: ${oddity}`);
  const end = (verdict: Verdict, why: string): CacheVerdict => ({
    verdict,
    why: verdict === 'unknown' ? say`unknown, because ${why}` : why,
    steps: [...steps, verdictStep(verdict)],
  });
  const { tried, capacity, free, allocated, inactive, allowed, fromDevice } = figures;

  if (tried === undefined) {
    steps.push(say`1. size of the request: not in the text`);
    return end('unknown', withOutside(say`the text does not say how much was asked for`, figures));
  }
  steps.push(say`1. size of the request: ${showSize(tried.bytes)}`);
  // The device gives whole segments, which can be more than the request.
  const given = fromDevice ?? tried;

  if (capacity === undefined) steps.push(say`2. request > capacity: the capacity is not in the text`);
  else if (
    tests(steps, say`2. request ${showSize(tried.bytes)} > capacity ${showSize(capacity.bytes)}`, {
      holds: tried.bytes > capacity.bytes,
      between: [tried, capacity],
    })
  ) {
    return end(
      'true-shortage',
      say`one request of ${showSize(tried.bytes)} is larger than the whole device (${showSize(capacity.bytes)})`,
    );
  }

  if (allowed === undefined) steps.push(say`3. a limit under the capacity: none is printed`);
  else if (
    capacity !== undefined &&
    allowed.bytes < capacity.bytes &&
    free !== undefined &&
    free.bytes >= tried.bytes
  ) {
    steps.push(
      say`3. a limit of ${showSize(allowed.bytes)} is under the capacity of ${showSize(capacity.bytes)} and
        ${showSize(free.bytes)} free >= request: yes`,
    );
    return end(
      'limit-set',
      say`a limit of ${showSize(allowed.bytes)} is set on this process and ${showSize(free.bytes)} of the device is free`,
    );
  } else steps.push(say`3. a limit of ${showSize(allowed.bytes)} with enough free memory behind it: no`);

  if (free === undefined) steps.push(say`4. device free >= request: free memory is not known`);
  else if (
    tests(
      steps,
      given.bytes === tried.bytes
        ? say`4. device free ${showSize(free.bytes)} >= request ${showSize(tried.bytes)}`
        : say`4. device free ${showSize(free.bytes)} >= segment for the request ${showSize(given.bytes)}`,
      atLeast(free, given),
    )
  ) {
    return end('unknown', whyNotTheCache(figures, tried, free));
  }

  if (inactive === undefined) {
    steps.push(say`5. cached but unallocated >= request: the cache size is not in the text`);
    steps.push(say`6. cached + free >= request: the cache size is not in the text`);
  } else {
    if (
      tests(
        steps,
        say`5. cached but unallocated ${showSize(inactive.bytes)} >= request ${showSize(tried.bytes)}`,
        atLeast(inactive, tried),
      )
    ) {
      return end(
        'fragmentation',
        besides(
          say`${showSize(inactive.bytes)} is cached but unallocated, more than the ${showSize(tried.bytes)} asked for, yet no
            single block was long enough`,
          figures,
        ),
      );
    }
    if (free === undefined) steps.push(say`6. cached + free >= request: free memory is not known`);
    else if (
      tests(
        steps,
        given.bytes === tried.bytes
          ? say`6. cached + free ${showSize(inactive.bytes + free.bytes)} >= request ${showSize(tried.bytes)}`
          : say`6. cached + free ${showSize(inactive.bytes + free.bytes)} >= segment for the request ${showSize(given.bytes)}`,
        atLeast(sum(inactive, free), given),
      )
    ) {
      return end(
        'fragmentation',
        besides(
          say`${showSize(inactive.bytes)} cached and ${showSize(free.bytes)} free together cover the ${showSize(tried.bytes)}
            asked for, neither alone does: the cached part sits in segments that are partly in use and could not be given
            back`,
          figures,
        ),
      );
    }
  }

  const outside = outsideOf(figures);
  if (outside === undefined || capacity === undefined) {
    steps.push(say`7. memory outside this process >= 25 % of the device: not known`);
  } else {
    const share = outside.size.bytes / capacity.bytes;
    const holds = share >= OTHERS_SHARE && outside.size.bytes >= tried.bytes;
    steps.push(
      answered(
        say`7. memory outside: ${outside.formula} = ${showSize(outside.size.bytes)}, ${(100 * share).toFixed(0)} % of the
          device; at least 25 % and at least the request`,
        holds,
      ),
    );
    if (holds) {
      return end(
        'other-process',
        withIdle(
          say`${showSize(outside.size.bytes)} of ${showSize(capacity.bytes)} is held outside this process's cache (other
            processes, the display, CUDA contexts, libraries)`,
          inactive,
        ),
      );
    }
  }

  if (inactive === undefined && (allocated === undefined || free === undefined)) {
    steps.push(say`8. otherwise a true shortage: cannot be said without the missing figures`);
    return end('unknown', missing(figures, tried));
  }
  steps.push(say`8. otherwise: a true shortage`);
  return end('true-shortage', besides(shortage(figures, tried), figures));
}

interface Comparison {
  readonly holds: boolean;
  readonly between: readonly [Printed, Printed];
}

const atLeast = (a: Printed, b: Printed): Comparison => ({ holds: a.bytes >= b.bytes, between: [a, b] });

/** Leaves the step of one test, and says when values that print the same could answer it the other way. */
function tests(steps: string[], statement: string, { holds, between: [a, b] }: Comparison): boolean {
  const isOpen = a.low <= b.high && a.high >= b.low && (a.low !== a.high || b.low !== b.high);
  const step = answered(statement, holds);
  steps.push(isOpen ? say`${step} (within the printed precision it could be the other way)` : step);
  return holds;
}

function withOutside(why: string, figures: Figures): string {
  const outside = outsideOf(figures);
  if (outside === undefined || figures.capacity === undefined) return why;
  return say`${why}; ${showSize(outside.size.bytes)} of ${showSize(figures.capacity.bytes)} is outside this process's cache`;
}

function whyNotTheCache(figures: Figures, tried: Printed, free: Printed): string {
  const limit = suspectedFraction(figures);
  const why = say`the device reports ${showSize(free.bytes)} free for a request of ${showSize(tried.bytes)}, so it is not a
    question of this cache: a limit that is not printed, the driver or host memory, address space, alignment, a
    per-allocation limit, or a free figure read at another moment`;
  const suspicion =
    limit === undefined
      ? why
      : say`${why}. The cache stands right at ${limit} of the capacity: a memory fraction of ${limit} that this version does
          not print would explain it`;
  return withIdle(suspicion, figures.inactive);
}

/**
 * A round fraction of the capacity that the request would have crossed and the cache has not (pytorch#111363). Only
 * where the request is under 0.5 % of the device: for larger ones some round fraction always lies in the gap.
 */
export function suspectedFraction(figures: Figures): number | undefined {
  const { capacity, reserved, tried } = figures;
  if (capacity === undefined || reserved === undefined || tried === undefined) return undefined;
  if (tried.bytes > 0.005 * capacity.bytes) return undefined;
  const above = (reserved.high + tried.bytes) / capacity.low;
  const nearest = Math.floor(above * 20) / 20;
  return nearest > 0 && nearest < 1 && nearest >= reserved.low / capacity.high ? nearest : undefined;
}

const withIdle = (why: string, inactive: Printed | undefined): string =>
  inactive !== undefined && inactive.bytes > 0
    ? say`${why}; ${showSize(inactive.bytes)} more is cached but unallocated`
    : why;

/** The second cause of a hard case, with its size: memory outside the process next to a fragmented or full cache. */
function besides(why: string, figures: Figures): string {
  const outside = outsideOf(figures);
  const { capacity, tried, inactive } = figures;
  const others =
    outside !== undefined && capacity !== undefined && outside.size.bytes >= 0.1 * capacity.bytes
      ? say`${showSize(outside.size.bytes)} of the device is outside this process's cache`
      : undefined;
  const short =
    tried !== undefined && inactive !== undefined && inactive.bytes < tried.bytes && inactive.bytes >= tried.bytes / 2
      ? say`${showSize(inactive.bytes)} is cached in blocks that are too short`
      : undefined;
  if (others !== undefined && short !== undefined) return say`${why}. Besides, ${others}, and ${short}`;
  const one = others ?? short;
  return one === undefined ? why : say`${why}. Besides, ${one}`;
}

function shortage(figures: Figures, tried: Printed): string {
  const { inactive, free, allocated } = figures;
  const there = showSize((inactive ?? exactly(0)).bytes + (free ?? exactly(0)).bytes);
  const asked = showSize(tried.bytes);
  const left =
    free === undefined
      ? say`what is left, ${there} in the cache, is less than the ${asked} asked for`
      : say`what is left, ${there}, is less than the ${asked} asked for`;
  return allocated === undefined ? left : say`${showSize(allocated.bytes)} is in use; ${left}`;
}

function missing(figures: Figures, tried: Printed): string {
  const names: string[] = [];
  if (figures.capacity === undefined) names.push(say`the capacity`);
  if (figures.free === undefined) names.push(say`the free memory`);
  if (figures.allocated === undefined) names.push(say`what is allocated`);
  if (figures.reserved === undefined) names.push(say`what is cached`);
  return say`the text lacks ${names.join(', ')}: only the request (${showSize(tried.bytes)}) is certain`;
}
