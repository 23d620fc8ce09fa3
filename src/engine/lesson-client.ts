/**
 * The Lesson page's model worker as an ordinary class. Numbers and scenes have a worker each, so that the map of the next
 * step does not wait for the numbers of the last one.
 *
 *     const models = new LessonClient();
 *     const { steps } = await models.lesson('concat');
 *     const { numbers } = await models.step(steps[0]);
 *     models.dispose();
 */
import { type Remote } from 'comlink';
import { type StepResult } from '../model/lesson/run-step.js';
import { type ScenePart, type SceneRun, type SceneStep } from '../model/lesson/scene-of-run.js';
import { type Lesson, type Run, type Step } from '../model/lesson/schema.js';
import { type LessonApi } from './lesson-protocol.js';
import { startModelWorker } from './model-client.js';
import { RemoteWorker } from './remote-worker.js';

export class LessonClient {
  readonly #numbers: RemoteWorker<LessonApi>;
  readonly #scenes: RemoteWorker<LessonApi>;
  /** Ends with the client, and with it every call: an `AbortError`. */
  #end = new AbortController();

  constructor(start: () => Worker = startModelWorker) {
    this.#numbers = new RemoteWorker<LessonApi>({ start, name: 'model', silenceMs: 0 });
    this.#scenes = new RemoteWorker<LessonApi>({ start, name: 'model', silenceMs: 0 });
  }

  lesson(id: string): Promise<Lesson> {
    return this.#call(this.#numbers, async (remote): Promise<Lesson> => remote.lesson(id));
  }

  open(text: string, name: string): Promise<readonly Lesson[]> {
    return this.#call(this.#numbers, async (remote): Promise<readonly Lesson[]> => remote.lessonFile(text, name));
  }

  step(step: Step): Promise<StepResult> {
    return this.#call(this.#numbers, async (remote): Promise<StepResult> => remote.lessonStep(step));
  }

  scene(step: SceneStep, run: Run, part: ScenePart): Promise<SceneRun> {
    return this.#call(this.#scenes, async (remote): Promise<SceneRun> => remote.lessonScene(step, run, part));
  }

  trace(run: Run): Promise<string> {
    return this.#call(this.#scenes, (remote) => remote.lessonTrace(run));
  }

  /** Ends the workers; calls that run reject with an `AbortError`, the next one starts others. */
  dispose(): void {
    this.#end.abort(new DOMException('the lessons were closed', 'AbortError'));
    this.#end = new AbortController();
    this.#numbers.dispose();
    this.#scenes.dispose();
  }

  #call<R>(worker: RemoteWorker<LessonApi>, work: (remote: Remote<LessonApi>) => Promise<R>): Promise<R> {
    return worker.call(work, this.#end.signal);
  }
}
