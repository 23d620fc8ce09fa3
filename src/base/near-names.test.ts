import { expect, test } from 'vitest';
import { nearNames } from './near-names.js';

const KNOWN = ['llama-2-7b', 'llama-3-8b', 'gpt2', 'gpt2-xl', 'mistral-7b'];

test('finds names that differ by a letter, by case or by punctuation, nearest first', () => {
  expect(nearNames('Llama2-7B', KNOWN)[0]).toBe('llama-2-7b');
  expect(nearNames('gpt-2', KNOWN)[0]).toBe('gpt2');
  expect(nearNames('mistrel-7b', KNOWN)[0]).toBe('mistral-7b');
});

test('names nothing for a name that is like none, or empty', () => {
  expect(nearNames('resnet50', KNOWN)).toEqual([]);
  expect(nearNames('', KNOWN)).toEqual([]);
});
