/**
 * Random churn: make or free, by chance, under a ceiling of live tensors. Two of the three mixes are the generators of the
 * golden data, operation by operation: long1m of `golden/pytorch` and churn_1M of `golden/bfc`.
 */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { mulberry32, type Random, unitInterval } from '../../base/random.js';
import { GiB, KiB, MiB } from '../../base/units.js';
import { Churn } from '../trace/churn.js';
import { integer, seedParameter, size } from './parameter.js';
import { type Program } from './program.js';
import { defineWorkload } from './workload.js';

const operations = integer(
  1_000_000,
  { min: 1, max: 5_000_000, unit: say`operations` },
  'allocations and frees together',
);
const ENDS_WITH = 'whatever is live after the last operation';

export const churnPytorch = defineWorkload({
  id: 'churn-pytorch',
  about: 'a million random operations, the generator of golden/pytorch long1m (70 % under 64 KiB, 2 % of 16 to 64 MiB)',
  capacity: GiB(2),
  parameters: {
    ops: operations,
    max_live: integer(2048, { min: 1, max: 1_000_000, unit: say`tensors` }, 'live tensors at most'),
    seed: seedParameter(12_345),
  },
  endsWith: ENDS_WITH,
  run: (program, { ops, max_live, seed }) => {
    const made = new Map<number, number>();
    const sink = {
      allocate: (id: number, bytes: number) => void made.set(id, program.allocate(bytes, 'temporary', '')),
      free: (id: number) => {
        program.free(made.get(id) ?? 0);
        made.delete(id);
      },
    };
    new Churn({ algorithm: 'mulberry32-churn', seed, ops, max_live }).add(sink, ops);
  },
});

export const churnBfc = defineWorkload({
  id: 'churn-bfc',
  about: 'a million random operations, the generator of golden/bfc churn_1M (half under 4 KiB, 3 % up to 16 MiB)',
  capacity: GiB(2),
  parameters: {
    ops: operations,
    max_live: integer(4000, { min: 1, max: 1_000_000, unit: say`tensors` }, 'live tensors at most'),
    seed: seedParameter(20_260_101),
  },
  endsWith: ENDS_WITH,
  run: (program, { ops, max_live, seed }) => {
    const random = mulberry32(seed);
    churn(program, random, ops, {
      grows: (live) => live === 0 || (live < max_live && random() % 100 < 55),
      size: () => {
        const percent = random() % 100;
        if (percent < 50) return 1 + (random() % KiB(4));
        if (percent < 80) return 1 + (random() % KiB(64));
        return percent < 97 ? 1 + (random() % MiB(1)) : 1 + (random() % MiB(16));
      },
    });
  },
});

export const churnUniform = defineWorkload({
  id: 'churn',
  about: 'random allocations and frees with sizes spread evenly over the powers of two between two bounds',
  capacity: GiB(1),
  parameters: {
    ops: integer(20_000, operations, operations.about),
    max_live: integer(64, { min: 1, max: 1_000_000, unit: say`tensors` }, 'live tensors at most'),
    smallest: size(KiB(1), { min: 1, max: GiB(64) }, 'smallest tensor'),
    largest: size(MiB(64), { min: 1, max: GiB(64) }, 'largest tensor'),
    grow: integer(55, { min: 1, max: 100, unit: '%' }, 'chance that an operation makes a tensor, under the ceiling'),
    seed: seedParameter(1),
  },
  endsWith: ENDS_WITH,
  check: ({ smallest, largest }) => {
    if (smallest > largest)
      throw badInput('smallest', say`churn: smallest is above largest; give smallest at most largest`);
  },
  run: (program, { ops, max_live, smallest, largest, grow, seed }) => {
    const random = mulberry32(seed);
    churn(program, random, ops, {
      grows: (live) => live === 0 || (live < max_live && random() % 100 < grow),
      size: () => logUniform(random, smallest, largest),
    });
  },
});

interface Mix {
  /** Whether the next operation allocates. */
  readonly grows: (live: number) => boolean;
  readonly size: () => number;
}

function churn(program: Program, random: Random, count: number, mix: Mix): void {
  const live: number[] = [];
  for (let i = 0; i < count; i++) {
    if (mix.grows(live.length)) {
      live.push(program.allocate(mix.size(), 'temporary', ''));
      continue;
    }
    const victim = random() % live.length;
    program.free(live[victim]!);
    live[victim] = live[live.length - 1]!;
    live.pop();
  }
}

/** Sizes whose logarithm is uniform: as many between 1 and 2 MiB as between 32 and 64 MiB. */
function logUniform(random: Random, smallest: number, largest: number): number {
  const drawn = Math.floor(smallest * (largest / smallest) ** unitInterval(random));
  return Math.min(largest, Math.max(smallest, drawn));
}
