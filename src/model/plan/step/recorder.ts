/** Writes a trace and keeps, beside it, the term of the plan that each tensor belongs to. */
import { TraceBuilder } from '../../trace/trace-builder.js';
import { CATEGORY, type CategoryName, type Trace } from '../../trace/trace.js';
import { type TermId } from '../term.js';

/** A tensor of nothing: freeing it does nothing. */
export const NOTHING = 0;

const CATEGORIES: Readonly<Record<TermId, CategoryName>> = {
  parameters: 'parameter',
  quantization: 'parameter',
  gradients: 'gradient',
  optimizer: 'optimizer',
  'master-weights': 'optimizer',
  activations: 'activation',
  recompute: 'activation',
  logits: 'activation',
  'kv-cache': 'activation',
  temporaries: 'temporary',
  workspace: 'temporary',
  communication: 'communication',
  nccl: 'communication',
  context: 'unknown',
};

/** A trace and the term of each of its tensors, by the tensor's number. */
export interface StepTrace {
  readonly trace: Trace;
  readonly terms: readonly TermId[];
}

export class Recorder {
  readonly #builder: TraceBuilder;
  readonly #terms: TermId[] = [];

  constructor(name: string) {
    this.#builder = new TraceBuilder(name);
  }

  /** Makes a tensor of `bytes` (none for 0) and returns its id. */
  make(bytes: number, term: TermId, name: string): number {
    if (bytes === 0) return NOTHING;
    this.#terms.push(term);
    const id = this.#terms.length;
    this.#builder.allocate(id, bytes, 0, CATEGORY[CATEGORIES[term]], name);
    return id;
  }

  /** Frees tensors in the order given. */
  free(...ids: readonly number[]): void {
    for (const id of ids) if (id !== NOTHING) this.#builder.free(id);
  }

  mark(label: string): void {
    this.#builder.mark(label);
  }

  finish(meta: Readonly<Record<string, unknown>>): StepTrace {
    return { trace: this.#builder.finish(meta), terms: this.#terms };
  }
}
