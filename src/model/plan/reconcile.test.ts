/** Formula against replay: for every architecture with a name, and for jobs drawn at random. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { GiB } from '../../base/units.js';
import { makeAllocator } from '../allocator/registry.js';
import { ARCHITECTURES } from './architecture/presets.js';
import { modelOfArchitecture, modelOfCount } from './model.js';
import { makePlan, type Plan } from './plan.js';
import { bytesByTerm, reconcile } from './reconcile.js';
import { type PlanSettings, planSettings } from './settings.js';
import { makeStep } from './step/make-step.js';

const roomy = () => makeAllocator({ name: 'caching', capacity: GiB(900) }).allocator;

/** Every term's formula is the most bytes that the term has in the step, to the byte. */
function checkFormulas(plan: Plan): void {
  const step = makeStep(plan);
  expect(step).toBeDefined();
  if (step === undefined) return;
  const { most } = bytesByTerm(step, 0);
  const formulas = plan.terms.filter(({ inCache, bytes }) => inCache && bytes !== undefined && bytes > 0);
  expect(Object.fromEntries(most)).toEqual(Object.fromEntries(formulas.map(({ id, bytes }) => [id, bytes])));
}

const JOBS: Readonly<Record<string, Partial<PlanSettings>>> = {
  plain: {},
  'master weights, fp32 gradients': { masterWeights: true, gradientBytes: 4, optimizerStep: 'foreach' },
  'ZeRO-3': { zero: 3, dataParallel: 8, recompute: 'full', flash: true, masterWeights: true },
  'ZeRO-2, offload': { zero: 2, dataParallel: 4, offload: 'optimizer', recompute: 'selective' },
  'data parallel, accumulation': { dataParallel: 2, accumulate: 3, flash: true },
  LoRA: { mode: 'lora', weights: 'nf4', adapterTargets: 'all', recompute: 'full' },
};

describe.each(Object.entries(JOBS))('%s', (_, job) => {
  test.each(ARCHITECTURES.map(({ name }) => name))('%s: each formula is the most that its term has', (name) => {
    const architecture = ARCHITECTURES.find((each) => each.name === name) ?? ARCHITECTURES[0];
    if (architecture === undefined) throw new Error('no architectures');
    checkFormulas(makePlan(modelOfArchitecture(architecture), planSettings({ batch: 2, sequence: 128, ...job })));
  });
});

test.each(ARCHITECTURES.map(({ name }) => name))('%s: the terms add up to the peak allocated', (name) => {
  const architecture = ARCHITECTURES.find((each) => each.name === name);
  if (architecture === undefined) throw new Error(name);
  // The largest would need more than the model's 900 GiB on one device.
  const plan = makePlan(
    modelOfArchitecture(architecture),
    planSettings({ batch: 1, sequence: 256, zero: 3, dataParallel: 64, recompute: 'full' }),
  );
  const step = makeStep(plan);
  if (step === undefined) throw new Error('no step');
  const allocator = roomy();
  const result = reconcile(plan, step, allocator);
  const total = plan.terms.reduce((sum, { inCache, bytes = 0 }) => sum + (inCache ? bytes : 0), 0);
  expect(result.unexplained).toBe(0);
  expect(result.rounding).toBeGreaterThanOrEqual(0);
  expect(total - result.notAtPeak + result.rounding).toBe(result.peakAllocated);
  expect(allocator.stats()['allocated_bytes.all.peak']).toBe(result.peakAllocated);
});

const one = <T>(...values: T[]) => fc.constantFrom(...values);
const ANY_JOB = fc.record({
  name: one(
    'gpt2',
    'opt-350m',
    'llama-3.2-1b',
    'qwen2-0.5b',
    'qwen3-0.6b',
    'bert-base-cased',
    't5-small',
    't5-v1.1-small',
  ),
  batch: fc.integer({ min: 1, max: 5 }),
  tokens: fc.integer({ min: 1, max: 20 }),
  precision: one('fp16' as const, 'fp32' as const, 'pure-bf16' as const),
  optimizer: one('adam' as const, 'adam8bit' as const, 'sgd' as const, 'sgd-momentum' as const, 'adafactor' as const),
  optimizerStep: one('fused' as const, 'foreach' as const),
  gradientBytes: one(undefined, 2, 4),
  masterWeights: fc.boolean(),
  zero: one(0 as const, 1 as const, 2 as const, 3 as const),
  dataParallel: one(1, 2, 3, 8),
  tensorParallel: one(1, 2),
  pipelineParallel: one(1, 2, 4),
  sequenceParallel: fc.boolean(),
  recompute: one('none' as const, 'selective' as const, 'full' as const),
  flash: fc.boolean(),
  accumulate: fc.integer({ min: 1, max: 5 }),
  offload: one('none' as const, 'optimizer' as const),
  mode: one('train' as const, 'train' as const, 'lora' as const, 'inference' as const),
  weights: one('native' as const, 'int8' as const, 'nf4' as const, 'int4' as const),
  stage: fc.integer({ min: 0, max: 3 }),
});

it('holds for any job', () => {
  fc.assert(
    fc.property(ANY_JOB, (job) => {
      const architecture = ARCHITECTURES.find(({ name }) => name === job.name);
      if (architecture === undefined) throw new Error(job.name);
      const two = architecture.kind === 'encoder-decoder';
      const mode = two && job.mode === 'inference' ? 'train' : job.mode;
      const pipelineParallel = two || architecture.layers % job.pipelineParallel !== 0 ? 1 : job.pipelineParallel;
      const tensorParallel = architecture.heads % job.tensorParallel === 0 ? job.tensorParallel : 1;
      const sequenceParallel = job.sequenceParallel && !two;
      const zero = mode === 'train' ? job.zero : 0;
      const settings = planSettings({
        ...job,
        mode,
        zero,
        pipelineParallel,
        tensorParallel,
        sequenceParallel,
        sequence: job.tokens * tensorParallel,
        stage: job.stage % pipelineParallel,
        offload: zero === 0 ? 'none' : job.offload,
        masterWeights: job.masterWeights && job.precision !== 'fp32',
        weights: mode === 'train' ? 'native' : job.weights,
      });
      checkFormulas(makePlan(modelOfArchitecture(architecture), settings));
    }),
    { numRuns: 300 },
  );
});

it('holds for a count with a shape', () => {
  const model = modelOfCount(7e9, { layers: 32, hidden: 4096, heads: 32, vocabulary: 32_000 });
  for (const zero of [0, 3] as const) {
    checkFormulas(makePlan(model, planSettings({ batch: 1, sequence: 512, zero, dataParallel: 8, accumulate: 2 })));
  }
});
