/** What the Lab's page needs of the models. `LabClient` is one; tests hand in another. */
import { type OnFit, type OpenedTrace } from '../../engine/lab-protocol.js';
import { type LabProgram, type LabSetup } from '../../model/lab/lab-program.js';
import { type LabRun } from '../../model/lab/lab-run.js';

interface LabCallOptions {
  readonly signal: AbortSignal;
}

export interface LabPort {
  run(program: LabProgram, setup: LabSetup, options: LabCallOptions): Promise<LabRun>;
  fits(program: LabProgram, setup: LabSetup, onFit: OnFit, options: LabCallOptions): Promise<void>;
  openTrace(source: Blob, name: string, options: LabCallOptions): Promise<OpenedTrace>;
  traceFile(program: LabProgram): Promise<Blob>;
  snapshot(program: LabProgram, setup: LabSetup): Promise<Blob>;
  report(program: LabProgram, setup: LabSetup): Promise<Record<string, unknown>>;
  dispose(): void;
}
