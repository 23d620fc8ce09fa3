/**
 * The sentences of the Why panel (design/SPEC.md section 6), one whole message each. Figures come from `model/lab/why.ts`
 * and `moment-why.ts`; no sentence has a figure of its own. Sizes in arithmetic are in MiB, so that sums can be followed.
 */
import { msg, str } from '@lit/localize';
import { assertNever } from '../../base/errors.js';
import { formatBytes, formatNumber } from '../../base/format.js';
import { type MomentPin, type MomentWhy } from '../../model/lab/moment-why.js';
import { type FailureWhy, type WhyFrees, type WhyFreeSet, type WhyHead } from '../../model/lab/why.js';
import { type TensorFact } from '../../model/trace/tensor-facts.js';

const MIB = 2 ** 20;
/** `102`, `13.5`: MiB without the unit. */
export const mib = (size: number): string => formatNumber(size / MIB, size % MIB === 0 ? 0 : 1);
const plural = (count: number): Intl.LDMLPluralRule => new Intl.PluralRules('en').select(count);
/** Joined as the language of the page does. */
const list = (words: readonly string[]): string =>
  new Intl.ListFormat(
    msg('en', { desc: 'tag of the language of these texts: it says how names are joined in a row' }),
    {
      type: 'conjunction',
    },
  ).format(words);
const count = (number: number): string => formatNumber(number);

/** A tensor by its name, else by its number. */
export const tensorWords = ({ id, label }: Pick<TensorFact, 'id' | 'label'>): string =>
  label === '' ? msg(str`tensor ${id}`, { desc: 'a tensor without a name' }) : label;

export function headWords(head: WhyHead): string {
  const request = formatBytes(head.request);
  switch (head.kind) {
    case 'in-pieces': {
      const free = formatBytes(head.free);
      if (plural(head.pieces) === 'one') {
        return msg(str`${request} were needed in one piece. ${free} are free, in a piece that cannot be used.`, {
          desc: 'why: one free piece',
        });
      }
      return msg(str`${request} were needed in one piece. ${free} are free, but in ${count(head.pieces)} pieces.`, {
        desc: 'why: fragmentation',
      });
    }
    case 'too-little':
      return msg(
        str`${request} were needed. ${formatBytes(head.free)} are free in total: ${formatBytes(head.short)} too few.`,
        { desc: 'why: true shortage' },
      );
    case 'limit':
      return msg(
        str`${request} were needed. ${formatBytes(head.free)} are free under the limit that is set: ${formatBytes(head.short)} too few.`,
        { desc: 'why: a memory fraction or limit' },
      );
    case 'segment-step':
      return msg(
        str`${request} would fit into the ${formatBytes(head.left)} that are left. The allocator takes ${formatBytes(head.segment)} at once.`,
        { desc: 'why: segments come in steps' },
      );
    default:
      return assertNever(head);
  }
}

/** What the failing operation asked for while something else lived. */
export function askedWords({ asked }: FailureWhy): string | undefined {
  if (asked === undefined) return undefined;
  const { operation, other } = asked;
  return msg(
    str`${tensorWords(operation)} asked while ${tensorWords(other)}, ${formatBytes(other.size)}, was still live.`,
    { desc: 'why: the old copy lives until the new one is made' },
  );
}

/** What the flush before the last try did. */
export function flushWords({ flush }: FailureWhy): string | undefined {
  if (flush === undefined) return undefined;
  const { givenBack, givenBackBefore } = flush;
  if (givenBack > 0) {
    return plural(givenBack) === 'one'
      ? msg('The allocator gave back its empty segment and tried again.', { desc: 'why: the flush' })
      : msg(str`The allocator gave back its ${count(givenBack)} empty segments and tried again.`, {
          desc: 'why: the flush',
        });
  }
  if (givenBackBefore > 0) {
    return msg(
      str`The allocator tried again, but had no empty segment left to give back: ${count(givenBackBefore)} went before.`,
      { desc: 'why: the flush' },
    );
  }
  return msg('The allocator had no empty segment to give back.', { desc: 'why: the flush' });
}

/** What the flush left. */
export function mostlyEmptyWords({ flush }: FailureWhy): string | undefined {
  const segments = flush?.mostlyEmpty ?? 0;
  if (segments === 0) return undefined;
  return plural(segments) === 'one'
    ? msg('1 segment that is mostly empty stays, because it holds a live block.', { desc: 'why: pinned segments' })
    : msg(str`${count(segments)} segments that are mostly empty stay, because each holds a live block.`, {
        desc: 'why: pinned segments',
      });
}

export function freesHeadWords({ frees, limit, sets }: WhyFrees): string {
  if (sets.length === 0) {
    return msg(str`No set of up to ${count(limit)} frees makes room.`, { desc: 'why: frees' });
  }
  return plural(frees) === 'one'
    ? msg('One free would have been enough', { desc: 'why: head of the frees' })
    : msg(str`${count(frees)} frees would have been enough`, { desc: 'why: head of the frees' });
}

/** Which tensors a set frees. */
export const freeSetNames = ({ tensors }: WhyFreeSet): string => list(tensors.map(tensorWords));

/** What a set of frees does, as arithmetic in MiB. */
export function freeSetWords({ how, room, need }: WhyFreeSet): string {
  const enough = { room: mib(room), need: mib(need) };
  switch (how.kind) {
    case 'gives-back': {
      const sum = [how.left, ...how.segments].map(mib).join(' + ');
      return msg(
        str`gives back ${list(how.segments.map((size) => `${mib(size)} MiB`))}: ${sum} = ${enough.room} \u2265 ${enough.need}`,
        { desc: 'why: frees that empty segments; MiB' },
      );
    }
    case 'joins':
      if (how.holes.length === 0) {
        return msg(str`leaves ${enough.room} MiB in one piece \u2265 ${enough.need}`, {
          desc: 'why: a free that is large enough; MiB',
        });
      }
      return msg(str`joins ${list(how.holes.map(mib))} to ${enough.room} MiB \u2265 ${enough.need}`, {
        desc: 'why: frees that join holes; MiB',
      });
    default:
      return assertNever(how);
  }
}

export const unusedWords = ({ unused }: FailureWhy): string | undefined =>
  unused === undefined
    ? undefined
    : msg(
        str`A free block of ${formatBytes(unused.size)} would have fitted. This allocator does not look again after the flush, or may not use it for this request.`,
        { desc: 'why: a hole that is left unused' },
      );

/** A change that fits. */
export const fitWords = (change: string, peak: number, capacity: number): string =>
  msg(str`${change} peaks at ${formatBytes(peak)}, ${formatBytes(capacity - peak)} to spare.`, {
    desc: 'why: what fits',
  });

export const stopsWords = (change: string, operation: number): string =>
  msg(str`${change} stops at operation ${count(operation)}.`, { desc: 'why: what does not fit' });

export const noFitWords = (peak: number): string =>
  msg(str`None of the changes tried fits. The tensors alone need ${formatBytes(peak)}.`, { desc: 'why: nothing fits' });

export const fitsHeadWords = (capacity: number): string =>
  msg(str`What fits in ${formatBytes(capacity)}`, { desc: 'why: head' });

export function momentHeadWords({ free, holes, largestHole }: MomentWhy): string {
  if (holes === 0) return msg('Nothing is free inside the segments.', { desc: 'why: a moment' });
  return plural(holes) === 'one'
    ? msg(str`${formatBytes(free)} are free in one hole.`, { desc: 'why: a moment' })
    : msg(str`${formatBytes(free)} are free in ${count(holes)} holes. The largest takes ${formatBytes(largestHole)}.`, {
        desc: 'why: a moment',
      });
}

export const notReservedWords = ({ notReserved }: MomentWhy): string | undefined =>
  notReserved === undefined
    ? undefined
    : msg(str`${formatBytes(notReserved)} are not reserved yet.`, { desc: 'why: a moment' });

export function pinnedWords({ pinned, kept }: MomentWhy): string | undefined {
  if (pinned === 0) return undefined;
  return plural(pinned) === 'one'
    ? msg(
        str`1 segment is mostly empty and held by live blocks, which keep ${formatBytes(kept)} from being given back:`,
        { desc: 'why: a moment' },
      )
    : msg(
        str`${count(pinned)} segments are mostly empty and held by live blocks, which keep ${formatBytes(kept)} from being given back:`,
        { desc: 'why: a moment' },
      );
}

export function pinWords({ blocks, segment, segmentFree }: MomentPin): string {
  const others = blocks - 1;
  if (others === 0) {
    return msg(str`holds a segment of ${formatBytes(segment)}, ${formatBytes(segmentFree)} free`, {
      desc: 'why: a pin',
    });
  }
  return plural(others) === 'one'
    ? msg(str`with 1 other block holds a segment of ${formatBytes(segment)}, ${formatBytes(segmentFree)} free`, {
        desc: 'why: a pin',
      })
    : msg(
        str`with ${count(others)} other blocks holds a segment of ${formatBytes(segment)}, ${formatBytes(segmentFree)} free`,
        { desc: 'why: a pin' },
      );
}

export const bothFitWords = (a: number, b: number): string =>
  msg(str`Both fit. A peaks at ${formatBytes(a)}, B at ${formatBytes(b)}.`, { desc: 'why: neither side failed' });
