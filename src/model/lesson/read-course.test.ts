import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messageOf } from '../../base/errors.js';
import { readCourse } from './read-course.js';
import { runStep } from './run-step.js';
import { changed, smallCourse } from './testing/small-course.js';

const read = (course: unknown) => readCourse(JSON.stringify(course), 'own.json');
const STEP = 'lessons.0.steps.0';

test('reads a lesson of one step, whose numbers come out', () => {
  const [lesson] = read(smallCourse).lessons;
  expect(lesson?.title).toEqual({ en: 'A lesson of my own', zh: '我的课' });
  expect(lesson?.goal).toEqual({ en: 'One segment for a small tensor.' });
  const [step] = lesson?.steps ?? [];
  if (step === undefined) throw new Error('no step');
  expect(runStep(step)).toMatchObject({ agrees: true });
});

test('a number that does not come out is a result, not an error', () => {
  const [lesson] = read(changed(`${STEP}.expect.reserved.value`, 20971521)).lessons;
  const [step] = lesson?.steps ?? [];
  if (step === undefined) throw new Error('no step');
  const { agrees, numbers } = runStep(step);
  expect(agrees).toBe(false);
  expect(numbers.get('reserved')).toMatchObject({
    value: 20971520,
    expected: 20971521,
    agrees: false,
    shown: '20 MiB',
  });
});

test.each([
  ['schema', 'vramlab-report', /its schema is "vramlab-report"; a lesson file has "vramlab-lessons"/],
  ['schema', undefined, /no lesson file/],
  ['version', 2, /version 2 of vramlab-lessons is newer than this lab \(it reads up to 1\)/],
  ['version', 0, /has no version 0/],
  ['lessons', [], /lessons: a lesson file has at least one lesson/],
  ['lessons.0.id', 'Own Lesson', /lesson "Own Lesson", id: a name of lower-case letters/],
  [`${STEP}.id`, 'other/first', /step "other\/first" must be named own\/.../],
  [`${STEP}.question`, undefined, /lesson "own", step "own\/first", question: missing/],
  [`${STEP}.question`, {}, /give the text in "en", "zh" or both/],
  [`${STEP}.question`, '', /question: write a text/],
  [`${STEP}.color`, 'red', /step "own\/first", color: /],
  [`${STEP}.choices.2`, undefined, /answer 3|exactly three answers|choices/],
  [`${STEP}.choices.0.right`, true, /exactly one answer is right/],
  [`${STEP}.choices.0.misconception`, undefined, /answer A is wrong and needs "misconception"/],
  [`${STEP}.choices.0.id`, 'B', /the answers are A, B, C/],
  [`${STEP}.runs`, [], /a replay step needs at least one run/],
  [`${STEP}.runs.0.allocator`, 'magic', /run "a"(, allocator)?: the allocator is caching, bfc or direct/],
  [`${STEP}.runs.0.budget`, 'lots', /run: run a: budget: "lots" is not a usable size/],
  [`${STEP}.runs.0.budget`, '2TiB', /budget: at most 900GiB/],
  [`${STEP}.runs.0.conf`, 'nonsense:1', /run: /],
  [`${STEP}.runs.0.ops`, undefined, /give either "ops" or "generator"/],
  [`${STEP}.runs.0.ops`, ['a x 3MiB'], /operation line 1/],
  [`${STEP}.expect.reserved.run`, 'b', /expect "reserved": there is no run "b"/],
  [`${STEP}.expect.reserved.metric`, 'speed', /expect, reserved: an expectation has run, metric/],
  [`${STEP}.expect.more`, { calc: '1+', unit: 'count', value: 1 }, /expect "more": calc: "1\+": expected a number/],
  [`${STEP}.reveal`, 'See {nothing}.', /a text asks for \{nothing\}, but "expect" has no such number/],
  [`${STEP}.bars`, [{ value: 'gone', label: 'x' }], /a bar shows "gone"/],
  [`${STEP}.kind`, 'measure', /a measure step needs "measure"/],
  [`${STEP}.start`, 'nowhere', /start: no run has the marker "nowhere"; write "m nowhere" into its operations/],
])('with %s = %j it says what is wrong and where', (path, value, message) => {
  expect(() => read(changed(path, value))).toThrow(message);
  try {
    read(changed(path, value));
  } catch (error) {
    expect(messageOf(error)).toMatch(/^own\.json: /);
    expect(messageOf(error)).not.toContain('\n');
  }
});

test.each([
  ['', /own.json: the file is empty/],
  ['{"schema": "vramlab-lessons",\n "version" 1}', /own.json: not JSON( \(line 2, column \d+\))?/],
  ['[1, 2]', /no lesson file/],
  ['null', /no lesson file/],
  ['"x"', /no lesson file/],
  [' '.repeat(2 ** 20 + 1), /larger than 1 MiB/],
])('refuses %j', (text, message) => {
  expect(() => readCourse(text, 'own.json')).toThrow(message);
});

test('a generator that would run for long is refused before it runs', () => {
  const run = {
    id: 'a',
    allocator: 'caching',
    budget: '1GiB',
    generator: { id: 'layer-bank', set: { steps: 10_000 } },
  };
  expect(() => read(changed(`${STEP}.runs.0`, run))).toThrow(/more than 200000 operations/);
});

test('whatever is cut or changed, the answer is a course or one line', () => {
  const text = JSON.stringify(smallCourse);
  fc.assert(
    fc.property(fc.nat(text.length), fc.nat(20), fc.string({ maxLength: 4 }), (at, length, other) => {
      try {
        readCourse(text.slice(0, at) + other + text.slice(at + length), 'own.json');
      } catch (error) {
        expect(error).toMatchObject({ name: 'AppError', failure: { kind: 'bad-input' } });
        expect(messageOf(error)).toMatch(/^own\.json: /);
      }
    }),
  );
});
