/**
 * The training loops that the lab runs, by name: `workload-placement`. Concat and preallocated are the same loop, keeping
 * its data in another way; placements differ in where tensors go. Each fits a preset's time and memory.
 */
import { CASE13B_CAPACITY } from '../workload/case13b/case13b.js';
import { findWorkload } from '../workload/catalogue.js';
import { type ParameterInput } from '../workload/parameter.js';
import { traceOf } from '../workload/trace-program.js';
import { type Preset } from '../report/schema.js';
import { MiB } from '../../base/units.js';
import { type Trace } from '../trace/trace.js';
import { type Placement } from './placement.js';

/** A loop before anything is placed. */
export interface LabWorkload {
  /** First part of a variant's name. */
  readonly name: string;
  readonly workload: string;
  readonly parameters: ParameterInput;
  /** Bytes of the memory that it was made for, before scaling. */
  readonly capacity: number;
  /** The trace itself, where no workload of ours makes it. */
  readonly trace?: Trace;
  /** Settings of the caching allocator, none unless given. */
  readonly conf?: string;
}

export interface Variant {
  /** `concat-caching`. */
  readonly id: string;
  readonly loop: LabWorkload;
  readonly placement: Placement;
}

const LESSON = { workload: 'lesson-loop', capacity: MiB(992) } as const;
const concat: LabWorkload = { name: 'concat', parameters: { bank: 'concat' }, ...LESSON };
const prealloc: LabWorkload = { name: 'prealloc', parameters: { bank: 'prealloc' }, ...LESSON };

/** Flagship: seed 2 is the run of the golden files, which fails in its third step. */
const flagship = (variant: 'concat' | 'prealloc', b: number): LabWorkload => ({
  name: `case13b-${variant}${variant === 'prealloc' ? `-b${b}` : ''}`,
  workload: 'case13b',
  parameters: { variant, b, seed: 2, steps: 3 },
  capacity: CASE13B_CAPACITY,
});

const KV_SIZES: Readonly<Record<Preset, ParameterInput>> = {
  quick: { layers: 2, new_tokens: 16, rounds: 2, weights: 128 },
  standard: { layers: 4, new_tokens: 48, rounds: 2, weights: 256 },
  full: { layers: 8, new_tokens: 96, rounds: 3, weights: 512 },
};
const kv = (cache: 'concat' | 'prealloc', preset: Preset): LabWorkload => ({
  name: `kv-${cache}`,
  workload: 'kv-cache',
  parameters: { cache, ...KV_SIZES[preset] },
  capacity: MiB(768),
});

const variantsOf = (loop: LabWorkload, placements: readonly Placement[]): Variant[] =>
  placements.map((placement) => ({ id: `${loop.name}-${placement}`, loop, placement }));

const SIDES: Readonly<Record<Preset, readonly Placement[]>> = {
  quick: ['direct', 'cache-bucket', 'arena'],
  standard: ['direct', 'cache-bucket', 'cache-exact', 'arena'],
  full: ['direct', 'cache-bucket', 'cache-exact', 'cache-tfjs', 'arena'],
};

/** Every variant of a preset, in the order in which they run. */
export function variantsFor(preset: Preset): readonly Variant[] {
  const sides = SIDES[preset];
  return [
    ...variantsOf(concat, ['caching', ...sides]),
    ...variantsOf(prealloc, ['caching', ...(preset === 'quick' ? [] : sides)]),
    ...variantsOf(flagship('concat', 4), ['caching', ...(preset === 'full' ? sides : [])]),
    ...variantsOf(flagship('prealloc', 8), ['caching', ...(preset === 'full' ? sides : [])]),
    ...variantsOf(kv('concat', preset), ['caching', ...(preset === 'quick' ? [] : sides)]),
    ...variantsOf(kv('prealloc', preset), ['caching', ...(preset === 'quick' ? [] : sides)]),
  ];
}

/** The trace of a loop. */
export const traceOfLoop = ({ workload, parameters, trace }: LabWorkload): Trace =>
  trace ?? traceOf(findWorkload(workload), parameters);

/** A given trace under every placement: `trace-caching`, ... */
export const variantsOfTrace = (given: {
  readonly trace: Trace;
  readonly capacity: number;
  readonly conf: string;
}): Variant[] =>
  variantsOf({ name: 'trace', workload: given.trace.name, parameters: {}, ...given }, [
    'caching',
    'direct',
    'cache-bucket',
    'arena',
  ]);

/** The loops whose largest batch is searched. */
export const BATCH_LOOPS = ['concat', 'prealloc'] as const;
export type BatchLoop = (typeof BATCH_LOOPS)[number];
/** Batches that the search may try. */
export const MOST_BATCH = 16;
/** The flagship loop at a batch. */
export const batchLoop = (loop: BatchLoop, batch: number): LabWorkload => ({
  ...flagship(loop, batch),
  name: `case13b-${loop}-b${batch}`,
});
