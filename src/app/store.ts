/**
 * State that several elements share: one value, replaced whole, and those who want to know. Elements read it through a
 * `SelectController`.
 *
 *     const store = new Store({ count: 0 });
 *     const stop = store.subscribe(() => draw(store.value));
 *     store.update((state) => ({ ...state, count: state.count + 1 }));
 */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(initial: T) {
    this.#value = initial;
  }

  get value(): T {
    return this.#value;
  }

  /** Replaces the value by what `change` makes of it. The same value again tells nobody. */
  update(change: (value: T) => T): void {
    const next = change(this.#value);
    if (Object.is(next, this.#value)) return;
    this.#value = next;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Calls `listener` after every change until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
