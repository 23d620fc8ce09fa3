/**
 * The engine as an ordinary class. It owns the worker: a call races the abort, because a terminated worker settles
 * nothing, and a worker that stays silent after an abort is terminated and replaced.
 *
 *     const engine = new EngineClient();
 *     const summary = await engine.run(request, { signal, onEvent });
 *     engine.dispose();
 */
import { proxy, type Remote, releaseProxy, wrap } from 'comlink';
import { withResolvers } from '../base/promises.js';
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
import { installTransferHandlers } from './transfer-handlers.js';

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
  Promise.resolve({ kind: 'unavailable', reason: 'a page cannot look at the processes of its browser' });

/** A callback that hears nothing more after the abort. */
const whileRunning =
  <T>(signal: AbortSignal, callback: (value: T) => void | Promise<void>) =>
  (value: T) =>
    signal.aborted ? undefined : callback(value);

export class EngineClient {
  readonly #start: () => Worker;
  #worker: Worker | undefined;
  #remote: Remote<EngineApi> | undefined;
  /** Settles when the last call has left the worker or the worker is gone. */
  #quiet: Promise<void> = Promise.resolve();

  constructor(start: () => Worker = startWorker) {
    installTransferHandlers();
    this.#start = start;
  }

  /** Opens a device and tells what it is. Rejects with `AppError` (`unsupported`) where there is none. */
  describe(adapter: AdapterChoice, signal: AbortSignal = new AbortController().signal): Promise<Environment> {
    return this.#call((remote) => remote.describe(adapter), signal);
  }

  /** Runs suites. Rejects with the signal's reason at once on abort; events stop then. One run at a time. */
  run(
    request: RunRequest,
    { signal, onEvent = () => {}, onProgress = () => {}, askHost = NOBODY }: RunOptions,
  ): Promise<RunSummary> {
    const [event, progress] = [whileRunning(signal, onEvent), whileRunning(signal, onProgress)];
    return this.#call((remote) => remote.run(request, proxy(event), proxy(progress), signal, proxy(askHost)), signal);
  }

  /** Carries one training program out (`EngineApi.train`). Aborts as `run` does; one call at a time. */
  train(request: TrainRequest, { signal, onEvent = () => {}, askHost = NOBODY }: TrainOptions): Promise<TrainResult> {
    const event = whileRunning(signal, onEvent);
    return this.#call((remote) => remote.train(request, proxy(event), signal, proxy(askHost)), signal);
  }

  /** What the journal holds (`EngineApi.journal`): to be read before anything risky is run. */
  journal(askHost: AskHost = NOBODY): Promise<JournalEntry | undefined> {
    return this.#call((remote) => remote.journal(proxy(askHost)), new AbortController().signal);
  }

  /** Ends the worker and with it whatever runs. The next call starts another. */
  dispose(): void {
    this.#remote?.[releaseProxy]();
    this.#worker?.terminate();
    this.#remote = undefined;
    this.#worker = undefined;
  }

  async #call<T>(work: (remote: Remote<EngineApi>) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const aborted = withResolvers<never>();
    const onAbort = (): void => aborted.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await Promise.race([this.#quiet, aborted.promise]);
      signal.throwIfAborted();
      const result = this.#withWorkerErrors(work);
      this.#quiet = this.#quietAfter(result, signal);
      return await Promise.race([result, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** A worker that cannot start or dies answers nothing: its error event is the answer. */
  #withWorkerErrors<T>(work: (remote: Remote<EngineApi>) => Promise<T>): Promise<T> {
    const worker = (this.#worker ??= this.#start());
    const remote = (this.#remote ??= wrap<EngineApi>(worker));
    const broken = withResolvers<never>();
    const onError = (event: ErrorEvent): void => {
      this.dispose();
      broken.reject(new Error(`the GPU worker failed: ${event.message || 'it could not be loaded'}`));
    };
    worker.addEventListener('error', onError, { once: true });
    return Promise.race([work(remote), broken.promise]).finally(() => worker.removeEventListener('error', onError));
  }

  /** Waits for the worker to leave a call; after an abort only as long as the limit allows. */
  async #quietAfter(result: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const silence = withResolvers<'silent'>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = (): void => {
      timer = setTimeout(() => silence.resolve('silent'), SILENCE_LIMIT_MS);
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    const left = result.then(
      () => 'left' as const,
      () => 'left' as const,
    );
    if ((await Promise.race([left, silence.promise])) === 'silent') this.dispose();
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
