/**
 * A program that writes the lines the golden files are hashed over ("a ID SIZE 0", "f ID", "e") into a SHA-256, so that a
 * trace of a million operations is compared without being held.
 */
import { createHash } from 'node:crypto';
import { type Program } from '../program.js';

export class LineHash implements Program {
  readonly #hash = createHash('sha256');
  #chunk: string[] = [];
  #tensors = 0;
  #lines = 0;
  /** Operations before each marker, by its label. */
  readonly markers = new Map<string, number>();

  get lines(): number {
    return this.#lines;
  }

  allocate(size: number, _category: string, _name: string, stream = 0): number {
    this.#tensors += 1;
    this.#line(`a ${this.#tensors} ${size} ${stream}\n`);
    return this.#tensors;
  }

  free(tensor: number): void {
    this.#line(`f ${tensor}\n`);
  }

  recordStream(tensor: number, stream: number): void {
    this.#line(`r ${tensor} ${stream}\n`);
  }

  emptyCache(): void {
    this.#line('e\n');
  }

  synchronize(): void {
    this.#line('y\n');
  }

  marker(label: string): void {
    this.markers.set(label, this.#lines);
  }

  digest(): string {
    this.#hash.update(this.#chunk.join(''));
    this.#chunk = [];
    return this.#hash.digest('hex');
  }

  #line(text: string): void {
    this.#lines += 1;
    this.#chunk.push(text);
    if (this.#chunk.length === 4096) {
      this.#hash.update(this.#chunk.join(''));
      this.#chunk = [];
    }
  }
}
