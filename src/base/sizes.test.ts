import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSize, sizeLabel } from './sizes.js';

describe('sizes as people write them', () => {
  it.each([
    ['512', 512],
    ['64KiB', 65536],
    ['64 kib', 65536],
    ['1.5GiB', 1.5 * 2 ** 30],
    ['.5MiB', 2 ** 19],
    ['80GB', 80e9],
    ['1', 1],
    ['9007199254740991', 2 ** 53 - 1],
  ])('%s', (text, size) => {
    expect(parseSize(text, '--budget')).toBe(size);
  });

  it.each([
    '',
    'abc',
    '1.5',
    '-1',
    '0',
    '0KiB',
    '1e9',
    '5 apples',
    '9007199254740992',
    '1TB2',
    'NaN',
    'Infinity',
    '0x10',
  ])('refuses "%s" in one line that names the option', (text) => {
    expect(() => parseSize(text, '--budget')).toThrow(/^--budget: [^\n]*$/);
  });

  it('reads its own labels back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (size) => {
        expect(parseSize(sizeLabel(size), 'size')).toBe(size);
      }),
    );
  });
});
