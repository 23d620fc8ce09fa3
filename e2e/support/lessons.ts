/** The lab's own lessons read from their files: Node loads no JSON through the page's imports. */
import { readFileSync } from 'node:fs';
import { readCourse } from '../../src/model/lesson/read-course.js';
import { type Lesson } from '../../src/model/lesson/schema.js';

/** The lesson of that name. */
export function readLesson(id: string): Lesson {
  const text = readFileSync(new URL(`../../src/model/lesson/data/${id}.json`, import.meta.url), 'utf8');
  const [lesson] = readCourse(text, `${id}.json`).lessons;
  if (lesson === undefined) throw new Error(`the file of the lesson ${id} is empty`);
  return lesson;
}
