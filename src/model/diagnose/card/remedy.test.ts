import { describe, expect, it } from 'vitest';
import { type WhatIfRow } from '../whatif/run-change.js';
import { bestRow, needOf, remedyOf } from './remedy.js';

const row = (setting: string, peak: number, fits: boolean | null, more: Partial<WhatIfRow> = {}): WhatIfRow => ({
  setting,
  allocator: 'caching',
  peak_reserved: peak,
  peak_allocated: peak - 1,
  final_reserved: peak,
  fits,
  outcome: fits === false ? 'out-of-memory' : 'completed',
  retries: 0,
  device_calls: 1,
  device_allocs: 1,
  ...more,
});

describe('the best row', () => {
  it('is the one that needs least and fits', () => {
    const best = row('b', 80, true);
    expect(bestRow(row('now', 100, false), [row('a', 90, true), best, row('c', 70, false)])).toBe(best);
  });

  it('is none where nothing needs less than the baseline', () => {
    expect(bestRow(row('now', 80, true), [row('a', 80, true), row('b', 90, true)])).toBeUndefined();
    expect(bestRow(row('now', 80, false), [row('a', 70, false)])).toBeUndefined();
  });

  it('is never an allocator that nobody can choose', () => {
    expect(bestRow(row('now', 80, true), [row('arena', 10, true, { allocator: 'arena' })])).toBeUndefined();
  });

  it('goes by the smallest device where that was looked for', () => {
    expect(needOf(row('a', 90, true, { smallest_capacity: 60 }))).toBe(60);
    expect(needOf(row('a', 90, null))).toBe(90);
    expect(needOf(row('a', 90, false, { smallest_capacity: 60 }))).toBe(Infinity);
  });
});

describe('the remedy', () => {
  const no = row('now', 100, false);

  it('is not known while rows are missing', () => {
    expect(remedyOf(no, { settings: [row('a', 80, true)], code: [] }, 100, false)).toBeUndefined();
  });

  it('is needless where it fits as it ran', () => {
    expect(remedyOf(row('now', 90, true, { retries: 2 }), { settings: [], code: [] }, 100, false)).toEqual({
      kind: 'fits',
      peak: 90,
      capacity: 100,
      retries: 2,
    });
  });

  it('is a setting before it is code', () => {
    const setting = row('s', 95, true);
    expect(remedyOf(no, { settings: [setting], code: [row('c', 50, true)] }, 100, true)).toEqual({
      kind: 'setting',
      row: setting,
      spare: 5,
      tried: 2,
    });
  });

  it('is code where no setting fits', () => {
    const code = row('c', 50, true);
    expect(remedyOf(no, { settings: [row('s', 95, false)], code: [code] }, 100, true)).toEqual({
      kind: 'code',
      row: code,
      spare: 50,
      tried: 2,
    });
  });

  it('is the line that costs too much where nothing that can be done fits', () => {
    const without = row('without x.py:1', 50, true, { hypothetical: true });
    expect(remedyOf(no, { settings: [row('s', 95, false)], code: [without] }, 100, true)).toEqual({
      kind: 'line',
      row: without,
      spare: 50,
      tried: 1,
    });
    expect(bestRow(no, [without])).toBeUndefined();
  });

  it('is nothing where nothing fits', () => {
    expect(remedyOf(no, { settings: [row('s', 95, false)], code: [] }, 100, true)).toEqual({
      kind: 'nothing',
      tried: 1,
      allocated: 99,
    });
  });
});
