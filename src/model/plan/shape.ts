/**
 * The sizes of tensors in one micro-batch on one device, in bytes, and the symbols that formulas use for them. Widths are
 * those after tensor parallelism; `hidden` states are cut along the sequence where sequence parallelism is on.
 */
import { say } from '../../base/said.js';
import { type Architecture } from './architecture/architecture.js';
import { type Values } from './formula.js';
import { type PlannedModel } from './model.js';
import { adaptedCounts, type Rank } from './rank.js';
import { type PlanSettings, weightBytes } from './settings.js';

export interface StepShape {
  readonly architecture: Architecture;
  readonly settings: PlanSettings;
  readonly rank: Rank;
  readonly sequence: number;
  readonly batch: number;
  /** Bytes an element. */
  readonly width: number;
  /** Sequence parallelism is on and does something. */
  readonly gathers: boolean;
  /** Hidden state: s b h elements, cut along the sequence or not. */
  readonly hidden: number;
  /** Hidden state over the whole sequence. */
  readonly whole: number;
  /** Dropout mask of a hidden state, a byte an element. */
  readonly mask: number;
  readonly query: number;
  /** Keys, and values. */
  readonly key: number;
  readonly up: number;
  /** Score matrix, s x s for each head. */
  readonly scores: number;
  readonly scoreMask: number;
  /** Softmax statistics of fused attention, fp32. */
  readonly statistics: number;
  /** Token numbers, 8 bytes each. */
  readonly ids: number;
  /** Inner results of the adapters of an attention block, and of a feed-forward block. */
  readonly attentionAdapters: number;
  readonly feedForwardAdapters: number;
}

/** The sizes, where the architecture, a batch and a sequence are known. */
export function stepShape(
  model: PlannedModel,
  architecture: Architecture,
  rank: Rank,
  settings: PlanSettings,
  batch: number,
  sequence: number,
): StepShape {
  const { tensorParallel: t, sequenceParallel, adapterRank } = settings;
  const { hidden, heads, headSize, feedForward } = architecture;
  const width = weightBytes(settings);
  const rows = batch * sequence;
  const cut = sequenceParallel ? t : 1;
  const adapted = adaptedCounts(model, settings);
  return {
    architecture,
    settings,
    rank,
    sequence,
    batch,
    width,
    gathers: sequenceParallel && t > 1,
    hidden: (width * rows * hidden) / cut,
    whole: width * rows * hidden,
    mask: (rows * hidden) / cut,
    query: (width * rows * heads * headSize) / t,
    key: width * rows * rank.kvHeads * headSize,
    up: (width * rows * feedForward) / t,
    scores: (width * heads * sequence * rows) / t,
    scoreMask: (heads * sequence * rows) / t,
    statistics: (4 * heads * rows) / t,
    ids: 8 * rows,
    attentionAdapters: width * rows * adapterRank * adapted.attention,
    feedForwardAdapters: width * rows * adapterRank * adapted.feedForward,
  };
}

/** Symbols of formulas over activations. `u` is what divides a hidden state along the sequence. */
export function shapeValues(shape: StepShape): Values {
  const { architecture, settings, rank, sequence, batch } = shape;
  return {
    s: sequence,
    b: batch,
    h: architecture.hidden,
    a: architecture.heads,
    k: rank.kvHeads,
    d: architecture.headSize,
    f: architecture.feedForward,
    V: rank.vocabulary,
    t: settings.tensorParallel,
    u: settings.sequenceParallel ? settings.tensorParallel : 1,
    c: rank.inFlight,
    r: settings.adapterRank,
    // Sizes of whole tensors, for sums over a moment.
    H: shape.hidden,
    Hs: shape.whole,
    M: shape.mask,
    Q: shape.query,
    K: shape.key,
    F: shape.up,
    S: shape.scores,
    Sm: shape.scoreMask,
    St: shape.statistics,
    Ra: shape.attentionAdapters,
    Rf: shape.feedForwardAdapters,
  };
}

/** What each symbol stands for, for the legend under a table. */
export const SYMBOLS: Readonly<Record<string, string>> = {
  P: say`parameters of the model`,
  Pd: say`parameters on this device`,
  Pq: say`parameters stored in 8 or 4 bits`,
  Rq: say`rows of matrices stored in 8 or 4 bits`,
  A: say`parameters of the adapters on this device`,
  Fd: say`rows and columns of all matrices`,
  N: say`data-parallel devices`,
  t: say`tensor-parallel devices`,
  p: say`pipeline stages`,
  u: say`devices that share a sequence`,
  c: say`micro-batches in flight`,
  s: say`tokens of a sequence`,
  b: say`sequences of a micro-batch`,
  o: say`tokens generated`,
  h: say`hidden size`,
  a: say`heads`,
  k: say`key-value heads on this device`,
  d: say`size of a head`,
  f: say`feed-forward size`,
  V: say`vocabulary on this device`,
  L: say`layers on this device`,
  Ld: say`decoder layers`,
  r: say`rank of an adapter`,
  B: say`elements of a reduce bucket`,
  H: say`bytes of a hidden state on this device`,
  Hs: say`bytes of a hidden state over the whole sequence`,
  M: say`bytes of a dropout mask`,
  Q: say`bytes of the queries on this device`,
  K: say`bytes of the keys on this device`,
  F: say`bytes of a feed-forward state on this device`,
  S: say`bytes of the score matrices on this device`,
  Sm: say`bytes of the mask of the score matrices`,
  St: say`bytes of softmax statistics`,
  Ra: say`bytes inside an attention block's adapters`,
  Rf: say`bytes inside a feed-forward block's adapters`,
  Wo: say`bytes of the gradient of the attention output matrix`,
  Wq: say`bytes of the gradient of the query matrix`,
  Wk: say`bytes of the gradient of the key matrix`,
  Wv: say`bytes of the gradient of the value matrix`,
  Wu: say`bytes of the gradient of the up matrix`,
  Wg: say`bytes of the gradient of the gate matrix`,
  Wd: say`bytes of the gradient of the down matrix`,
  Wx: say`bytes of the largest other gradient of a layer`,
  Wh: say`bytes of the largest gradient made at the output layer`,
  We: say`bytes of the gradient of the token embedding`,
  U: say`parameters that this device steps`,
  Ge: say`bytes of the weights of the embedding`,
  Gl: say`bytes of the weights of the largest layer`,
  Gh: say`bytes of the weights that the output layer needs`,
  C: say`NCCL channels`,
};
