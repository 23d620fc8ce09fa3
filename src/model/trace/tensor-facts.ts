/** What is known of the tensor in each block that is in use, by block handle: memory goes with the blocks alive. */
import { CATEGORY, type Trace } from './trace.js';

export interface TensorFact {
  /** The program's number of the tensor. */
  readonly id: number;
  /** Operation that allocated it. */
  readonly operation: number;
  /** One of `CATEGORY`. */
  readonly category: number;
  /** Name for people; empty when none is known. */
  readonly label: string;
}

const FIRST_HANDLES = 1024;

export class TensorFacts {
  #ids = new Float64Array(FIRST_HANDLES);
  #operations = new Float64Array(FIRST_HANDLES);
  #categories = new Uint8Array(FIRST_HANDLES);
  /** Only of tensors that have one. */
  readonly #labels = new Map<number, string>();

  /** The block now holds the tensor that operation `i` of this part allocates; `operation` counts from the start. */
  set(handle: number, part: Trace, i: number, operation: number): void {
    if (handle >= this.#ids.length) this.#grow(handle + 1);
    this.#ids[handle] = part.ids[part.tensor[i]! - part.firstTensor]!;
    this.#operations[handle] = operation;
    this.#categories[handle] = part.category === undefined ? CATEGORY.unknown : part.category[i]!;
    if (part.text !== undefined || this.#labels.size > 0) this.#label(handle, part.texts[part.text?.[i] ?? -1]);
  }

  /** The tensor in a block that is in use. */
  get(handle: number): TensorFact {
    return {
      id: this.#ids[handle] ?? -1,
      operation: this.#operations[handle] ?? -1,
      category: this.#categories[handle] ?? CATEGORY.unknown,
      label: this.#labels.get(handle) ?? '',
    };
  }

  #label(handle: number, label: string | undefined): void {
    if (label === undefined) this.#labels.delete(handle);
    else this.#labels.set(handle, label);
  }

  #grow(needed: number): void {
    const length = Math.max(needed, 2 * this.#ids.length);
    const ids = new Float64Array(length);
    const operations = new Float64Array(length);
    const categories = new Uint8Array(length);
    ids.set(this.#ids);
    operations.set(this.#operations);
    categories.set(this.#categories);
    this.#ids = ids;
    this.#operations = operations;
    this.#categories = categories;
  }
}

/** The tensor that operation `i` of this part allocates; `operation` counts from the start. */
export const factAt = (part: Trace, i: number, operation: number): TensorFact => ({
  id: part.ids[part.tensor[i]! - part.firstTensor]!,
  operation,
  category: part.category === undefined ? CATEGORY.unknown : part.category[i]!,
  label: part.texts[part.text?.[i] ?? -1] ?? '',
});
