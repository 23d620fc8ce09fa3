/**
 * What a transformer is made of, as far as its memory goes: one row of sizes and switches. Counts of parameters are
 * computed from it (`weights.ts`), never typed in.
 */
export interface Architecture {
  readonly name: string;
  /** `encoder-decoder`: `layers` encoder layers and `decoderLayers` decoder layers. */
  readonly kind: 'decoder' | 'encoder' | 'encoder-decoder';
  readonly layers: number;
  readonly decoderLayers: number;
  readonly hidden: number;
  readonly heads: number;
  /** Key and value heads: fewer than `heads` in grouped-query attention. */
  readonly kvHeads: number;
  readonly headSize: number;
  readonly feedForward: number;
  readonly vocabulary: number;
  /** Width of the token embedding: `hidden`, except where a projection lies between (OPT-350m). */
  readonly embeddingSize: number;
  /** Rows of a learned position table; 0 for rotary or relative positions. */
  readonly positions: number;
  /** Rows of a token type table (BERT). */
  readonly tokenTypes: number;
  /** Relative attention buckets, one table a stack (T5). */
  readonly relativeBuckets: number;
  /** The output layer shares the token embedding. */
  readonly tied: boolean;
  /** A layer norm has a weight and a bias, an RMS norm a weight. */
  readonly norm: 'layer' | 'rms';
  readonly qkvBias: boolean;
  readonly outputBias: boolean;
  readonly feedForwardBias: boolean;
  /** Two input matrices, multiplied after the activation (SwiGLU, GeGLU). */
  readonly gated: boolean;
  readonly dropout: boolean;
  readonly embeddingNorm: boolean;
  readonly finalNorm: boolean;
  /** A norm over the head size of queries and of keys (Qwen3). */
  readonly headNorms: boolean;
  /** Dense layer over the first token (BERT). */
  readonly pooler: boolean;
}

/** Each layer is a part of a plan by itself: a file with more would be worked on without end. */
export const MOST_LAYERS = 10_000;

/** Everything that has a usual value, for tables that name only what differs. */
export const PLAIN: Omit<
  Architecture,
  'name' | 'layers' | 'hidden' | 'heads' | 'feedForward' | 'vocabulary' | 'kvHeads' | 'headSize' | 'embeddingSize'
> = {
  kind: 'decoder',
  decoderLayers: 0,
  positions: 0,
  tokenTypes: 0,
  relativeBuckets: 0,
  tied: true,
  norm: 'layer',
  qkvBias: true,
  outputBias: true,
  feedForwardBias: true,
  gated: false,
  dropout: true,
  embeddingNorm: false,
  finalNorm: true,
  headNorms: false,
  pooler: false,
};

/** Layers with the same norm, gate and biases as LLaMA's: RMS norm, SwiGLU, rotary positions, no biases, no dropout. */
export const LLAMA_LIKE: typeof PLAIN = {
  ...PLAIN,
  tied: false,
  norm: 'rms',
  qkvBias: false,
  outputBias: false,
  feedForwardBias: false,
  gated: true,
  dropout: false,
};
