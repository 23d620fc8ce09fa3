import { describe, expect, it } from 'vitest';
import { formatSize } from './oom-text.js';

describe('formatSize', () => {
  it.each([
    [0, '0 bytes'],
    [1024, '1024 bytes'],
    [1025, '1.00 KiB'],
    [2 ** 20, '1024.00 KiB'],
    [2 ** 20 + 1, '1.00 MiB'],
    [2 ** 30, '1024.00 MiB'],
    [2 ** 30 + 1, '1.00 GiB'],
  ])('writes %d bytes as %s', (size, text) => expect(formatSize(size)).toBe(text));

  it('rounds exact ties to the even digit, as printf does', () => {
    expect(formatSize(2.125 * 2 ** 20)).toBe('2.12 MiB');
    expect(formatSize(2.375 * 2 ** 20)).toBe('2.38 MiB');
    expect(formatSize(2.126 * 2 ** 20)).toBe('2.13 MiB');
  });

  it('wraps a negative size around 2^64', () => expect(formatSize(-(2 ** 30))).toBe('17179869183.00 GiB'));
});
