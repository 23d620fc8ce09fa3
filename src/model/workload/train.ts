/**
 * The small training loop of the workshop (lessons/lessons.json, generator `train`): Adam moments, gradients that are kept
 * or made anew, accumulation over micro batches, recompute. It shows that the peak is a moment and not a sum.
 */
import { MiB } from '../../base/units.js';
import { say } from '../../base/said.js';
import { flag, integer, type ParameterValues } from './parameter.js';
import { freeAll, type Program } from './program.js';
import { defineWorkload } from './workload.js';

const PARAMETERS = {
  batch: integer(1, { min: 1, max: 1024, unit: say`samples` }, 'samples of a micro batch'),
  micro: integer(1, { min: 1, max: 1024, unit: say`micro batches` }, 'micro batches a step (gradient accumulation)'),
  steps: integer(2, { min: 1, max: 10_000, unit: say`steps` }, 'optimiser steps'),
  layers: integer(6, { min: 1, max: 1000, unit: say`layers` }, 'layers'),
  param: integer(10, { min: 1, max: 65_536, unit: 'MiB' }, 'weight of a layer; each of two moments has twice that'),
  act: integer(12, { min: 1, max: 65_536, unit: 'MiB' }, 'activations of a layer, one sample'),
  keepGradients: flag(false, 'gradients are made once and stay, instead of being made in each backward pass'),
  checkpoint: integer(
    0,
    { min: 0, max: 65_536, unit: 'MiB' },
    'what a layer keeps of one sample when it is recomputed; 0: no recompute',
  ),
} as const;
type Values = ParameterValues<typeof PARAMETERS>;

export const train = defineWorkload({
  id: 'train',
  about: 'a small loop with Adam moments, kept gradients, accumulation and recompute: where the peak is (workshop)',
  capacity: MiB(1024),
  parameters: PARAMETERS,
  endsWith: 'weights and moments, and the gradients where they are kept',
  run: (program, values) => {
    const { layers, param } = values;
    const each = (prefix: string, size: number, category: 'parameter' | 'optimizer' | 'gradient') =>
      Array.from({ length: layers }, (_, l) => program.allocate(size, category, `${prefix}${l + 1}`));
    each('w', MiB(param), 'parameter');
    each('m', MiB(2 * param), 'optimizer');
    each('v', MiB(2 * param), 'optimizer');
    if (values.keepGradients) each('g', MiB(param), 'gradient');
    program.marker('static');
    for (let step = 1; step <= values.steps; step++) {
      const gradients: number[] = [];
      for (let k = 1; k <= values.micro; k++) microBatch(program, values, step, k, gradients);
      // Made from the last layer to the first, freed from the first to the last.
      freeAll(program, gradients.reverse());
    }
  },
});

/** One forward and backward pass. Without kept gradients the first pass of a step makes them, the others add to them. */
function microBatch(program: Program, values: Values, step: number, k: number, gradients: number[]): void {
  const { layers, batch, param, checkpoint, keepGradients } = values;
  const activations = MiB(values.act * batch);
  const kept = MiB(checkpoint * batch);
  const recompute = checkpoint > 0;
  const accumulate = keepGradients || k > 1;
  const pass = `${step}_${k}_`;
  program.marker(`forward ${step}.${k}`);
  const saved: number[] = [];
  for (let l = 1; l <= layers; l++) {
    if (recompute) {
      saved.push(program.allocate(kept, 'activation', `c${pass}${l}`));
      program.free(program.allocate(activations, 'activation', `h${pass}${l}`));
    } else {
      saved.push(program.allocate(activations, 'activation', `h${pass}${l}`));
    }
  }
  program.marker(`backward ${step}.${k}`);
  for (let l = layers; l >= 1; l--) {
    const again = recompute ? program.allocate(activations, 'activation', `r${pass}${l}`) : undefined;
    if (accumulate) program.free(program.allocate(MiB(param), 'temporary', `d${pass}${l}`));
    else gradients.push(program.allocate(MiB(param), 'gradient', `g${step}_${l}`));
    if (again !== undefined) program.free(again);
    program.free(saved[l - 1]!);
  }
  program.marker(`end ${step}.${k}`);
}
