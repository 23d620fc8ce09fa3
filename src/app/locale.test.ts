import { describe, expect, it } from 'vitest';
import { languageOf } from './locale.js';

describe('the language of a first visit', () => {
  it.each([
    [['zh-CN', 'en'], 'zh'],
    [['zh'], 'zh'],
    [['ZH-Hant-TW'], 'zh'],
    [['en-GB', 'zh-CN'], 'en'],
    [['de'], 'en'],
    [[], 'en'],
  ] as const)('for a browser that prefers %j is %s', (preferred, language) => {
    expect(languageOf(preferred)).toBe(language);
  });
});
