/**
 * One training step of one device as a trace: states first, then micro-batches forward and backward in the order of the
 * pipeline schedule (one forward, one backward), then the optimizer.
 *
 *     const { trace, terms } = trainingStep('gpt2', shape);
 *     replay(trace, allocator);
 */
import { say } from '../../../base/said.js';
import { defined } from '../../../base/errors.js';
import { type RankGroup } from '../rank.js';
import { type StepShape } from '../shape.js';
import { type EncoderGradient } from './blocks.js';
import { Layers, type LayerSaved } from './layers.js';
import { NOTHING, Recorder, type StepTrace } from './recorder.js';
import { CUBLAS_WORKSPACE } from '../terms/workspace.js';
import { Weights } from './weights.js';

const LOSS_BYTES = 4;

/** What one micro-batch leaves between its forward and its backward pass. */
interface MicroBatch {
  readonly inputs: readonly number[];
  readonly layers: readonly LayerSaved[];
  readonly last: number;
  /** Encoder-decoder: the encoder's layers, its last state and its output. */
  readonly encoder:
    { readonly layers: readonly LayerSaved[]; readonly last: number; readonly output: number } | undefined;
  /** Gradient of the last state, once the loss is known. */
  readonly gradient: number;
}

/** The trace of `steps` steps. */
export function trainingStep(
  name: string,
  shape: StepShape,
  steps = 1,
  meta: Readonly<Record<string, unknown>> = {},
): StepTrace {
  const record = new Recorder(name);
  const run = new TrainingStep(record, shape);
  for (let step = 0; step < steps; step++) run.step(step);
  return record.finish(meta);
}

class TrainingStep {
  readonly #record: Recorder;
  readonly #shape: StepShape;
  readonly #weights: Weights;
  readonly #layers: Layers;
  readonly #embedding: RankGroup | undefined;
  readonly #stack: readonly RankGroup[];
  readonly #head: RankGroup | undefined;

  constructor(record: Recorder, shape: StepShape) {
    this.#record = record;
    this.#shape = shape;
    this.#weights = new Weights(record, shape.rank, shape.settings);
    this.#layers = new Layers(record, shape, this.#weights);
    const { groups } = shape.rank;
    this.#embedding = groups.find(({ part }) => part === 'embedding');
    this.#stack = groups.filter(({ part }) => part === 'layer');
    this.#head = groups.find(({ part }) => part === 'head');
    this.#weights.makeStates();
    record.make(CUBLAS_WORKSPACE, 'workspace', 'cuBLAS workspace');
  }

  /** One forward, one backward: a stage runs ahead by as many micro-batches as there are stages behind it. */
  step(number: number): void {
    const { inFlight } = this.#shape.rank;
    const { accumulate } = this.#shape.settings;
    this.#record.mark(say`step ${number}`);
    const waiting: MicroBatch[] = [];
    for (let micro = 0; micro < accumulate; micro++) {
      waiting.push(this.#forward(micro));
      if (waiting.length === inFlight) this.#backward(defined(waiting.shift(), 'a micro-batch'));
    }
    for (const micro of waiting) this.#backward(micro);
    this.#weights.step();
  }

  #forward(micro: number): MicroBatch {
    const { rank, architecture, ids } = this.#shape;
    const record = this.#record;
    record.mark(say`forward ${micro}`);
    const two = architecture.kind === 'encoder-decoder';
    const inputs: number[] = [];
    if (rank.isFirst) inputs.push(record.make(ids, 'activations', 'token numbers'));
    if (rank.isFirst && two) inputs.push(record.make(ids, 'activations', 'decoder token numbers'));
    if (rank.isLast) inputs.push(record.make(ids, 'activations', 'labels'));
    const split = two ? architecture.layers : 0;
    let encoder: MicroBatch['encoder'];
    if (two) {
      const first = this.#embed(inputs, this.#stack[0]);
      const run = this.#through(this.#stack.slice(0, split), first, this.#embedding);
      const output = record.make(this.#shape.hidden, 'activations', 'encoder output');
      encoder = { layers: run.layers, last: run.last, output };
    }
    const start = this.#embed(inputs, this.#stack[split]);
    const run = this.#through(this.#stack.slice(split), start, this.#head);
    const gradient = rank.isLast ? this.#loss(run.last, inputs) : NOTHING;
    if (!rank.isLast) record.free(run.last);
    return { inputs, layers: run.layers, last: run.last, encoder, gradient };
  }

  /** The state that the first layer starts from: embedded here, or sent by the stage before. */
  #embed(inputs: number[], first: RankGroup | undefined): number {
    const { rank, hidden, whole, mask, architecture, gathers } = this.#shape;
    const record = this.#record;
    if (!rank.isFirst) {
      this.#weights.fetch(first);
      return record.make(hidden, 'activations', 'state from the stage before');
    }
    this.#weights.fetch(this.#embedding);
    this.#weights.wait();
    this.#weights.fetch(first);
    const tokens = gathers
      ? record.make(whole, 'communication', 'token embeddings over the sequence')
      : record.make(hidden, 'temporaries', 'token embeddings');
    const state = record.make(hidden, 'activations', 'embeddings');
    record.free(tokens);
    if (architecture.dropout) inputs.push(record.make(mask, 'activations', 'embedding dropout mask'));
    this.#weights.release();
    return state;
  }

  /** Runs layers in a row; `next` is gathered while the last of them runs. */
  #through(
    groups: readonly RankGroup[],
    first: number,
    next: RankGroup | undefined,
  ): { layers: LayerSaved[]; last: number } {
    const { rank } = this.#shape;
    const layers: LayerSaved[] = [];
    let state = first;
    groups.forEach((group, i) => {
      this.#weights.wait();
      const isEnd = i === groups.length - 1;
      if (!isEnd || rank.isLast)
        this.#weights.fetch(isEnd ? (next === this.#embedding ? undefined : next) : groups[i + 1]);
      const { output, saved } = this.#layers.forward(group, state, isEnd && !rank.isLast ? 'none' : 'activations');
      layers.push(saved);
      state = output;
      this.#weights.release();
    });
    return { layers, last: state };
  }

  /** Output layer and cross entropy, forward and backward at once; returns the gradient of the last layer's output. */
  #loss(last: number, inputs: number[]): number {
    const { hidden, whole, gathers, width, rank, batch, sequence, architecture } = this.#shape;
    const record = this.#record;
    this.#weights.wait();
    this.#weights.fetch(this.#stack[this.#stack.length - 1]);
    record.mark(say`loss`);
    const normed = architecture.finalNorm ? record.make(hidden, 'activations', 'final norm') : NOTHING;
    const full = record.make(gathers ? whole : 0, 'communication', 'final norm over the sequence');
    const elements = batch * sequence * rank.vocabulary;
    const logits = record.make(width * elements, 'logits', 'logits');
    const exact = width === 2 ? record.make(4 * elements, 'logits', 'logits in fp32') : NOTHING;
    inputs.push(record.make(LOSS_BYTES, 'activations', 'loss'));
    let dLogits = record.make(4 * elements, 'logits', 'd logits in fp32');
    record.free(exact, logits);
    if (width === 2) {
      const narrow = record.make(2 * elements, 'logits', 'd logits');
      record.free(dLogits);
      dLogits = narrow;
    }
    const dNormed = gathers
      ? record.make(whole, 'communication', 'd final norm over the sequence')
      : record.make(hidden, 'temporaries', 'd final norm');
    if (this.#head !== undefined) this.#weights.gradients(this.#head, () => true);
    if (rank.sharedTokens > 0 && this.#embedding !== undefined)
      this.#weights.gradients(this.#embedding, (name) => name === 'tokens');
    record.free(dLogits, full);
    const own = gathers ? record.make(hidden, 'temporaries', 'd final norm') : dNormed;
    if (gathers) record.free(dNormed);
    let gradient = own;
    if (architecture.finalNorm) {
      gradient = record.make(hidden, 'temporaries', 'd last state');
      record.free(own, normed);
    }
    record.free(last);
    this.#weights.release();
    return gradient;
  }

  #backward({ inputs, layers, encoder, gradient: fromLoss }: MicroBatch): void {
    const { hidden, rank } = this.#shape;
    const record = this.#record;
    record.mark(say`backward`);
    if (!rank.isLast) this.#weights.fetch(layers[layers.length - 1]?.group);
    let gradient = rank.isLast ? fromLoss : record.make(hidden, 'temporaries', 'gradient from the stage behind');
    let sum: EncoderGradient | undefined;
    if (encoder !== undefined) sum = { tensor: record.make(hidden, 'temporaries', 'd encoder output') };
    gradient = this.#backThrough(layers, gradient, sum, encoder?.layers[encoder.layers.length - 1]?.group);
    this.#embeddingGradient(gradient);
    if (encoder !== undefined && sum !== undefined) {
      const dLast = record.make(hidden, 'temporaries', 'd last encoder state');
      record.free(sum.tensor, encoder.output, encoder.last);
      this.#embeddingGradient(this.#backThrough(encoder.layers, dLast, undefined, undefined));
    }
    record.free(...inputs);
  }

  #backThrough(
    layers: readonly LayerSaved[],
    incoming: number,
    encoder: EncoderGradient | undefined,
    next: RankGroup | undefined,
  ): number {
    let gradient = incoming;
    for (let i = layers.length - 1; i >= 0; i--) {
      this.#weights.wait();
      this.#weights.fetch(i > 0 ? layers[i - 1]?.group : next);
      gradient = this.#layers.backward(defined(layers[i], 'a layer'), gradient, encoder);
      this.#weights.release();
    }
    return gradient;
  }

  /** Dense gradients of the embedding tables; on later stages the gradient is sent on. */
  #embeddingGradient(gradient: number): void {
    if (this.#embedding !== undefined) this.#weights.gradients(this.#embedding, () => true);
    this.#record.free(gradient);
  }
}
