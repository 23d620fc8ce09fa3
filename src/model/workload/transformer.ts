/**
 * Training a transformer on one card: batch and length vary from step to step, layer outputs may be kept in a bank (by a
 * temporary concat after each layer, in one buffer, in a list), layers may be recomputed, gradients accumulated, and every
 * few steps an evaluation with its own shapes comes between.
 */
import { mulberry32, type Random } from '../../base/random.js';
import { GiB, MiB } from '../../base/units.js';
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { choice, flag, integer, type ParameterValues, seedParameter } from './parameter.js';
import { freeAll, type Program } from './program.js';
import { TransformerJob } from './transformer-job.js';
import { defineWorkload } from './workload.js';

const tokens = { min: 1, max: 65_536, unit: say`tokens` };
const sequences = { min: 1, max: 1024, unit: say`sequences` };

/** What the training and the evaluation workload have in common. */
const MODEL = {
  layers: integer(12, { min: 1, max: 256, unit: say`layers` }, 'transformer layers'),
  hidden: integer(1024, { min: 64, max: 32_768, unit: say`elements` }, 'hidden size'),
  heads: integer(16, { min: 1, max: 512, unit: say`heads` }, 'attention heads'),
  vocab: integer(32_000, { min: 1, max: 1_000_000, unit: say`tokens` }, 'vocabulary'),
  flash: flag(true, 'fused attention; otherwise the score matrices are made and kept'),
  recompute: flag(true, 'keep only layer inputs and run each layer again before its backward pass'),
  seq_min: integer(128, tokens, 'shortest padded sequence'),
  seq_max: integer(512, tokens, 'longest padded sequence'),
  batch: integer(8, sequences, 'largest batch'),
  seed: seedParameter(1),
} as const;

const TRAINING = {
  bank: choice('concat', ['none', 'concat', 'list', 'prealloc'], 'how the outputs of all layers are kept in a step'),
  steps: integer(8, { min: 1, max: 1000, unit: say`steps` }, 'optimiser steps'),
  batch_min: integer(8, sequences, 'smallest batch; equal to `batch` for a fixed one'),
  accumulate: integer(1, { min: 1, max: 64, unit: say`micro batches` }, 'micro batches a step (gradient accumulation)'),
  keep_gradients: flag(false, 'gradients stay between steps instead of being freed (set_to_none=False)'),
  ...MODEL,
} as const;

const EVALUATION = {
  gather: choice('concat', ['none', 'concat', 'list', 'prealloc'], 'how the logits of an evaluation are collected'),
  steps: integer(12, { min: 1, max: 1000, unit: say`steps` }, 'optimiser steps'),
  every: integer(4, { min: 1, max: 1000, unit: say`steps` }, 'training steps between evaluations'),
  eval_batches: integer(6, { min: 1, max: 1000, unit: say`batches` }, 'batches of an evaluation'),
  eval_batch: integer(16, sequences, 'batch of an evaluation'),
  empty_cache: flag(false, 'torch.cuda.empty_cache() after each evaluation'),
  ...MODEL,
} as const;

export const transformer = defineWorkload({
  id: 'transformer',
  about: 'mixed-precision training with varying batch and length; layer outputs banked by concat, list or one buffer',
  capacity: MiB(4300),
  parameters: TRAINING,
  endsWith: 'weights, moments, gradients where they are kept, and the bank of `prealloc`',
  alternatives: () => [{ bank: 'prealloc' }, { bank: 'list' }],
  check: (values) => {
    checkLengths('transformer', values);
    if (values.batch_min > values.batch) {
      throw badInput('batch_min', say`transformer: batch_min is above batch; give batch_min at most batch`);
    }
  },
  run: (program, values) => {
    const random = mulberry32(values.seed);
    const job = makeJob(program, values);
    if (values.bank === 'prealloc') job.makeBank(values.batch);
    for (let step = 0; step < values.steps; step++) {
      program.marker(`step ${step}`);
      for (let micro = 0; micro < values.accumulate; micro++) {
        const batch = between(random, values.batch_min, values.batch);
        job.trainStep(batch, between(random, values.seq_min, values.seq_max), values.bank);
      }
      program.marker('optimizer');
      job.optimizerStep(values.keep_gradients);
    }
  },
});

export const evaluation = defineWorkload({
  id: 'evaluation',
  about:
    'training with an evaluation every few steps, whose larger batches and gathered logits leave their segments behind',
  capacity: GiB(8),
  parameters: EVALUATION,
  endsWith: 'weights and moments',
  alternatives: () => [{ gather: 'prealloc' }, { gather: 'list' }, { empty_cache: true }],
  check: (values) => checkLengths('evaluation', values),
  run: (program, values) => {
    const random = mulberry32(values.seed);
    const job = makeJob(program, values);
    for (let step = 0; step < values.steps; step++) {
      program.marker(`step ${step}`);
      job.trainStep(values.batch, between(random, values.seq_min, values.seq_max), 'none');
      program.marker('optimizer');
      job.optimizerStep(false);
      if ((step + 1) % values.every === 0) {
        program.marker(`evaluation after step ${step}`);
        evaluate(program, job, values);
        if (values.empty_cache) program.emptyCache();
      }
    }
  },
});

/** Runs the batches of an evaluation and collects their logits; all are freed at its end. */
function evaluate(program: Program, job: TransformerJob, values: ParameterValues<typeof EVALUATION>): void {
  const { gather, eval_batch, eval_batches, seq_max, vocab } = values;
  const one = 2 * eval_batch * seq_max * vocab;
  let held: number[] = [];
  if (gather === 'prealloc') held = [program.allocate(one * eval_batches, 'temporary', 'all logits')];
  for (let i = 0; i < eval_batches; i++) {
    const logits = job.evaluate(eval_batch, seq_max);
    if (gather === 'list') {
      held.push(logits);
      continue;
    }
    if (gather === 'concat') {
      const joined = program.allocate(one * (i + 1), 'temporary', `cat of ${i + 1} logits`);
      freeAll(program, held);
      held = [joined];
    }
    program.free(logits);
  }
  freeAll(program, held);
}

function makeJob(program: Program, values: ParameterValues<typeof MODEL>): TransformerJob {
  return new TransformerJob(program, {
    layers: values.layers,
    hidden: values.hidden,
    heads: values.heads,
    vocabulary: values.vocab,
    longest: values.seq_max,
    flash: values.flash,
    recompute: values.recompute,
  });
}

function checkLengths(id: string, { seq_min, seq_max }: ParameterValues<typeof MODEL>): void {
  if (seq_min > seq_max) throw badInput('seq_min', say`${id}: seq_min is above seq_max; give seq_min at most seq_max`);
}

/** A whole number from `least` to `most`. */
const between = (random: Random, least: number, most: number): number => least + (random() % (most - least + 1));
