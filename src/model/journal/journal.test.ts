import { expect, it } from 'vitest';
import { beginStep, crashWords, endStep, readJournalEntry } from './journal.js';

const entry = beginStep('create a buffer', 2 ** 20, 2 ** 29);

it('tells of a step that nobody came back from, and of the last size that worked', () => {
  expect(crashWords(entry)).toMatch(/"create a buffer" \(1 MiB\).*512 MiB/);
  expect(crashWords(beginStep('x', 1, 0))).toMatch(/nothing larger had worked/);
});
it('says nothing of a step that ended, or without a journal', () => {
  expect(crashWords(endStep(entry))).toBeUndefined();
  expect(crashWords(undefined)).toBeUndefined();
});
it('survives being written and read', () => {
  expect(readJournalEntry(JSON.parse(JSON.stringify(entry)))).toEqual(entry);
});
it('takes a damaged or newer entry for none', () => {
  for (const value of [undefined, 3, {}, { ...entry, bytes: -1 }, { ...entry, version: 2 }]) {
    expect(readJournalEntry(value)).toBeUndefined();
  }
});
