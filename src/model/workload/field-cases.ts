/** Programs that people reported, reduced to what makes them fail. Sources are issue threads (facts/field-problems.md). */
import { GiB, KiB, MiB } from '../../base/units.js';
import { say } from '../../base/said.js';
import { choice, flag, integer, size } from './parameter.js';
import { freeAll, type Program } from './program.js';
import { defineWorkload } from './workload.js';

const anySize = { min: 1, max: 2 ** 44 };

/** vllm#41268: 270 MiB cut from a freed block of 530 MiB strands 260 MiB, once a shard. */
export const strandedHole = defineWorkload({
  id: 'stranded-hole',
  about:
    'loading weights: a 530 MiB buffer comes and goes, a 270 MiB weight is cut from its segment and strands 260 (vllm#41268)',
  capacity: GiB(3),
  parameters: {
    shards: integer(6, { min: 1, max: 10_000, unit: say`shards` }, 'weights loaded one after the other'),
    buffer: size(MiB(530), anySize, 'loading buffer of one shard'),
    weight: size(MiB(270), anySize, 'weight that stays'),
  },
  endsWith: 'the weights',
  run: (program, { shards, buffer, weight }) => {
    for (let i = 0; i < shards; i++) {
      program.marker(`shard ${i}`);
      program.free(program.allocate(buffer, 'temporary', `loading buffer ${i}`));
      program.allocate(weight, 'parameter', `weight ${i}`);
    }
  },
});

/** pytorch#69526: one convolution takes a workspace of gigabytes for a moment, and reserved stays high. */
export const workspace = defineWorkload({
  id: 'workspace',
  about:
    'one operation takes a workspace of gigabytes for a moment; reserved stays high until empty_cache (pytorch#69526)',
  capacity: GiB(8),
  parameters: {
    weights: size(MiB(256), anySize, 'weights'),
    output: size(MiB(40), anySize, 'output of the operation, which stays'),
    workspace: size(MiB(4718), anySize, 'workspace of the operation'),
    empty_cache: flag(false, 'torch.cuda.empty_cache() afterwards'),
  },
  endsWith: 'weights and output',
  run: (program, { weights, output, workspace: scratch, empty_cache }) => {
    program.allocate(weights, 'parameter', 'weights');
    program.marker('operation');
    program.allocate(output, 'activation', 'output');
    program.free(program.allocate(scratch, 'temporary', 'workspace'));
    if (empty_cache) program.emptyCache();
    program.marker('after');
  },
});

const LENGTHS = { short: [12, 14, 16, 18, 20, 22, 24], mixed: [16, 20, 12, 24, 14, 22, 18] } as const;

/** crossfit#18: the order of batch lengths decides how much is reserved; the live peak is the same. */
export const batchOrder = defineWorkload({
  id: 'batch-order',
  about:
    'the same seven batch lengths, shortest first, mixed or longest first: what is reserved differs threefold (crossfit#18)',
  capacity: GiB(1),
  parameters: {
    order: choice('short', ['short', 'mixed', 'long'], 'order of the lengths: shortest first, mixed, longest first'),
    rounds: integer(1, { min: 1, max: 10_000, unit: say`rounds` }, 'how often all lengths come'),
  },
  endsWith: 'nothing',
  run: (program, { order, rounds }) => {
    const lengths = order === 'long' ? [...LENGTHS.short].reverse() : LENGTHS[order];
    for (let round = 0; round < rounds; round++) lengths.forEach((length, i) => oneBatch(program, length, i));
  },
});

function oneBatch(program: Program, length: number, i: number): void {
  program.marker(`length ${length}`);
  const a = program.allocate(MiB(2 * length), 'activation', `a${i}`);
  const b = program.allocate(MiB(3 * length), 'activation', `b${i}`);
  const c = program.allocate(MiB(length), 'temporary', `c${i}`);
  program.free(b);
  const d = program.allocate(MiB(2 * length), 'activation', `d${i}`);
  freeAll(program, [a, c, d]);
}

/** jax#788, marin#7115: a checkpoint is restored beside a running state and needs contiguous memory. */
export const resume = defineWorkload({
  id: 'resume',
  about:
    'a checkpoint is restored tensor by tensor into memory that a warm-up has cut up, then its largest tensor comes (jax#788)',
  capacity: GiB(1),
  parameters: {
    warmup: integer(
      40,
      { min: 0, max: 100_000, unit: say`tensors` },
      'tensors of the warm-up, each followed by a small one that stays',
    ),
    scratch: size(MiB(12), anySize, 'tensor of the warm-up'),
    small: size(KiB(256), anySize, 'small tensor that stays'),
    restored: integer(6, { min: 1, max: 100_000, unit: say`tensors` }, 'tensors of the checkpoint'),
    tensor: size(MiB(80), anySize, 'one of them'),
  },
  endsWith: 'the small tensors and the restored ones',
  run: (program, { warmup, scratch, small, restored, tensor }) => {
    program.marker('warm-up');
    const temporaries: number[] = [];
    for (let i = 0; i < warmup; i++) {
      temporaries.push(program.allocate(scratch, 'temporary', `warm-up ${i}`));
      program.allocate(small, 'activation', `constant ${i}`);
    }
    freeAll(program, temporaries);
    program.marker('restore');
    for (let i = 0; i < restored; i++) program.allocate(tensor, 'parameter', `restored ${i}`);
  },
});

/** Sizes that creep upwards: no freed block is ever large enough for the next tensor, and small ones pin them all. */
export const creepingSizes = defineWorkload({
  id: 'creeping-sizes',
  about:
    'one large tensor at a time, a little larger each step, beside a small one that stays: reserved grows to gigabytes, expandable segments cure it',
  capacity: GiB(16),
  parameters: {
    steps: integer(100, { min: 1, max: 100_000, unit: say`steps` }, 'steps'),
    first: size(MiB(100), anySize, 'large tensor of the first step'),
    growth: size(MiB(1), anySize, 'how much larger it is each step'),
    kept: size(KiB(64), anySize, 'tensor that stays each step'),
  },
  endsWith: 'the small tensors',
  run: (program, { steps, first, growth, kept }) => {
    for (let step = 0; step < steps; step++) {
      program.marker(`step ${step}`);
      const large = program.allocate(first + step * growth, 'activation', `large ${step}`);
      program.allocate(kept, 'activation', `kept ${step}`);
      program.free(large);
    }
  },
});
