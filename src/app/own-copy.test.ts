import { describe, expect, it } from 'vitest';
import { createStore } from './app-state.js';
import { type CopyListener, watchOwnCopy } from './own-copy.js';
import { DEFAULT_PREFERENCES } from './remembered.js';

function start() {
  const store = createStore(DEFAULT_PREFERENCES);
  const done: string[] = [];
  const heard: CopyListener[] = [];
  const take = watchOwnCopy(
    store,
    (listener) => {
      heard.push(listener);
      return () => {
        done.push('take waiting');
        return Promise.resolve();
      };
    },
    () => done.push('reload'),
  );
  const [listener] = heard;
  if (listener === undefined) throw new Error('nothing was registered');
  return { store, done, take, listener };
}

describe('the own copy', () => {
  it('is whole when every file is kept, and not before', () => {
    const { store, listener } = start();
    listener.onRegisteredSW('sw.js', undefined);
    expect(store.value.ownCopy).toEqual({ isWhole: false, isOutdated: false });
    listener.onOfflineReady();
    expect(store.value.ownCopy).toEqual({ isWhole: true, isOutdated: false });
  });

  it('lets a newer version wait until it is asked for, then reloads', () => {
    const { store, done, take, listener } = start();
    listener.onNeedRefresh();
    expect([store.value.ownCopy.isOutdated, done]).toEqual([true, []]);
    take();
    expect(done).toEqual(['take waiting']);
    listener.onNeedReload();
    expect(done).toEqual(['take waiting', 'reload']);
  });

  it('does not reload a tab because another one took the newer version', () => {
    const { store, done, take, listener } = start();
    listener.onNeedRefresh();
    listener.onNeedReload();
    expect([store.value.ownCopy.isOutdated, done]).toEqual([true, []]);
    take();
    expect(done).toEqual(['reload']);
  });

  it('says nothing where the browser keeps no copy', () => {
    const { store, listener } = start();
    listener.onRegisterError();
    expect(store.value.ownCopy).toEqual({ isWhole: false, isOutdated: false });
  });
});
