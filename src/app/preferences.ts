/** Keeps preferences, the address bar and the browser's memory in step. */
import { type AppStore } from './app-state.js';
import { remember } from './remembered.js';
import { type Preferences, readHash, writeHash } from './url-state.js';

export interface PreferencesHost {
  readonly history: Pick<History, 'replaceState'>;
  readonly storage: Storage | undefined;
}

/** Writes every change of the preferences to the address bar and the memory. Returns how to stop. */
export function followPreferences(store: AppStore, host: PreferencesHost): () => void {
  let last = store.value.preferences;
  return store.subscribe(() => {
    const { preferences } = store.value;
    if (preferences === last) return;
    last = preferences;
    host.history.replaceState(undefined, '', writeHash('measure', preferences));
    remember(host.storage, preferences);
  });
}

/** Takes over a hash that was typed, followed or gone back to. */
export function applyHash(store: AppStore, hash: string): void {
  store.update((state) => {
    const { preferences, problems } = readHash(hash, state.preferences);
    return { ...state, preferences, linkProblems: problems };
  });
}

export function changePreferences(store: AppStore, change: (preferences: Preferences) => Preferences): void {
  store.update((state) => ({ ...state, preferences: change(state.preferences) }));
}
