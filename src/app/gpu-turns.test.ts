import { describe, expect, it } from 'vitest';
import { withResolvers } from '../base/promises.js';
import { createStore } from './app-state.js';
import { GpuTurns, type Locks, othersTurn } from './gpu-turns.js';
import { DEFAULT_PREFERENCES } from './remembered.js';

/** Locks of one browser as the tabs share them: one name, the rest waits in order. */
class SharedLocks {
  #held = false;
  readonly #waiting: (() => void)[] = [];

  readonly request = (async (_name: string, ...rest: unknown[]): Promise<unknown> => {
    const work = rest.at(-1) as (lock: object | null) => unknown;
    const options = rest.length > 1 ? (rest[0] as LockOptions) : {};
    if (this.#held && options.ifAvailable === true) return work(null);
    if (this.#held) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#held = true;
    try {
      return await work({});
    } finally {
      this.#held = false;
      this.#waiting.shift()?.();
    }
  }) as Locks['request'];
}

const tab = (locks: Locks | undefined) => {
  const store = createStore(DEFAULT_PREFERENCES);
  return { store, turns: new GpuTurns(store, locks), holder: () => store.value.gpuHolder };
};

describe.each([
  ['with locks', () => new SharedLocks()],
  ['without locks', () => undefined],
])('one tab, %s', (_name, locks) => {
  it('gives the GPU to the first page and refuses the second by name', async () => {
    const { turns, holder } = tab(locks());
    const job = withResolvers<number>();
    const first = turns.during('lesson', () => job.promise);
    expect(holder()).toBe('lesson');
    let began = false;
    const second = await turns.during('measure', () => {
      began = true;
      return Promise.resolve(0);
    });
    expect([second, began]).toEqual([{ kind: 'busy', holder: 'lesson' }, false]);
    job.resolve(7);
    expect(await first).toEqual({ kind: 'done', value: 7 });
    expect(holder()).toBeUndefined();
    expect(await turns.during('measure', () => Promise.resolve(8))).toEqual({ kind: 'done', value: 8 });
  });

  it('frees the GPU when the work fails', async () => {
    const { turns, holder } = tab(locks());
    await expect(turns.during('lab', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
    expect(holder()).toBeUndefined();
  });
});

it('refuses while another tab has the GPU, says so, and knows when it is done', async () => {
  const locks = new SharedLocks();
  const [one, two] = [tab(locks), tab(locks)];
  const job = withResolvers<undefined>();
  const first = one.turns.during('measure', () => job.promise);
  expect(await two.turns.during('lesson', () => Promise.resolve())).toEqual({ kind: 'busy', holder: 'other-tab' });
  expect([one.holder(), two.holder()]).toEqual(['measure', 'other-tab']);
  const freed = new Promise<void>((resolve) => {
    two.store.subscribe(() => resolve());
  });
  job.resolve(undefined);
  await first;
  await freed;
  expect(two.holder()).toBeUndefined();
  expect((await two.turns.during('lesson', () => Promise.resolve())).kind).toBe('done');
});

it('a page does not stand in its own way', () => {
  expect([othersTurn('lab', 'lab'), othersTurn('lab', 'lesson'), othersTurn(undefined, 'lab')]).toEqual([
    undefined,
    'lab',
    undefined,
  ]);
});
