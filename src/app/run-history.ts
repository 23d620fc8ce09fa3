/**
 * Runs that this browser keeps, in IndexedDB. A head (what the list shows) and the report's text are two records, so that
 * listing reads no samples, and a damaged run is refused alone: the others are listed and opened as before.
 *
 *     const history = openHistory(indexedDB);
 *     const { id } = await history.keep(report);
 *     const report = await history.open(id);
 */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import * as v from 'valibot';
import { AppError, messageOf } from '../base/errors.js';
import { adapterName } from '../model/report/present.js';
import { readReport } from '../model/report/read.js';
import { PRESETS, type Report } from '../model/report/schema.js';

const headSchema = v.object({
  id: v.string(),
  /** What the person calls it; '' until then. */
  name: v.string(),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  preset: v.picklist(PRESETS),
  adapter: v.string(),
  adapterClass: v.picklist(['hardware', 'software', 'none']),
  rows: v.number(),
  complete: v.boolean(),
});
export type RunHead = v.InferOutput<typeof headSchema>;

/** A line of the list. */
export type KeptRun =
  { readonly kind: 'readable'; readonly head: RunHead } | { readonly kind: 'damaged'; readonly id: string };

/** A run as it was, so that a deletion can be undone. */
export interface RemovedRun {
  readonly id: string;
  readonly head: unknown;
  readonly text: unknown;
}

/** Every method rejects with `AppError` (`storage`) where the browser keeps nothing or has no room. */
export interface RunHistory {
  /** Newest first. */
  list(): Promise<readonly KeptRun[]>;
  keep(report: Report): Promise<RunHead>;
  /** Rejects with `AppError` (`bad-input`), one line, where the kept report is damaged or gone. */
  open(id: string): Promise<Report>;
  rename(id: string, name: string): Promise<void>;
  remove(id: string): Promise<RemovedRun>;
  restore(removed: RemovedRun): Promise<void>;
}

interface Database extends DBSchema {
  heads: { key: string; value: unknown };
  reports: { key: string; value: unknown };
}
const NAME = 'vramlab-runs';
const VERSION = 1;
const BOTH = ['heads', 'reports'] as const;

/** `hasStorage` is false where the page has no IndexedDB at all. The database is opened when it is first needed. */
export function openHistory(hasStorage: boolean): RunHistory {
  let opened: Promise<IDBPDatabase<Database>> | undefined;
  const database = async (): Promise<IDBPDatabase<Database>> => {
    if (!hasStorage) throw storageError('unavailable', 'this browser gives the page no IndexedDB');
    opened ??= openDB<Database>(NAME, VERSION, {
      upgrade: (db) => BOTH.forEach((store) => db.createObjectStore(store)),
      // Another tab has a newer page and wants to upgrade: let it, and open anew when asked again.
      blocking: (_, __, event) => {
        opened = undefined;
        if (event.target instanceof IDBDatabase) event.target.close();
      },
      terminated: () => (opened = undefined),
    });
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  const guarded = async <T>(work: (db: IDBPDatabase<Database>) => Promise<T>): Promise<T> => {
    try {
      return await work(await database());
    } catch (error) {
      throw asStorageError(error);
    }
  };
  return {
    list: () => guarded(listRuns),
    keep: (report) => guarded((db) => keepRun(db, report)),
    open: (id) => guarded((db) => readRun(db, id)),
    rename: (id, name) => guarded((db) => renameRun(db, id, name)),
    remove: (id) => guarded((db) => removeRun(db, id)),
    restore: (removed) => guarded((db) => putRun(db, removed.id, removed.head, removed.text)),
  };
}

async function listRuns(db: IDBPDatabase<Database>): Promise<readonly KeptRun[]> {
  const transaction = db.transaction('heads');
  const [keys, values] = await Promise.all([transaction.store.getAllKeys(), transaction.store.getAll()]);
  const runs = keys.map((id, i): KeptRun => {
    const head = v.safeParse(headSchema, values[i]);
    return head.success && head.output.id === id ? { kind: 'readable', head: head.output } : { kind: 'damaged', id };
  });
  const time = (run: KeptRun) => (run.kind === 'readable' ? run.head.createdAt : '');
  return runs.sort((a, b) => time(b).localeCompare(time(a)));
}

async function keepRun(db: IDBPDatabase<Database>, report: Report): Promise<RunHead> {
  const { environment } = report;
  const head: RunHead = {
    id: crypto.randomUUID(),
    name: '',
    createdAt: report.createdAt,
    preset: report.preset,
    adapter: environment === undefined ? '' : adapterName(environment),
    adapterClass: environment?.adapter.class ?? 'none',
    rows: report.results.length,
    complete: report.complete,
  };
  await putRun(db, head.id, head, JSON.stringify(report));
  return head;
}

async function putRun(db: IDBPDatabase<Database>, id: string, head: unknown, text: unknown): Promise<void> {
  const transaction = db.transaction(BOTH, 'readwrite');
  await Promise.all([
    transaction.objectStore('heads').put(head, id),
    transaction.objectStore('reports').put(text, id),
    transaction.done,
  ]);
}

async function readRun(db: IDBPDatabase<Database>, id: string): Promise<Report> {
  const text = await db.get('reports', id);
  return readReport(typeof text === 'string' ? text : '', 'this kept run');
}

async function renameRun(db: IDBPDatabase<Database>, id: string, name: string): Promise<void> {
  const head = v.safeParse(headSchema, await db.get('heads', id));
  if (head.success) await db.put('heads', { ...head.output, name }, id);
}

async function removeRun(db: IDBPDatabase<Database>, id: string): Promise<RemovedRun> {
  const transaction = db.transaction(BOTH, 'readwrite');
  const [heads, reports] = [transaction.objectStore('heads'), transaction.objectStore('reports')];
  const [head, text] = await Promise.all([heads.get(id), reports.get(id)]);
  await Promise.all([heads.delete(id), reports.delete(id), transaction.done]);
  return { id, head, text };
}

const storageError = (reason: 'full' | 'unavailable', message: string, cause?: unknown): AppError =>
  new AppError({ kind: 'storage', reason }, message, { cause });

/** What IndexedDB throws is a `DOMException`; anything else is ours and goes on as it is. */
function asStorageError(error: unknown): unknown {
  if (!(error instanceof DOMException)) return error;
  return storageError(error.name === 'QuotaExceededError' ? 'full' : 'unavailable', messageOf(error), error);
}
