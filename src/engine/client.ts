/**
 * The engine as an ordinary class.
 *
 *     const engine = new EngineClient();
 *     const summary = await engine.run(request, { signal, onEvent });
 *     engine.dispose();
 */
import { say } from '../base/said.js';
import { proxy } from 'comlink';
import { type JournalEntry } from '../model/journal/journal.js';
import { type AdapterChoice, type Environment } from '../model/report/schema.js';
import {
  type AskHost,
  type EngineApi,
  type OnEvent,
  type OnProgress,
  type OnTrainEvent,
  type RunRequest,
  type RunSummary,
  type TrainRequest,
  type TrainResult,
} from './protocol.js';
import { RemoteWorker } from './remote-worker.js';

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onEvent?: OnEvent;
  readonly onProgress?: OnProgress;
  /** Answers what the worker asks; without it the worker is told that there is nobody to ask. */
  readonly askHost?: AskHost;
}

export interface TrainOptions extends Pick<RunOptions, 'signal' | 'askHost'> {
  readonly onEvent?: OnTrainEvent;
}

/** How long a worker may take to stop after an abort: one submit and what surrounds it. */
const SILENCE_LIMIT_MS = 900;

const startWorker = (): Worker =>
  new Worker(new URL('../../workers/gpu.worker.ts', import.meta.url), { type: 'module', name: 'gpu' });

const NOBODY: AskHost = () =>
  Promise.resolve({ kind: 'unavailable', reason: say`a page cannot look at the processes of its browser` });

/** A callback that hears nothing more after the abort. */
const whileRunning =
  <T>(signal: AbortSignal, callback: (value: T) => void | Promise<void>) =>
  (value: T) =>
    signal.aborted ? undefined : callback(value);

export class EngineClient {
  readonly #worker: RemoteWorker<EngineApi>;

  constructor(start: () => Worker = startWorker) {
    this.#worker = new RemoteWorker<EngineApi>({
      start,
      name: 'GPU',
      silenceMs: SILENCE_LIMIT_MS,
      endFailure: { kind: 'device-lost', reason: 'unknown' },
    });
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
    const [event, progress] = [whileRunning(signal, onEvent), whileRunning(signal, onProgress)];
    return this.#worker.call(
      (remote) => remote.run(request, proxy(event), proxy(progress), signal, proxy(askHost)),
      signal,
    );
  }

  /** Carries one training program out (`EngineApi.train`). Aborts as `run` does; one call at a time. */
  train(request: TrainRequest, { signal, onEvent = () => {}, askHost = NOBODY }: TrainOptions): Promise<TrainResult> {
    const event = whileRunning(signal, onEvent);
    return this.#worker.call((remote) => remote.train(request, proxy(event), signal, proxy(askHost)), signal);
  }

  /** What the journal holds (`EngineApi.journal`): to be read before anything risky is run. */
  journal(askHost: AskHost = NOBODY): Promise<JournalEntry | undefined> {
    return this.#worker.call((remote) => remote.journal(proxy(askHost)), new AbortController().signal);
  }

  /** Ends the worker and with it whatever runs. The next call starts another. */
  dispose(): void {
    this.#worker.dispose();
  }
}
