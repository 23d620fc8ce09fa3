/**
 * Gather buffers of ZeRO-3: before a layer runs its weights are gathered from all ranks into a new flat buffer and cut into
 * tensors, or into buffers made once and used in turn. Between the gathers activations are made that stay until the
 * backward pass.
 */
import { mulberry32 } from '../../base/random.js';
import { say } from '../../base/said.js';
import { KiB, MiB } from '../../base/units.js';
import { choice, integer, type ParameterValues, seedParameter } from './parameter.js';
import { freeAll, type Program } from './program.js';
import { defineWorkload } from './workload.js';
import { fetchWeights, type Gather, ReduceBucket, waitForWeights } from './zero3.js';

const PARAMETERS = {
  buffers: choice(
    'fresh',
    ['fresh', 'prealloc'],
    'gather into new tensors, or into buffers made once and used in turn',
  ),
  layers: integer(16, { min: 1, max: 500, unit: say`layers` }, 'layers'),
  weight: integer(48, { min: 1, max: 65_536, unit: 'MiB' }, 'weights of a layer'),
  spread: integer(50, { min: 0, max: 95, unit: '%' }, 'how much smaller than `weight` a layer may be'),
  tensors: integer(4, { min: 1, max: 64, unit: say`tensors` }, 'tensors that the weights of a layer are cut into'),
  ranks: integer(8, { min: 1, max: 65_536, unit: say`ranks` }, 'ranks that share the states'),
  prefetch: integer(1, { min: 0, max: 8, unit: say`layers` }, 'layers gathered ahead'),
  activation: integer(6, { min: 1, max: 65_536, unit: 'MiB' }, 'activations that a layer keeps'),
  bucket: integer(64, { min: 1, max: 65_536, unit: 'MiB' }, 'gradient reduce bucket'),
  steps: integer(6, { min: 1, max: 1000, unit: say`steps` }, 'training steps'),
  seed: seedParameter(1),
} as const;
type Values = ParameterValues<typeof PARAMETERS>;

export const zero3Gather = defineWorkload({
  id: 'zero3-gather',
  about: 'ZeRO-3 gathers of layers of unequal size: new buffers each time against buffers made once',
  capacity: MiB(1040),
  parameters: PARAMETERS,
  endsWith: 'the shards, and the buffers of `prealloc`',
  alternatives: () => [{ buffers: 'prealloc' }],
  run: (program, values) => new GatherLoop(program, values).run(),
});

class GatherLoop {
  readonly #program: Program;
  readonly #values: Values;
  /** Sizes of the tensors of each layer. */
  readonly #layers: readonly (readonly number[])[];

  constructor(program: Program, values: Values) {
    this.#program = program;
    this.#values = values;
    const random = mulberry32(values.seed);
    this.#layers = Array.from({ length: values.layers }, () => {
      const share = 1 - ((random() % 101) * values.spread) / 10_000;
      // Whole KiB, so that every tensor is a whole number of fp16 elements.
      const each = KiB(Math.max(1, Math.floor((values.weight * 1024 * share) / values.tensors)));
      return Array.from({ length: values.tensors }, () => each);
    });
  }

  run(): void {
    const { ranks, steps, buffers, prefetch } = this.#values;
    const program = this.#program;
    const total = this.#layers.reduce((sum, layer) => sum + sumOf(layer), 0);
    const shard = Math.ceil(total / ranks);
    program.allocate(shard, 'parameter', 'shard');
    program.allocate(2 * shard, 'gradient', 'shard.grad');
    for (const state of ['master', 'exp_avg', 'exp_avg_sq']) program.allocate(2 * shard, 'optimizer', `shard ${state}`);
    if (buffers === 'prealloc') {
      const largest = Math.max(...this.#layers.map(sumOf));
      for (let i = 0; i <= prefetch; i++) program.allocate(largest, 'communication', `gather buffer ${i}`);
    }
    for (let step = 0; step < steps; step++) this.#step(step);
  }

  #step(step: number): void {
    const program = this.#program;
    const { activation, layers, bucket } = this.#values;
    const reduce = new ReduceBucket(program, MiB(bucket) / 2, false);
    program.marker(`step ${step}`);
    const kept: number[] = [];
    this.#visit(ascending(layers), () => {
      const work = program.allocate(MiB(2 * activation), 'temporary', 'work');
      kept.push(program.allocate(MiB(activation), 'activation', `layers.${kept.length}.output`));
      program.free(work);
    });
    program.marker(`backward ${step}`);
    this.#visit(ascending(layers).reverse(), (l) => {
      program.free(program.allocate(MiB(2 * activation), 'gradient', 'd work'));
      for (const size of this.#layers[l]!) {
        reduce.add(program.allocate(size, 'gradient', `layers.${l}.grad`), size);
      }
      program.free(kept[l]!);
    });
    reduce.flush();
  }

  /** Runs something on each layer while its weights are there, with the gathers of the next ones under way. */
  #visit(order: readonly number[], work: (layer: number) => void): void {
    const program = this.#program;
    if (this.#values.buffers === 'prealloc') {
      order.forEach(work);
      return;
    }
    const ahead: Gather[] = [];
    order.forEach((l, at) => {
      while (ahead.length <= this.#values.prefetch && at + ahead.length < order.length) {
        const next = order[at + ahead.length]!;
        ahead.push(fetchWeights(program, this.#layers[next]!, `layers.${next}`));
      }
      const weights = waitForWeights(program, ahead.shift()!);
      work(l);
      freeAll(program, weights);
    });
  }
}

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, each) => sum + each, 0);

const ascending = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
