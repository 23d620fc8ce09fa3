/** What the Lesson page asks of a model worker: lessons, their numbers, what their scenes draw, and programs for a GPU. */
import { type StepResult } from '../model/lesson/run-step.js';
import { type ScenePart, type SceneRun, type SceneStep } from '../model/lesson/scene-of-run.js';
import { type Lesson, type Run, type Step } from '../model/lesson/schema.js';

export interface LessonApi {
  /** A lesson of the lab's own. Throws `AppError` (`bad-input`) for a name that it does not have. */
  lesson(id: string): Promise<Lesson>;
  /** Reads and checks a lesson file. Throws `AppError` (`bad-input`): one line that begins with `name`. */
  lessonFile(text: string, name: string): Promise<readonly Lesson[]>;
  /** Runs a step. Throws `AppError` (`bad-input`) for a run that cannot be made; a number that differs is a result. */
  lessonStep(step: Step): Promise<StepResult>;
  /** Replays a run for the scene. Throws as `lessonStep` does. */
  lessonScene(step: SceneStep, run: Run, part: ScenePart): Promise<SceneRun>;
  /** The program of a run as the text of a trace file. Throws as `lessonStep` does. */
  lessonTrace(run: Run): Promise<string>;
}
