import { expect, test } from 'vitest';
import { loadLesson } from './built-in.js';
import { LESSON_ENTRIES } from './contents.js';
import { operationsTrace } from './operations.js';
import { traceOfRun } from './run-trace.js';
import { firstOperations, startOf } from './scene-run.js';
import { type Run } from './schema.js';

const RUN: Run = { id: 'a', allocator: 'direct', budget: '1GiB', ops: ['e'], realBuffers: true };
const trace = operationsTrace('t', ['a x 1MiB T', 'm one', 'a y 1MiB T', 'm two', 'f x', 'm three']);

test('stands at the last marker before the end, or where the step says', () => {
  expect(startOf({}, RUN, trace)).toBe(4);
  expect(startOf({ start: 'one' }, RUN, trace)).toBe(2);
  expect(startOf({ start: 1 }, RUN, trace)).toBe(1);
  expect(startOf({ start: 99 }, RUN, trace)).toBe(6);
  expect(startOf({}, RUN, operationsTrace('t', ['a x 1MiB T']))).toBe(0);
});

test('cuts every column', () => {
  const cut = firstOperations(trace, 2);
  expect([cut.length, cut.kind.length, cut.size.length, cut.text?.length]).toEqual([2, 2, 2, 2]);
});

test('no step of the course begins with its answer', async () => {
  for (const { id } of LESSON_ENTRIES) {
    for (const step of (await loadLesson(id)).steps) {
      for (const run of step.runs) {
        const whole = traceOfRun(run);
        expect([step.id, run.id, startOf(step, run, whole) < whole.length]).toEqual([step.id, run.id, true]);
      }
    }
  }
});
