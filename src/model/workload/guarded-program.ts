/** Stands between a workload and its program: refuses what no trace can hold, so that no parameter can fill the machine. */
import { assert, badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { type Category, type Program } from './program.js';

/** Longest trace of a workload. Its text stays under the longest string of a JavaScript engine. */
const MOST_OPERATIONS = 5_000_000;

/** Forwards everything. Throws `AppError` (`bad-input`) once the operations or a size are too many. */
export class GuardedProgram implements Program {
  readonly #program: Program;
  readonly #workload: string;
  #left = MOST_OPERATIONS;

  constructor(program: Program, workload: string) {
    this.#program = program;
    this.#workload = workload;
  }

  allocate(size: number, category: Category, name: string, stream?: number): number {
    this.#count();
    if (size > Number.MAX_SAFE_INTEGER) {
      throw badInput(
        this.#workload,
        say`${this.#workload}: these parameters make a tensor (${name}) of over 2^53 bytes; give smaller ones`,
      );
    }
    assert(Number.isInteger(size) && size > 0, `${this.#workload}: ${name} has ${size} bytes`);
    return this.#program.allocate(size, category, name, stream);
  }

  free(tensor: number): void {
    this.#count();
    this.#program.free(tensor);
  }

  recordStream(tensor: number, stream: number): void {
    this.#count();
    this.#program.recordStream(tensor, stream);
  }

  emptyCache(): void {
    this.#count();
    this.#program.emptyCache();
  }

  synchronize(): void {
    this.#count();
    this.#program.synchronize();
  }

  marker(label: string): void {
    this.#count();
    this.#program.marker(label);
  }

  #count(): void {
    this.#left -= 1;
    if (this.#left >= 0) return;
    throw badInput(
      this.#workload,
      say`${this.#workload}: these parameters make more than ${MOST_OPERATIONS} operations; give fewer steps or layers`,
    );
  }
}
