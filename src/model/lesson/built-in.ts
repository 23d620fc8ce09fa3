/** The lab's own course: its table of contents at once, each lesson when it is opened. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import contents from './data/index.json' with { type: 'json' };
import { type LocalText } from './local-text.js';
import { courseOf } from './read-course.js';
import { type Lesson } from './schema.js';

/** A lesson in the table of contents. */
export interface LessonEntry {
  readonly id: string;
  readonly title: LocalText;
  readonly minutes: number;
  readonly goal: LocalText;
  /** Names of its steps, without the lesson's. */
  readonly steps: readonly string[];
}

/** Lessons to do in this order; a short workshop of 45 minutes takes `SHORT_COURSE`. */
export const LESSON_ENTRIES: readonly LessonEntry[] = contents;
export const SHORT_COURSE: readonly string[] = ['three-numbers', 'concat', 'holes', 'myths', 'zero'];

type Loader = () => Promise<{ readonly default: unknown }>;
const LOADERS: Readonly<Record<string, Loader>> = {
  tiers: () => import('./data/tiers.json'),
  'three-numbers': () => import('./data/three-numbers.json'),
  sizes: () => import('./data/sizes.json'),
  reuse: () => import('./data/reuse.json'),
  concat: () => import('./data/concat.json'),
  holes: () => import('./data/holes.json'),
  myths: () => import('./data/myths.json'),
  tensorflow: () => import('./data/tensorflow.json'),
  training: () => import('./data/training.json'),
  zero: () => import('./data/zero.json'),
};

/** Loads a lesson of the lab's own. Throws `AppError` (`bad-input`) for a name that it does not have. */
export async function loadLesson(id: string): Promise<Lesson> {
  const load = Object.hasOwn(LOADERS, id) ? LOADERS[id] : undefined;
  if (load === undefined) {
    throw badInput('lesson', say`there is no lesson "${id}"; the lessons are ${Object.keys(LOADERS).join(', ')}`);
  }
  const [lesson] = courseOf((await load()).default, `lesson ${id}`).lessons;
  if (lesson === undefined) throw new Error(`the file of the lesson ${id} is empty`);
  return lesson;
}
