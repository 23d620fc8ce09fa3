/** Sizes in bytes of the tensors of the 13B case (golden/case13b/README.md, "Trace, tensor by tensor"). */
import { type Case13bValues } from './parameters.js';

/** What depends on the model alone. Weights are fp16: 2 bytes an element. */
export interface ModelSizes {
  /** The six weight matrices of a layer: q, k, v, o, fc1, fc2. */
  readonly layer: readonly number[];
  /** Norms and biases of a layer, kept whole on every rank. */
  readonly small: number;
  readonly embedding: number;
  readonly positions: number;
}

export function modelSizes({ h, ffn, V, maxpos }: Case13bValues): ModelSizes {
  const square = 2 * h * h;
  const wide = 2 * h * ffn;
  return {
    layer: [square, square, square, square, wide, wide],
    small: 2 * (9 * h + ffn),
    embedding: 2 * V * h,
    positions: 2 * maxpos * h,
  };
}

/** All parameters of the model, in elements: embeddings, layers, last norm. */
export const parameterCount = ({ h, ffn, V, maxpos, L }: Case13bValues): number =>
  (V + maxpos) * h + L * (4 * h * h + 2 * h * ffn + 9 * h + ffn) + 2 * h;

/** This rank's shard, cut into groups of at most `subgroup` elements. */
export function shardGroups(values: Case13bValues): number[] {
  let left = Math.ceil(parameterCount(values) / values.ranks);
  const groups: number[] = [];
  while (left > 0) {
    const group = Math.min(left, values.subgroup);
    groups.push(group);
    left -= group;
  }
  return groups;
}
