/** The program of a run of a lesson as a trace: its own operations, or a workload of the catalogue. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { type Trace } from '../trace/trace.js';
import { findWorkload } from '../workload/catalogue.js';
import { type Program } from '../workload/program.js';
import { traceOf } from '../workload/trace-program.js';
import { MOST_OPERATIONS, operationsTrace } from './operations.js';
import { type Run } from './schema.js';

/** The operations of a run. Throws `AppError` (`bad-input`), one line, for a run that has none or whose own are wrong. */
export function traceOfRun(run: Run): Trace {
  const where = say`run ${run.id}`;
  if (run.ops !== undefined) return operationsTrace(where, run.ops);
  const { generator } = run;
  if (generator === undefined) throw badInput(where, say`${where}: give "ops" or "generator"`);
  const workload = findWorkload(generator.id);
  const counter = new CountingProgram(where);
  workload.run(counter, generator.set);
  return traceOf(workload, generator.set);
}

/** Refuses a program that is too long for a lesson before it is built. */
class CountingProgram implements Program {
  #operations = 0;
  #tensors = 0;

  constructor(readonly where: string) {}

  allocate(): number {
    this.#count();
    this.#tensors += 1;
    return this.#tensors;
  }

  free(): void {
    this.#count();
  }

  recordStream(): void {
    this.#count();
  }

  emptyCache(): void {
    this.#count();
  }

  synchronize(): void {
    this.#count();
  }

  marker(): void {
    this.#count();
  }

  #count(): void {
    this.#operations += 1;
    if (this.#operations <= MOST_OPERATIONS) return;
    throw badInput(
      this.where,
      say`${this.where}: these parameters make more than ${MOST_OPERATIONS} operations; a lesson takes fewer steps or layers`,
    );
  }
}
