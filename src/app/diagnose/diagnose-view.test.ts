import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capacityProblem,
  DEFAULT_VIEW,
  PICTURES,
  readDiagnoseView,
  settingsProblem,
  writeDiagnoseView,
} from './diagnose-view.js';

describe('the link of Diagnose', () => {
  it('brings every view back', () => {
    const views = fc.record({
      sample: fc.constantFrom('snapshot' as const, 'text' as const, undefined),
      capacity: fc.oneof(fc.constant(''), fc.integer({ min: 1, max: 2 ** 40 }).map(String), fc.constant('11.6 GiB')),
      conf: fc.option(fc.string({ maxLength: 500 }), { nil: undefined }),
      event: fc.option(fc.nat(), { nil: undefined }),
      picture: fc.constantFrom(...PICTURES),
    });
    fc.assert(
      fc.property(views, (view) => {
        expect(readDiagnoseView(writeDiagnoseView(view))).toEqual({ view, problems: [] });
      }),
    );
  });

  it('says nothing for the defaults', () => {
    expect(writeDiagnoseView(DEFAULT_VIEW)).toBe('');
  });

  it('names what cannot be read and keeps the rest', () => {
    const { view, problems } = readDiagnoseView('event=12&sample=mine&event=-1&x=y');
    expect(view).toEqual({ ...DEFAULT_VIEW, event: 12 });
    expect(problems.map(({ kind, ...rest }) => [kind, rest])).toEqual([
      ['unreadable', { key: 'sample', value: 'mine' }],
      ['unreadable', { key: 'event', value: '-1' }],
      ['unreadable', { key: 'x', value: 'y' }],
    ]);
  });

  it.each(['event=', 'event=1.5', 'event=never', 'capacity=lots', 'capacity=0', 'picture=movie'])(
    'refuses %s',
    (part) => {
      const { view, problems } = readDiagnoseView(part);
      expect(view).toEqual(DEFAULT_VIEW);
      expect(problems).toHaveLength(1);
    },
  );
});

describe('a question', () => {
  it('has a size, or nothing for what the recording says', () => {
    expect(['', ' ', '12 GiB', '512', '80GB'].map(capacityProblem)).toEqual(['', '', '', '', '']);
    expect(capacityProblem('two')).toMatch(/capacity: .*two/);
  });

  it('has settings that PyTorch takes; others are refused in its words', async () => {
    expect(await settingsProblem('')).toBe('');
    expect(await settingsProblem('expandable_segments:True')).toBe('');
    expect(await settingsProblem('max_split_size_mb:20')).not.toBe('');
    expect(await settingsProblem('max_split_size_mb:21')).toBe('');
    expect(await settingsProblem('foo:bar')).toContain('foo');
  });
});
