/**
 * What ZeRO-3 does to memory: weights are gathered for the layer that runs (one flat all-gather, then one tensor a weight),
 * gradients are reduced in buckets. The flagship case and the smaller ZeRO workload share it.
 */
import { type Program } from './program.js';

/** An all-gather under way: the flat buffer of coalesced shards and the weights that will be cut from it. */
export interface Gather {
  readonly flat: number;
  readonly sizes: readonly number[];
  readonly name: string;
}

/** Starts the all-gather of some weights. */
export function fetchWeights(program: Program, sizes: readonly number[], name: string): Gather {
  const total = sizes.reduce((sum, each) => sum + each, 0);
  return { flat: program.allocate(total, 'communication', `all_gather ${name}`), sizes, name };
}

/** Waits for it: each weight is joined from the ranks' pieces (torch.cat), then the flat buffer goes. */
export function waitForWeights(program: Program, { flat, sizes, name }: Gather): number[] {
  const weights = sizes.map((each, i) => program.allocate(each, 'parameter', `${name}.weight ${i}`));
  program.free(flat);
  return weights;
}

/**
 * Collects weight gradients until `capacity` elements are passed, then reduces them. With `contiguous` each gradient is
 * copied into a buffer made once and freed at once; otherwise the gradients wait and the flush joins them (torch.cat).
 */
export class ReduceBucket {
  readonly #program: Program;
  readonly #capacity: number;
  readonly #contiguous: boolean;
  #fill = 0;
  #pending: { readonly tensor: number; readonly size: number }[] = [];

  constructor(program: Program, capacity: number, contiguous: boolean) {
    this.#program = program;
    this.#capacity = capacity;
    this.#contiguous = contiguous;
  }

  /** Takes over a gradient tensor in fp16 of `size` bytes. */
  add(tensor: number, size: number): void {
    const elements = size / 2;
    if (this.#fill + elements > this.#capacity) this.flush();
    this.#fill += elements;
    if (this.#contiguous) this.#program.free(tensor);
    else this.#pending.push({ tensor, size });
  }

  /** Reduces what is there: several gradients are joined into one flat tensor first. */
  flush(): void {
    const pending = this.#pending;
    this.#pending = [];
    this.#fill = 0;
    if (pending.length < 2) {
      for (const { tensor } of pending) this.#program.free(tensor);
      return;
    }
    const total = pending.reduce((sum, each) => sum + each.size, 0);
    const flat = this.#program.allocate(total, 'communication', 'reduce bucket');
    for (const { tensor } of pending) this.#program.free(tensor);
    this.#program.free(flat);
  }
}
