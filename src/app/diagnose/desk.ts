/**
 * The desk of Diagnose: opens files in workers, keeps their verdicts, and asks what if. Nothing is sent anywhere, and what
 * cannot be used leaves everything else as it was.
 *
 *     const desk = new Desk(async () => ({ openSession: () => new FileSession(), answers: new SweepPool() }));
 *     desk.store.subscribe(() => draw(desk.store.value));
 *     desk.open([{ name: 'oom.pickle', content: file }]);
 */
import { AppError, messageOf } from '../../base/errors.js';
import { compareLive } from '../../model/diagnose/compare/compare-snapshots.js';
import { settingChange } from '../../model/diagnose/whatif/changes.js';
import { type WhatIfInput } from '../../model/diagnose/whatif/whatif-input.js';
import { Store } from '../store.js';
import {
  type DeskFile,
  type DeskState,
  EMPTY_DESK,
  type ReadyFile,
  type ReadySweep,
  snapshotsOf,
  type SnapshotView,
  withFile,
  withSnapshot,
} from './desk-state.js';
import { type ModelPort, type Session } from './model-port.js';
import { Sweeps, type SweepSettings } from './sweeps.js';

export interface Source {
  readonly name: string;
  readonly content: Blob;
}

/** What is asked; undefined for what the recording says. */
export interface DeskQuestion {
  /** Bytes of the device. */
  readonly capacity: number | undefined;
  /** Settings of the run. */
  readonly conf: string | undefined;
}

/** Names of the examples, by which a link finds them on the desk. */
export const SAMPLE_NAMES = { snapshot: 'training-loop.pickle', text: 'training-loop-oom.txt' } as const;

export class Desk {
  readonly store = new Store<DeskState>(EMPTY_DESK);
  /** The workers' side, fetched when the first file comes. */
  readonly #load: () => Promise<ModelPort>;
  #port: Promise<ModelPort> | undefined;
  readonly #sweeps: Sweeps;
  readonly #sessions = new Map<number, { readonly session: Session | undefined; readonly abort: AbortController }>();
  #files = 0;
  #question: DeskQuestion = { capacity: undefined, conf: undefined };

  constructor(load: () => Promise<ModelPort>) {
    this.#load = load;
    this.#sweeps = new Sweeps(this.store, async () => (await this.#models()).answers);
  }

  /** Opens files side by side and shows the first. Settles when each is ready, refused or cancelled; never rejects. */
  async open(sources: readonly Source[]): Promise<void> {
    const heads = sources.map(({ name, content }) => ({ id: this.#files++, name, bytes: content.size }));
    const [first] = heads;
    if (first === undefined) return;
    this.store.update((state) => ({
      ...state,
      files: [...state.files, ...heads.map((head): DeskFile => ({ ...head, phase: 'opening', progress: undefined }))],
      shown: { kind: 'file', id: first.id },
      refusals: [],
    }));
    await Promise.all(heads.map(({ id }, index) => this.#read(id, sources[index])));
  }

  /** Opens an example, made by the models here and now. */
  async openSample(which: 'snapshot' | 'text'): Promise<void> {
    const session = (await this.#models()).openSession();
    try {
      const { snapshot, text } = await session.sample();
      const content = which === 'text' ? text : new Uint8Array(snapshot);
      await this.open([{ name: SAMPLE_NAMES[which], content: new Blob([content]) }]);
    } finally {
      session.dispose();
    }
  }

  /** Takes a file off the desk and ends its worker. */
  close(id: number): void {
    this.#sweeps.stop(id);
    const held = this.#sessions.get(id);
    this.#sessions.delete(id);
    held?.abort.abort(new DOMException('closed by the person', 'AbortError'));
    held?.session?.dispose();
    this.store.update((state) => withoutFile(state, id));
  }

  show(id: number): void {
    this.store.update((state) =>
      state.files.some((file) => file.id === id) ? { ...state, shown: { kind: 'file', id } } : state,
    );
  }

  /** Compares the snapshots on the desk, in the order in which they lie there. */
  async compare(): Promise<void> {
    const sessions = snapshotsOf(this.store.value).flatMap(({ id }) => this.#sessions.get(id)?.session ?? []);
    if (sessions.length < 2) return;
    const comparison = compareLive(await Promise.all(sessions.map((session) => session.live())));
    this.store.update((state) => ({ ...state, comparison, shown: { kind: 'comparison' } }));
  }

  dismissRefusals(): void {
    this.store.update((state) => ({ ...state, refusals: [] }));
  }

  /** Looks at another device of a snapshot. */
  async chooseDevice(id: number, device: number): Promise<void> {
    this.#sweeps.stop(id);
    this.store.update((state) =>
      withSnapshot(state, id, (view) => ({
        ...view,
        device,
        run: { phase: 'loading' },
        sweep: { phase: 'preparing' },
      })),
    );
    await this.#look(id, device);
  }

  /** Asks all sweeps again with another device size or other settings of the run, and later ones from the start. */
  setQuestion(question: DeskQuestion): void {
    this.#question = question;
    for (const { id } of this.store.value.files) {
      const sweep = this.#sweepOf(id);
      if (sweep === undefined) continue;
      const own = sweep.rows.filter(({ isOwn }) => isOwn).map(({ change }) => change);
      this.#sweeps.start(id, sweep.input, this.#settings(sweep.input), own);
    }
  }

  /** Adds a question; one that is there already is not asked twice. */
  addChange(id: number, conf: string, allocator: string): void {
    const sweep = this.#sweepOf(id);
    const change = settingChange(conf, allocator);
    const isThere = sweep?.rows.some(
      ({ change: known }) => known.trace === 0 && known.conf === conf && known.allocator === allocator,
    );
    if (sweep !== undefined && isThere !== true) this.#sweeps.add(id, sweep, change);
  }

  removeChange(id: number, row: number): void {
    this.#sweeps.remove(id, row);
  }

  /** Stops the questions that are out. */
  stopAsking(id: number): void {
    this.#sweeps.stop(id);
  }

  /** Ends every worker. */
  dispose(): void {
    for (const { id } of this.store.value.files) this.close(id);
    void this.#port?.then(({ answers }) => answers.dispose());
  }

  #models(): Promise<ModelPort> {
    return (this.#port ??= this.#load());
  }

  #settings({ capacity, conf }: WhatIfInput): SweepSettings {
    return { capacity: this.#question.capacity ?? capacity, conf: this.#question.conf ?? conf };
  }

  #sweepOf(id: number): ReadySweep | undefined {
    const file = this.store.value.files.find((each) => each.id === id);
    const sweep = file?.phase === 'ready' ? file.snapshot?.sweep : undefined;
    return sweep?.phase === 'ready' ? sweep : undefined;
  }

  async #read(id: number, source: Source | undefined): Promise<void> {
    if (source === undefined) return;
    const abort = new AbortController();
    this.#sessions.set(id, { session: undefined, abort });
    try {
      const session = (await this.#models()).openSession();
      if (abort.signal.aborted) {
        session.dispose();
        return;
      }
      this.#sessions.set(id, { session, abort });
      const opened = await session.open(source.content, source.name, {
        signal: abort.signal,
        onProgress: (progress) =>
          this.store.update((state) =>
            withFile(state, id, (file) => (file.phase === 'opening' ? { ...file, progress } : file)),
          ),
      });
      this.store.update((state) =>
        withFile(state, id, ({ name, bytes }) => ({ id, name, bytes, phase: 'explaining' })),
      );
      const diagnosis = await session.explain();
      const snapshot = opened.kind === 'snapshot' ? firstView(opened.devices) : undefined;
      this.store.update((state) =>
        withFile(state, id, ({ name, bytes }): ReadyFile => ({ id, name, bytes, phase: 'ready', diagnosis, snapshot })),
      );
      if (snapshot !== undefined) await this.#look(id, snapshot.device);
      else this.#release(id);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#release(id);
      this.store.update((state) => refuse(withoutFile(state, id), error));
    }
  }

  /** A text needs its worker no longer. */
  #release(id: number): void {
    this.#sessions.get(id)?.session?.dispose();
    this.#sessions.delete(id);
  }

  /** The memory view's data of a device, then its what-if table. */
  async #look(id: number, device: number): Promise<void> {
    const session = this.#sessions.get(id)?.session;
    if (session === undefined) return;
    const isWanted = (): boolean =>
      this.store.value.files.some(
        (file) => file.id === id && file.phase === 'ready' && file.snapshot?.device === device,
      );
    const change = (next: (view: SnapshotView) => SnapshotView): void => {
      if (isWanted()) this.store.update((state) => withSnapshot(state, id, next));
    };
    try {
      const run = await session.memoryRun(device);
      change((view) => ({ ...view, run: run.end === 0 ? { phase: 'none' } : { phase: 'ready', run } }));
    } catch (error) {
      change((view) => ({ ...view, run: { phase: 'failed', message: messageOf(error) } }));
    }
    try {
      const input = await session.whatIfInput(device);
      if (isWanted()) this.#sweeps.start(id, input, this.#settings(input));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      change((view) => ({ ...view, sweep: { phase: 'none', message: error.message } }));
    }
  }
}

/** The device that failed, else the one with the most entries. */
function firstView(devices: SnapshotView['devices']): SnapshotView | undefined {
  const first = [...devices].sort((a, b) => Number(b.hasFailure) - Number(a.hasFailure) || b.events - a.events)[0];
  return first === undefined
    ? undefined
    : { devices, device: first.device, run: { phase: 'loading' }, sweep: { phase: 'preparing' } };
}

const refuse = (state: DeskState, error: unknown): DeskState => ({
  ...state,
  refusals: [...state.refusals, messageOf(error)],
});

function withoutFile(state: DeskState, id: number): DeskState {
  const at = state.files.findIndex((file) => file.id === id);
  if (at < 0) return state;
  const files = state.files.toSpliced(at, 1);
  const next = files[Math.min(at, files.length - 1)];
  const isShown = state.shown?.kind === 'file' && state.shown.id === id;
  const comparison =
    state.comparison !== undefined && snapshotsOf({ ...state, files }).length < 2 ? undefined : state.comparison;
  const lost = isShown || (state.shown?.kind === 'comparison' && comparison === undefined);
  return {
    ...state,
    files,
    comparison,
    shown: !lost ? state.shown : next === undefined ? undefined : { kind: 'file', id: next.id },
  };
}
