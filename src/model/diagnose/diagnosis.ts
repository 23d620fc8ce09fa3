/**
 * What `vramlab explain` answers (DESIGN section 5): facts read from a text or file, a verdict, and the arithmetic that
 * leads to it. Plain data, so that the page, the command line and a machine read the same thing.
 */
export const DIAGNOSIS_SCHEMA = 'vramlab-diagnosis';
export const DIAGNOSIS_VERSION = 1;

export type Verdict = 'fragmentation' | 'true-shortage' | 'limit-set' | 'other-process' | 'unknown';
export type FactValue = number | string | boolean | readonly number[];
/** Key names of the field: `tried_bytes`, `capacity_bytes`, ... All sizes in bytes. */
export type Facts = Readonly<Record<string, FactValue>>;
/** Smallest and largest value, in the fact's unit, that would print as the text prints it. Exact figures have none. */
export type Ranges = Readonly<Record<string, readonly [number, number]>>;

export interface Judgement {
  readonly verdict: Verdict;
  /** One or two sentences with sizes: the cause, then the second cause where there is one. */
  readonly why: string;
  /** Every test of the rule in order, with its numbers and its answer. */
  readonly steps: readonly string[];
  /** What to do, most useful first. Knows the settings in force. */
  readonly advice: readonly string[];
}

export interface Diagnosis extends Judgement {
  readonly schema: typeof DIAGNOSIS_SCHEMA;
  readonly version: typeof DIAGNOSIS_VERSION;
  readonly kind: 'oom-text' | 'memory-summary' | 'snapshot';
  /** `pytorch-cuda`, `tensorflow`, `vllm`, ... */
  readonly framework: string;
  readonly facts: Facts;
  readonly ranges: Ranges;
  /** Facts that were not used and why: a wrapped figure, a counter that contradicts another. */
  readonly oddities: readonly string[];
}

/** Puts the pieces in the order of the format. */
export function diagnosis(
  kind: Diagnosis['kind'],
  framework: string,
  read: { readonly facts: Facts; readonly ranges: Ranges; readonly oddities: readonly string[] },
  judgement: Judgement,
): Diagnosis {
  return {
    schema: DIAGNOSIS_SCHEMA,
    version: DIAGNOSIS_VERSION,
    kind,
    framework,
    facts: read.facts,
    ranges: read.ranges,
    verdict: judgement.verdict,
    why: judgement.why,
    steps: judgement.steps,
    advice: judgement.advice,
    oddities: read.oddities,
  };
}
