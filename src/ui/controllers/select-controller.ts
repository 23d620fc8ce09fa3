import { ContextConsumer } from '@lit/context';
import { type LitElement, type ReactiveController } from 'lit';
import { type AppState, type AppStore } from '../../app/app-state.js';
import { defined } from '../../base/errors.js';
import { servicesContext } from '../services.js';

/**
 * Reads one part of the shared state and updates its host when that part changes.
 *
 *     readonly #run = new SelectController(this, (state) => state.run);
 *     override render() { return html`${this.#run.value.phase}`; }
 *
 * The store comes from the services around the host; the element that provides them hands it in.
 */
export class SelectController<T> implements ReactiveController {
  #store: AppStore | undefined;
  #last: T | undefined;
  #stop: (() => void) | undefined;

  constructor(
    private readonly host: LitElement,
    private readonly select: (state: AppState) => T,
    store?: AppStore,
  ) {
    host.addController(this);
    if (store === undefined) {
      new ContextConsumer(host, { context: servicesContext, callback: (services) => this.#follow(services.store) });
    } else this.#follow(store);
  }

  /** The part as it is now. */
  get value(): T {
    return this.select(this.store.value);
  }

  /** The store, to change it. Asking before a page stands in its shell is a bug. */
  get store(): AppStore {
    return defined(this.#store, 'the store: no services were provided');
  }

  hostConnected(): void {
    if (this.#store !== undefined) this.#follow(this.#store);
  }

  hostDisconnected(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #follow(store: AppStore): void {
    this.#stop?.();
    this.#store = store;
    this.#last = this.value;
    this.#stop = store.subscribe(() => this.#onChange());
    this.host.requestUpdate();
  }

  #onChange(): void {
    const next = this.value;
    if (Object.is(next, this.#last)) return;
    this.#last = next;
    this.host.requestUpdate();
  }
}
