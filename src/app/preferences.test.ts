import { describe, expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, recall, remember } from './remembered.js';
import { timeLeftWords } from './words.js';

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    length: 0,
    clear: () => kept.clear(),
    key: () => null,
    removeItem: (key) => kept.delete(key),
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  };
}

describe('preferences', () => {
  it('live without a memory, and with one that is full', () => {
    const full = memory();
    full.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    expect(remember(undefined, DEFAULT_PREFERENCES)).toBe(false);
    expect(remember(full, DEFAULT_PREFERENCES)).toBe(false);
    expect(recall(undefined)).toEqual(DEFAULT_PREFERENCES);
  });
});

describe('time left', () => {
  it.each([
    [0.2e9, 'about 1 s left'],
    [9.2e9, 'about 10 s left'],
    [11e9, 'about 15 s left'],
    [58e9, 'about 1 min 0 s left'],
    [61e9, 'about 1 min 10 s left'],
  ])('of %d ns is rounded to 1, 5 or 10 s', (ns, words) => expect(timeLeftWords(ns)).toBe(words));
});
