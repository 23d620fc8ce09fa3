/** The table of contents of the lab's own course: there at once, without a lesson. */
import contents from './data/index.json' with { type: 'json' };
import { type LocalText } from './local-text.js';

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
