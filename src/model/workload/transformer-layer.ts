/**
 * One transformer layer with its dropouts, forward and backward, tensor by tensor, in fp16 (golden/case13b/README.md). `Saved` is what a layer that is kept
 * (recomputed before its backward pass) holds; with the input it sums to 34sbh (+ 5 * heads * s^2 * b without fused
 * attention), the formula of Korthikanti et al. (2022).
 */
import { type Category, freeAll, type Program } from './program.js';

/** Where a weight gradient goes once it is made: into a bucket, or onto the one that is there. */
export interface GradientSink {
  /** Takes over the gradient, of `size` bytes, of the layer's weight `index` (q, k, v, o, fc1, fc2). */
  add(tensor: number, size: number, index: number): void;
}

/** Sizes in bytes of what depends on the rows (batch x padded length) of a step. */
export interface StepSizes {
  readonly length: number;
  /** b * s, one row a token. */
  readonly rows: number;
  /** Hidden state in fp16: 2bsh. */
  readonly hidden: number;
  /** Dropout mask, a byte an element. */
  readonly mask: number;
  /** Softmax statistics of fused attention, fp32: 4 * b * heads * s. */
  readonly statistics: number;
  /** Score matrices in fp16, 2 * b * heads * s^2, and their mask, half of it. */
  readonly scores: number;
  readonly scoreMask: number;
}

/** Sizes for a batch of sequences padded to `length` tokens; `width` is the hidden size in elements. */
export function stepSizes(batch: number, length: number, width: number, heads: number): StepSizes {
  const rows = batch * length;
  const scoreMask = batch * heads * length * length;
  return {
    length,
    rows,
    hidden: 2 * rows * width,
    mask: rows * width,
    statistics: 4 * batch * heads * length,
    scores: 2 * scoreMask,
    scoreMask,
  };
}

/** What attention leaves for its backward pass. */
type AttentionSaved =
  | { readonly kind: 'flash'; readonly statistics: number }
  | { readonly kind: 'full'; readonly softmax: number; readonly mask: number; readonly dropped: number };

export interface Saved {
  readonly norm1: number;
  readonly q: number;
  readonly k: number;
  readonly v: number;
  readonly attention: AttentionSaved;
  readonly context: number;
  readonly mask1: number;
  readonly residual: number;
  readonly norm2: number;
  readonly up: number;
  readonly activated: number;
  readonly mask2: number;
}

export interface LayerRun {
  readonly output: number;
  readonly saved: Saved;
}

/** Runs a layer on an input that the caller owns. Without `keep` everything but the output is freed on the way. */
export function runLayer(program: Program, sizes: StepSizes, flash: boolean, keep: boolean, name: string): LayerRun {
  const { hidden, mask } = sizes;
  const category: Category = keep ? 'activation' : 'temporary';
  const make = (size: number, part: string) => program.allocate(size, category, `${name}.${part}`);
  const drop = (...tensors: number[]) => {
    if (!keep) freeAll(program, tensors);
  };

  const norm1 = make(hidden, 'norm1');
  const q = make(hidden, 'q');
  const k = make(hidden, 'k');
  const v = make(hidden, 'v');
  drop(norm1);
  let attention: AttentionSaved;
  let context: number;
  if (flash) {
    attention = { kind: 'flash', statistics: make(sizes.statistics, 'softmax statistics') };
    context = make(hidden, 'context');
    drop(q, k, v, attention.statistics);
  } else {
    const scores = make(sizes.scores, 'scores');
    const softmax = make(sizes.scores, 'softmax');
    program.free(scores);
    const scoreMask = make(sizes.scoreMask, 'score mask');
    const dropped = make(sizes.scores, 'dropped scores');
    drop(softmax, scoreMask);
    context = make(hidden, 'context');
    drop(dropped);
    attention = { kind: 'full', softmax, mask: scoreMask, dropped };
    drop(q, k, v);
  }
  const projected = make(hidden, 'projection');
  drop(context);
  const mask1 = make(mask, 'dropout mask 1');
  const dropped1 = make(hidden, 'dropout 1');
  program.free(projected);
  drop(mask1);
  const residual = make(hidden, 'residual');
  program.free(dropped1);
  const norm2 = make(hidden, 'norm2');
  const up = make(4 * hidden, 'fc1');
  drop(norm2);
  const activated = make(4 * hidden, 'activation');
  drop(up);
  const down = make(hidden, 'fc2');
  drop(activated);
  const mask2 = make(mask, 'dropout mask 2');
  const dropped2 = make(hidden, 'dropout 2');
  program.free(down);
  drop(mask2);
  const output = program.allocate(hidden, 'activation', `${name}.output`);
  program.free(dropped2);
  drop(residual);
  return {
    output,
    saved: { norm1, q, k, v, attention, context, mask1, residual, norm2, up, activated, mask2 },
  };
}

/**
 * The backward pass of a kept layer: frees all that was saved and the gradient that came in, hands each weight gradient
 * on, and returns the gradient of the layer's input.
 */
export function backwardLayer(
  program: Program,
  sizes: StepSizes,
  weights: readonly number[],
  gradients: GradientSink,
  saved: Saved,
  incoming: number,
  name: string,
): number {
  const { hidden } = sizes;
  const make = (size: number, part: string) => program.allocate(size, 'gradient', `d ${name}.${part}`);
  const weightGradient = (index: number, ...released: number[]) => {
    const size = weights[index] ?? 0;
    const gradient = program.allocate(size, 'gradient', `${name}.weight ${index}.grad`);
    freeAll(program, released);
    gradients.add(gradient, size, index);
  };

  const dDropout2 = make(hidden, 'dropout 2');
  program.free(saved.mask2);
  const dActivated = make(4 * hidden, 'activation');
  weightGradient(5, saved.activated, dDropout2);
  const dUp = make(4 * hidden, 'fc1');
  freeAll(program, [dActivated, saved.up]);
  const dNorm2 = make(hidden, 'norm2');
  weightGradient(4, saved.norm2, dUp);
  const dResidual2 = make(hidden, 'residual 2');
  freeAll(program, [dNorm2, saved.residual]);
  const dResidual = make(hidden, 'residual');
  freeAll(program, [dResidual2, incoming]);
  const dDropout1 = make(hidden, 'dropout 1');
  program.free(saved.mask1);
  const dContext = make(hidden, 'context');
  weightGradient(3, saved.context, dDropout1);
  const [dQ, dK, dV] = backwardAttention(program, sizes, saved, dContext, make);
  const a1 = make(hidden, 'norm1 by v');
  weightGradient(2, dV);
  const a2 = make(hidden, 'norm1 by k');
  weightGradient(1, dK);
  const a3 = make(hidden, 'norm1 by k, v');
  freeAll(program, [a1, a2]);
  const a4 = make(hidden, 'norm1 by q');
  weightGradient(0, dQ);
  const a5 = make(hidden, 'norm1');
  freeAll(program, [a3, a4, saved.norm1]);
  const dInput = make(hidden, 'input by norm1');
  program.free(a5);
  const sum = make(hidden, 'input');
  freeAll(program, [dInput, dResidual]);
  return sum;
}

function backwardAttention(
  program: Program,
  sizes: StepSizes,
  { attention, q, k, v }: Saved,
  dContext: number,
  make: (size: number, part: string) => number,
): [number, number, number] {
  const { hidden, scores } = sizes;
  if (attention.kind === 'flash') {
    const dQ = make(hidden, 'q');
    const dK = make(hidden, 'k');
    const dV = make(hidden, 'v');
    freeAll(program, [dContext, q, k, v, attention.statistics]);
    return [dQ, dK, dV];
  }
  const dDropped = make(scores, 'dropped scores');
  const dV = make(hidden, 'v');
  freeAll(program, [attention.dropped, v, dContext]);
  const dSoftmax = make(scores, 'softmax');
  freeAll(program, [dDropped, attention.mask]);
  const dScores = make(scores, 'scores');
  freeAll(program, [dSoftmax, attention.softmax]);
  const dQ = make(hidden, 'q');
  const dK = make(hidden, 'k');
  freeAll(program, [dScores, q, k]);
  return [dQ, dK, dV];
}
