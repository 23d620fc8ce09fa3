/**
 * tensorflow/tensorflow#30827: ResNet-50 in fp32 on a card of 16 GB. With allow_growth the regions that autotuning left
 * behind keep XLA, which asks for one block a step, at batch 96; when free regions are given back it reaches 160, as one
 * pool does. The program is the network's convolutions at their real sizes, reduced to what is kept: output of each
 * convolution and of its norm and ReLU; run operation by operation TensorFlow keeps each residual sum as well, XLA fuses
 * it. Batches in steps of 32, as in the pull request.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GiB, MiB } from '../../../base/units.js';
import { BfcAllocator } from '../../allocator/bfc/bfc-allocator.js';

const published = JSON.parse(
  readFileSync(new URL('../../../../test-data/plan/published.json', import.meta.url), 'utf8'),
) as { 'tf-30827': { expected: { batch_xla_before: number; batch_tf: number; batch_xla_after: number } } };

interface Convolution {
  /** Bytes of its output for one image. */
  readonly output: number;
  readonly weights: number;
  /** The last of a residual block: a sum follows. */
  readonly closes: boolean;
}

/** ResNet-50: four stages of bottlenecks; the first of a stage halves the image and has a projection. */
function resnet50(): Convolution[] {
  const all: Convolution[] = [];
  const add = (side: number, channels: number, inputs: number, kernel: number, closes = false) =>
    all.push({ output: 4 * side * side * channels, weights: 4 * kernel * kernel * inputs * channels, closes });
  add(112, 64, 3, 7);
  let inputs = 64;
  for (const [side, width, blocks] of [
    [56, 64, 3],
    [28, 128, 4],
    [14, 256, 6],
    [7, 512, 3],
  ] as const) {
    for (let block = 0; block < blocks; block++) {
      add(block === 0 && side < 56 ? 2 * side : side, width, inputs, 1);
      add(side, width, width, 3);
      if (block === 0) add(side, 4 * width, inputs, 1);
      add(side, 4 * width, width, 1, true);
      inputs = 4 * width;
    }
  }
  return all;
}

/** What TensorFlow leaves of 16 GB, and the most that autotuning may take (TF_CUDNN_WORKSPACE_LIMIT_IN_MB). */
const LIMIT = MiB(15_024);
const WORKSPACE = GiB(4);
/** Bytes of the class layer, and of one image. */
const CLASSES = 4 * 2048 * 1001;
const IMAGE = 4 * 224 * 224 * 3;
/** Positions of a 3 x 3 kernel: what an unrolled convolution multiplies its output by. */
const KERNEL = 9;

class OutOfMemory extends Error {}

function completes(
  batch: number,
  isFused: boolean,
  options: { allowGrowth: boolean; garbageCollection: boolean },
): boolean {
  const allocator = new BfcAllocator({ memoryLimit: LIMIT, ...options });
  const make = (size: number): number => {
    const block = allocator.malloc(size);
    if (block < 0) throw new OutOfMemory();
    return block;
  };
  const layers = resnet50();
  try {
    // Weights and momentum, an input, then autotuning: a candidate that does not fit is no error.
    for (const { weights } of [...layers, { weights: CLASSES }]) {
      make(weights);
      make(weights);
    }
    make(batch * IMAGE);
    for (const { output } of layers) {
      const scratch = allocator.malloc(Math.min(WORKSPACE, batch * output * KERNEL));
      if (scratch >= 0) allocator.free(scratch);
    }
    for (let step = 0; step < 2; step++) {
      if (isFused) fusedStep(layers, batch, allocator, make);
      else plainStep(layers, batch, allocator, make);
    }
    return true;
  } catch (error) {
    if (error instanceof OutOfMemory) return false;
    throw error;
  }
}

/** XLA: one block for everything that a step keeps, one for the gradients. */
function fusedStep(
  layers: readonly Convolution[],
  batch: number,
  allocator: BfcAllocator,
  make: (size: number) => number,
) {
  const kept = make(layers.reduce((sum, { output }) => sum + 2 * batch * output, 0));
  const gradients = make(layers.reduce((sum, { weights }) => sum + weights, 0));
  allocator.free(kept);
  allocator.free(gradients);
}

/** Operation by operation: tensors are kept one by one and freed as the gradient passes them. */
function plainStep(
  layers: readonly Convolution[],
  batch: number,
  allocator: BfcAllocator,
  make: (size: number) => number,
) {
  const kept = layers.map(({ output, closes }) => Array.from({ length: closes ? 3 : 2 }, () => make(batch * output)));
  const gradients: number[] = [];
  let incoming = make(batch * (layers.at(-1)?.output ?? 1));
  for (let i = layers.length - 1; i >= 0; i--) {
    const { output = 1, weights = 1 } = layers[i] ?? {};
    const outgoing = make(batch * output);
    gradients.push(make(weights));
    for (const tensor of [...(kept[i] ?? []), incoming]) allocator.free(tensor);
    incoming = outgoing;
  }
  for (const tensor of [incoming, ...gradients]) allocator.free(tensor);
}

function largest(isFused: boolean, allowGrowth: boolean, garbageCollection: boolean): number {
  const batches = [32, 64, 96, 128, 160, 192, 224];
  return Math.max(0, ...batches.filter((batch) => completes(batch, isFused, { allowGrowth, garbageCollection })));
}

test.each([
  ['XLA with growth, regions kept', true, true, false, published['tf-30827'].expected.batch_xla_before],
  ['TensorFlow with growth', false, true, false, published['tf-30827'].expected.batch_tf],
  ['XLA with growth, free regions given back', true, true, true, published['tf-30827'].expected.batch_xla_after],
  // "Both allow_growth=false without the PR and allow_growth=true with this PR can do 160."
  ['XLA with one pool', true, false, false, published['tf-30827'].expected.batch_xla_after],
] as const)('%s', (_, isFused, growth, collection, expected) => {
  expect(largest(isFused, growth, collection)).toBe(expected);
});
