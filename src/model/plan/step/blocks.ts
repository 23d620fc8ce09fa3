/**
 * The blocks of a transformer layer, tensor by tensor: attention and feed-forward, forward and backward. What a block
 * keeps is freed by its backward pass in the order in which gradients pass it. The moments of `terms/moments.ts` are
 * sums over this order.
 */
import { type RankGroup } from '../rank.js';
import { type StepShape } from '../shape.js';
import { dropsCore } from '../terms/activations.js';
import { NOTHING, type Recorder } from './recorder.js';
import { type Weights } from './weights.js';

/** Where the tensors that a backward pass needs are counted: kept, made again, or not kept at all. */
export type Keeping = 'activations' | 'recompute' | 'none';

export interface Saved {
  readonly input: number;
  readonly norm: number;
  readonly adapters: number;
  readonly mask: number;
  readonly inner: AttentionSaved | FeedForwardSaved;
}
interface AttentionSaved {
  readonly kind: 'attention';
  readonly name: string;
  readonly q: number;
  readonly k: number;
  readonly v: number;
  /** Softmax or its statistics, mask, what dropout left; empty where they will be made again. */
  readonly core: readonly number[];
  readonly context: number;
}
interface FeedForwardSaved {
  readonly kind: 'feed-forward';
  /** Inputs of the activation function, its output where there is a gate, and the input of the last matrix. */
  readonly states: readonly number[];
}

export interface BlockRun {
  readonly output: number;
  readonly saved: Saved | undefined;
}

/** The gradient of an encoder's output, summed up while the decoder goes backward. */
export interface EncoderGradient {
  readonly tensor: number;
}

export class Blocks {
  readonly #record: Recorder;
  readonly #shape: StepShape;
  readonly #weights: Weights;

  constructor(record: Recorder, shape: StepShape, weights: Weights) {
    this.#record = record;
    this.#shape = shape;
    this.#weights = weights;
  }

  /** Runs an attention block (`cross` reads the encoder's output). `outputTerm` is where its output is counted. */
  attention(input: number, keeping: Keeping, outputTerm: Keeping, name: 'attention' | 'cross attention'): BlockRun {
    const record = this.#record;
    const { hidden, query, key, attentionAdapters } = this.#shape;
    const term = keeping === 'none' ? 'temporaries' : keeping;
    const keeps = keeping !== 'none';
    const norm = record.make(hidden, term, `${name} norm`);
    const adapters = record.make(attentionAdapters, term, `${name} adapters`);
    const whole = this.#gather('norm');
    const q = record.make(query, term, `${name} q`);
    const k = record.make(key, term, `${name} k`);
    const v = record.make(key, term, `${name} v`);
    record.free(whole);
    if (!keeps) record.free(norm, adapters);
    const { core, context } = this.#core(keeping, name, [q, k, v]);
    const { output, mask } = this.#close(context, keeping, outputTerm, name);
    if (!keeps) return { output, saved: undefined };
    return {
      output,
      saved: { input, norm, adapters, mask, inner: { kind: 'attention', name, q, k, v, core, context } },
    };
  }

  #core(keeping: Keeping, name: string, qkv: readonly number[]): { core: number[]; context: number } {
    const record = this.#record;
    const { settings, query, statistics } = this.#shape;
    const keeps = keeping !== 'none';
    const term = keeps ? keeping : 'temporaries';
    if (settings.flash) {
      const core = [record.make(statistics, term, `${name} softmax statistics`)];
      const context = record.make(query, term, `${name} context`);
      if (!keeps) record.free(...qkv, ...core);
      return { core, context };
    }
    // Selective recomputation lets go of the score matrices as one that keeps nothing does.
    const drops = !keeps || (keeping === 'activations' && dropsCore(this.#shape));
    const core = this.#scores(drops ? 'temporaries' : keeping, name);
    if (drops) record.free(...core.slice(0, -1));
    const context = record.make(query, term, `${name} context`);
    if (drops) record.free(...core.slice(-1));
    if (!keeps) record.free(...qkv);
    return { core: drops ? [] : core, context };
  }

  /** Score matrices: softmax, and with dropout its mask and what is left. */
  #scores(term: 'activations' | 'recompute' | 'temporaries', name: string): number[] {
    const record = this.#record;
    const { scores, scoreMask, architecture } = this.#shape;
    const raw = record.make(scores, 'temporaries', `${name} scores`);
    const softmax = record.make(scores, term, `${name} softmax`);
    record.free(raw);
    if (!architecture.dropout) return [softmax];
    const mask = record.make(scoreMask, term, `${name} score mask`);
    return [softmax, mask, record.make(scores, term, `${name} dropped scores`)];
  }

  /** The feed-forward block. */
  feedForward(input: number, keeping: Keeping, outputTerm: Keeping): BlockRun {
    const record = this.#record;
    const { hidden, up, architecture, feedForwardAdapters } = this.#shape;
    const keeps = keeping !== 'none';
    const term = keeps ? keeping : 'temporaries';
    const norm = record.make(hidden, term, 'feed-forward norm');
    const adapters = record.make(feedForwardAdapters, term, 'feed-forward adapters');
    const whole = this.#gather('norm');
    const gate = record.make(architecture.gated ? up : 0, term, 'gate');
    const state = record.make(up, term, 'up');
    record.free(whole);
    if (!keeps) record.free(norm, adapters);
    const activated = record.make(up, term, 'activated');
    let last = activated;
    if (!keeps) record.free(architecture.gated ? gate : state);
    if (architecture.gated) {
      last = record.make(up, term, 'gated');
      if (!keeps) record.free(activated, state);
    }
    const { output, mask } = this.#close(last, keeping, outputTerm, 'feed-forward');
    if (!keeps) return { output, saved: undefined };
    const states = architecture.gated ? [gate, activated, state, last] : [state, last];
    return { output, saved: { input, norm, adapters, mask, inner: { kind: 'feed-forward', states } } };
  }

  /** Last matrix of a block, dropout, sum with the residual. `last` goes where it is not kept. */
  #close(last: number, keeping: Keeping, outputTerm: Keeping, name: string): { output: number; mask: number } {
    const record = this.#record;
    const { hidden, mask: maskBytes, architecture } = this.#shape;
    const keeps = keeping !== 'none';
    const whole = this.#gather('output');
    let projected = record.make(hidden, 'temporaries', `${name} output`);
    record.free(whole);
    if (!keeps) record.free(last);
    let mask = NOTHING;
    if (architecture.dropout) {
      mask = record.make(maskBytes, keeps ? keeping : 'temporaries', `${name} dropout mask`);
      const dropped = record.make(hidden, 'temporaries', `${name} dropout`);
      record.free(projected);
      if (!keeps) record.free(mask);
      projected = dropped;
    }
    const output = record.make(hidden, outputTerm === 'none' ? 'temporaries' : outputTerm, `${name} sum`);
    record.free(projected);
    return { output, mask };
  }

  /** A state over the whole sequence, where devices share it: gathered from them, or on its way to them. */
  #gather(name: string): number {
    const { gathers, whole } = this.#shape;
    return this.#record.make(gathers ? whole : 0, 'communication', `${name} over the sequence`);
  }

  /** Backward pass of a block: takes the gradient of its output, frees what it kept, returns the gradient of its input. */
  backward(saved: Saved, incoming: number, group: RankGroup, encoder: EncoderGradient | undefined): number {
    const record = this.#record;
    const { hidden, architecture } = this.#shape;
    let dropped = incoming;
    if (architecture.dropout) {
      dropped = record.make(hidden, 'temporaries', 'd dropout');
      record.free(saved.mask);
    }
    const whole = this.#gather('d output');
    const letGo = () => {
      record.free(dropped === incoming ? NOTHING : dropped, whole);
    };
    const isCross = saved.inner.kind === 'attention' && saved.inner.name === 'cross attention';
    const deltas =
      saved.inner.kind === 'attention'
        ? this.#attentionBackward(saved.inner, group, letGo)
        : this.#feedForwardBackward(saved.inner, group, letGo);
    const dNorm = this.#inputGradient(deltas, group, isCross ? encoder : undefined);
    record.free(saved.norm, saved.adapters);
    const dInput = record.make(hidden, 'temporaries', 'd input');
    record.free(dNorm, saved.input);
    const sum = record.make(hidden, 'temporaries', 'd residual');
    record.free(dInput, incoming);
    return sum;
  }

  /** Sums what the matrices at the start of a block give back. Those that read the encoder's output give to its gradient. */
  #inputGradient(deltas: readonly Delta[], group: RankGroup, encoder: EncoderGradient | undefined): number {
    const record = this.#record;
    const { gathers, hidden, whole } = this.#shape;
    const norm = this.#gather('norm, again');
    let sum = NOTHING;
    for (const { module, tensor } of deltas) {
      const part = gathers
        ? record.make(whole, 'communication', `d norm by ${module}`)
        : record.make(hidden, 'temporaries', `d norm by ${module}`);
      this.#weights.gradients(group, (name) => name === module);
      record.free(tensor);
      const toEncoder = encoder !== undefined && !module.endsWith(' q');
      if (toEncoder || sum !== NOTHING) record.free(part);
      else sum = part;
    }
    record.free(norm);
    if (!gathers) return sum;
    const own = record.make(hidden, 'temporaries', 'd norm');
    record.free(sum);
    return own;
  }

  #feedForwardBackward({ states }: FeedForwardSaved, group: RankGroup, letGo: () => void): Delta[] {
    const record = this.#record;
    const { up } = this.#shape;
    const delta = (name: string) => record.make(up, 'temporaries', `d ${name}`);
    const dLast = delta('feed-forward state');
    this.#weights.gradients(group, (name) => name === 'down');
    record.free(...states.slice(-1));
    letGo();
    if (states.length === 2) {
      const dUp = delta('up');
      record.free(dLast, ...states.slice(0, 1));
      return [{ module: 'up', tensor: dUp }];
    }
    const [gate = NOTHING, activated = NOTHING, state = NOTHING] = states;
    const dActivated = delta('activated');
    const dUp = delta('up');
    record.free(dLast, state, activated);
    const dGate = delta('gate');
    record.free(dActivated, gate);
    return [
      { module: 'up', tensor: dUp },
      { module: 'gate', tensor: dGate },
    ];
  }

  #attentionBackward(saved: AttentionSaved, group: RankGroup, letGo: () => void): Delta[] {
    const record = this.#record;
    const { query, key, settings } = this.#shape;
    const { name, q, k, v, context } = saved;
    const dContext = record.make(query, 'temporaries', `d ${name} context`);
    this.#weights.gradients(group, (module) => module === `${name} o`);
    record.free(context);
    letGo();
    const make = (part: string, size: number) => record.make(size, 'temporaries', `d ${name} ${part}`);
    let deltas: readonly [number, number, number];
    if (settings.flash) {
      deltas = [make('q', query), make('k', key), make('v', key)];
      record.free(dContext, q, k, v, ...saved.core);
    } else {
      const core = saved.core.length > 0 ? saved.core : this.#scores('recompute', `${name} again`);
      deltas = this.#scoresBackward(core, { q, k, v, dContext }, make);
    }
    const [dQ, dK, dV] = deltas;
    return [
      { module: `${name} v`, tensor: dV },
      { module: `${name} k`, tensor: dK },
      { module: `${name} q`, tensor: dQ },
    ];
  }

  #scoresBackward(
    core: readonly number[],
    { q, k, v, dContext }: { q: number; k: number; v: number; dContext: number },
    make: (part: string, size: number) => number,
  ): readonly [number, number, number] {
    const record = this.#record;
    const { scores, query, key } = this.#shape;
    const [softmax = NOTHING, mask = NOTHING, dropped = NOTHING] = core;
    let dSoftmax = make('dropped scores', scores);
    const dV = make('v', key);
    record.free(dropped, v, dContext);
    if (mask !== NOTHING) {
      const before = dSoftmax;
      dSoftmax = make('softmax', scores);
      record.free(before, mask);
    }
    const dScores = make('scores', scores);
    record.free(dSoftmax, softmax);
    const dQ = make('q', query);
    const dK = make('k', key);
    record.free(dScores, q, k);
    return [dQ, dK, dV];
  }
}

interface Delta {
  /** The matrix whose output it is the gradient of. */
  readonly module: string;
  readonly tensor: number;
}
