/**
 * What the browser keeps between visits, as the same text that a link carries, so that there is one reader. Storage may
 * be closed (private windows, embedded pages): then nothing is kept and the defaults hold.
 */
import { type Language } from '../model/lesson/local-text.js';
import { DEFAULT_MODEL } from './model-settings.js';
import { DEFAULT_SETTINGS } from './settings.js';
import { HOME, type Preferences, readHash, writeHash } from './url-state.js';

const KEY = 'vramlab-preferences';
export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  language: 'en',
  keys: true,
  settings: DEFAULT_SETTINGS,
  presenting: false,
  model: DEFAULT_MODEL,
};

/**
 * The preferences of the last visit; the parts that cannot be read any more are the defaults. `language`: what a first
 * visit begins with.
 */
export function recall(storage: Storage | undefined, language: Language = 'en'): Preferences {
  const kept = storage?.getItem(KEY);
  if (kept == null) return { ...DEFAULT_PREFERENCES, language };
  return readHash(kept, DEFAULT_PREFERENCES, [HOME]).preferences;
}

/** Keeps preferences for the next visit. Returns false where the browser does not let us. */
export function remember(storage: Storage | undefined, preferences: Preferences): boolean {
  if (storage === undefined) return false;
  try {
    storage.setItem(KEY, writeHash(HOME, preferences));
    return true;
  } catch {
    return false; // full or forbidden: the page works without a memory
  }
}

/** `localStorage` or `sessionStorage`, or undefined where reading the property alone throws. */
export function openStorage(which: 'localStorage' | 'sessionStorage' = 'localStorage'): Storage | undefined {
  try {
    return globalThis[which];
  } catch {
    return undefined;
  }
}
