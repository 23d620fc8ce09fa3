import { describe, expect, it } from 'vitest';
import { createStore } from './app-state.js';
import { commandFor } from './commands.js';
import { applyHash, changePreferences, followPreferences } from './preferences.js';
import { DEFAULT_PREFERENCES, recall, remember } from './remembered.js';
import { timeLeftWords } from './words.js';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    length: 0,
    clear: () => kept.clear(),
    key: () => null,
    removeItem: (key) => kept.delete(key),
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

describe('preferences', () => {
  it('go to the address bar and the memory when they change, and only then', () => {
    const storage = memory();
    const hashes: unknown[] = [];
    const store = createStore(DEFAULT_PREFERENCES, []);
    followPreferences(store, { history: { replaceState: (_, __, url) => void hashes.push(url) }, storage });
    store.update((state) => ({ ...state, adapter: { kind: 'asking' } }));
    changePreferences(store, (preferences) => ({ ...preferences, theme: 'dark' }));
    expect(hashes).toEqual(['#measure?v=1&theme=dark']);
    expect(recall(storage).theme).toBe('dark');
  });

  it('follow a hash that is typed, and name what is wrong with it', () => {
    const store = createStore(DEFAULT_PREFERENCES, []);
    applyHash(store, '#measure?v=1&preset=full&seed=3&theme=pink');
    expect(store.value.preferences.settings).toMatchObject({ preset: 'full', seed: '3' });
    expect(store.value.linkProblems).toEqual([{ kind: 'unreadable', key: 'theme', value: 'pink' }]);
  });

  it('live without a memory, and with one that is full', () => {
    const full = memory();
    full.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    expect(remember(undefined, DEFAULT_PREFERENCES)).toBe(false);
    expect(remember(full, DEFAULT_PREFERENCES)).toBe(false);
    expect(recall(undefined)).toEqual(DEFAULT_PREFERENCES);
  });
});

describe('commands', () => {
  const commands = [{ key: 'r', title: () => 'Run', run: () => undefined }];
  const press = { key: 'r', ctrlKey: false, metaKey: false, altKey: false, repeat: false, isTyping: false };

  it('are found by their key', () => expect(commandFor(commands, press)).toBe(commands[0]));

  it.each([{ key: 'x' }, { ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }, { isTyping: true }])(
    'are not meant by %j',
    (change) => expect(commandFor(commands, { ...press, ...change })).toBeUndefined(),
  );
});

describe('time left', () => {
  it.each([
    [0.2e9, 'about 1 s left'],
    [9.2e9, 'about 10 s left'],
    [11e9, 'about 15 s left'],
    [58e9, 'about 1 min 0 s left'],
    [61e9, 'about 1 min 10 s left'],
  ])('of %d ns is rounded to 1, 5 or 10 s', (ns, words) => expect(timeLeftWords(ns)).toBe(words));
});
