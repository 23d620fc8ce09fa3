/**
 * The flagship case: one rank of 8 training a 13B OPT-like model on 40 GB cards with ZeRO-3, recompute of every layer and
 * chunked cross entropy, whose loop keeps the hidden state of every layer. With `torch.cat` after each layer batch 4 runs
 * out of memory while 6 GiB are free; with one buffer made once batch 8 fits. Written from the description in
 * golden/case13b/README.md; the golden files and 128 longer runs check it operation by operation.
 */
import { badInput } from '../../../base/errors.js';
import { say } from '../../../base/said.js';
import { MiB } from '../../../base/units.js';
import { paddedLengths } from '../lengths.js';
import { freeAll, type Program } from '../program.js';
import { backwardLayer, runLayer, type StepSizes, stepSizes } from '../transformer-layer.js';
import { defineWorkload } from '../workload.js';
import { fetchWeights, type Gather, ReduceBucket, waitForWeights } from '../zero3.js';
import { CASE13B_PARAMETERS, type Case13bValues } from './parameters.js';
import { type ModelSizes, modelSizes, parameterCount, shardGroups } from './sizes.js';

const CUBLAS_WORKSPACE = 8_519_680;
const HEAD_CHUNK_ROWS = 1024;
const MOST_GROUPS = 1000;

/** 39.39 GiB visible on a 40 GB card, less 1 GiB for the CUDA context and NCCL. */
export const CASE13B_CAPACITY = MiB(39_310);

export const case13b = defineWorkload({
  id: 'case13b',
  about: '13B parameters on 40 GB cards (ZeRO-3): temporary concats of all layer outputs against one buffer made once',
  capacity: CASE13B_CAPACITY,
  parameters: CASE13B_PARAMETERS,
  endsWith: 'the static part: shards, small parameters, workspace, bucket, and the buffer of `prealloc`',
  alternatives: ({ b }) => [
    { variant: 'prealloc' },
    { variant: 'list' },
    ...(typeof b === 'number' && 2 * b <= CASE13B_PARAMETERS.b.max ? [{ variant: 'prealloc', b: 2 * b }] : []),
  ],
  check: checkTogether,
  run: (program, values) => {
    const loop = new TrainingLoop(program, values);
    case13bLengths(values).forEach((length, step) => loop.step(step, length));
  },
});

/** The padded sequence length of each step. */
export const case13bLengths = (values: Case13bValues): number[] =>
  paddedLengths({
    seed: values.seed,
    steps: values.steps,
    batch: values.b,
    shortest: values.smin,
    longest: values.smax,
    multiple: values.pad,
    distribution: values.dist,
    order: values.order,
  });

function checkTogether(values: Case13bValues): void {
  const { smin, smax, grad_bytes, subgroup } = values;
  if (smin > smax) throw badInput('smin', say`case13b: smin ${smin} is above smax ${smax}; give smin at most smax`);
  if (grad_bytes === 3) throw badInput('grad_bytes', say`case13b: grad_bytes: "3" is not usable; give 2 or 4`);
  if (parameterCount(values) / values.ranks / subgroup > MOST_GROUPS) {
    throw badInput(
      'subgroup',
      say`case13b: subgroup ${subgroup} cuts the shard into over ${MOST_GROUPS} groups; give more`,
    );
  }
}

class TrainingLoop {
  readonly #program: Program;
  readonly #values: Case13bValues;
  readonly #model: ModelSizes;
  readonly #groups: readonly number[];
  readonly #bucket: ReduceBucket;

  constructor(program: Program, values: Case13bValues) {
    this.#program = program;
    this.#values = values;
    this.#model = modelSizes(values);
    this.#groups = shardGroups(values);
    this.#bucket = new ReduceBucket(program, values.bucket, values.contiguous_gradients);
    this.#makeStatic();
  }

  /** What is made once and never freed. */
  #makeStatic(): void {
    const { L, b, smax, h, grad_bytes, bucket, contiguous_gradients, variant } = this.#values;
    const program = this.#program;
    this.#groups.forEach((g, i) => program.allocate(2 * g, 'parameter', `shard ${i}`));
    this.#groups.forEach((g, i) => program.allocate(grad_bytes * g, 'gradient', `shard ${i}.grad`));
    this.#groups.forEach((g, i) => {
      for (const state of ['master', 'exp_avg', 'exp_avg_sq']) {
        program.allocate(4 * g, 'optimizer', `shard ${i} ${state}`);
      }
    });
    for (let l = 0; l < L; l++) program.allocate(this.#model.small, 'parameter', `layers.${l}.norms and biases`);
    program.allocate(this.#model.positions, 'parameter', 'position embedding');
    program.allocate(CUBLAS_WORKSPACE, 'temporary', 'cuBLAS workspace');
    if (contiguous_gradients) program.allocate(2 * bucket, 'communication', 'gradient bucket');
    if (variant === 'prealloc') program.allocate(2 * L * b * smax * h, 'temporary', 'hidden states (one buffer)');
  }

  step(index: number, length: number): void {
    const { b, h, heads, flash, variant, L, grad_bytes, empty_each_step } = this.#values;
    const program = this.#program;
    const sizes = stepSizes(b, length, h, heads);
    program.marker(`step ${index}`);
    const batch = ['input ids', 'labels', 'attention mask'].map((name) =>
      program.allocate(8 * b * length, 'activation', name),
    );
    const causal = flash ? [] : [program.allocate(2 * b * length * length, 'activation', 'causal mask')];

    const forward = this.#forward(sizes);
    const statistics = variant === 'none' ? [] : [program.allocate(4 * L, 'temporary', 'layer statistics')];
    const head = this.#head(sizes, forward.lastGather, forward.output);
    program.marker(`backward ${index}`);
    const gradient = this.#backward(sizes, forward.checkpoints, head.gather, head.gradient);

    const embeddingGradient = program.allocate(this.#model.embedding, 'gradient', 'embedding.grad');
    program.free(gradient);
    this.#bucket.add(embeddingGradient, this.#model.embedding);
    this.#bucket.flush();
    freeAll(program, [...forward.history, ...statistics, ...batch, head.loss, ...causal]);
    if (grad_bytes === 2) {
      program.marker(`optimizer ${index}`);
      this.#groups.forEach((g, i) => program.free(program.allocate(4 * g, 'temporary', `shard ${i}.grad in fp32`)));
    }
    if (empty_each_step) program.emptyCache();
  }

  #forward(sizes: StepSizes) {
    const program = this.#program;
    const { L, flash, variant } = this.#values;
    const { layer, embedding } = this.#model;
    const table = waitForWeights(program, fetchWeights(program, [embedding], 'embedding'));
    let gather = fetchWeights(program, layer, 'layers.0');
    const tokens = program.allocate(sizes.hidden, 'temporary', 'token embeddings');
    const positions = program.allocate(sizes.hidden, 'temporary', 'position embeddings');
    let x = program.allocate(sizes.hidden, 'activation', 'embeddings');
    freeAll(program, [tokens, positions, ...table]);

    const checkpoints: number[] = [];
    let history: number[] = [];
    for (let l = 0; l < L; l++) {
      const weights = waitForWeights(program, gather);
      gather = l < L - 1 ? fetchWeights(program, layer, `layers.${l + 1}`) : fetchWeights(program, [embedding], 'head');
      checkpoints.push(x);
      x = runLayer(program, sizes, flash, false, `layers.${l}`).output;
      freeAll(program, weights);
      if (variant === 'concat') {
        const joined = program.allocate((l + 1) * sizes.hidden, 'temporary', `cat of ${l + 1} hidden states`);
        freeAll(program, history);
        history = [joined];
      }
    }
    if (variant === 'list') history = [program.allocate(L * sizes.hidden, 'temporary', `stack of ${L} hidden states`)];
    return { output: x, checkpoints, history, lastGather: gather };
  }

  /** Language-model head with the loss in chunks of rows, and its backward pass. */
  #head(sizes: StepSizes, gather: Gather, x: number) {
    const program = this.#program;
    const { V, h } = this.#values;
    const { embedding, layer } = this.#model;
    const weights = waitForWeights(program, gather);
    const final = program.allocate(sizes.hidden, 'activation', 'final norm');
    const dFinal = program.allocate(sizes.hidden, 'gradient', 'd final norm');
    const weightGradient = program.allocate(embedding, 'gradient', 'head.grad');
    const loss = program.allocate(4, 'activation', 'loss');
    for (let row = 0; row < sizes.rows; row += HEAD_CHUNK_ROWS) {
      const rows = Math.min(HEAD_CHUNK_ROWS, sizes.rows - row);
      const logits = program.allocate(2 * rows * V, 'temporary', 'logits');
      const logits32 = program.allocate(4 * rows * V, 'temporary', 'logits in fp32');
      program.free(logits);
      const dLogits32 = program.allocate(4 * rows * V, 'gradient', 'd logits in fp32');
      program.free(logits32);
      const dLogits = program.allocate(2 * rows * V, 'gradient', 'd logits');
      program.free(dLogits32);
      const dRows = program.allocate(2 * rows * h, 'gradient', 'd final norm, chunk');
      freeAll(program, [dRows, dLogits]);
    }
    freeAll(program, [final, ...weights]);
    const next = fetchWeights(program, layer, `layers.${this.#values.L - 1}`);
    this.#bucket.add(weightGradient, embedding);
    const gradient = program.allocate(sizes.hidden, 'gradient', 'd last layer');
    freeAll(program, [dFinal, x]);
    return { loss, gather: next, gradient };
  }

  /** Recomputes each layer from its checkpoint and runs its backward pass; returns the gradient of the embeddings. */
  #backward(sizes: StepSizes, checkpoints: readonly number[], first: Gather, gradient: number): number {
    const program = this.#program;
    const { flash, L } = this.#values;
    const { layer } = this.#model;
    let gather: Gather | undefined = first;
    let incoming = gradient;
    for (let l = L - 1; l >= 0 && gather !== undefined; l--) {
      const name = `layers.${l}`;
      const weights = waitForWeights(program, gather);
      gather = l > 0 ? fetchWeights(program, layer, `layers.${l - 1}`) : undefined;
      const { output, saved } = runLayer(program, sizes, flash, true, name);
      program.free(output);
      incoming = backwardLayer(program, sizes, layer, this.#bucket, saved, incoming, name);
      freeAll(program, [...checkpoints.slice(l, l + 1), ...weights]);
    }
    return incoming;
  }
}
