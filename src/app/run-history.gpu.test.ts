import { deleteDB, openDB } from 'idb';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../base/errors.js';
import { sampleReport } from '../model/report/testing/report-sample.js';
import { openHistory } from './run-history.js';

const at = (second: number) => ({ ...sampleReport, createdAt: `2026-01-01T00:00:0${second}.000Z` });

/** Writes what no version of the lab would have written. */
async function damage(store: 'heads' | 'reports', id: string, value: unknown): Promise<void> {
  const db = await openDB('vramlab-runs', 1);
  await db.put(store, value, id);
  db.close();
}

describe('the history of runs', () => {
  afterEach(() => deleteDB('vramlab-runs'));

  it('lists the newest first and gives a report back as it was', async () => {
    const history = openHistory(true);
    const older = await history.keep(at(1));
    const newer = await history.keep(at(2));
    expect((await history.list()).map((run) => (run.kind === 'readable' ? run.head.id : ''))).toEqual([
      newer.id,
      older.id,
    ]);
    expect(await history.open(older.id)).toEqual(at(1));
    expect(newer).toMatchObject({ rows: sampleReport.results.length, complete: true, adapterClass: 'software' });
  });

  it('renames, removes and restores', async () => {
    const history = openHistory(true);
    const { id } = await history.keep(at(1));
    await history.rename(id, 'mine');
    const removed = await history.remove(id);
    expect(await history.list()).toEqual([]);
    await expect(history.open(id)).rejects.toThrow(AppError);
    await history.restore(removed);
    expect(await history.list()).toMatchObject([{ kind: 'readable', head: { id, name: 'mine' } }]);
    expect(await history.open(id)).toEqual(at(1));
  });

  it('refuses what is damaged alone: the others are listed and opened', async () => {
    const history = openHistory(true);
    const whole = await history.keep(at(1));
    const cut = await history.keep(at(2));
    await damage('reports', cut.id, '{"schema":"vramlab-report","ver');
    await damage('heads', 'strange', { nothing: true });
    const runs = await history.list();
    expect(runs.map(({ kind }) => kind)).toEqual(['readable', 'readable', 'damaged']);
    await expect(history.open(cut.id)).rejects.toThrow('this kept run');
    expect(await history.open(whole.id)).toEqual(at(1));
    await history.rename('strange', 'x');
    expect((await history.remove('strange')).head).toEqual({ nothing: true });
  });

  it('says that there is no storage where the page has none', async () => {
    await expect(openHistory(false).list()).rejects.toMatchObject({
      failure: { kind: 'storage', reason: 'unavailable' },
    });
  });
});
