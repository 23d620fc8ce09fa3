import { expect, it } from 'vitest';
import { shortMiB, shortSize } from './picture.js';

const KIB = 1024;

it('says sizes in MiB, and those that would be 0.0 in their own unit', () => {
  expect([102, 99.5, 84].map((size) => shortMiB(size * KIB * KIB))).toEqual(['102', '99.5', '84']);
  expect([102 * KIB * KIB, 52 * KIB, 51 * KIB, 4 * KIB, 512, 0].map(shortSize)).toEqual([
    '102',
    '0.1',
    '51 KiB',
    '4 KiB',
    '512 B',
    '0',
  ]);
});
