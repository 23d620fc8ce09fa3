/**
 * Data-parallel training with gradient buckets: gradients are copied into flat buckets that are reduced as they fill. After
 * the first step the buckets are made again in the order in which gradients really came, as PyTorch's DDP does. With views
 * the gradients live inside the buckets and have no tensors of their own.
 */
import { MiB } from '../../base/units.js';
import { say } from '../../base/said.js';
import { choice, flag, integer, type ParameterValues } from './parameter.js';
import { freeAll, type Program } from './program.js';
import { defineWorkload } from './workload.js';

const PARAMETERS = {
  gradients: choice('copy', ['copy', 'view'], 'own tensors copied into buckets, or views of the buckets'),
  layers: integer(24, { min: 1, max: 1000, unit: say`layers` }, 'layers'),
  weight: integer(8, { min: 1, max: 65_536, unit: 'MiB' }, 'weight of a layer'),
  bucket: integer(25, { min: 1, max: 65_536, unit: 'MiB' }, 'bucket size (bucket_cap_mb)'),
  first_bucket: integer(1, { min: 1, max: 65_536, unit: 'MiB' }, 'size of the first bucket to be reduced'),
  activation: integer(12, { min: 1, max: 65_536, unit: 'MiB' }, 'activations that a layer keeps'),
  steps: integer(4, { min: 1, max: 10_000, unit: say`steps` }, 'training steps'),
  rebuild: flag(true, 'make the buckets again after the first step'),
} as const;
type Values = ParameterValues<typeof PARAMETERS>;

export const gradientBuckets = defineWorkload({
  id: 'gradient-buckets',
  about: 'data-parallel training: gradients beside their reduce buckets, or as views of them',
  capacity: MiB(1024),
  parameters: PARAMETERS,
  endsWith: 'weights, buckets, and the gradients of `copy`',
  alternatives: () => [{ gradients: 'view' }],
  run: (program, values) => {
    for (let l = 0; l < values.layers; l++) program.allocate(MiB(values.weight), 'parameter', `layers.${l}.weight`);
    let buckets = makeBuckets(program, values);
    const gradients = new Map<number, number>();
    for (let step = 0; step < values.steps; step++) {
      program.marker(`step ${step}`);
      trainStep(program, values, gradients);
      if (step > 0 || !values.rebuild) continue;
      const again = makeBuckets(program, values);
      freeAll(program, buckets);
      buckets = again;
    }
  },
});

/** Buckets from the last layer to the first: a small one first, so that reducing starts early. */
function makeBuckets(program: Program, { layers, weight, bucket, first_bucket }: Values): number[] {
  const made: number[] = [];
  let fill = 0;
  const close = () => {
    if (fill > 0) made.push(program.allocate(MiB(fill), 'communication', `bucket ${made.length}`));
    fill = 0;
  };
  for (let l = 0; l < layers; l++) {
    fill += weight;
    if (fill >= (made.length === 0 ? first_bucket : bucket)) close();
  }
  close();
  return made;
}

function trainStep(program: Program, values: Values, gradients: Map<number, number>): void {
  const { layers, activation, weight } = values;
  const kept = Array.from({ length: layers }, (_, l) =>
    program.allocate(MiB(activation), 'activation', `layers.${l}.output`),
  );
  let incoming = program.allocate(MiB(activation), 'gradient', 'd output');
  program.marker('backward');
  for (let l = layers - 1; l >= 0; l--) {
    const name = `layers.${l}.weight.grad`;
    const gradient = program.allocate(MiB(weight), 'gradient', name);
    // Own gradients stay after the first step and are added to; views are written into their bucket.
    if (values.gradients === 'view' || gradients.has(l)) program.free(gradient);
    else gradients.set(l, gradient);
    const outgoing = program.allocate(MiB(activation), 'gradient', `d layers.${l}.input`);
    freeAll(program, [incoming, kept[l]!]);
    incoming = outgoing;
  }
  program.free(incoming);
}
