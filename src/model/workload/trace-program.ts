/** A workload as a trace in memory, with the category and the name of every tensor, for a replay or a screen. */
import { TraceBuilder } from '../trace/trace-builder.js';
import { CATEGORY, type Trace } from '../trace/trace.js';
import { type ParameterInput } from './parameter.js';
import { type Category, type Program } from './program.js';
import { type Workload } from './workload.js';

/**
 * Runs the workload. The meta data of the trace say what made it: `workload`, `params` (every parameter), `capacity`.
 * Throws `AppError` (`bad-input`) for unusable parameters.
 */
export function traceOf(workload: Workload, given: ParameterInput = {}): Trace {
  const params = workload.resolve(given);
  const builder = new TraceBuilder(workload.id);
  workload.run(new BuilderProgram(builder), given);
  return builder.finish({ workload: workload.id, params, capacity: workload.capacity });
}

class BuilderProgram implements Program {
  readonly #builder: TraceBuilder;
  #tensors = 0;

  constructor(builder: TraceBuilder) {
    this.#builder = builder;
  }

  allocate(size: number, category: Category, name: string, stream = 0): number {
    this.#tensors += 1;
    this.#builder.allocate(this.#tensors, size, stream, CATEGORY[category], name === '' ? undefined : name);
    return this.#tensors;
  }

  free(tensor: number): void {
    this.#builder.free(tensor);
  }

  recordStream(tensor: number, stream: number): void {
    this.#builder.recordStream(tensor, stream);
  }

  emptyCache(): void {
    this.#builder.emptyCache();
  }

  synchronize(): void {
    this.#builder.synchronize();
  }

  marker(label: string): void {
    this.#builder.mark(label);
  }
}
