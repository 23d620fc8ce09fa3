/**
 * A workload: a program that asks for memory the way a training or inference job does, with its parameters as data.
 * Same parameters, same operations, byte for byte.
 */
import { GuardedProgram } from './guarded-program.js';
import { type ParameterInput, type ParameterTable, type ParameterValues, resolveParameters } from './parameter.js';
import { type Program } from './program.js';

export interface Workload {
  /** As on the command line. */
  readonly id: string;
  /** One line: what it is and what it shows. */
  readonly about: string;
  /** Budget in bytes that the workload was made for: the story it tells, it tells there. */
  readonly capacity: number;
  readonly parameters: ParameterTable;
  /** What is still live when the program has ended, in words. */
  readonly endsWith: string;
  /** Parameters under which the same work keeps its memory in another way, for a run with these values. */
  readonly alternatives?: (values: Readonly<Record<string, unknown>>) => readonly Readonly<Record<string, unknown>>[];
  /**
   * Every parameter with its value. Throws `AppError` (`bad-input`) for a key that the workload does not have, a value out
   * of range, or values that do not go together.
   */
  readonly resolve: (given: ParameterInput) => Readonly<Record<string, unknown>>;
  /**
   * Runs the program with the parameters given, defaults for the others. Throws as `resolve` does, and
   * for parameters that make more operations or larger tensors than a trace can hold.
   */
  readonly run: (program: Program, given?: ParameterInput) => void;
}

export interface WorkloadDefinition<P extends ParameterTable> extends Omit<Workload, 'run' | 'parameters' | 'resolve'> {
  readonly parameters: P;
  /** Refuses values that are each in range but do not go together. */
  readonly check?: (values: ParameterValues<P>) => void;
  readonly run: (program: Program, values: ParameterValues<P>) => void;
}

/** Ties a program to its table of parameters. */
export function defineWorkload<const P extends ParameterTable>(definition: WorkloadDefinition<P>): Workload {
  const resolve = (given: ParameterInput): ParameterValues<P> => {
    const values = resolveParameters(definition.id, definition.parameters, given);
    definition.check?.(values);
    return values;
  };
  return {
    ...definition,
    resolve,
    run: (program, given = {}) => {
      definition.run(new GuardedProgram(program, definition.id), resolve(given));
    },
  };
}
