/** One line of a plan: how many bytes of the device a thing takes, by which formula, from which source. */
import { evaluate, type Values, valuesIn } from './formula.js';

export const TERM_IDS = [
  'parameters',
  'quantization',
  'gradients',
  'optimizer',
  'master-weights',
  'activations',
  'recompute',
  'logits',
  'kv-cache',
  'temporaries',
  'workspace',
  'communication',
  'nccl',
  'context',
] as const;
export type TermId = (typeof TERM_IDS)[number];

export interface Term {
  readonly id: TermId;
  readonly bytes: number | undefined;
  /** Why there are no bytes, or what should be known of them. */
  readonly reason: string | undefined;
  /** As `formula.ts` reads it; of a term that has several moments, the one that takes most. */
  readonly formula: string;
  readonly values: Values;
  readonly grows: { readonly batch: boolean; readonly sequence: 'no' | 'linear' | 'quadratic' };
  readonly shrinks: readonly string[];
  readonly source: string;
  /** It comes from the framework's allocator; contexts and NCCL's buffers do not. */
  readonly inCache: boolean;
}

interface Known {
  readonly id: TermId;
  readonly formula: string;
  readonly values: Values;
  readonly source: string;
  readonly shrinks?: readonly string[];
  readonly grows?: Term['grows'];
  readonly reason?: string | undefined;
  readonly inCache?: boolean;
}

const GROWS_NOT = { batch: false, sequence: 'no' } as const;

/** A term whose bytes are its formula's value, rounded up to a whole byte. */
export function term({
  id,
  formula,
  values,
  source,
  shrinks = [],
  grows = GROWS_NOT,
  reason,
  inCache = true,
}: Known): Term {
  const bytes = Math.ceil(evaluate(formula, values));
  return { id, bytes, reason, formula, values: valuesIn(formula, values), grows, shrinks, source, inCache };
}

/** A term that cannot be computed from what was given. */
export function unknownTerm(id: TermId, formula: string, reason: string, source: string, inCache = true): Term {
  return { id, bytes: undefined, reason, formula, values: {}, grows: GROWS_NOT, shrinks: [], source, inCache };
}
