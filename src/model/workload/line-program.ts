/**
 * A program that writes the lines over which the golden files are hashed, so that a trace of a million operations is
 * compared without being held. Markers are left out: they are no operations.
 *
 *     const hash = createHash('sha256');
 *     const lines = new LineProgram((text) => hash.update(text));
 *     case13b.run(lines, { b: 4, seed: 2 });
 *     lines.flush();
 */
import { type Program } from './program.js';

/** How a golden file writes an allocation: with its stream (`a 1 512 0`), or without (`a 1 512`). */
export type LineDialect = 'with-stream' | 'without-stream';

const LINES_A_CHUNK = 4096;

export class LineProgram implements Program {
  readonly #write: (text: string) => void;
  readonly #suffix: (stream: number) => string;
  #chunk: string[] = [];
  #tensors = 0;
  #count = 0;
  readonly #markers: { readonly label: string; readonly operation: number }[] = [];

  constructor(write: (text: string) => void, dialect: LineDialect = 'with-stream') {
    this.#write = write;
    this.#suffix = dialect === 'with-stream' ? (stream) => ` ${stream}` : () => '';
  }

  /** Lines so far: operations without markers. */
  get count(): number {
    return this.#count;
  }

  /** Each marker with the number of operations before it. */
  get markers(): readonly { readonly label: string; readonly operation: number }[] {
    return this.#markers;
  }

  allocate(size: number, _category: string, _name: string, stream = 0): number {
    this.#tensors += 1;
    this.#line(`a ${this.#tensors} ${size}${this.#suffix(stream)}\n`);
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
    this.#markers.push({ label, operation: this.#count });
  }

  /** Writes what has been gathered. Call it once at the end. */
  flush(): void {
    if (this.#chunk.length > 0) this.#write(this.#chunk.join(''));
    this.#chunk = [];
  }

  #line(text: string): void {
    this.#count += 1;
    this.#chunk.push(text);
    if (this.#chunk.length === LINES_A_CHUNK) this.flush();
  }
}
