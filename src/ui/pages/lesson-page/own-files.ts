/** Lesson files of a person's own on the page: opened, dropped, pasted; shared in a link or as the file. */
import { msg } from '@lit/localize';
import { FILE_HERE, type LessonView } from '../../../app/lesson/lesson-view.js';
import { type LessonSession } from '../../../app/lesson/lesson-session.js';
import { packLesson } from '../../../app/lesson/share-link.js';
import { AppError } from '../../../base/errors.js';
import { LARGEST_FILE } from '../../../model/lesson/limits.js';
import { copyLink } from '../../copy-link.js';
import { saveFile } from '../measure-page/save-file.js';

/** Opens a file. Gives the view of its first step; undefined where it cannot be used, which the session then says. */
export async function openOwnFile(session: LessonSession, file: File): Promise<LessonView | undefined> {
  // What is too large is refused for its size, and not read.
  const text = file.size > LARGEST_FILE ? ' '.repeat(LARGEST_FILE + 1) : await file.text();
  return session.open(text, file.name, await packed(text));
}

/** Opens what was pasted, where it looks like a lesson file; other text is for others. */
export async function openPasted(session: LessonSession, text: string): Promise<LessonView | undefined> {
  if (!text.trimStart().startsWith('{')) return undefined;
  const name = msg('pasted text', { desc: 'lesson: in place of the name of a file, at the start of a message' });
  return session.open(text, name, await packed(text));
}

/** The part of a link that carries a lesson file; for one that does not fit, a word that says that it is open here. */
export async function packed(text: string): Promise<string> {
  try {
    return await packLesson(text);
  } catch (error) {
    // It does not fit a link; it is open in this tab all the same.
    if (!(error instanceof AppError)) throw error;
    return FILE_HERE;
  }
}

/** Copies the link that carries the lesson; the words say what came of it. */
export async function copyLessonLink({ file }: LessonView): Promise<string> {
  return file === FILE_HERE
    ? msg('This lesson is too large for a link. Save it as a file.', { desc: 'status' })
    : copyLink(location.href);
}

/** Saves the lesson as the file that it came as. */
export function saveOwnFile(session: LessonSession): void {
  const { own } = session.state;
  if (own === undefined) return;
  const name = own.name.endsWith('.json') ? own.name : 'lesson.json';
  saveFile(name, new Blob([own.text], { type: 'application/json' }));
}
