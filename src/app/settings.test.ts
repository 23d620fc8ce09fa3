import { describe, expect, it } from 'vitest';
import { checkSettings, DEFAULT_SETTINGS } from './settings.js';

const problemsOf = (change: object) => {
  const checked = checkSettings({ ...DEFAULT_SETTINGS, ...change });
  return checked.status === 'refused' ? checked.problems : {};
};

describe('checkSettings', () => {
  it('turns usable settings into a request', () => {
    const checked = checkSettings({ ...DEFAULT_SETTINGS, filter: ' triad ', budget: '1.5 GiB', seed: ' 7 ' });
    expect(checked).toEqual({
      status: 'usable',
      request: {
        suites: ['tiers', 'transfer', 'dispatch'],
        preset: 'quick',
        filter: 'triad',
        budgetBytes: 1.5 * 2 ** 30,
        seed: 7,
        adapter: 'any',
      },
    });
  });

  it('leaves an empty filter out of the request', () => {
    const checked = checkSettings({ ...DEFAULT_SETTINGS, filter: '  ' });
    expect(checked.status === 'usable' && 'filter' in checked.request).toBe(false);
  });

  it.each([
    ['suites', [], 'none-chosen'],
    ['filter', '(', 'not-a-pattern'],
    ['budget', '', 'not-a-size'],
    ['budget', '0', 'not-a-size'],
    ['budget', '1 parsec', 'not-a-size'],
    ['seed', '', 'not-a-seed'],
    ['seed', '-1', 'not-a-seed'],
    ['seed', '1.5', 'not-a-seed'],
    ['seed', '4294967296', 'not-a-seed'],
  ])('refuses %s %j and nothing else', (field, value, problem) => {
    expect(problemsOf({ [field]: value })).toEqual({ [field]: problem });
  });

  it.each([
    ['seed', '0'],
    ['seed', '4294967295'],
    ['budget', '1'],
  ])('takes the last good %s, %s', (field, value) => {
    expect(problemsOf({ [field]: value })).toEqual({});
  });

  it('names every field that is wrong at once', () => {
    expect(Object.keys(problemsOf({ suites: [], filter: '[', budget: 'x', seed: 'x' }))).toEqual([
      'suites',
      'filter',
      'budget',
      'seed',
    ]);
  });
});
