/**
 * A worker behind an interface. A call races the abort, because a terminated worker settles nothing; a worker that stays
 * silent after an abort is terminated, and the next call starts another.
 *
 *     const worker = new RemoteWorker<EngineApi>({ start, name: 'GPU', silenceMs: 900 });
 *     const answer = await worker.call((remote) => remote.describe('any'), signal);
 *     worker.dispose();
 */
import { type Remote, releaseProxy, wrap } from 'comlink';
import { say } from '../base/said.js';
import { AppError, type Failure } from '../base/errors.js';
import { withResolvers } from '../base/promises.js';
import { installTransferHandlers } from './transfer-handlers.js';
import { whenGone } from './worker-life.js';

export interface RemoteWorkerOptions {
  readonly start: () => Worker;
  /** Stands in messages. */
  readonly name: string;
  /** How long the worker may take to leave a call after an abort; 0 terminates it at once. */
  readonly silenceMs: number;
  /** What the end of the worker means, where a person can act on it; otherwise it is a plain error. */
  readonly endFailure?: Failure;
}

export class RemoteWorker<T> {
  readonly #options: RemoteWorkerOptions;
  #worker: Worker | undefined;
  #remote: Remote<T> | undefined;
  #gone: Promise<void> = Promise.resolve();
  /** Settles when the last call has left the worker or the worker is gone. */
  #quiet: Promise<void> = Promise.resolve();

  constructor(options: RemoteWorkerOptions) {
    installTransferHandlers();
    this.#options = options;
  }

  /** One call at a time. Rejects with the signal's reason at once on abort. */
  async call<R>(work: (remote: Remote<T>) => Promise<R>, signal: AbortSignal): Promise<R> {
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

  /** Ends the worker and with it whatever runs. The next call starts another. */
  dispose(): void {
    this.#remote?.[releaseProxy]();
    this.#worker?.terminate();
    this.#remote = undefined;
    this.#worker = undefined;
  }

  /** A worker that cannot start or dies answers nothing: its error event, or the lock that it leaves, is the answer. */
  #withWorkerErrors<R>(work: (remote: Remote<T>) => Promise<R>): Promise<R> {
    const worker = (this.#worker ??= this.#started());
    const remote = (this.#remote ??= wrap<T>(worker));
    const broken = withResolvers<never>();
    const onError = (event: ErrorEvent): void => {
      this.dispose();
      broken.reject(
        new Error(say`the ${this.#options.name} worker failed: ${event.message || say`it could not be loaded`}`),
      );
    };
    worker.addEventListener('error', onError, { once: true });
    void this.#gone.then(() => broken.reject(this.#endError()));
    return Promise.race([work(remote), broken.promise]).finally(() => worker.removeEventListener('error', onError));
  }

  #started(): Worker {
    const worker = this.#options.start();
    this.#gone = whenGone(worker).then(() => {
      if (this.#worker === worker) this.dispose();
    });
    return worker;
  }

  #endError(): Error {
    const { name, endFailure } = this.#options;
    const message = say`the ${name} worker ended before its work was done; start it again, what was done until then is kept`;
    return endFailure === undefined ? new Error(message) : new AppError(endFailure, message);
  }

  /** Waits for the worker to leave a call; after an abort only as long as the limit allows. */
  async #quietAfter(result: Promise<unknown>, signal: AbortSignal): Promise<void> {
    const silence = withResolvers<'silent'>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAbort = (): void => {
      if (this.#options.silenceMs === 0) silence.resolve('silent');
      else timer = setTimeout(() => silence.resolve('silent'), this.#options.silenceMs);
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
