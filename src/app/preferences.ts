/** Changes what links and the browser's memory keep; `Router` writes it there. */
import { type AppStore } from './app-state.js';
import { type Preferences } from './url-state.js';

export function changePreferences(store: AppStore, change: (preferences: Preferences) => Preferences): void {
  store.update((state) => ({ ...state, preferences: change(state.preferences) }));
}
