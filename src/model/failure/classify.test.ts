import { expect, it } from 'vitest';
import { classify, type Observation } from './classify.js';

const quiet: Observation = { lostBefore: false, lostAfter: false };

it.each([
  ['none', {}],
  ['out-of-memory', { outOfMemory: 'no room' }],
  ['validation', { validation: 'too large' }],
  ['range-error', { thrown: 'RangeError' }],
  ['other', { thrown: 'TypeError' }],
  ['hang', { timedOut: true }],
  ['lost', { lostAfter: true, thrown: 'OperationError' }],
  ['out-of-memory', { outOfMemory: 'no room', validation: 'invalid' }],
] as const)('calls it %s', (name, seen) => {
  expect(classify({ ...quiet, ...seen })).toBe(name);
});

it('never calls what follows a loss a lack of memory', () => {
  expect(classify({ ...quiet, lostBefore: true, thrown: 'RangeError' })).toBe('post-loss');
  expect(classify({ ...quiet, lostBefore: true, outOfMemory: 'no room' })).toBe('post-loss');
});
