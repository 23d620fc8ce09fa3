import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration, formatNumber, formatSignificant } from './format.js';

describe('numbers on a screen', () => {
  it.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [2 ** 20 - 1, '1,024.0 KiB'],
    [2 ** 20, '1 MiB'],
    [992 * 2 ** 20, '992 MiB'],
    [2 ** 30, '1 GiB'],
    [1.5 * 2 ** 30, '1.5 GiB'],
    [80e9, '74.5 GiB'],
    [-3 * 2 ** 20, '\u22123 MiB'],
  ])('%d bytes read %s', (size, text) => {
    expect(formatBytes(size)).toBe(text);
  });

  it.each([
    [0.5, '0.5 ns'],
    [999, '999 ns'],
    [1000, '1.00 \u00b5s'],
    [1.5e6, '1.50 ms'],
    [2.34e9, '2.3 s'],
    [59.9e9, '59.9 s'],
    [60e9, '1 min 0 s'],
    [102.4e9, '1 min 42 s'],
  ])('%d ns reads %s', (ns, text) => {
    expect(formatDuration(ns)).toBe(text);
  });

  it.each([
    [1234.5, '1,235'],
    [123.4, '123'],
    [12.34, '12.3'],
    [1.234, '1.23'],
    [0.01234, '0.0123'],
    [-1.5, '\u22121.50'],
  ])('%d has at least three significant digits: %s', (value, text) => {
    expect(formatSignificant(value)).toBe(text);
  });

  it('keeps a fixed count of decimals', () => {
    expect(formatNumber(1234.5, 2)).toBe('1,234.50');
    expect(formatNumber(-0.04, 1)).toBe('0.0');
  });
});
