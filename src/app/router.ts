/**
 * Keeps page, address bar and the browser's memory in step. Links and Back lead to `follow`; a page tells what it shows
 * with `show`, so that a reload, a copied link and Back bring the same view again.
 */
import { type AppStore } from './app-state.js';
import { remember } from './remembered.js';
import { type LinkProblem, readHash, writeHash } from './url-state.js';

export interface RouterHost {
  readonly history: Pick<History, 'pushState' | 'replaceState'>;
  readonly storage: Storage | undefined;
}

export class Router {
  #written: string;

  /** `pages`: the names there are. */
  constructor(
    private readonly store: AppStore,
    private readonly pages: readonly string[],
    private readonly host: RouterHost,
  ) {
    this.#written = this.hashOf(store.value.page);
  }

  /** Writes every change to the address bar and the memory. Returns how to stop. */
  start(): () => void {
    let last = this.store.value.preferences;
    return this.store.subscribe(() => {
      const { preferences, page } = this.store.value;
      this.#write(this.hashOf(page), 'replace');
      if (preferences === last) return;
      last = preferences;
      remember(this.host.storage, preferences);
    });
  }

  /** Whether there is a page of that name. */
  has(page: string): boolean {
    return this.pages.includes(page);
  }

  /** The hash of a page as it is now: its tab leads there. */
  hashOf(page: string): string {
    const { preferences, views } = this.store.value;
    return writeHash(page, preferences, views[page]);
  }

  /**
   * Takes over a hash that was typed, followed or gone back to. A part that cannot be read leaves that part as it was; a
   * page that is not there, or another version, leaves the page on screen.
   */
  follow(hash: string): void {
    this.store.update((state) => {
      const read = readHash(hash, state.preferences, this.pages);
      const page = read.page ?? state.page;
      const views =
        read.page === undefined || read.view === undefined ? state.views : { ...state.views, [page]: read.view };
      this.#written = writeHash(page, read.preferences, views[page]);
      return { ...state, page, views, preferences: read.preferences, linkProblems: read.problems };
    });
  }

  /** Goes to a page, with a view of its own or as it was left: a step that Back takes back. */
  go(page: string, view?: string): void {
    const { views } = this.store.value;
    const next = view === undefined ? views : { ...views, [page]: view };
    this.#write(writeHash(page, this.store.value.preferences, next[page]), 'push');
    this.store.update((state) => ({ ...state, page, views: next, linkProblems: [] }));
  }

  /** A page tells what it shows. `push`: a step that Back takes back, if the page is on screen. */
  show(page: string, view: string, how: 'push' | 'replace'): void {
    const { page: shown, preferences, views } = this.store.value;
    if (views[page] === view) return;
    if (shown === page) this.#write(writeHash(page, preferences, view), how);
    this.store.update((state) => ({ ...state, views: { ...state.views, [page]: view } }));
  }

  /** A page could not read parts of its view; the shell says so. */
  refuse(problems: readonly LinkProblem[]): void {
    if (problems.length === 0) return;
    this.store.update((state) => ({ ...state, linkProblems: [...state.linkProblems, ...problems] }));
  }

  #write(hash: string, how: 'push' | 'replace'): void {
    if (hash === this.#written) return;
    this.#written = hash;
    if (how === 'push') this.host.history.pushState(undefined, '', hash);
    else this.host.history.replaceState(undefined, '', hash);
  }
}
