/** What the Lesson page needs of the models. `LessonClient` is one; tests hand in another. */
import { type StepResult } from '../../model/lesson/run-step.js';
import { type ScenePart, type SceneRun, type SceneStep } from '../../model/lesson/scene-of-run.js';
import { type Lesson, type Run, type Step } from '../../model/lesson/schema.js';

/** Everything here rejects with `AppError` (`bad-input`) for what cannot be used, and with an `AbortError` at the end. */
export interface LessonPort {
  /** A lesson of the lab's own. */
  lesson(id: string): Promise<Lesson>;
  /** The lessons of a file. */
  open(text: string, name: string): Promise<readonly Lesson[]>;
  /** Every number of a step, derived anew. */
  step(step: Step): Promise<StepResult>;
  /** A run as the scene draws it. */
  scene(step: SceneStep, run: Run, part: ScenePart): Promise<SceneRun>;
  /** The program of a run as the text of a trace file. */
  trace(run: Run): Promise<string>;
  dispose(): void;
}
