import { beforeEach, describe, expect, it } from 'vitest';
import { AppError, badInput } from '../base/errors.js';
import { type Report } from '../model/report/schema.js';
import { sampleReport } from '../model/report/testing/report-sample.js';
import { createStore } from './app-state.js';
import { RunKeeper } from './kept-runs.js';
import { DEFAULT_PREFERENCES } from './remembered.js';
import { type KeptRun, type RemovedRun, type RunHead, type RunHistory } from './run-history.js';
import { doneWith, runningAt, SAMPLE_ROWS } from './testing/sample-run.js';

/** A history in memory; `trouble` is thrown by every call while it is set. */
class MemoryHistory implements RunHistory {
  readonly runs = new Map<string, { head: RunHead; report: Report }>();
  trouble: Error | undefined;

  async #ask<T>(answer: () => T): Promise<T> {
    if (this.trouble !== undefined) throw this.trouble;
    return Promise.resolve(answer());
  }
  list(): Promise<readonly KeptRun[]> {
    return this.#ask(() => [...this.runs.values()].map(({ head }) => ({ kind: 'readable', head }) as const));
  }
  keep(report: Report): Promise<RunHead> {
    return this.#ask(() => {
      const head: RunHead = {
        id: `run-${this.runs.size}`,
        name: '',
        createdAt: report.createdAt,
        preset: report.preset,
        adapter: 'a',
        adapterClass: 'software',
        rows: report.results.length,
        complete: report.complete,
      };
      this.runs.set(head.id, { head, report });
      return head;
    });
  }
  open(id: string): Promise<Report> {
    return this.#ask(() => {
      const found = this.runs.get(id);
      if (found === undefined) throw badInput(id, 'this kept run: the file is cut');
      return found.report;
    });
  }
  rename(id: string, name: string): Promise<void> {
    return this.#ask(() => {
      const found = this.runs.get(id);
      if (found !== undefined) this.runs.set(id, { ...found, head: { ...found.head, name } });
    });
  }
  remove(id: string): Promise<RemovedRun> {
    return this.#ask(() => {
      const found = this.runs.get(id);
      this.runs.delete(id);
      return { id, head: found?.head, text: found?.report };
    });
  }
  restore({ id, head, text }: RemovedRun): Promise<void> {
    return this.#ask(() => void this.runs.set(id, { head: head as RunHead, report: text as Report }));
  }
}

const started = () => {
  const store = createStore(DEFAULT_PREFERENCES, []);
  const history = new MemoryHistory();
  return { store, history, keeper: new RunKeeper(store, history, undefined), kept: () => store.value.kept };
};
let app: ReturnType<typeof started>;
beforeEach(() => {
  app = started();
});

describe('runs that are kept', () => {
  it('are those that have ended and brought something', async () => {
    const { keeper, history, kept } = app;
    await keeper.keep({ phase: 'idle' });
    await keeper.keep(runningAt(SAMPLE_ROWS, 10));
    await keeper.keep(doneWith([]));
    expect(history.runs.size).toBe(0);
    await keeper.keep(doneWith(SAMPLE_ROWS));
    expect(history.runs.size).toBe(1);
    expect([kept().shownId, kept().runs?.length, kept().trouble]).toEqual(['run-0', 1, undefined]);
  });

  it('are opened, renamed on screen too, deleted and taken back', async () => {
    const { keeper, store, kept } = app;
    await keeper.keep(doneWith(SAMPLE_ROWS));
    await keeper.open('run-0');
    await keeper.rename('run-0', '  after the driver ');
    expect(store.value.run).toMatchObject({ phase: 'opened', name: 'after the driver' });
    await keeper.remove('run-0');
    expect([kept().runs, kept().removed?.id]).toEqual([[], 'run-0']);
    await keeper.undo();
    expect([kept().runs?.length, kept().removed]).toEqual([1, undefined]);
    expect(keeper.headOf('run-0')?.name).toBe('after the driver');
  });

  it('do not push a run that is being made off the screen', async () => {
    const { keeper, store } = app;
    await keeper.keep(doneWith(SAMPLE_ROWS));
    const running = runningAt(SAMPLE_ROWS, 10);
    store.update((state) => ({ ...state, run: running }));
    await keeper.open('run-0');
    expect(store.value.run).toBe(running);
  });

  it('come from files too, under the name of the file, and a damaged file is refused by name', async () => {
    const { keeper, history, kept, store } = app;
    await keeper.import('mine.json', JSON.stringify(sampleReport));
    expect(store.value.run).toMatchObject({ phase: 'opened', name: 'mine.json' });
    expect([...history.runs.values()][0]?.head.name).toBe('mine.json');
    await keeper.import('cut.json', '{"schema":');
    const { trouble } = kept();
    expect(trouble?.kind === 'refused' ? trouble.what : '').toContain('cut.json');
    expect(history.runs.size).toBe(1);
  });

  it('are read in twos, and a damaged one is said', async () => {
    const { keeper, kept } = app;
    await keeper.keep(doneWith(SAMPLE_ROWS));
    expect(await keeper.readTwo('run-0', 'run-0')).toHaveLength(2);
    expect(await keeper.readTwo('run-0', 'gone')).toBeUndefined();
    expect(kept().trouble).toMatchObject({ kind: 'refused', id: 'gone' });
  });

  it.each(['full', 'unavailable'] as const)(
    'are not there where the storage is %s: a state, not an error',
    async (reason) => {
      const { keeper, history, kept } = app;
      history.trouble = new AppError({ kind: 'storage', reason }, 'no');
      await keeper.keep(doneWith(SAMPLE_ROWS));
      expect(kept().trouble).toEqual({ kind: reason });
      history.trouble = undefined;
      await keeper.keep(doneWith(SAMPLE_ROWS));
      expect(kept().trouble).toBeUndefined();
    },
  );

  it('hide no bug of ours', async () => {
    app.history.trouble = new Error('a bug');
    await expect(app.keeper.keep(doneWith(SAMPLE_ROWS))).rejects.toThrow('a bug');
  });

  it('are shown again after a reload of the tab', async () => {
    const values = new Map<string, string>();
    const session: Storage = {
      length: 0,
      clear: () => values.clear(),
      key: () => null,
      getItem: (key) => values.get(key) ?? null,
      removeItem: (key) => void values.delete(key),
      setItem: (key, value) => void values.set(key, value),
    };
    await new RunKeeper(app.store, app.history, session).keep(doneWith(SAMPLE_ROWS));
    const store = createStore(DEFAULT_PREFERENCES, []);
    await new RunKeeper(store, app.history, session).start();
    expect(store.value.run.phase).toBe('opened');
  });
});
