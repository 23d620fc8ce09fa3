/** What comes before and after a step: through the lesson, then on to the next one. */
import { LESSON_ENTRIES } from '../../model/lesson/contents.js';
import { stepName } from '../../model/lesson/run-again.js';
import { type Lesson } from '../../model/lesson/schema.js';
import { COURSE_VIEW, type LessonView } from './lesson-view.js';

/** Lessons with the names of their steps, in order. */
type Order = readonly { readonly id: string; readonly steps: readonly string[] }[];

/** The step `by` places on; the list of lessons past either end. `own` are the lessons of an opened file. */
export function stepAt(view: LessonView, by: 1 | -1, own: readonly Lesson[]): LessonView {
  const order: Order =
    view.file === '' ? LESSON_ENTRIES : own.map(({ id, steps }) => ({ id, steps: steps.map(stepName) }));
  const all = order.flatMap(({ id, steps }) => steps.map((step) => ({ lesson: id, step })));
  const at = all.findIndex(({ lesson, step }) => lesson === view.lesson && step === view.step);
  const { file } = view;
  const next = at < 0 ? undefined : all[at + by];
  if (next === undefined) return COURSE_VIEW;
  return { ...COURSE_VIEW, ...next, screen: 'step', file };
}
