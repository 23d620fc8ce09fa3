/**
 * A workload written as a trace file (`vramlab-trace`, DESIGN section 5), piece by piece: a trace of millions of operations
 * never stands in memory as objects.
 */
import { type Program } from './program.js';
import { type ParameterInput } from './parameter.js';
import { type Workload } from './workload.js';

const LINES_A_CHUNK = 4096;

/**
 * Runs the workload and writes its trace file as text. Each operation is a line of its own, so that two traces can be
 * compared with `diff`. Throws `AppError` (`bad-input`) for unusable parameters, before anything is written.
 */
export function writeTraceFile(workload: Workload, given: ParameterInput, write: (text: string) => void): void {
  const values = workload.resolve(given);
  const meta = { workload: workload.id, params: values, capacity: workload.capacity };
  const head = { schema: 'vramlab-trace', version: 1, name: workload.id, meta };
  write(`${JSON.stringify(head).slice(0, -1)},"ops":[\n`);
  const program = new TextProgram(write);
  workload.run(program, given);
  program.finish();
  write('\n]}\n');
}

class TextProgram implements Program {
  readonly #write: (text: string) => void;
  #chunk: string[] = [];
  #tensors = 0;
  #started = false;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  allocate(size: number, category: string, name: string, stream = 0): number {
    this.#tensors += 1;
    const label = name === '' ? '' : `,${JSON.stringify(name)}`;
    this.#operation(`["a",${this.#tensors},${size},${stream},"${category}"${label}]`);
    return this.#tensors;
  }

  free(tensor: number): void {
    this.#operation(`["f",${tensor}]`);
  }

  recordStream(tensor: number, stream: number): void {
    this.#operation(`["r",${tensor},${stream}]`);
  }

  emptyCache(): void {
    this.#operation('["e"]');
  }

  synchronize(): void {
    this.#operation('["y"]');
  }

  marker(label: string): void {
    this.#operation(`["m",${JSON.stringify(label)}]`);
  }

  finish(): void {
    if (this.#chunk.length === 0) return;
    this.#write((this.#started ? ',\n' : '') + this.#chunk.join(',\n'));
    this.#started = true;
    this.#chunk = [];
  }

  #operation(text: string): void {
    this.#chunk.push(text);
    if (this.#chunk.length === LINES_A_CHUNK) this.finish();
  }
}
