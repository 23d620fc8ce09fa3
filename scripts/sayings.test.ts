import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentenceReader } from '../src/app/locales/sentence-reader.js';
import { readSaidCatalogues } from './messages.mjs';

describe('every sentence of the models', () => {
  const texts = Object.fromEntries(readSaidCatalogues().flatMap((catalogue) => Object.entries(catalogue.texts)));
  const read = sentenceReader(texts);
  const value = fc.oneof(
    fc.integer({ min: 0, max: 10 ** 9 }).map((n) => n.toLocaleString('en')),
    fc.integer({ min: 1, max: 9999 }).map((n) => `${n / 10} GiB`),
    fc.constantFrom('train.py:812 forward', 'cuda:3', 'expandable_segments:True', 'a_bc', '0.25'),
  );
  const hasWords = (english: string): boolean => /[\p{L}\d]/u.test(english.replace(/\{\d+\}/g, ''));
  const placesOf = (english: string): number => english.match(/\{\d+\}/g)?.length ?? 0;

  it.each(Object.keys(texts).filter((english) => placesOf(english) > 0 && hasWords(english)))(
    '%j is read as itself',
    (english) => {
      fc.assert(
        fc.property(fc.array(value, { minLength: placesOf(english), maxLength: placesOf(english) }), (values) => {
          const sentence = english.replace(/\{(\d+)\}/g, (_, index) => values[Number(index)] ?? '');
          const found = read(sentence);
          expect(found).toMatchObject({ template: english, values });
          for (const each of values) expect(found?.text).toContain(each);
        }),
        { numRuns: 20 },
      );
    },
  );

  it('keeps two places apart by words', () => {
    for (const english of Object.keys(texts)) expect(english).not.toMatch(/\}\s?\{/);
  });
});
