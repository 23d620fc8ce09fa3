/**
 * Small programs that fragment memory on purpose and then ask for one large tensor: a checkerboard, segments pinned by
 * small tensors that live long, and phases whose sizes have little in common.
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { mulberry32, shuffled } from '../../base/random.js';
import { KiB, MiB } from '../../base/units.js';
import { choice, integer, seedParameter, size } from './parameter.js';
import { freeAll } from './program.js';
import { defineWorkload } from './workload.js';

const anySize = { min: 1, max: 2 ** 44 };

export const checkerboard = defineWorkload({
  id: 'checkerboard',
  about: 'fill memory with equal tensors, free some, ask for a larger one: enough in total, no hole',
  capacity: MiB(60),
  parameters: {
    blocks: integer(12, { min: 1, max: 1_000_000, unit: say`tensors` }, 'tensors to fill with'),
    block: size(MiB(5), anySize, 'size of one'),
    pattern: choice(
      'alternate',
      ['alternate', 'half', 'random', 'all'],
      'which are freed: every second, the first half, a random half, or all',
    ),
    ask: size(MiB(12), anySize, 'size of the tensor asked for at the end'),
    seed: seedParameter(1),
  },
  endsWith: 'the tensors that were not freed, and the one asked for',
  run: (program, { blocks, block, pattern, ask, seed }) => {
    program.marker('fill');
    const tensors = Array.from({ length: blocks }, (_, i) => program.allocate(block, 'activation', `block ${i}`));
    const half = Math.ceil(blocks / 2);
    program.marker('free');
    if (pattern === 'alternate')
      freeAll(
        program,
        tensors.filter((_, i) => i % 2 === 0),
      );
    if (pattern === 'half') freeAll(program, tensors.slice(0, half));
    if (pattern === 'random') freeAll(program, shuffled(tensors, mulberry32(seed)).slice(0, half));
    if (pattern === 'all') freeAll(program, tensors);
    program.marker('ask');
    program.allocate(ask, 'temporary', 'asked for');
  },
});

export const pinning = defineWorkload({
  id: 'pinning',
  about:
    'a small tensor that lives long falls into each large segment that was freed, then a larger tensor is asked for',
  capacity: MiB(512),
  parameters: {
    segments: integer(4, { min: 1, max: 10_000, unit: say`tensors` }, 'large tensors, each with a segment of its own'),
    large: size(MiB(100), anySize, 'size of a large tensor'),
    small: size(MiB(2), anySize, 'size of a small one'),
    order: choice(
      'after',
      ['after', 'before'],
      'each small tensor made right after a large one was freed, or all of them first',
    ),
    flush: choice('no', ['no', 'yes'], 'empty_cache before the last request'),
    ask: size(MiB(160), anySize, 'size of the tensor asked for at the end'),
  },
  endsWith: 'the small tensors, and the one asked for',
  alternatives: () => [{ order: 'before' }],
  run: (program, { segments, large, small, order, flush, ask }) => {
    const keep = (i: number) => program.allocate(small, 'activation', `kept ${i}`);
    if (order === 'before') for (let i = 0; i < segments; i++) keep(i);
    const rests: number[] = [];
    for (let i = 0; i < segments; i++) {
      program.marker(`large ${i}`);
      program.free(program.allocate(large, 'temporary', `large ${i}`));
      if (order === 'after') keep(i);
      // Fills what is left of the segment, so that the next small tensor falls into another one.
      const rest = order === 'after' ? large - small : large;
      if (rest > 0) rests.push(program.allocate(rest, 'temporary', `rest ${i}`));
    }
    freeAll(program, rests);
    if (flush === 'yes') program.emptyCache();
    program.marker('ask');
    program.allocate(ask, 'temporary', 'asked for');
  },
});

export const phases = defineWorkload({
  id: 'phases',
  about: 'phases whose sizes differ by large factors; nearly everything is freed between them, a little leaks',
  capacity: MiB(1024),
  parameters: {
    phases: integer(8, { min: 1, max: 1000, unit: say`phases` }, 'phases'),
    tensors: integer(48, { min: 1, max: 100_000, unit: say`tensors` }, 'tensors of a phase, live together at its end'),
    smallest: size(KiB(64), anySize, 'tensor size of the first phase'),
    factor: integer(
      4,
      { min: 1, max: 64, unit: '' },
      'each phase has tensors this many times larger, up to `largest`, then from the start',
    ),
    largest: size(MiB(16), anySize, 'largest tensor size'),
    leak_every: integer(
      4,
      { min: 0, max: 1000, unit: say`phases` },
      'after this many phases `leak` tensors stay; 0: none ever',
    ),
    leak: integer(2, { min: 0, max: 1000, unit: say`tensors` }, 'tensors that stay'),
    seed: seedParameter(1),
  },
  endsWith: 'the leaked tensors',
  check: ({ smallest, largest }) => {
    if (smallest > largest)
      throw badInput('smallest', say`phases: smallest is above largest; give smallest at most largest`);
  },
  run: (program, { phases: count, tensors, smallest, factor, largest, leak_every, leak, seed }) => {
    const random = mulberry32(seed);
    let scale = smallest;
    for (let phase = 0; phase < count; phase++) {
      program.marker(`phase ${phase}`);
      const live = Array.from({ length: tensors }, () => {
        const bytes = Math.ceil(scale / 2) + (random() % Math.max(1, Math.floor(scale / 2)));
        return program.allocate(bytes, 'activation', `phase ${phase} tensor`);
      });
      const stays = leak_every > 0 && (phase + 1) % leak_every === 0 ? leak : 0;
      freeAll(program, shuffled(live, random).slice(stays));
      scale = scale * factor > largest || factor === 1 ? (factor === 1 ? scale : smallest) : scale * factor;
    }
  },
});
