/**
 * The desk of Diagnose: opens files in workers, keeps their verdicts, and asks what if. Nothing is sent anywhere, and what
 * cannot be used leaves everything else as it was.
 *
 *     const desk = new Desk(async () => ({ openSession: () => new FileSession(), answers: new SweepPool() }));
 *     desk.store.subscribe(() => draw(desk.store.value));
 *     desk.open([{ name: 'oom.pickle', content: file }]);
 */
import { messageOf } from '../../base/errors.js';
import { compareLive } from '../../model/diagnose/compare/compare-snapshots.js';
import { settingChange } from '../../model/diagnose/whatif/changes.js';
import { type WhatIfInput } from '../../model/diagnose/whatif/whatif-input.js';
import { Store } from '../store.js';
import {
  distinctName,
  firstView,
  freshView,
  withFile,
  withOpening,
  withoutFile,
  withReady,
  withRefusal,
  withShown,
  withSnapshot,
} from './desk-changes.js';
import { type DeskState, EMPTY_DESK, type ReadySweep, snapshotsOf, type SnapshotView } from './desk-state.js';
import { type ModelPort, type Session } from './model-port.js';
import { Sweeps, type SweepSettings } from './sweeps.js';

export interface Source {
  readonly name: string;
  readonly content: Blob;
  /** The same for the same file (name, size, time of the last change); undefined for what is no file. */
  readonly identity?: string;
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
  readonly #identities = new Map<number, string>();
  readonly #sessions = new Map<number, { readonly session: Session | undefined; readonly abort: AbortController }>();
  #files = 0;
  #question: DeskQuestion = { capacity: undefined, conf: undefined };

  constructor(load: () => Promise<ModelPort>) {
    this.#load = load;
    this.#sweeps = new Sweeps(this.store, async () => (await this.#models()).answers);
  }

  /**
   * Opens files side by side; what is shown stays until the first of them is ready. One that lies there already is shown
   * again. Settles when each is ready, refused or cancelled; never rejects.
   */
  async open(sources: readonly Source[]): Promise<void> {
    const known = (source: Source) => this.#idOf(source);
    const fresh = sources.filter((source) => known(source) === undefined);
    const again = sources.map(known).find((id) => id !== undefined);
    if (fresh.length === 0 && again !== undefined) this.show(again);
    const taken = this.store.value.files.map(({ name }) => name);
    const heads = fresh.map(({ name, content, identity }) => {
      const head = { id: this.#files++, name: distinctName(name, taken), bytes: content.size };
      taken.push(head.name);
      if (identity !== undefined) this.#identities.set(head.id, identity);
      return head;
    });
    if (heads.length > 0) this.store.update((state) => withOpening(state, heads));
    await Promise.all(heads.map(({ id, name }, index) => this.#read(id, name, fresh[index]?.content)));
  }

  /** Opens an example, made by the models here and now; one that lies there already is shown again. Never rejects. */
  async openSample(which: 'snapshot' | 'text'): Promise<void> {
    const name = SAMPLE_NAMES[which];
    if (this.#idOf({ name, identity: name }) !== undefined) {
      await this.open([{ name, content: new Blob(), identity: name }]);
      return;
    }
    try {
      const session = (await this.#models()).openSession();
      const { snapshot, text } = await session.sample().finally(() => session.dispose());
      const content = which === 'text' ? text : new Uint8Array(snapshot);
      await this.open([{ name, content: new Blob([content]), identity: name }]);
    } catch (error) {
      this.store.update((state) => withRefusal(state, error));
    }
  }

  /** Takes a file off the desk and ends its worker. */
  close(id: number): void {
    this.#sweeps.stop(id);
    const held = this.#sessions.get(id);
    this.#sessions.delete(id);
    held?.abort.abort(new DOMException('closed by the person', 'AbortError'));
    held?.session?.dispose();
    this.#identities.delete(id);
    this.store.update((state) => withoutFile(state, id));
  }

  show(id: number): void {
    this.store.update((state) => withShown(state, id));
  }

  /** Compares the snapshots on the desk, in the order in which they lie there. */
  async compare(): Promise<void> {
    const sessions = snapshotsOf(this.store.value).flatMap(({ id }) => this.#sessions.get(id)?.session ?? []);
    if (sessions.length < 2) return;
    const comparison = compareLive(await Promise.all(sessions.map((session) => session.live())));
    this.store.update((state) => ({ ...state, comparison, shown: { kind: 'comparison' }, awaited: [] }));
  }

  dismissRefusals(): void {
    this.store.update((state) => ({ ...state, refusals: [] }));
  }

  /** Looks at another device of a snapshot. */
  async chooseDevice(id: number, device: number): Promise<void> {
    this.#sweeps.stop(id);
    this.store.update((state) => withSnapshot(state, id, ({ devices }) => freshView(devices, device)));
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

  /** Asks on where it was stopped. */
  resumeAsking(id: number): void {
    const sweep = this.#sweepOf(id);
    if (sweep !== undefined) this.#sweeps.resume(id, sweep);
  }

  /** Ends every worker. */
  dispose(): void {
    for (const { id } of this.store.value.files) this.close(id);
    void this.#port?.then(({ answers }) => answers.dispose());
  }

  /** The file on the desk that a source is. */
  #idOf({ identity }: Pick<Source, 'name' | 'identity'>): number | undefined {
    if (identity === undefined) return undefined;
    return [...this.#identities].find(([, known]) => known === identity)?.[0];
  }

  /** Fetched once; tried again after it could not be. */
  #models(): Promise<ModelPort> {
    this.#port ??= this.#load().catch((error: unknown) => {
      this.#port = undefined;
      throw error;
    });
    return this.#port;
  }

  #settings({ capacity, conf }: WhatIfInput): SweepSettings {
    return { capacity: this.#question.capacity ?? capacity, conf: this.#question.conf ?? conf };
  }

  #sweepOf(id: number): ReadySweep | undefined {
    const file = this.store.value.files.find((each) => each.id === id);
    const sweep = file?.phase === 'ready' ? file.snapshot?.sweep : undefined;
    return sweep?.phase === 'ready' ? sweep : undefined;
  }

  async #read(id: number, name: string, content: Blob | undefined): Promise<void> {
    if (content === undefined) return;
    const abort = new AbortController();
    this.#sessions.set(id, { session: undefined, abort });
    try {
      const session = (await this.#models()).openSession();
      if (abort.signal.aborted) {
        session.dispose();
        return;
      }
      this.#sessions.set(id, { session, abort });
      const opened = await session.open(content, name, {
        signal: abort.signal,
        onProgress: (progress) =>
          this.store.update((state) =>
            withFile(state, id, (file) => (file.phase === 'opening' ? { ...file, progress } : file)),
          ),
      });
      this.store.update((state) => withFile(state, id, ({ bytes }) => ({ id, name, bytes, phase: 'explaining' })));
      const diagnosis = await session.explain();
      const snapshot = opened.kind === 'snapshot' ? firstView(opened.devices) : undefined;
      this.store.update((state) => withReady(state, id, { diagnosis, snapshot }));
      if (snapshot !== undefined) await this.#look(id, snapshot.device);
      else this.#release(id);
    } catch (error) {
      if (abort.signal.aborted) return;
      this.#release(id);
      this.#identities.delete(id);
      this.store.update((state) => withRefusal(withoutFile(state, id), error));
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
      const failed = { phase: 'failed', message: messageOf(error) } as const;
      const none = { phase: 'none', message: failed.message } as const;
      change((view) => ({ ...view, run: failed, sweep: none }));
      return;
    }
    if (!isWanted()) return;
    try {
      const input = await session.whatIfInput(device);
      if (isWanted()) this.#sweeps.start(id, input, this.#settings(input));
    } catch (error) {
      change((view) => ({ ...view, sweep: { phase: 'none', message: messageOf(error) } }));
    }
  }
}
