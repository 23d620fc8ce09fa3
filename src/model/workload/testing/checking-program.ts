/** A program that checks every operation and sums up what a test wants to know, in little memory. */
import { type Category, type Program } from '../program.js';

interface Live {
  readonly size: number;
  readonly category: Category;
  readonly name: string;
}

export class CheckingProgram implements Program {
  readonly #live = new Map<number, Live>();
  #tensors = 0;
  #liveBytes = 0;
  #digest = 0x811c9dc5;
  operations = 0;
  readonly labels = new Set<string>();
  peakBytes = 0;

  get liveBytes(): number {
    return this.#liveBytes;
  }

  get liveCategories(): Set<Category> {
    return new Set([...this.#live.values()].map(({ category }) => category));
  }

  /** A number over all operations, in order (FNV-1a over 32-bit words). */
  get digest(): number {
    return this.#digest >>> 0;
  }

  allocate(size: number, category: Category, name: string, stream = 0): number {
    if (!Number.isSafeInteger(size) || size < 1) throw new Error(`${name}: size ${size}`);
    this.#tensors += 1;
    this.#live.set(this.#tensors, { size, category, name });
    this.#liveBytes += size;
    this.peakBytes = Math.max(this.peakBytes, this.#liveBytes);
    this.#note(1, size % 2 ** 32, Math.floor(size / 2 ** 32), stream, category.length, name.length);
    return this.#tensors;
  }

  free(tensor: number): void {
    const found = this.#live.get(tensor);
    if (found === undefined) throw new Error(`free of tensor ${tensor}, which is not alive`);
    this.#live.delete(tensor);
    this.#liveBytes -= found.size;
    this.#note(2, tensor);
  }

  recordStream(tensor: number, stream: number): void {
    if (!this.#live.has(tensor)) throw new Error(`record of tensor ${tensor}, which is not alive`);
    this.#note(3, tensor, stream);
  }

  emptyCache(): void {
    this.#note(4);
  }

  synchronize(): void {
    this.#note(5);
  }

  marker(label: string): void {
    this.labels.add(label);
    this.#note(6, label.length);
  }

  #note(...words: number[]): void {
    this.operations += 1;
    for (const word of words) this.#digest = Math.imul(this.#digest ^ word, 0x01000193);
  }
}
