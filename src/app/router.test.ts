import { describe, expect, it } from 'vitest';
import { createStore } from './app-state.js';
import { changePreferences } from './preferences.js';
import { DEFAULT_PREFERENCES, recall } from './remembered.js';
import { Router } from './router.js';

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

function start(page = 'measure', view?: string) {
  const storage = memory();
  const written: string[] = [];
  const store = createStore(DEFAULT_PREFERENCES, [], { page, view });
  const history = {
    pushState: (_: unknown, __: string, url?: string | URL | null) => void written.push(`push ${String(url)}`),
    replaceState: (_: unknown, __: string, url?: string | URL | null) => void written.push(`replace ${String(url)}`),
  };
  const router = new Router(store, ['measure', 'lab'], { history, storage });
  router.start();
  return { router, store, storage, written };
}

describe('the router', () => {
  it('writes preferences to the address bar and the memory when they change, and only then', () => {
    const { store, storage, written } = start();
    store.update((state) => ({ ...state, adapter: { kind: 'asking' } }));
    changePreferences(store, (preferences) => ({ ...preferences, theme: 'dark' }));
    expect(written).toEqual(['replace #measure?v=1&theme=dark']);
    expect(recall(storage).theme).toBe('dark');
  });

  it('goes to a page as a step that Back takes back, and keeps what each page shows', () => {
    const { router, store, written } = start('lab', 'pair=conf');
    router.go('measure');
    router.show('lab', 'pair=code', 'replace');
    router.go('lab');
    expect(written).toEqual(['push #measure?v=1', 'push #lab?v=1&pair=code']);
    expect([store.value.page, store.value.views['lab']]).toEqual(['lab', 'pair=code']);
  });

  it('writes what a page shows in place or as a step, once', () => {
    const { router, written } = start('lab');
    router.show('lab', 't=1', 'replace');
    router.show('lab', 't=1', 'replace');
    router.show('lab', 't=1&pair=conf', 'push');
    expect(written).toEqual(['replace #lab?v=1&t=1', 'push #lab?v=1&t=1&pair=conf']);
  });

  it('follows a hash and names what is wrong with it', () => {
    const { router, store, written } = start();
    router.follow('#measure?v=1&preset=full&seed=3&theme=pink');
    expect(store.value.preferences.settings).toMatchObject({ preset: 'full', seed: '3' });
    expect(store.value.linkProblems).toEqual([{ kind: 'unreadable', key: 'theme', value: 'pink' }]);
    router.follow('#lab?v=1&t=4');
    expect([store.value.page, store.value.views['lab'], store.value.linkProblems]).toEqual(['lab', 't=4', []]);
    expect(written).toEqual([]);
  });

  it('stays where it is for a page that is not there and for another version', () => {
    const { router, store } = start('lab', 't=4');
    router.follow('#lesson?v=1&t=9');
    expect([store.value.page, store.value.views]).toEqual(['lab', { lab: 't=4' }]);
    router.follow('#measure?v=9&seed=3');
    expect([store.value.page, store.value.preferences.settings.seed]).toEqual(['measure', '1']);
    expect(store.value.linkProblems).toEqual([{ kind: 'newer-version', version: '9' }]);
  });

  it('adds what a page could not read', () => {
    const { router, store } = start('lab');
    router.refuse([{ kind: 'unreadable', key: 'pair', value: 'x' }]);
    router.refuse([]);
    expect(store.value.linkProblems).toHaveLength(1);
    router.go('measure');
    expect(store.value.linkProblems).toEqual([]);
  });
});
