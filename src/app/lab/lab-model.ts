/**
 * The state of the Lab and the steps that change it: settings, both runs, what would fit, the runs on the GPU. Knows no
 * element; the page shows `value` and calls the steps.
 */
import { AppError } from '../../base/errors.js';
import { type Engine } from '../engine-port.js';
import { type LabRequest, NO_WORDS, type Words } from '../handover.js';
import { Store } from '../store.js';
import { type LinkProblem } from '../url-state.js';
import { type LabView, readLabView, writeLabView } from './lab-link.js';
import { planLab, type PlannedSide, samePlan } from './lab-plan.js';
import { type LabPort } from './lab-port.js';
import { type LabSettings } from './lab-settings.js';
import { type FitsProgress, type LabState, type SideState } from './lab-state.js';
import { missingFile } from './lab-words.js';
import { runRealSide } from './real-run.js';
import { type RealSide } from './real-state.js';
import { readTraceFile } from './trace-file.js';

const WAITING = [{ kind: 'waiting' }, { kind: 'waiting' }] as const;
const NOT_RUN = [{ kind: 'not-run' }, { kind: 'not-run' }] as const;

export class LabModel extends Store<LabState> {
  #runs = new AbortController();
  #trials = new AbortController();
  #real = new AbortController();

  constructor(private readonly lab: LabPort) {
    const { view } = readLabView('');
    super({
      view,
      brought: undefined,
      plan: planLab(view.settings, undefined),
      sides: WAITING,
      fits: undefined,
      real: NOT_RUN,
      isRealRunning: false,
      trouble: NO_WORDS,
    });
  }

  /** Shows what a link says, and runs it. Returns the parts that cannot be read. */
  follow(text: string): readonly LinkProblem[] {
    const { view, problems } = readLabView(text);
    const { brought } = this.value;
    const isSame = view.file !== undefined && view.file === brought?.name;
    this.#show(view, isSame ? brought : undefined);
    return problems;
  }

  /** The link's part for what is shown. */
  get text(): string {
    return writeLabView(this.value.view);
  }

  /** Changes settings and runs both sides anew; the playhead goes to the failure. */
  change(change: Partial<LabSettings>): void {
    const { view, brought } = this.value;
    this.#show({ ...view, settings: { ...view.settings, ...change }, position: undefined }, brought);
  }

  /** Shows a program that a file or a page gave. */
  bring(brought: LabRequest): void {
    const { view } = this.value;
    const side = ({ allocator, conf }: LabRequest['a']) => ({ allocator, conf, change: '' });
    const settings: LabSettings = { ...view.settings, pair: 'own', budget: '', a: side(brought.a), b: side(brought.b) };
    this.#show({ ...view, settings, position: undefined, file: brought.name }, brought);
  }

  /** Leaves a program that was brought. */
  leave(): void {
    this.follow('');
  }

  /** Reads a trace file: the recorded settings beside expandable segments. Never rejects. */
  async open(file: File): Promise<void> {
    this.tell(NO_WORDS);
    const read = await readTraceFile(this.lab, file);
    if (read.kind === 'trace') this.bring(read.request);
    else this.tell(read.words);
  }

  /** The playhead is elsewhere. */
  moveTo(position: number | undefined): void {
    this.update((state) => ({ ...state, view: { ...state.view, position } }));
  }

  showRows(rows: LabView['rows']): void {
    this.update((state) => ({ ...state, view: { ...state.view, rows } }));
  }

  /** Says what is wrong with something that was opened. */
  tell(trouble: Words): void {
    this.update((state) => ({ ...state, trouble }));
  }

  closeTrouble(): void {
    this.tell(NO_WORDS);
  }

  /** Carries both sides out on the GPU, one after the other. Every way of ending is a state, so this never rejects. */
  async runReal(engine: Engine, budget: string): Promise<void> {
    const { plan, isRealRunning } = this.value;
    if (plan.status !== 'usable' || isRealRunning) return;
    const abort = new AbortController();
    this.#real = abort;
    this.update((state) => ({ ...state, isRealRunning: true, real: NOT_RUN }));
    const change = (index: number, next: (side: RealSide) => RealSide) => {
      if (this.#real !== abort) return;
      this.update((state) => {
        const [a, b] = state.real;
        return { ...state, real: index === 0 ? [next(a), b] : [a, next(b)] };
      });
    };
    for (const [index, side] of plan.sides.entries()) {
      const end = await runRealSide(side, { lab: this.lab, engine, budget, signal: abort.signal }, (next) =>
        change(index, next),
      );
      change(index, () => end);
      if (abort.signal.aborted) break;
    }
    if (this.#real === abort) this.update((state) => ({ ...state, isRealRunning: false }));
  }

  cancelReal(): void {
    this.#real.abort(new DOMException('cancelled by the person', 'AbortError'));
  }

  /** Ends all work; what is shown stays. */
  stop(): void {
    this.#runs.abort();
    this.#trials.abort();
    this.cancelReal();
  }

  #show(view: LabView, brought: LabRequest | undefined): void {
    const before = this.value;
    const { file } = view;
    const plan = planLab(view.settings, brought);
    const isSame = samePlan(plan, before.plan);
    this.update((state) => ({
      ...state,
      view,
      brought,
      plan,
      trouble: file !== undefined && brought === undefined ? () => missingFile(file) : NO_WORDS,
    }));
    if (isSame && before.sides.every(({ kind }) => kind === 'done' || kind === 'running')) return;
    this.#runs.abort();
    this.#trials.abort();
    if (this.value.isRealRunning) this.cancelReal();
    if (plan.status === 'usable') void this.#run(plan.sides);
  }

  async #run(sides: readonly [PlannedSide, PlannedSide]): Promise<void> {
    const abort = new AbortController();
    this.#runs = abort;
    this.update((state) => ({
      ...state,
      sides: [{ kind: 'running' }, { kind: 'running' }],
      fits: undefined,
      real: NOT_RUN,
      isRealRunning: false,
    }));
    const ended: SideState[] = [];
    for (const plan of sides) {
      const end = await this.#runSide(plan, abort.signal);
      if (abort.signal.aborted || end === undefined) return;
      ended.push(end);
    }
    const [a, b] = ended;
    if (a === undefined || b === undefined) return;
    this.update((state) => ({ ...state, sides: [a, b] }));
    const failed = ended.findIndex((side) => side.kind === 'done' && side.result.failure !== undefined);
    const plan = sides[failed];
    if (plan !== undefined) await this.#try(plan, failed);
  }

  async #runSide(plan: PlannedSide, signal: AbortSignal): Promise<SideState | undefined> {
    try {
      return { kind: 'done', plan, result: await this.lab.run(plan.program, plan.setup, { signal }) };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof AppError)) throw error;
      return { kind: 'refused', words: error.message };
    }
  }

  /** Tries what might make a failing side fit, and shows each row as it comes. */
  async #try({ program, setup }: PlannedSide, side: number): Promise<void> {
    const abort = new AbortController();
    this.#trials = abort;
    const change = (next: (fits: FitsProgress) => FitsProgress) => {
      if (this.#trials !== abort) return;
      this.update((state) => ({
        ...state,
        fits: next(state.fits ?? { side, rows: [], done: 0, total: 0, phase: 'running' }),
      }));
    };
    change((fits) => fits);
    try {
      await this.lab.fits(
        program,
        setup,
        (fit, done, total) => change((fits) => ({ ...fits, rows: [...fits.rows, fit], done, total })),
        { signal: abort.signal },
      );
      change((fits) => ({ ...fits, phase: 'done' }));
    } catch (error) {
      if (!abort.signal.aborted && !(error instanceof AppError)) throw error;
      change((fits) => ({ ...fits, phase: 'stopped' }));
    }
  }
}
