/** Every step of every lesson, run on the models: a number that no longer comes out fails here, and with it the build. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Trace } from '../trace/trace.js';
import { loadLesson } from './built-in.js';
import { LESSON_ENTRIES, SHORT_COURSE } from './contents.js';
import { fillText, namesIn } from './fill-text.js';
import { LANGUAGES } from './local-text.js';
import { runStep } from './run-step.js';
import { traceLines } from './trace-lines.js';
import { traceOfRun } from './run-trace.js';
import { loadWords } from './words.js';

/** What the reveals of the workshop say, numbers filled in, by step. */
const shown = JSON.parse(
  readFileSync(new URL('../../../test-data/lessons/shown.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;
const lessons = await Promise.all(LESSON_ENTRIES.map(({ id }) => loadLesson(id)));
const steps = lessons.flatMap((lesson) => lesson.steps);

const hashOf = (trace: Trace): string =>
  createHash('sha256')
    .update([...traceLines(trace)].join(''))
    .digest('hex');

test('there are ten lessons with sixty-four steps, some 88 minutes, as the contents say', () => {
  expect(lessons.map(({ id }) => id)).toEqual(LESSON_ENTRIES.map(({ id }) => id));
  expect(steps.length).toBe(64);
  expect(lessons.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(88);
  for (const [i, lesson] of lessons.entries()) {
    const { title, minutes, goal, steps: names } = LESSON_ENTRIES[i] ?? { title: {}, minutes: 0, goal: {}, steps: [] };
    expect({ title, minutes, goal }).toEqual({ title: lesson.title, minutes: lesson.minutes, goal: lesson.goal });
    expect(names.map((name) => `${lesson.id}/${name}`)).toEqual(lesson.steps.map(({ id }) => id));
  }
  const short = lessons.filter(({ id }) => SHORT_COURSE.includes(id));
  expect(short.reduce((sum, { minutes }) => sum + minutes, 0)).toBeLessThanOrEqual(50);
});

describe.each(steps)('$id', (step) => {
  test('every number comes out as the lesson says', () => {
    const result = runStep(step);
    const numbers = [...result.numbers.values()].map(({ name, value, expected, problem }) => ({
      name,
      value: expected === undefined ? undefined : value,
      expected,
      problem,
    }));
    expect(numbers).toEqual(
      numbers.map(({ name, expected }) => ({ name, value: expected, expected, problem: undefined })),
    );
    expect(result.agrees).toBe(true);
    // The reveal reads as the printed curriculum does, word by word.
    expect(fillText(step.reveal.en ?? '', result)).toBe(shown[step.id]);
  });

  test('both languages say everything, with the same numbers', () => {
    const texts = [step.question, step.setup, step.reveal, step.takeaway, ...step.choices.map(({ text }) => text)];
    for (const text of texts) for (const language of LANGUAGES) expect(text[language]).toBeTruthy();
    expect([...namesIn(step.reveal.zh ?? '')].sort()).toEqual([...namesIn(step.reveal.en ?? '')].sort());
  });

  test('its traces are those that were run on the real allocators', () => {
    for (const run of step.runs) expect([run.id, hashOf(traceOfRun(run))]).toEqual([run.id, run.traceSha256]);
  });
});

test('every saying names steps that exist, and every correction of a step is a saying', async () => {
  const { claims, glossary } = await loadWords();
  const names = new Set(steps.map(({ id }) => id));
  for (const claim of claims) expect(claim.steps.filter((id) => !names.has(id))).toEqual([]);
  const known = new Set(claims.map(({ id }) => id));
  expect(steps.flatMap(({ corrects }) => corrects).filter((id) => !known.has(id))).toEqual([]);
  expect(new Set(glossary.map(({ term }) => term.en)).size).toBe(glossary.length);
});
