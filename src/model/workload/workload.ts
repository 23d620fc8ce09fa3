/**
 * A workload: a program that asks for memory the way a training or inference job does, with its parameters as data.
 * Same parameters, same operations, byte for byte.
 */
import { type Program } from './program.js';
import {
  type ParameterInput,
  type ParameterTable,
  type ParameterValues,
  resolveParameters,
} from './parameter.js';

export interface Workload {
  /** As on the command line. */
  readonly id: string;
  /** One line: what it is and what it shows. */
  readonly about: string;
  /** Budget in bytes that the workload was made for: the story it tells, it tells there. */
  readonly capacity: number;
  readonly parameters: ParameterTable;
  /** Bytes that stay live when the program has ended, in words. */
  readonly endsWith: string;
  /**
   * Runs the program. Throws `AppError` (`bad-input`) for parameters that `resolveParameters` refuses, or that do not
   * go together. Returns the values used.
   */
  readonly run: (program: Program, given?: ParameterInput) => Readonly<Record<string, unknown>>;
}

export interface WorkloadDefinition<P extends ParameterTable> extends Omit<Workload, 'run' | 'parameters'> {
  readonly parameters: P;
  readonly run: (program: Program, values: ParameterValues<P>) => void;
}

/** Ties a program to its table of parameters. */
export function defineWorkload<const P extends ParameterTable>(definition: WorkloadDefinition<P>): Workload {
  return {
    ...definition,
    run: (program, given = {}) => {
      const values = resolveParameters(definition.id, definition.parameters, given);
      definition.run(program, values);
      return values;
    },
  };
}
