/** What the page knows of the runs that the browser keeps, and the steps that change it. Every refusal is a state. */
import { AppError } from '../base/errors.js';
import { readReport } from '../model/report/read.js';
import { type Report } from '../model/report/schema.js';
import { type AppStore } from './app-state.js';
import { type KeptRun, type RemovedRun, type RunHead, type RunHistory } from './run-history.js';
import { reportOf } from './run-report.js';
import { isActive, openRun, recordOf, type RunState } from './run-state.js';

export type KeepTrouble =
  | { readonly kind: 'full' | 'unavailable' }
  /** A run could not be opened; `what` is the reader's own line. */
  | { readonly kind: 'refused'; readonly id: string; readonly what: string };

export interface Kept {
  /** Undefined before the list was read. */
  readonly runs: readonly KeptRun[] | undefined;
  readonly trouble: KeepTrouble | undefined;
  /** The last deletion, while it can be undone. */
  readonly removed: RemovedRun | undefined;
  /** The kept run that is on screen. */
  readonly shownId: string | undefined;
}
export const NOTHING_KEPT: Kept = { runs: undefined, trouble: undefined, removed: undefined, shownId: undefined };

const SHOWN_KEY = 'vramlab-shown-run';

/** Lists, keeps, opens, renames and deletes runs, and writes what happened into the store. Nothing here rejects. */
export class RunKeeper {
  constructor(
    private readonly store: AppStore,
    readonly history: RunHistory,
    /** Lives as long as the tab: a reload shows the same run again. */
    private readonly session: Storage | undefined,
  ) {}

  /** Reads the list, and shows again what was on screen before a reload. */
  async start(): Promise<void> {
    await this.#refresh();
    const shown = this.session?.getItem(SHOWN_KEY) ?? undefined;
    const { run, kept } = this.store.value;
    const isThere = kept.runs?.some((each) => each.kind === 'readable' && each.head.id === shown) === true;
    if (shown !== undefined && isThere && run.phase === 'idle') await this.open(shown);
  }

  /** Keeps a run that has ended, if it brought anything. */
  async keep(run: RunState): Promise<void> {
    const record = recordOf(run);
    if (run.phase === 'idle' || run.phase === 'opened' || isActive(run) || record === undefined) return;
    if (record.rows.length + record.experiments.length === 0) return;
    await this.#guard(undefined, async () => {
      const { id } = await this.history.keep(reportOf(run));
      this.#show(id);
      await this.#refresh();
    });
  }

  /** Puts a kept run on screen, unless one is being made. */
  async open(id: string): Promise<void> {
    await this.#guard(id, async () => {
      const report = await this.history.open(id);
      const head = this.headOf(id);
      this.store.update((state) =>
        isActive(state.run) ? state : { ...state, run: openRun(head?.name ?? '', report), earlier: undefined },
      );
      this.#show(id);
    });
  }

  /** Reads two kept runs for a comparison; undefined where one is refused, which is said. */
  async readTwo(first: string, second: string): Promise<[Report, Report] | undefined> {
    const reports: Report[] = [];
    for (const id of [first, second]) {
      await this.#guard(id, async () => void reports.push(await this.history.open(id)));
      if (this.store.value.kept.trouble !== undefined) return undefined;
    }
    const [a, b] = reports;
    return a === undefined || b === undefined ? undefined : [a, b];
  }

  /** Takes a report from a file in, keeps it and shows it. */
  async import(name: string, text: string): Promise<void> {
    await this.#guard(undefined, async () => {
      const report = readReport(text, name);
      this.store.update((state) =>
        isActive(state.run) ? state : { ...state, run: openRun(name, report), earlier: undefined },
      );
      const { id } = await this.history.keep(report);
      await this.history.rename(id, name);
      this.#show(id);
      await this.#refresh();
    });
  }

  async rename(id: string, name: string): Promise<void> {
    await this.#guard(id, async () => {
      await this.history.rename(id, name.trim());
      await this.#refresh();
      this.store.update((state) =>
        state.kept.shownId === id && state.run.phase === 'opened'
          ? { ...state, run: { ...state.run, name: name.trim() } }
          : state,
      );
    });
  }

  async remove(id: string): Promise<void> {
    await this.#guard(id, async () => {
      const removed = await this.history.remove(id);
      this.#change({ removed });
      await this.#refresh();
    });
  }

  /** Takes the last deletion back. */
  async undo(): Promise<void> {
    const { removed } = this.store.value.kept;
    if (removed === undefined) return;
    await this.#guard(removed.id, async () => {
      await this.history.restore(removed);
      this.#change({ removed: undefined });
      await this.#refresh();
    });
  }

  headOf(id: string): RunHead | undefined {
    const found = this.store.value.kept.runs?.find((run) => run.kind === 'readable' && run.head.id === id);
    return found?.kind === 'readable' ? found.head : undefined;
  }

  async #refresh(): Promise<void> {
    await this.#guard(undefined, async () => this.#change({ runs: await this.history.list() }));
  }

  /** Where storage says no, or a kept run is damaged, that is said; anything else is a bug of ours and goes on. */
  async #guard(id: string | undefined, work: () => Promise<void>): Promise<void> {
    this.#change({ trouble: undefined });
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { failure } = error;
      if (failure.kind === 'storage') this.#change({ trouble: { kind: failure.reason } });
      else this.#change({ trouble: { kind: 'refused', id: id ?? '', what: error.message } });
    }
  }

  #show(id: string): void {
    this.#change({ shownId: id });
    try {
      this.session?.setItem(SHOWN_KEY, id);
    } catch {
      this.#change({ shownId: id }); // a full session storage only means that a reload shows no run
    }
  }

  #change(change: Partial<Kept>): void {
    this.store.update((state) => ({ ...state, kept: { ...state.kept, ...change } }));
  }
}
