/** Layers, forward and backward: blocks in a row, kept, kept in part, or run again before their backward pass. */
import { defined } from '../../../base/errors.js';
import { type RankGroup } from '../rank.js';
import { type StepShape } from '../shape.js';
import { Blocks, type BlockRun, type EncoderGradient, type Keeping, type Saved } from './blocks.js';
import { type Recorder } from './recorder.js';
import { type Weights } from './weights.js';

/** What a layer leaves for its backward pass. */
export interface LayerSaved {
  readonly group: RankGroup;
  readonly input: number;
  /** Undefined where the layer runs again. */
  readonly blocks: readonly Saved[] | undefined;
}

export class Layers {
  readonly #record: Recorder;
  readonly #shape: StepShape;
  readonly #weights: Weights;
  readonly #blocks: Blocks;

  constructor(record: Recorder, shape: StepShape, weights: Weights) {
    this.#record = record;
    this.#shape = shape;
    this.#weights = weights;
    this.#blocks = new Blocks(record, shape, weights);
  }

  /** Runs a layer. `outputTerm` counts its output: the input of what follows, or something that goes at once. */
  forward(
    group: RankGroup,
    input: number,
    outputTerm: Keeping,
  ): { readonly output: number; readonly saved: LayerSaved } {
    const again = this.#shape.settings.recompute === 'full' || this.#shape.settings.mode === 'inference';
    const { output, blocks } = this.#run(group, input, again ? 'none' : 'activations', outputTerm);
    return { output, saved: { group, input, blocks: again ? undefined : blocks } };
  }

  #run(group: RankGroup, input: number, keeping: Keeping, outputTerm: Keeping): { output: number; blocks: Saved[] } {
    const isDecoder = group.name.startsWith('decoder');
    const steps: readonly ((from: number, term: Keeping) => BlockRun)[] = [
      (from, term) => this.#blocks.attention(from, keeping, term, 'attention'),
      ...(isDecoder
        ? [(from: number, term: Keeping) => this.#blocks.attention(from, keeping, term, 'cross attention')]
        : []),
      (from, term) => this.#blocks.feedForward(from, keeping, term),
    ];
    const blocks: Saved[] = [];
    let state = input;
    steps.forEach((step, i) => {
      const { output, saved } = step(state, i === steps.length - 1 ? outputTerm : keeping);
      if (saved !== undefined) blocks.push(saved);
      else if (i > 0) this.#record.free(state);
      state = output;
    });
    return { output: state, blocks };
  }

  /** Backward pass of a layer: frees all that it kept, returns the gradient of its input. */
  backward({ group, input, blocks: kept }: LayerSaved, incoming: number, encoder: EncoderGradient | undefined): number {
    let blocks = kept;
    if (blocks === undefined) {
      const again = this.#run(group, input, 'recompute', 'none');
      this.#record.free(again.output);
      blocks = again.blocks;
    }
    let gradient = incoming;
    for (let i = blocks.length - 1; i >= 0; i--) {
      gradient = this.#blocks.backward(defined(blocks[i], 'a block'), gradient, group, encoder);
    }
    this.#weights.gradients(group, (name) => !MADE_IN_BLOCKS.test(name));
    return gradient;
  }
}

/** Matrices whose gradients come out of the blocks; norms and the rest follow when the layer is done. */
const MADE_IN_BLOCKS = /^(?:(?:cross )?attention [qkvo]|gate|up|down)$/;
