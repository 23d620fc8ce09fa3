/**
 * What the Lesson page shows, as its part of a link: `lesson=concat&step=small-fails&pick=B&reveal=1`. A lesson of one's
 * own travels in `file`, compressed. What cannot be read is named, and the page stays as it was.
 */
import * as v from 'valibot';
import { type ChoiceId } from '../../model/lesson/schema.js';
import { type LinkProblem } from '../url-state.js';

export interface LessonView {
  readonly screen: 'course' | 'step' | 'words';
  /** A lesson of the lab's own, or one of the file that the link carries. */
  readonly lesson: string;
  /** Name of the step without its lesson's; '' for the first. */
  readonly step: string;
  readonly pick: ChoiceId | undefined;
  readonly reveal: boolean;
  /** A lesson file as `share-link.ts` packs it; '' for none. */
  readonly file: string;
}

/** In place of a packed file: one that is too large for a link, and open in this tab only. */
export const FILE_HERE = 'here';

export const COURSE_VIEW: LessonView = {
  screen: 'course',
  lesson: '',
  step: '',
  pick: undefined,
  reveal: false,
  file: '',
};

const NAME = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,63}$/));
const READERS = {
  lesson: NAME,
  step: NAME,
  pick: v.picklist(['A', 'B', 'C']),
  reveal: v.picklist(['0', '1']),
  screen: v.picklist(['words']),
  file: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,60000}$/)),
};
type Key = keyof typeof READERS;
const isKey = (key: string): key is Key => Object.hasOwn(READERS, key);
/** What a notice shows of a long value. */
const SHOWN = 40;

/** Reads a view. `problems` names each part that cannot be used; then the view is not to be followed. */
export function readLessonView(text: string): { readonly view: LessonView; readonly problems: readonly LinkProblem[] } {
  const problems: LinkProblem[] = [];
  const read: { -readonly [K in Key]?: v.InferOutput<(typeof READERS)[K]> } = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const result = isKey(key) ? v.safeParse(READERS[key], value) : undefined;
    if (result?.success === true && isKey(key)) Object.assign(read, { [key]: result.output });
    else problems.push({ kind: 'unreadable', key, value: shortened(value) });
  }
  const { lesson = '', step = '', pick, reveal, screen, file = '' } = read;
  const view: LessonView = {
    screen: screen ?? (lesson === '' && file === '' ? 'course' : 'step'),
    lesson,
    step,
    pick,
    // An answer is shown beside a guess.
    reveal: reveal === '1' && pick !== undefined,
    file,
  };
  return { view, problems };
}

/** The text that `readLessonView` turns back into the same view. */
export function writeLessonView({ screen, lesson, step, pick, reveal, file }: LessonView): string {
  const parameters = new URLSearchParams();
  if (screen === 'words') parameters.set('screen', 'words');
  if (lesson !== '') parameters.set('lesson', lesson);
  if (step !== '') parameters.set('step', step);
  if (pick !== undefined) parameters.set('pick', pick);
  if (reveal) parameters.set('reveal', '1');
  if (file !== '') parameters.set('file', file);
  return parameters.toString();
}

const shortened = (value: string): string => (value.length > SHOWN ? `${value.slice(0, SHOWN)}...` : value);
