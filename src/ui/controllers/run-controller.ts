import { ContextConsumer } from '@lit/context';
import { type LitElement, type ReactiveController } from 'lit';
import { type AppState } from '../../app/app-state.js';
import { stateAfter } from '../../app/adapter-state.js';
import {
  cancelling,
  endRun,
  isActive,
  recordOf,
  type RunEnd,
  type RunState,
  startRun,
  withEvent,
  withProgress,
} from '../../app/run-state.js';
import { defined, messageOf } from '../../base/errors.js';
import { type RunRequest } from '../../engine/protocol.js';
import { type Services, servicesContext } from '../services.js';

const NS_PER_MS = 1e6;

/** Starts, follows and cancels runs on the engine, and writes what happens into the store. One run at a time. */
export class RunController implements ReactiveController {
  readonly #services: ContextConsumer<typeof servicesContext, LitElement>;
  #abort: AbortController | undefined;

  constructor(host: LitElement) {
    this.#services = new ContextConsumer(host, { context: servicesContext });
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#abort?.abort();
  }

  /** Runs to the end, unless somebody else has the GPU; every way of ending is a state, so this never rejects. */
  async start(request: RunRequest): Promise<void> {
    const { store, gpu } = this.#need();
    if (!isActive(store.value.run)) await gpu.during('measure', () => this.#run(request));
  }

  async #run(request: RunRequest): Promise<void> {
    const { store, engine, keeper } = this.#need();
    const abort = new AbortController();
    this.#abort = abort;
    const startedAt = performance.now();
    store.update((state) => ({ ...state, earlier: recordOf(state.run) ?? state.earlier, run: begin(state, request) }));
    const change = (next: (run: RunState) => RunState) => {
      if (this.#abort === abort) store.update((state) => ({ ...state, run: next(state.run) }));
    };
    const end = await engine
      .run(request, {
        signal: abort.signal,
        onEvent: (event) => change((run) => withEvent(run, event)),
        onProgress: (progress) => change((run) => withProgress(run, progress)),
      })
      .then((): RunEnd => ({ phase: 'done' }))
      .catch((error: unknown) => this.#ended(error, abort.signal));
    change((run) => endRun(run, end, (performance.now() - startedAt) * NS_PER_MS));
    if (this.#abort === abort) await keeper.keep(store.value.run);
  }

  cancel(): void {
    if (this.#abort === undefined) return;
    this.#need().store.update((state) => ({ ...state, run: cancelling(state.run) }));
    this.#abort.abort(new DOMException('cancelled by the person', 'AbortError'));
  }

  #ended(error: unknown, signal: AbortSignal): RunEnd {
    if (signal.aborted) return { phase: 'stopped' };
    this.#need().store.update((state) => {
      const environment = recordOf(state.run)?.environment;
      return { ...state, adapter: stateAfter(error, environment) ?? state.adapter };
    });
    return { phase: 'failed', message: messageOf(error) };
  }

  #need(): Services {
    return defined(this.#services.value, 'the services');
  }
}

function begin(state: AppState, request: RunRequest): RunState {
  const environment = state.adapter.kind === 'ready' ? state.adapter.environment : undefined;
  return startRun(request, new Date().toISOString(), environment);
}
