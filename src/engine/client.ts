/**
 * The engine as an ordinary class.
 *
 *     const engine = new EngineClient();
 *     const summary = await engine.run(request, { signal, onEvent });
 *     engine.dispose();
 */
import { proxy } from 'comlink';
import { type AdapterChoice, type Environment } from '../model/report/schema.js';
import {
  type AskHost,
  type EngineApi,
  type OnEvent,
  type OnProgress,
  type RunRequest,
  type RunSummary,
} from './protocol.js';
import { RemoteWorker } from './remote-worker.js';

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onEvent?: OnEvent;
  readonly onProgress?: OnProgress;
  /** Answers what the worker asks; without it the worker is told that there is nobody to ask. */
  readonly askHost?: AskHost;
}

/** How long a worker may take to stop after an abort: one submit and what surrounds it. */
const SILENCE_LIMIT_MS = 900;

const startWorker = (): Worker =>
  new Worker(new URL('../../workers/gpu.worker.ts', import.meta.url), { type: 'module', name: 'gpu' });

const NOBODY: AskHost = () =>
  Promise.resolve({ kind: 'unavailable', reason: 'a page cannot look at the processes of its browser' });

export class EngineClient {
  readonly #worker: RemoteWorker<EngineApi>;

  constructor(start: () => Worker = startWorker) {
    this.#worker = new RemoteWorker<EngineApi>({ start, name: 'GPU', silenceMs: SILENCE_LIMIT_MS });
  }

  /** Opens a device and tells what it is. Rejects with `AppError` (`unsupported`) where there is none. */
  describe(adapter: AdapterChoice, signal: AbortSignal = new AbortController().signal): Promise<Environment> {
    return this.#worker.call((remote) => remote.describe(adapter), signal);
  }

  /** Runs suites. Rejects with the signal's reason at once on abort; events stop then. One run at a time. */
  run(
    request: RunRequest,
    { signal, onEvent = () => {}, onProgress = () => {}, askHost = NOBODY }: RunOptions,
  ): Promise<RunSummary> {
    const whileRunning =
      <T>(callback: (value: T) => void | Promise<void>) =>
      (value: T) =>
        signal.aborted ? undefined : callback(value);
    return this.#worker.call(
      (remote) =>
        remote.run(request, proxy(whileRunning(onEvent)), proxy(whileRunning(onProgress)), signal, proxy(askHost)),
      signal,
    );
  }

  /** Ends the worker and with it whatever runs. The next call starts another. */
  dispose(): void {
    this.#worker.dispose();
  }
}
