/** The what-if tables of the desk: which questions are out, and what comes back. One sweep a file at a time. */
import { messageOf } from '../../base/errors.js';
import { type Change, defaultChanges, isSearchWorth, settingChange } from '../../model/diagnose/whatif/changes.js';
import { type Question } from '../../model/diagnose/whatif/run-change.js';
import { type WhatIfInput } from '../../model/diagnose/whatif/whatif-input.js';
import { type Store } from '../store.js';
import { withRow, withSnapshot } from './desk-changes.js';
import { type DeskState, type ReadySweep, type SweepRow } from './desk-state.js';
import { type Answers } from './model-port.js';

export interface SweepSettings {
  readonly capacity: number | undefined;
  readonly conf: string;
}

export class Sweeps {
  readonly #store: Store<DeskState>;
  readonly #answers: () => Promise<Answers>;
  /** By file, then by row: how to stop what is out. */
  readonly #out = new Map<number, Map<number, AbortController>>();
  #rows = 0;

  constructor(store: Store<DeskState>, answers: () => Promise<Answers>) {
    this.#store = store;
    this.#answers = answers;
  }

  /** Asks everything: the baseline, the settings and allocators that people try, the changes of code, and `own`. */
  start(file: number, input: WhatIfInput, { capacity, conf }: SweepSettings, own: readonly Change[] = []): void {
    this.stop(file);
    const isOwn = new Set(own);
    const changes = [
      settingChange(conf),
      ...defaultChanges(conf),
      ...input.codeChanges.map((change) => ({ ...change, conf })),
      ...own,
    ];
    const rows = changes.map((change) => this.#row(change, isOwn.has(change)));
    const [program] = input.traces;
    const search = program !== undefined && isSearchWorth(program, rows.length);
    const sweep: ReadySweep = { phase: 'ready', input, capacity, search, conf, rows };
    this.#store.update((state) => withSnapshot(state, file, (view) => ({ ...view, sweep })));
    for (const row of rows) void this.#ask(file, sweep, row);
  }

  /** One more question. */
  add(file: number, sweep: ReadySweep, change: Change): void {
    const row = this.#row(change, true);
    this.#change(file, (rows) => [...rows, row]);
    void this.#ask(file, sweep, row);
  }

  remove(file: number, id: number): void {
    this.#out.get(file)?.get(id)?.abort();
    this.#change(file, (rows) => rows.filter((row) => row.id !== id));
  }

  /** Stops what is out; rows without an answer say so. */
  stop(file: number): void {
    for (const abort of this.#out.get(file)?.values() ?? []) abort.abort();
    this.#out.delete(file);
  }

  /** Asks again what was stopped. */
  resume(file: number, sweep: ReadySweep): void {
    const stopped = sweep.rows.filter(({ state }) => state.phase === 'stopped');
    for (const row of stopped) {
      this.#store.update((state) => withRow(state, file, row.id, { phase: 'queued' }));
      void this.#ask(file, sweep, row);
    }
  }

  #row(change: Change, isOwn: boolean): SweepRow {
    return { id: this.#rows++, change, isOwn, state: { phase: 'queued' } };
  }

  async #ask(file: number, { input, capacity, search }: ReadySweep, { id, change }: SweepRow): Promise<void> {
    const abort = new AbortController();
    const out = this.#out.get(file) ?? new Map<number, AbortController>();
    this.#out.set(file, out.set(id, abort));
    const question: Question = { capacity, search };
    const show = (state: SweepRow['state']): void => this.#store.update((all) => withRow(all, file, id, state));
    try {
      const onStart = (): void => show({ phase: 'computing' });
      const answers = await this.#answers();
      const row = await answers.answer(input, change, question, { signal: abort.signal, onStart });
      show({ phase: 'done', row });
    } catch (error) {
      show(abort.signal.aborted ? { phase: 'stopped' } : { phase: 'failed', message: messageOf(error) });
    } finally {
      out.delete(id);
    }
  }

  #change(file: number, change: (rows: readonly SweepRow[]) => readonly SweepRow[]): void {
    this.#store.update((state) =>
      withSnapshot(state, file, (view) =>
        view.sweep.phase === 'ready' ? { ...view, sweep: { ...view.sweep, rows: change(view.sweep.rows) } } : view,
      ),
    );
  }
}
