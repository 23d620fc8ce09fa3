import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MiB } from '../../base/units.js';
import { CATEGORY, idOf, markersOf, OPERATION, type Trace } from '../trace/trace.js';
import { operationsTrace } from './operations.js';

/** The operations in one line: `a1:5 f1`. */
function drawn(trace: Trace): string {
  return Array.from({ length: trace.length }, (_, i) => {
    const id = idOf(trace, trace.tensor[i] ?? -1);
    if (trace.kind[i] === OPERATION.allocate) return `a${id}:${(trace.size[i] ?? 0) / MiB(1)}`;
    if (trace.kind[i] === OPERATION.free) return `f${id}`;
    return trace.kind[i] === OPERATION.emptyCache ? 'e' : 'm';
  }).join(' ');
}

test('allocates, frees, empties the cache and marks', () => {
  const trace = operationsTrace('t', ['a x 3MiB P', 'm after the first', 'f x', 'e']);
  expect(drawn(trace)).toBe('a1:3 m f1 e');
  expect(markersOf(trace)).toEqual([{ operation: 1, label: 'after the first' }]);
  expect(trace.category?.[0]).toBe(CATEGORY.parameter);
});

test('writes ranges out, with a step, upwards and downwards', () => {
  expect(drawn(operationsTrace('t', ['a b1..b4 5MiB A', 'f b1..b3/2', 'f b4..b2/2']))).toBe(
    'a1:5 a2:5 a3:5 a4:5 f1 f3 f4 f2',
  );
});

test('repeats, and lets a name be used again once it is freed', () => {
  expect(drawn(operationsTrace('t', ['x2 a t 16MiB T | f t']))).toBe('a1:16 f1 a2:16 f2');
});

test('names after an underscore count on', () => {
  expect(drawn(operationsTrace('t', ['a x3_1..x3_2 1MiB A', 'f x3_2']))).toBe('a1:1 a2:1 f2');
});

test.each([
  [['a x 3MiB'], /operation line 1 \("a x 3MiB"\): write "a NAME SIZE CATEGORY"/],
  [['a x 3MiB Q'], /the category "Q" is not one of P G O A T C/],
  [['a x 3 potatoes T'], /write "a NAME SIZE CATEGORY"/],
  [['a x 3XiB T'], /"3XiB" is not a usable size/],
  [['f x'], /no tensor "x" is there to free/],
  [['a x 1MiB T', 'f x', 'f x'], /operation line 3 .*no tensor "x" is there to free/],
  [['a x 1MiB T', 'a x 1MiB T'], /"x" is still there/],
  [['a b1..c3 1MiB T'], /"b1..c3" is no name/],
  [['a 1x 1MiB T'], /"1x" is no name/],
  [['a x 1MiB T | f x'], /"\|" stands only after a repeat/],
  [['x999999 a t 1MiB T | f t'], /more than 200000 operations/],
  [['a b1..b999999 1KiB T'], /more than 200000 operations/],
  [['jump'], /write "a NAME SIZE CATEGORY"/],
  [['constructor x'], /write "a NAME SIZE CATEGORY"/],
])('refuses %j', (lines, message) => {
  expect(() => operationsTrace('t', lines)).toThrow(message);
});

test('never throws anything but one line for a person', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 30 }), { maxLength: 6 }), (lines) => {
      try {
        operationsTrace('t', lines);
      } catch (error) {
        expect(error).toMatchObject({ name: 'AppError', failure: { kind: 'bad-input' } });
        expect(String(error)).not.toContain('undefined');
      }
    }),
  );
});
