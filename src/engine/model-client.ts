/**
 * Files and sweeps as ordinary classes. Each opened file has a worker of its own, so that cancelling one leaves the others
 * alone, and ranks are read side by side.
 *
 *     const file = new FileSession();
 *     await file.open(blob, 'oom.pickle', { signal, onProgress });
 *     const diagnosis = await file.explain();
 *     const row = await pool.answer(await file.whatIfInput(0), change, question, { signal });
 */
import { proxy, type Remote } from 'comlink';
import { type LiveSnapshot } from '../model/diagnose/compare/compare-snapshots.js';
import { type Diagnosis } from '../model/diagnose/diagnosis.js';
import { type TrainingSample } from '../model/diagnose/sample/training-sample.js';
import { type WhatIfInput } from '../model/diagnose/whatif/whatif-input.js';
import { type MemoryRun } from '../model/memory-map/memory-run.js';
import { type ModelApi, type OnOpening, type OpenedFile } from './model-protocol.js';
import { RemoteWorker } from './remote-worker.js';

/** Starts one model worker. */
export const startModelWorker = (): Worker =>
  new Worker(new URL('../../workers/model.worker.ts', import.meta.url), { type: 'module', name: 'model' });

export interface OpenOptions {
  /** Aborting ends the worker at once: a parser does not look up from its work. */
  readonly signal: AbortSignal;
  readonly onProgress?: OnOpening;
}

/** One opened file and the worker that holds it. */
export class FileSession {
  readonly #worker: RemoteWorker<ModelApi>;
  /** Ends with the session, and with it every call. */
  readonly #end = new AbortController();

  constructor(start: () => Worker = startModelWorker) {
    this.#worker = new RemoteWorker<ModelApi>({ start, name: 'model', silenceMs: 0 });
  }

  /** Reads and parses. Rejects with `AppError` (`bad-input`), or with the signal's reason. */
  open(source: Blob, name: string, { signal, onProgress = () => {} }: OpenOptions): Promise<OpenedFile> {
    const whileOpen: OnOpening = (progress) => {
      if (!signal.aborted) onProgress(progress);
    };
    return this.#worker.call(
      async (remote): Promise<OpenedFile> => remote.open(source, name, proxy(whileOpen)),
      AbortSignal.any([signal, this.#end.signal]),
    );
  }

  explain(): Promise<Diagnosis> {
    return this.#call((remote) => remote.explain());
  }

  /** The recorded trace of a device for the memory view, every entry of it. */
  memoryRun(device: number): Promise<MemoryRun> {
    return this.#call((remote) => remote.memoryRun(device));
  }

  /** The program of a device's trace. Rejects with `AppError` (`bad-input`) where none was recorded. */
  whatIfInput(device: number): Promise<WhatIfInput> {
    return this.#call((remote) => remote.whatIfInput(device));
  }

  live(): Promise<LiveSnapshot> {
    return this.#call((remote) => remote.live());
  }

  /** An example to try the page with. */
  sample(): Promise<TrainingSample> {
    return this.#call((remote) => remote.sample());
  }

  /** Lets go of the file and ends its worker; calls that run reject with an `AbortError`. */
  dispose(): void {
    this.#end.abort(new DOMException('the file was closed', 'AbortError'));
    this.#worker.dispose();
  }

  #call<R>(work: (remote: Remote<ModelApi>) => Promise<R>): Promise<R> {
    return this.#worker.call(work, this.#end.signal);
  }
}
