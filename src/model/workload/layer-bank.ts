/**
 * The small loop of the workshop (lessons/lessons.json, generator `layer-bank`): every layer output is kept for the
 * backward pass and also collected in a bank, by a concat after each layer, in a buffer made once, or in a list that is
 * joined at the end. Small enough for real buffers; tensors carry the names that the lessons use.
 */
import { MiB } from '../../base/units.js';
import { say } from '../../base/said.js';
import { choice, flag, integer, type ParameterValues, text } from './parameter.js';
import { type Program } from './program.js';
import { defineWorkload } from './workload.js';

const PARAMETERS = {
  variant: choice('concat', ['concat', 'buffer', 'list'], 'how the bank of layer outputs is kept'),
  layers: integer(12, { min: 1, max: 1000, unit: say`layers` }, 'layers'),
  hidden: integer(6, { min: 1, max: 4096, unit: 'MiB' }, 'one layer output of one sample'),
  work: integer(2, { min: 1, max: 64, unit: say`layer outputs` }, 'size of the work tensor of a layer'),
  batch: integer(1, { min: 1, max: 1024, unit: say`samples` }, 'batch'),
  steps: integer(4, { min: 1, max: 10_000, unit: say`steps` }, 'training steps'),
  weights: integer(5, { min: 0, max: 1000, unit: say`tensors` }, 'weights'),
  weight: integer(20, { min: 1, max: 65_536, unit: 'MiB' }, 'one weight'),
  emptyEachStep: flag(false, 'empty_cache at the start of each step but the first'),
  emptyBefore: text(
    '',
    /^(bank[1-9][0-9]*_[1-9][0-9]*)?$/,
    say`a bank such as bank3_12, or nothing`,
    'empty_cache right before this bank is made (variant concat)',
  ),
} as const;

export const layerBank = defineWorkload({
  id: 'layer-bank',
  about: 'twelve layers whose outputs are kept and also joined to a bank: concat, one buffer, or a list (workshop)',
  capacity: MiB(448),
  parameters: PARAMETERS,
  endsWith: 'the weights, and the bank of `buffer`',
  alternatives: ({ batch }) => [
    { variant: 'buffer' },
    { variant: 'list' },
    ...(typeof batch === 'number' && 2 * batch <= PARAMETERS.batch.max
      ? [{ variant: 'buffer', batch: 2 * batch }]
      : []),
  ],
  run: (program, values) => {
    for (let i = 1; i <= values.weights; i++) program.allocate(MiB(values.weight), 'parameter', `w${i}`);
    if (values.variant === 'buffer') program.allocate(units(values, values.layers), 'temporary', 'bank');
    for (let step = 1; step <= values.steps; step++) {
      if (values.emptyEachStep && step > 1) program.emptyCache();
      trainStep(program, values, step);
    }
  },
});

/** Bytes of `n` layer outputs of the whole batch. */
const units = ({ hidden, batch }: ParameterValues<typeof PARAMETERS>, n: number): number => MiB(n * hidden * batch);

function trainStep(program: Program, values: ParameterValues<typeof PARAMETERS>, step: number): void {
  const { layers, variant, emptyBefore, work } = values;
  const one = units(values, 1);
  program.marker(`step ${step}`);
  const outputs = [program.allocate(one, 'activation', `x${step}_0`)];
  let bank: number | undefined;
  for (let l = 1; l <= layers; l++) {
    const used = program.allocate(units(values, work), 'temporary', `u${step}_${l}`);
    outputs.push(program.allocate(one, 'activation', `x${step}_${l}`));
    program.free(used);
    if (variant !== 'concat') continue;
    const name = `bank${step}_${l}`;
    if (emptyBefore === name) program.emptyCache();
    const joined = program.allocate(units(values, l), 'temporary', name);
    if (bank !== undefined) program.free(bank);
    bank = joined;
  }
  if (variant === 'list') bank = program.allocate(units(values, layers), 'temporary', `bank${step}_${layers}`);
  program.marker(`backward ${step}`);
  for (let l = layers; l >= 1; l--) {
    program.free(program.allocate(units(values, work), 'temporary', `g${step}_${l}`));
    program.free(outputs[l]!);
  }
  program.free(outputs[0]!);
  if (bank !== undefined) program.free(bank);
}
