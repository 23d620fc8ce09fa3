/** What the Lab asks of a model worker: runs, what would fit, and files. */
import { type LabFit } from '../model/lab/lab-fits.js';
import { type LabProgram, type LabSetup } from '../model/lab/lab-program.js';
import { type LabRun } from '../model/lab/lab-run.js';
import { type TraceHeader } from '../model/trace/trace-header.js';
import { type Trace } from '../model/trace/trace.js';

/** A change was tried; `done` of `total` are. */
export type OnFit = (fit: LabFit, done: number, total: number) => void | Promise<void>;

/** A trace file that was read. */
export interface OpenedTrace {
  readonly trace: Trace;
  readonly header: TraceHeader;
}

export interface LabApi {
  /** Runs one side. Throws `AppError` (`bad-input`) for parameters, settings or operations that cannot be used. */
  labRun(program: LabProgram, setup: LabSetup): Promise<LabRun>;
  /** Tries every change that might make a failing side fit. Throws as `labRun` does. */
  labFits(program: LabProgram, setup: LabSetup, onFit: OnFit): Promise<void>;
  /** Reads a trace file, gzip or plain. Throws `AppError` (`bad-input`): one line with what is wrong and where. */
  openTrace(source: Blob, name: string): Promise<OpenedTrace>;
  /** The program as a `vramlab-trace` file. */
  labTraceFile(program: LabProgram): Promise<Blob>;
  /** The state at the end of a side as a snapshot for PyTorch's tools, with its history where the allocator keeps one. */
  labSnapshot(program: LabProgram, setup: LabSetup): Promise<Blob>;
  /** What `vramlab replay --json` says of a side. */
  labReport(program: LabProgram, setup: LabSetup): Promise<Record<string, unknown>>;
}
