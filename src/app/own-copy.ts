/**
 * The lab's own copy of itself: a service worker keeps every file of a version, so that the lab runs without a network, and
 * a newer version waits until the person takes it. What the worker does is made by the build (vite.config.ts).
 */
import { type AppStore } from './app-state.js';

export interface OwnCopy {
  /** True once every file is kept: from then on no network is needed. */
  readonly isWhole: boolean;
  /** True while a newer version is kept beside this one, or has already taken over in another tab. */
  readonly isOutdated: boolean;
}
export const NO_COPY: OwnCopy = { isWhole: false, isOutdated: false };

/** What the registration of a service worker reports. */
export interface CopyListener {
  readonly onRegisteredSW: (url: string, registration: ServiceWorkerRegistration | undefined) => void;
  readonly onOfflineReady: () => void;
  readonly onNeedRefresh: () => void;
  readonly onNeedReload: () => void;
  readonly onRegisterError: () => void;
}
/** Registers the service worker; what it returns lets the waiting version take over. */
export type RegisterCopy = (listener: CopyListener) => () => Promise<void>;

/**
 * Watches the copy and tells the store. Returns how to take the newer version: the page is loaded again. A version that is
 * taken in another tab never reloads this one: a run may be under way here, so it is only said.
 */
export function watchOwnCopy(store: AppStore, register: RegisterCopy, reload: () => void): () => void {
  let isAsked = false;
  let isTaken = false;
  const tell = (change: Partial<OwnCopy>): void =>
    store.update((state) => ({ ...state, ownCopy: { ...state.ownCopy, ...change } }));
  const takeWaiting = register({
    onRegisteredSW: (_url, registration) => {
      if (registration?.active != null) tell({ isWhole: true });
    },
    onOfflineReady: () => tell({ isWhole: true }),
    onNeedRefresh: () => tell({ isOutdated: true }),
    onNeedReload: () => {
      isTaken = true;
      if (isAsked) reload();
      else tell({ isOutdated: true });
    },
    // Closed to service workers (a private window, a policy): the lab works, but needs its server.
    onRegisterError: () => tell(NO_COPY),
  });
  return () => {
    isAsked = true;
    if (isTaken) reload();
    else void takeWaiting();
  };
}
