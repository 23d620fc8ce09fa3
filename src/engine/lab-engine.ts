/** The model worker's work for the Lab. */
import { transfer } from 'comlink';
import { badInput } from '../base/errors.js';
import { say } from '../base/said.js';
import { fitCount, labFits } from '../model/lab/lab-fits.js';
import { labReport, labSnapshot } from '../model/lab/lab-files.js';
import { type LabProgram, type LabSetup, traceOfProgram } from '../model/lab/lab-program.js';
import { labRun } from '../model/lab/lab-run.js';
import { transferablesOf } from '../model/memory-map/memory-run.js';
import { parseTrace } from '../model/trace/trace-reader.js';
import { type Trace } from '../model/trace/trace.js';
import { writeTrace } from '../model/trace/trace-writer.js';
import { type LabApi } from './lab-protocol.js';
import { readSource } from './read-source.js';

/** The part of the worker's API that the Lab uses. The last program's trace is kept: the next question is about it too. */
export function createLabEngine(): LabApi {
  let last: { readonly key: string; readonly trace: Trace } | undefined;
  const traceOf = (program: LabProgram): Trace => {
    if (program.kind === 'trace') return program.trace;
    const key = JSON.stringify([program.workload, program.parameters]);
    if (last?.key !== key) last = { key, trace: traceOfProgram(program) };
    return last.trace;
  };
  const ready = (setup: LabSetup): LabSetup => {
    if (setup.capacity > 0) return setup;
    throw badInput('budget', say`the budget is no size; write one such as 992 MiB`);
  };
  return {
    labRun: async (program, setup) => {
      const answer = labRun(traceOf(program), ready(setup));
      return Promise.resolve(transfer(answer, transferablesOf(answer.run)));
    },
    labFits: async (program, setup, onFit) => {
      const trace = traceOf(program);
      const total = fitCount(trace, ready(setup));
      let done = 0;
      for (const fit of labFits(trace, setup)) await onFit(fit, ++done, total);
    },
    openTrace: async (source, name) => parseTrace(await readSource(source, name, () => undefined), name),
    labTraceFile: async (program) => Promise.resolve(new Blob([...writeTrace(traceOf(program))])),
    labSnapshot: async (program, setup) =>
      Promise.resolve(new Blob([new Uint8Array(labSnapshot(traceOf(program), ready(setup)))])),
    labReport: async (program, setup) => Promise.resolve(labReport(traceOf(program), ready(setup))),
  };
}
