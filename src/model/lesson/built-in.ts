/** The lessons of the lab's own course, each read when it is opened. */
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { courseOf } from './read-course.js';
import { type Lesson } from './schema.js';

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
