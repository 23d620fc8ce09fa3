/**
 * Activation bytes of one transformer layer in 16-bit precision with dropout, as Korthikanti et al. count them
 * (arXiv:2205.05198, Table 2 and section 5). The general inventory of `../terms/activations.ts` is compared with it.
 */
import { evaluate } from '../formula.js';

export interface LayerShape {
  readonly sequence: number;
  readonly batch: number;
  readonly hidden: number;
  readonly heads: number;
  /** Tensor-parallel degree. */
  readonly tensorParallel: number;
}

/** Table 2, row by row: what is used -> bytes a layer. s, b, h, a, t as in the paper; its factor h is multiplied out, so that every step is a whole number. */
export const LAYER_FORMULAS = {
  single: 's*b * (34*h + 5*a*s)',
  tensor: 's*b * (10*h + 24*h/t + 5*a*s/t)',
  'tensor + sequence': 's*b/t * (34*h + 5*a*s)',
  'tensor + selective': 's*b * (10*h + 24*h/t)',
  'tensor + sequence + selective': '34 * s*b*h / t',
  full: '2 * s*b*h',
} as const;
export type LayerCase = keyof typeof LAYER_FORMULAS;

/** Bytes of activations that one layer keeps. */
export const layerActivations = (which: LayerCase, shape: LayerShape): number =>
  evaluate(LAYER_FORMULAS[which], {
    s: shape.sequence,
    b: shape.batch,
    h: shape.hidden,
    a: shape.heads,
    t: shape.tensorParallel,
  });

/** Share of a layer's activations that selective recomputation does not keep (section 5): 5as/h of 34 + 5as/h. */
export const selectiveShare = ({ sequence, hidden, heads }: Omit<LayerShape, 'batch' | 'tensorParallel'>): number =>
  evaluate('5*a*s / (34*h + 5*a*s)', { a: heads, s: sequence, h: hidden });
