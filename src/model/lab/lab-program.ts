/** What the Lab runs: a workload of the catalogue with its parameters, or a trace that somebody brought. */
import { type AllocatorSetup } from '../allocator/registry.js';
import { type Trace } from '../trace/trace.js';
import { findWorkload } from '../workload/catalogue.js';
import { type ParameterInput } from '../workload/parameter.js';
import { traceOf } from '../workload/trace-program.js';

export type LabProgram =
  | { readonly kind: 'workload'; readonly workload: string; readonly parameters: ParameterInput }
  | { readonly kind: 'trace'; readonly trace: Trace };

/** Where it runs: the allocator, its settings, the bytes of the device. */
export type LabSetup = Pick<AllocatorSetup, 'name' | 'conf' | 'capacity' | 'fraction' | 'torch'>;

/** The program as a trace. Throws `AppError` (`bad-input`) for an unknown workload or unusable parameters. */
export const traceOfProgram = (program: LabProgram): Trace =>
  program.kind === 'trace' ? program.trace : traceOf(findWorkload(program.workload), program.parameters);
