import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillText } from './fill-text.js';
import { METRICS } from './schema.js';
import { readCourse } from './read-course.js';
import { runStep } from './run-step.js';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const document = read('docs/LESSONS.md');

test('the example of the documentation is a lesson file whose numbers come out', () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(document) ?? [];
  expect(JSON.parse(example)).toEqual(JSON.parse(read('test-data/lessons/example.json')));
  const [lesson] = readCourse(example, 'example.json').lessons;
  const [step] = lesson?.steps ?? [];
  if (step === undefined) throw new Error('no step');
  const result = runStep(step);
  expect(result.agrees).toBe(true);
  expect(fillText(step.reveal.en ?? '', result)).toBe('Nothing: 100 MiB stay reserved for 2 MiB.');
});

test('the documentation names every metric', () => {
  expect(METRICS.filter((metric) => !document.includes(`\`${metric}\``))).toEqual([]);
});
