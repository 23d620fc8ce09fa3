/**
 * One room's way through the lessons: what is open, what was guessed, what the models and the GPU gave. It outlives the
 * page's visits, so that the hand-out has all of it. The page hands it views and draws its state.
 */
import { AppError, badInput, messageOf } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { stepName } from '../../model/lesson/run-again.js';
import { type StepResult } from '../../model/lesson/run-step.js';
import { type ScenePart, type SceneRun } from '../../model/lesson/scene-of-run.js';
import { type ChoiceId, type Lesson, type Run, type Step } from '../../model/lesson/schema.js';
import { Store } from '../store.js';
import { type DeviceState } from './device-run.js';
import { type LessonPort } from './lesson-port.js';
import { COURSE_VIEW, FILE_HERE, type LessonView } from './lesson-view.js';
import { unpackLesson } from './share-link.js';

/** A lesson file of a person's own. */
export interface OwnFile {
  readonly name: string;
  readonly text: string;
  readonly lessons: readonly Lesson[];
}

/** What a step gave on the models. */
export type ModelState =
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly result: StepResult }
  | { readonly kind: 'failed'; readonly message: string };

export interface SessionState {
  readonly view: LessonView;
  /** The lesson on screen; undefined on the course list, and while it is loaded. */
  readonly lesson: Lesson | undefined;
  readonly own: OwnFile | undefined;
  /** What could not be opened, in words; '' for nothing. The page keeps what it shows. */
  readonly trouble: string;
  /** By step: two files may use one name. */
  readonly picks: ReadonlyMap<Step, ChoiceId>;
  /** Steps whose answer was shown. */
  readonly revealed: ReadonlySet<Step>;
  readonly models: ReadonlyMap<Step, ModelState>;
  readonly devices: ReadonlyMap<Step, DeviceState>;
}

const EMPTY: SessionState = {
  view: COURSE_VIEW,
  lesson: undefined,
  own: undefined,
  trouble: '',
  picks: new Map(),
  revealed: new Set(),
  models: new Map(),
  devices: new Map(),
};

/** The step on screen; undefined where there is none. */
export function stepOf({ lesson, view }: SessionState): Step | undefined {
  if (view.screen !== 'step') return undefined;
  return lesson?.steps.find((step) => stepName(step) === view.step) ?? lesson?.steps[0];
}

export class LessonSession {
  readonly store = new Store<SessionState>(EMPTY);
  /** The lab's own lessons, read once: what was done with their steps stays with them. */
  readonly #loaded = new Map<string, Promise<Lesson>>();
  readonly #computing = new Map<Step, Promise<void>>();
  readonly #scenes = new WeakMap<Run, Map<ScenePart, Promise<SceneRun>>>();
  /** Counts what is opened: what arrives late is dropped. */
  #opening = 0;

  constructor(private readonly models: LessonPort) {}

  get state(): SessionState {
    return this.store.value;
  }

  /**
   * Goes to a view. What it names and does not exist leaves the page as it was, with words in `trouble`; then the answer is
   * false.
   */
  async go(view: LessonView): Promise<boolean> {
    const opening = ++this.#opening;
    try {
      const own = await this.#ownOf(view);
      const lesson = view.screen === 'step' ? await this.#lessonOf(view, own) : undefined;
      if (opening !== this.#opening) return false;
      const step = lesson === undefined ? undefined : stepIn(lesson, view.step);
      this.#show({ ...view, lesson: lesson?.id ?? '', step: step === undefined ? '' : stepName(step) }, lesson, own);
      if (step !== undefined) void this.compute(step);
      return true;
    } catch (error) {
      if (opening === this.#opening) this.#trouble(error);
      return false;
    }
  }

  /**
   * Opens a lesson file. Gives the view of its first step; undefined where it cannot be used (`trouble` says why), or where
   * another one was opened meanwhile.
   */
  async open(text: string, name: string, packed: string): Promise<LessonView | undefined> {
    const opening = ++this.#opening;
    try {
      const lessons = await this.models.open(text, name);
      const [first] = lessons;
      if (first === undefined || opening !== this.#opening) return undefined;
      this.#patch({ own: { name, text, lessons }, trouble: '' });
      return { ...COURSE_VIEW, screen: 'step', lesson: first.id, file: packed };
    } catch (error) {
      if (opening === this.#opening) this.#trouble(error);
      return undefined;
    }
  }

  closeTrouble(): void {
    this.#patch({ trouble: '' });
  }

  /** Runs a step on the models, once; whoever asks again waits for the same run. */
  compute(step: Step): Promise<void> {
    const computing = this.#computing.get(step) ?? this.#compute(step);
    this.#computing.set(step, computing);
    return computing;
  }

  async #compute(step: Step): Promise<void> {
    this.#model(step, { kind: 'running' });
    try {
      this.#model(step, { kind: 'done', result: await this.models.step(step) });
    } catch (error) {
      if (isEnd(error)) return;
      // It is asked again when the step is next opened: a model's worker may have ended under it.
      this.#computing.delete(step);
      this.#model(step, { kind: 'failed', message: messageOf(error) });
      if (!(error instanceof AppError)) throw error;
    }
  }

  /** A run as the scene draws it, replayed once. Rejects with `AppError` (`bad-input`) for one that cannot be made. */
  readonly scene = (step: Step, run: Run, part: ScenePart): Promise<SceneRun> => {
    const parts = this.#scenes.get(run) ?? new Map<ScenePart, Promise<SceneRun>>();
    this.#scenes.set(run, parts);
    const { start, view } = step;
    const known = parts.get(part) ?? this.models.scene({ start, view }, run, part);
    parts.set(part, known);
    known.catch(() => parts.delete(part));
    return known;
  };

  /** With the guess and the answer that the step has already, where the view names none. */
  known(view: LessonView): LessonView {
    const { lesson, own, picks, revealed } = this.state;
    const lessons = [...(lesson === undefined ? [] : [lesson]), ...(view.file === '' ? [] : (own?.lessons ?? []))];
    const step = lessons.find(({ id }) => id === view.lesson)?.steps.find((each) => stepName(each) === view.step);
    if (step === undefined || view.pick !== undefined) return view;
    return { ...view, pick: picks.get(step), reveal: revealed.has(step) };
  }

  /** Keeps what a step gave on the GPU. */
  device(step: Step, state: DeviceState): void {
    this.#patch({ devices: new Map(this.state.devices).set(step, state) });
  }

  /** Back to the step's exact state: no guess, no answer. What was computed is the same each time and stays. */
  reset(step: Step): void {
    const picks = new Map(this.state.picks);
    picks.delete(step);
    const revealed = new Set(this.state.revealed);
    revealed.delete(step);
    const devices = new Map(this.state.devices);
    devices.delete(step);
    this.#patch({ picks, revealed, devices });
  }

  #show(view: LessonView, lesson: Lesson | undefined, own: OwnFile | undefined): void {
    const picks = new Map(this.state.picks);
    const revealed = new Set(this.state.revealed);
    const step = lesson === undefined ? undefined : stepIn(lesson, view.step);
    if (step !== undefined && view.pick !== undefined) picks.set(step, view.pick);
    if (step !== undefined && view.reveal) revealed.add(step);
    this.#patch({ view, lesson, own, trouble: '', picks, revealed });
  }

  async #ownOf({ file }: LessonView): Promise<OwnFile | undefined> {
    const { own, view } = this.state;
    if (file === '') return own;
    if (own !== undefined && (view.file === file || file === FILE_HERE)) return own;
    if (file === FILE_HERE) {
      throw badInput('link', say`link: the lesson file was too large to travel in this link; open the file itself`);
    }
    const text = await unpackLesson(file);
    const name = say`the lesson in this link`;
    return { name, text, lessons: await this.models.open(text, name) };
  }

  /** A link with a file means the file's lessons, any other the lab's own. */
  async #lessonOf({ lesson, file }: LessonView, own: OwnFile | undefined): Promise<Lesson> {
    if (file === '') {
      const loading = this.#loaded.get(lesson) ?? this.models.lesson(lesson);
      this.#loaded.set(lesson, loading);
      loading.catch(() => this.#loaded.delete(lesson));
      return loading;
    }
    const found = lesson === '' ? own?.lessons[0] : own?.lessons.find(({ id }) => id === lesson);
    if (found !== undefined) return found;
    const known = (own?.lessons ?? []).map(({ id }) => id).join(', ');
    throw badInput('lesson', say`the file has no lesson "${lesson}"; it has ${known}`);
  }

  #model(step: Step, state: ModelState): void {
    this.#patch({ models: new Map(this.state.models).set(step, state) });
  }

  #trouble(error: unknown): void {
    if (isEnd(error)) return;
    if (!(error instanceof AppError)) throw error;
    this.#patch({ trouble: messageOf(error) });
  }

  #patch(change: Partial<SessionState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}

/** The page was closed; nobody waits for an answer. */
const isEnd = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

function stepIn({ id, steps }: Lesson, wanted: string): Step | undefined {
  if (wanted === '') return steps[0];
  const step = steps.find((each) => stepName(each) === wanted);
  if (step !== undefined) return step;
  throw badInput('step', say`the lesson "${id}" has no step "${wanted}"; it has ${steps.map(stepName).join(', ')}`);
}
