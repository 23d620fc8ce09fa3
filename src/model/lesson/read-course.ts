/**
 * Reads a lesson file. What is no lesson file, a newer one, or one that breaks a rule is refused with one line: what is
 * wrong, where, and what to do.
 *
 *     const course = readCourse(text, 'fragmentation.json');
 */
import * as v from 'valibot';
import { badInput } from '../../base/errors.js';
import { say } from '../../base/said.js';
import { issueWords } from '../report/issue-words.js';
import { checkCourse } from './check-course.js';
import { LARGEST_FILE } from './limits.js';
import { type Course, COURSE_SCHEMA, COURSE_VERSION, courseSchema } from './schema.js';

/** `name` (a file name) begins every message. Throws `AppError` (`bad-input`), one line. */
export function readCourse(text: string, name: string): Course {
  if (text.length > LARGEST_FILE)
    throw badInput(name, say`${name}: larger than 1 MiB; split it into several lesson files`);
  return courseOf(parseJson(text, name), name);
}

/** A course from data that is already parsed. Throws as `readCourse` does. */
export function courseOf(data: unknown, name: string): Course {
  checkHeader(data, name);
  const result = v.safeParse(courseSchema, data);
  if (!result.success) throw badInput(name, say`${name}: ${flawOf(data, result.issues[0])}`);
  const course: Course = { lessons: result.output.lessons };
  checkCourse(course, name);
  return course;
}

function parseJson(text: string, name: string): unknown {
  if (text.trim() === '')
    throw badInput(name, say`${name}: the file is empty; a lesson file is JSON (docs/LESSONS.md)`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = placeIn(text, error);
    throw badInput(
      name,
      place === undefined
        ? say`${name}: not JSON; a lesson file is JSON (docs/LESSONS.md)`
        : say`${name}: not JSON (line ${place.line}, column ${place.column}); a lesson file is JSON (docs/LESSONS.md)`,
    );
  }
}

/** Line and column of a syntax error, where the engine tells its position. */
function placeIn(text: string, error: unknown): { readonly line: number; readonly column: number } | undefined {
  const match = /position (\d+)/.exec(String(error));
  if (match === null) return undefined;
  const before = text.slice(0, Number(match[1])).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function checkHeader(data: unknown, name: string): void {
  const header = v.safeParse(v.looseObject({ schema: v.string(), version: v.number() }), data);
  if (!header.success) {
    throw badInput(
      name,
      say`${name}: no lesson file; it begins with {"schema": "${COURSE_SCHEMA}", "version": 1, ...}`,
    );
  }
  const { schema, version } = header.output;
  if (schema !== COURSE_SCHEMA) {
    throw badInput(name, say`${name}: its schema is "${schema.slice(0, 60)}"; a lesson file has "${COURSE_SCHEMA}"`);
  }
  if (version > COURSE_VERSION) {
    throw badInput(
      name,
      say`${name}: version ${version} of ${COURSE_SCHEMA} is newer than this lab (it reads up to ${COURSE_VERSION}); update the lab`,
    );
  }
  if (version !== COURSE_VERSION) {
    throw badInput(name, say`${name}: ${COURSE_SCHEMA} has no version ${version}; write "version": ${COURSE_VERSION}`);
  }
}

interface Part {
  readonly id?: unknown;
}

/** The first flaw with its place in words: `lesson "holes", step "holes/pin", setup: ...`. */
function flawOf(data: unknown, issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map(({ key }) => String(key));
  let place = '';
  let at: unknown = data;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? '';
    at = memberOf(at, key);
    const index = Number(keys[i + 1]);
    if (!NAMED.has(key) || !Number.isInteger(index)) {
      place = place === '' ? key : `${place}, ${key}`;
      continue;
    }
    at = memberOf(at, String(index));
    const { id } = (at ?? {}) as Part;
    place = NAMED.get(key)?.(place, typeof id === 'string' ? `"${id}"` : String(index + 1)) ?? place;
    i += 1;
  }
  const missing = issue.input === undefined && issue.kind === 'schema';
  return say`${place === '' ? say`the top level` : place}: ${missing ? say`missing` : issueWords(issue)}`;
}

/** A part by its name or number, after the place that it is in. */
const NAMED: ReadonlyMap<string, (place: string, part: string) => string> = new Map([
  ['lessons', (_, part) => say`lesson ${part}`],
  ['steps', (place, part) => say`${place}, step ${part}`],
  ['choices', (place, part) => say`${place}, answer ${part}`],
  ['runs', (place, part) => say`${place}, run ${part}`],
  ['bars', (place, part) => say`${place}, bar ${part}`],
]);

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined;
