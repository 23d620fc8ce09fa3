/**
 * The Lab's model workers as an ordinary class. Runs, trials and files have a worker each: trials that take long are ended
 * without the runs, and a file that is opened or taken away meanwhile waits for neither.
 *
 *     const lab = new LabClient();
 *     const a = await lab.run(program, setup, { signal });
 *     await lab.fits(program, setup, (fit, done, total) => show(fit), { signal });
 */
import { proxy, type Remote } from 'comlink';
import { type LabProgram, type LabSetup } from '../model/lab/lab-program.js';
import { type LabRun } from '../model/lab/lab-run.js';
import { type LabApi, type OnFit, type OpenedTrace } from './lab-protocol.js';
import { startModelWorker } from './model-client.js';
import { RemoteWorker } from './remote-worker.js';

export interface LabCallOptions {
  /** Aborting ends the worker at once: a replay does not look up from its work. */
  readonly signal: AbortSignal;
}

export class LabClient {
  readonly #runs: RemoteWorker<LabApi>;
  readonly #trials: RemoteWorker<LabApi>;
  readonly #files: RemoteWorker<LabApi>;

  constructor(start: () => Worker = startModelWorker) {
    this.#runs = new RemoteWorker<LabApi>({ start, name: 'model', silenceMs: 0 });
    this.#trials = new RemoteWorker<LabApi>({ start, name: 'model', silenceMs: 0 });
    this.#files = new RemoteWorker<LabApi>({ start, name: 'model', silenceMs: 0 });
  }

  /** One side. Calls are made one after the other. */
  run(program: LabProgram, setup: LabSetup, { signal }: LabCallOptions): Promise<LabRun> {
    return this.#runs.call(async (remote): Promise<LabRun> => remote.labRun(program, setup), signal);
  }

  /** Tries changes; each is told as it is known. */
  fits(program: LabProgram, setup: LabSetup, onFit: OnFit, { signal }: LabCallOptions): Promise<void> {
    const whileWanted: OnFit = (fit, done, total) => (signal.aborted ? undefined : onFit(fit, done, total));
    return this.#trials.call((remote) => remote.labFits(program, setup, proxy(whileWanted)), signal);
  }

  openTrace(source: Blob, name: string, { signal }: LabCallOptions): Promise<OpenedTrace> {
    return this.#files.call(async (remote): Promise<OpenedTrace> => remote.openTrace(source, name), signal);
  }

  traceFile(program: LabProgram): Promise<Blob> {
    return this.#file((remote) => remote.labTraceFile(program));
  }

  snapshot(program: LabProgram, setup: LabSetup): Promise<Blob> {
    return this.#file((remote) => remote.labSnapshot(program, setup));
  }

  report(program: LabProgram, setup: LabSetup): Promise<Record<string, unknown>> {
    return this.#file((remote) => remote.labReport(program, setup));
  }

  /** Ends the workers; the next call starts others. */
  dispose(): void {
    this.#runs.dispose();
    this.#trials.dispose();
    this.#files.dispose();
  }

  #file<R>(work: (remote: Remote<LabApi>) => Promise<R>): Promise<R> {
    return this.#files.call(work, new AbortController().signal);
  }
}
