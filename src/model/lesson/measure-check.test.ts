import { expect, test } from 'vitest';
import { type Row } from '../report/schema.js';
import { checkMeasure, isCheckable, type Measure, readCheck, sizesOf } from './measure-check.js';

const row = (id: string, value: number): Row => ({
  id,
  suite: 'tiers',
  status: 'measured',
  unit: 'ns',
  value,
  samples: [value],
  stats: { n: 1, median: value, mean: value, min: value, max: value, p99: value, cv: 0, ci95: [value, value] },
  bytes: 1,
  verified: true,
  flags: [],
  stopReason: 'fixed-count',
});
const latency: Measure = { suite: 'tiers', ids: ['tiers/latency'], check: 'latency(256MiB) >= 2 * latency(64KiB)' };
const copy: Measure = {
  suite: 'tiers',
  ids: ['tiers/copy-buffer'],
  check: 'rate(16MiB) > rate(256MiB), or not resolved',
};

test('holds at twice the time, and not below', () => {
  const rows = (far: number) => [row('tiers/latency/64KiB', 10), row('tiers/latency/256MiB', far)];
  expect(checkMeasure(latency, rows(20))).toEqual({ kind: 'holds' });
  expect(checkMeasure(latency, rows(19.9))).toEqual({ kind: 'fails' });
});

test('where the lesson allows for it, what does not hold is not resolved', () => {
  const rows = [row('tiers/copy-buffer/16MiB', 18), row('tiers/copy-buffer/256MiB', 18)];
  expect(checkMeasure(copy, rows)).toEqual({ kind: 'unresolved' });
});

test('names the rows that are missing, and takes no other row for them', () => {
  const rows = [row('tiers/latency/64KiB', 10), row('tiers/copy-buffer/256MiB', 1)];
  expect(checkMeasure(latency, rows)).toEqual({ kind: 'missing', rows: ['256MiB'] });
});

test('a sentence is no condition; a broken condition is refused', () => {
  expect(isCheckable({ ...copy, check: 'a visible drop between 32 and 128 private values' })).toBe(false);
  expect(checkMeasure({ ...copy, check: 'a visible drop' }, [])).toEqual({ kind: 'sentence' });
  expect(() => readCheck('latency(1KiB) > ')).toThrow(/expected a number/);
  expect(sizesOf(readCheck(latency.check))).toEqual(['256MiB', '64KiB']);
  expect(readCheck('rate(16MiB) > rate(256MiB), or the plot says that the tiers are not resolved')).toEqual({
    comparison: 'rate(16MiB) > rate(256MiB)',
    orUnresolved: true,
  });
});
