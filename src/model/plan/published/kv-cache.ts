/** The key-value cache of generation: a key and a value of `headSize` for each key-value head, layer and token. */
import { evaluate } from '../formula.js';

export interface CacheShape {
  readonly layers: number;
  readonly kvHeads: number;
  readonly headSize: number;
  /** Bytes an element: 2 for fp16 and bf16, 1 for fp8. */
  readonly bytes?: number;
}

export const CACHE_FORMULA = '2 * L * k * d * w';

/** Bytes of one token in the caches of all layers. */
export const cachePerToken = ({ layers, kvHeads, headSize, bytes = 2 }: CacheShape): number =>
  evaluate(CACHE_FORMULA, { L: layers, k: kvHeads, d: headSize, w: bytes });

/** Bytes of the cache for `sequences` sequences of `tokens` tokens. */
export const cacheBytes = (shape: CacheShape, tokens: number, sequences = 1): number =>
  cachePerToken(shape) * tokens * sequences;
