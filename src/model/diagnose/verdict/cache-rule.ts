/**
 * The rule for a failed allocation of a caching allocator, test by test in a fixed order; the first test that holds
 * gives the verdict. Each test leaves a step with its numbers, also those that did not hold, so that a reader can check
 * every one. Where the printed precision leaves a test open, the step says so.
 *
 *     judgeCache(figures).steps; // "5. cached but unallocated 4.94 GiB >= request 2.87 GiB: yes"
 */
import { type Verdict } from '../diagnosis.js';
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
  const steps: string[] = figures.oddities.map((oddity) => `note: ${oddity}`);
  const end = (verdict: Verdict, why: string): CacheVerdict => ({
    verdict,
    why: verdict === 'unknown' ? `unknown, because ${why}` : why,
    steps: [...steps, `verdict: ${verdict}`],
  });
  const { tried, capacity, free, allocated, inactive, allowed, fromDevice } = figures;

  if (tried === undefined) {
    steps.push('1. size of the request: not in the text');
    return end('unknown', `the text does not say how much was asked for${held(figures)}`);
  }
  steps.push(`1. size of the request: ${showSize(tried.bytes)}`);
  const device = fromDevice ?? tried;
  const wanted = device.bytes === tried.bytes ? 'request' : 'segment for the request';

  if (capacity === undefined) steps.push('2. request > capacity: the capacity is not in the text');
  else if (greater(steps, '2. request', tried, '> capacity', capacity)) {
    return end(
      'true-shortage',
      `one request of ${showSize(tried.bytes)} is larger than the whole device (${showSize(capacity.bytes)})`,
    );
  }

  if (allowed === undefined) steps.push('3. a limit under the capacity: none is printed');
  else if (
    capacity !== undefined &&
    allowed.bytes < capacity.bytes &&
    free !== undefined &&
    free.bytes >= tried.bytes
  ) {
    steps.push(
      `3. a limit of ${showSize(allowed.bytes)} is under the capacity of ${showSize(capacity.bytes)} and ` +
        `${showSize(free.bytes)} free >= request: yes`,
    );
    return end(
      'limit-set',
      `a limit of ${showSize(allowed.bytes)} is set on this process and ${showSize(free.bytes)} of the device is free`,
    );
  } else steps.push(`3. a limit of ${showSize(allowed.bytes)} with enough free memory behind it: no`);

  if (free === undefined) steps.push('4. device free >= request: free memory is not known');
  else if (atLeast(steps, '4. device free', free, wanted, device)) {
    return end('unknown', whyNotTheCache(figures, tried, free));
  }

  if (inactive === undefined) {
    steps.push('5. cached but unallocated >= request: the cache size is not in the text');
    steps.push('6. cached + free >= request: the cache size is not in the text');
  } else {
    if (atLeast(steps, '5. cached but unallocated', inactive, 'request', tried)) {
      return end(
        'fragmentation',
        `${showSize(inactive.bytes)} is cached but unallocated, more than the ${showSize(tried.bytes)} asked for, yet no ` +
          `single block was long enough${second(figures)}`,
      );
    }
    if (free === undefined) steps.push('6. cached + free >= request: free memory is not known');
    else if (atLeast(steps, '6. cached + free', sum(inactive, free), wanted, device)) {
      return end(
        'fragmentation',
        `${showSize(inactive.bytes)} cached and ${showSize(free.bytes)} free together cover the ${showSize(tried.bytes)} ` +
          `asked for, neither alone does: the cached part sits in segments that are partly in use and could not be ` +
          `given back${second(figures)}`,
      );
    }
  }

  const outside = outsideOf(figures);
  if (outside === undefined || capacity === undefined) {
    steps.push('7. memory outside this process >= 25 % of the device: not known');
  } else {
    const share = outside.size.bytes / capacity.bytes;
    const holds = share >= OTHERS_SHARE && outside.size.bytes >= tried.bytes;
    steps.push(
      `7. memory outside: ${outside.formula} = ${showSize(outside.size.bytes)}, ${(100 * share).toFixed(0)} % of the ` +
        `device; at least 25 % and at least the request: ${answer(holds)}`,
    );
    if (holds) {
      return end(
        'other-process',
        `${showSize(outside.size.bytes)} of ${showSize(capacity.bytes)} is held outside this process's cache (other ` +
          `processes, the display, CUDA contexts, libraries)${idle(inactive)}`,
      );
    }
  }

  if (inactive === undefined && (allocated === undefined || free === undefined)) {
    steps.push('8. otherwise a true shortage: cannot be said without the missing figures');
    return end('unknown', `the text lacks ${missing(figures)}`);
  }
  steps.push('8. otherwise: a true shortage');
  return end('true-shortage', `${shortage(figures, tried)}${second(figures)}`);
}

const answer = (yes: boolean): string => (yes ? 'yes' : 'no');

function greater(steps: string[], left: string, a: Printed, relation: string, b: Printed): boolean {
  const holds = a.bytes > b.bytes;
  steps.push(`${left} ${showSize(a.bytes)} ${relation} ${showSize(b.bytes)}: ${answer(holds)}${open(a, b)}`);
  return holds;
}

function atLeast(steps: string[], left: string, a: Printed, right: string, b: Printed): boolean {
  const holds = a.bytes >= b.bytes;
  steps.push(`${left} ${showSize(a.bytes)} >= ${right} ${showSize(b.bytes)}: ${answer(holds)}${open(a, b)}`);
  return holds;
}

/** Says when values that print the same could answer the test the other way. */
const open = (a: Printed, b: Printed): string =>
  a.low <= b.high && a.high >= b.low && (a.low !== a.high || b.low !== b.high)
    ? ' (within the printed precision it could be the other way)'
    : '';

const held = (figures: Figures): string => {
  const outside = outsideOf(figures);
  if (outside === undefined || figures.capacity === undefined) return '';
  return `; ${showSize(outside.size.bytes)} of ${showSize(figures.capacity.bytes)} is outside this process's cache`;
};

function whyNotTheCache(figures: Figures, tried: Printed, free: Printed): string {
  const limit = suspectedFraction(figures);
  const suspicion =
    limit === undefined
      ? ''
      : `. The cache stands right at ${limit} of the capacity: a memory fraction of ${limit} that this version does not print would explain it`;
  return (
    `the device reports ${showSize(free.bytes)} free for a request of ${showSize(tried.bytes)}, so it is not a question ` +
    `of this cache: a limit that is not printed, the driver or host memory, address space, alignment, a per-allocation ` +
    `limit, or a free figure read at another moment${suspicion}${idle(figures.inactive)}`
  );
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

const idle = (inactive: Printed | undefined): string =>
  inactive !== undefined && inactive.bytes > 0 ? `; ${showSize(inactive.bytes)} more is cached but unallocated` : '';

/** The second cause of a hard case, with its size: memory outside the process next to a fragmented or full cache. */
function second(figures: Figures): string {
  const outside = outsideOf(figures);
  const { capacity, tried, inactive } = figures;
  const parts: string[] = [];
  if (outside !== undefined && capacity !== undefined && outside.size.bytes >= 0.1 * capacity.bytes) {
    parts.push(`${showSize(outside.size.bytes)} of the device is outside this process's cache`);
  }
  if (
    tried !== undefined &&
    inactive !== undefined &&
    inactive.bytes < tried.bytes &&
    inactive.bytes >= tried.bytes / 2
  ) {
    parts.push(`${showSize(inactive.bytes)} is cached in blocks that are too short`);
  }
  return parts.length === 0 ? '' : `. Besides, ${parts.join(', and ')}`;
}

function shortage(figures: Figures, tried: Printed): string {
  const { inactive, free, allocated } = figures;
  const there = (inactive ?? exactly(0)).bytes + (free ?? exactly(0)).bytes;
  const live = allocated === undefined ? '' : `${showSize(allocated.bytes)} is in use; `;
  return `${live}what is left, ${showSize(there)}${free === undefined ? ' in the cache' : ''}, is less than the ${showSize(tried.bytes)} asked for`;
}

function missing(figures: Figures): string {
  const names: string[] = [];
  if (figures.capacity === undefined) names.push('the capacity');
  if (figures.free === undefined) names.push('the free memory');
  if (figures.allocated === undefined) names.push('what is allocated');
  if (figures.reserved === undefined) names.push('what is cached');
  return `${names.join(', ')}: only the request (${showSize(figures.tried?.bytes ?? 0)}) is certain`;
}
