/** The sentences of the Why panel: SPEC's words, and no number that is not a figure of the statement. */
import { describe, expect, it } from 'vitest';
import { defined } from '../../base/errors.js';
import { MiB } from '../../base/units.js';
import { traceOfProgram } from '../../model/lab/lab-program.js';
import { labRun } from '../../model/lab/lab-run.js';
import { momentWhy } from '../../model/lab/moment-why.js';
import { whyOf, type WhyFreeSet, type WhyHead } from '../../model/lab/why.js';
import { MomentReader } from '../../model/memory-map/moment.js';
import {
  askedWords,
  bothFitWords,
  fitWords,
  flushWords,
  freesHeadWords,
  freeSetWords,
  headWords,
  momentHeadWords,
  mostlyEmptyWords,
  noFitWords,
  notReservedWords,
  pinnedWords,
  pinWords,
  unusedWords,
} from './why-words.js';

const lesson = labRun(traceOfProgram({ kind: 'workload', workload: 'lesson-loop', parameters: {} }), {
  name: 'caching',
  capacity: MiB(992),
});
const why = whyOf(defined(lesson.failure, 'a failure'));

describe('at the failure of the first screen', () => {
  it('says what SPEC says, with the figures of that moment', () => {
    expect([headWords(why.head), askedWords(why), flushWords(why), mostlyEmptyWords(why)]).toEqual([
      '102 MiB were needed in one piece. 266.8 MiB are free, but in 22 pieces.',
      'bank = cat(bank, features), step 16 asked while bank = cat(bank, features), step 15, 96 MiB, was still live.',
      'The allocator tried again, but had no empty segment left to give back: 11 went before.',
      '5 segments that are mostly empty stay, because each holds a live block.',
    ]);
    const frees = defined(why.frees, 'frees');
    expect([freesHeadWords(frees), ...frees.sets.map(freeSetWords)]).toEqual([
      'One free would have been enough',
      'gives back 90 MiB: 88 + 90 = 178 \u2265 102',
      'gives back 20 MiB: 88 + 20 = 108 \u2265 102',
      'gives back 18 MiB: 88 + 18 = 106 \u2265 102',
    ]);
  });

  it('tells a moment before it', () => {
    const moment = momentWhy(lesson.run, new MomentReader(lesson.run).at(2000));
    const { free, holes, largestHole, notReserved, pinned, kept } = moment;
    const at = (column: ArrayLike<number>): number => column[2000] ?? NaN;
    const { tracks } = lesson.run;
    expect([free, holes, largestHole]).toEqual([at(tracks.free), at(tracks.holes), at(tracks.largestHole)]);
    expect(notReserved).toBe(MiB(992) - at(tracks.reserved));
    const mib = (size: number) => `${(size / MiB(1)).toFixed(size % MiB(1) === 0 ? 0 : 1)} MiB`;
    expect(momentHeadWords(moment)).toBe(
      `${mib(free)} are free in ${holes} holes. The largest takes ${mib(largestHole)}.`,
    );
    expect(notReservedWords(moment)).toBe(`${mib(notReserved ?? NaN)} are not reserved yet.`);
    expect(pinnedWords(moment)).toBe(
      `${pinned} segments are mostly empty and held by live blocks, which keep ${mib(kept)} from being given back:`,
    );
    const [pin] = moment.pins;
    expect(pin && pinWords(pin)).toContain(
      `holds a segment of ${mib(pin?.segment ?? 0)}, ${mib(pin?.segmentFree ?? 0)} free`,
    );
  });
});

describe('each kind of reason', () => {
  it.each<[WhyHead, string]>([
    [
      { kind: 'too-little', request: MiB(600), free: MiB(500), short: MiB(100) },
      '600 MiB were needed. 500 MiB are free in total: 100 MiB too few.',
    ],
    [
      { kind: 'limit', request: MiB(600), free: MiB(500), short: MiB(100) },
      '600 MiB were needed. 500 MiB are free under the limit that is set: 100 MiB too few.',
    ],
    [
      { kind: 'segment-step', request: MiB(3), left: MiB(4), segment: MiB(20) },
      '3 MiB would fit into the 4 MiB that are left. The allocator takes 20 MiB at once.',
    ],
    [
      { kind: 'in-pieces', request: MiB(3), free: MiB(2), pieces: 1 },
      '3 MiB were needed in one piece. 2 MiB are free, in a piece that cannot be used.',
    ],
  ])('%j', (head, words) => expect(headWords(head)).toBe(words));

  it.each<[WhyFreeSet['how'], string]>([
    [{ kind: 'joins', holes: [MiB(24), MiB(66)] }, 'joins 24 and 66 to 96 MiB \u2265 90'],
    [{ kind: 'joins', holes: [] }, 'leaves 96 MiB in one piece \u2265 90'],
    [
      { kind: 'gives-back', segments: [MiB(20), MiB(40)], left: MiB(36) },
      'gives back 20 MiB and 40 MiB: 36 + 20 + 40 = 96 \u2265 90',
    ],
  ])('%j', (how, words) =>
    expect(freeSetWords({ tensors: [], bytes: MiB(6), how, room: MiB(96), need: MiB(90) })).toBe(words),
  );

  it('counts one and many', () => {
    const flush = (givenBack: number, mostlyEmpty: number) => ({
      ...why,
      flush: { givenBack, givenBackBefore: 0, mostlyEmpty },
    });
    expect(flushWords(flush(1, 0))).toBe('The allocator gave back its empty segment and tried again.');
    expect(flushWords(flush(11, 0))).toBe('The allocator gave back its 11 empty segments and tried again.');
    expect(flushWords(flush(0, 1))).toBe('The allocator had no empty segment to give back.');
    expect(mostlyEmptyWords(flush(0, 1))).toBe('1 segment that is mostly empty stays, because it holds a live block.');
    expect(freesHeadWords({ frees: 2, limit: 3, sets: [why.frees?.sets[0]].flatMap((set) => set ?? []) })).toBe(
      '2 frees would have been enough',
    );
    expect(freesHeadWords({ frees: 0, limit: 3, sets: [] })).toBe('No set of up to 3 frees makes room.');
  });

  it('of what fits, of what is left unused, and of two that fit', () => {
    expect(fitWords('expandable_segments:True', MiB(962), MiB(992))).toBe(
      'expandable_segments:True peaks at 962 MiB, 30 MiB to spare.',
    );
    expect(noFitWords(MiB(1000))).toBe('None of the changes tried fits. The tensors alone need 1,000 MiB.');
    expect(unusedWords({ ...why, unused: { size: MiB(64) } })).toContain('A free block of 64 MiB would have fitted.');
    expect(bothFitWords(MiB(912), MiB(900))).toBe('Both fit. A peaks at 912 MiB, B at 900 MiB.');
  });
});
