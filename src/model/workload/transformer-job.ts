/**
 * A transformer in training on one card with mixed precision (fp16 weights, fp32 master copy and Adam moments), as a set of
 * moves that workloads put together: make the model, run a training step, run an evaluation pass.
 */
import { defined } from '../../base/errors.js';
import { freeAll, type Program } from './program.js';
import {
  backwardLayer,
  type GradientSink,
  runLayer,
  type Saved,
  type StepSizes,
  stepSizes,
} from './transformer-layer.js';

export interface TransformerModel {
  readonly layers: number;
  /** Hidden size in elements; the feed-forward width is four times that. */
  readonly hidden: number;
  readonly heads: number;
  readonly vocabulary: number;
  /** Longest sequence: rows of the position embedding. */
  readonly longest: number;
  readonly flash: boolean;
  /** Keep only the layer inputs and run each layer again before its backward pass. */
  readonly recompute: boolean;
}

/** How the loop keeps the outputs of all layers until the end of a step. */
export type BankMode = 'none' | 'concat' | 'list' | 'prealloc';

/** A weight and the gradient that belongs to it, once it has been made. */
interface Weight {
  readonly size: number;
  gradient: number | undefined;
}

const LOSS_BYTES = 4;

export class TransformerJob {
  readonly #program: Program;
  readonly #model: TransformerModel;
  readonly #weights = new Map<string, Weight>();
  #momentsMade = false;

  constructor(program: Program, model: TransformerModel) {
    this.#program = program;
    this.#model = model;
    const { layers, hidden, vocabulary, longest } = model;
    this.#makeWeight('embedding', 2 * vocabulary * hidden);
    this.#makeWeight('positions', 2 * longest * hidden);
    for (let l = 0; l < layers; l++) {
      this.#layerSizes().forEach((size, i) => this.#makeWeight(`layers.${l}.weight ${i}`, size));
      this.#makeWeight(`layers.${l}.norms and biases`, 2 * 13 * hidden);
    }
  }

  /** The buffer of a preallocated bank, for the largest batch that will come. */
  makeBank(batch: number): number {
    const { layers, longest, hidden } = this.#model;
    return this.#program.allocate(2 * layers * batch * longest * hidden, 'temporary', 'bank of layer outputs');
  }

  /** One forward and backward pass; the gradients are added up. */
  trainStep(batch: number, length: number, bank: BankMode): void {
    const program = this.#program;
    const { recompute, layers, vocabulary, hidden } = this.#model;
    const sizes = this.#sizesOf(batch, length);
    const inputs = this.#inputs(sizes);
    const saved: { readonly input: number; readonly kept: Saved | undefined }[] = [];
    let history: number[] = [];
    let x = this.#embed(sizes);
    for (let l = 0; l < layers; l++) {
      const run = runLayer(program, sizes, this.#model.flash, !recompute, `layers.${l}`);
      saved.push({ input: x, kept: recompute ? undefined : run.saved });
      x = run.output;
      if (bank === 'concat') history = this.#join(history, (l + 1) * sizes.hidden, `cat of ${l + 1} layer outputs`);
    }
    if (bank === 'list') history = this.#join(history, layers * sizes.hidden, `stack of ${layers} layer outputs`);
    let incoming = this.#loss(sizes, x);
    program.marker('backward');
    for (let l = layers - 1; l >= 0; l--) {
      const { input, kept } = saved[l]!;
      incoming = this.#backward(sizes, l, kept, incoming);
      program.free(input);
    }
    const embeddingGradient = program.allocate(2 * vocabulary * hidden, 'gradient', 'embedding.grad');
    program.free(incoming);
    this.#keepGradient('embedding', embeddingGradient);
    freeAll(program, [...history, ...inputs]);
  }

  /** An evaluation pass without gradients: nothing is kept but the logits, which the caller frees or keeps. */
  evaluate(batch: number, length: number): number {
    const program = this.#program;
    const { layers, vocabulary, flash } = this.#model;
    const sizes = this.#sizesOf(batch, length);
    const inputs = this.#inputs(sizes);
    let x = this.#embed(sizes);
    for (let l = 0; l < layers; l++) {
      const { output } = runLayer(program, sizes, flash, false, `eval layers.${l}`);
      program.free(x);
      x = output;
    }
    const logits = program.allocate(2 * sizes.rows * vocabulary, 'activation', 'eval logits');
    freeAll(program, [x, ...inputs]);
    return logits;
  }

  /** Adam: moments and master copies are made in the first step, gradients go unless they are kept. */
  optimizerStep(keepGradients: boolean): void {
    const program = this.#program;
    if (!this.#momentsMade) {
      for (const [name, { size }] of this.#weights) {
        for (const state of ['master', 'exp_avg', 'exp_avg_sq'])
          program.allocate(2 * size, 'optimizer', `${name} ${state}`);
      }
      this.#momentsMade = true;
    }
    for (const [name, { size }] of this.#weights) {
      program.free(program.allocate(2 * size, 'temporary', `${name} update`));
    }
    if (keepGradients) return;
    for (const weight of this.#weights.values()) {
      if (weight.gradient !== undefined) program.free(weight.gradient);
      weight.gradient = undefined;
    }
  }

  #layerSizes(): number[] {
    const square = 2 * this.#model.hidden ** 2;
    return [square, square, square, square, 4 * square, 4 * square];
  }

  #makeWeight(name: string, size: number): void {
    this.#program.allocate(size, 'parameter', name);
    this.#weights.set(name, { size, gradient: undefined });
  }

  #sizesOf(batch: number, length: number): StepSizes {
    return stepSizes(batch, length, this.#model.hidden, this.#model.heads);
  }

  /** Token ids and labels, 8 bytes each. */
  #inputs({ rows }: StepSizes): number[] {
    return ['input ids', 'labels'].map((name) => this.#program.allocate(8 * rows, 'activation', name));
  }

  #embed({ hidden }: StepSizes): number {
    const program = this.#program;
    const tokens = program.allocate(hidden, 'temporary', 'token embeddings');
    const sum = program.allocate(hidden, 'activation', 'embeddings');
    program.free(tokens);
    return sum;
  }

  /** torch.cat: the new copy is made while the old one is still there. */
  #join(old: readonly number[], size: number, name: string): number[] {
    const joined = this.#program.allocate(size, 'temporary', name);
    freeAll(this.#program, old);
    return [joined];
  }

  /** Cross entropy over the whole vocabulary, forward and backward; returns the gradient of the last layer's output. */
  #loss({ rows, hidden }: StepSizes, x: number): number {
    const program = this.#program;
    const logits = program.allocate(2 * rows * this.#model.vocabulary, 'activation', 'logits');
    const logits32 = program.allocate(4 * rows * this.#model.vocabulary, 'activation', 'logits in fp32');
    const loss = program.allocate(LOSS_BYTES, 'activation', 'loss');
    const dLogits = program.allocate(4 * rows * this.#model.vocabulary, 'gradient', 'd logits in fp32');
    freeAll(program, [logits32, logits]);
    const dLast = program.allocate(hidden, 'gradient', 'd last layer');
    freeAll(program, [dLogits, loss, x]);
    return dLast;
  }

  #backward(sizes: StepSizes, l: number, kept: Saved | undefined, incoming: number): number {
    const program = this.#program;
    const name = `layers.${l}`;
    let saved = kept;
    if (saved === undefined) {
      const again = runLayer(program, sizes, this.#model.flash, true, name);
      program.free(again.output);
      saved = again.saved;
    }
    return backwardLayer(program, sizes, this.#layerSizes(), this.#gradientsOf(name), saved, incoming, name);
  }

  /** The first gradient of a weight stays, later ones are added to it and freed. */
  #gradientsOf(layer: string): GradientSink {
    return {
      add: (tensor, _size, index) => {
        this.#keepGradient(`${layer}.weight ${index}`, tensor);
      },
    };
  }

  #keepGradient(name: string, gradient: number): void {
    const weight = defined(this.#weights.get(name), name);
    if (weight.gradient === undefined) weight.gradient = gradient;
    else this.#program.free(gradient);
  }
}
