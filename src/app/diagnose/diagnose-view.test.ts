import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_VIEW, readDiagnoseView, writeDiagnoseView } from './diagnose-view.js';

describe('the link of Diagnose', () => {
  it('brings every view back', () => {
    const views = fc.record({
      sample: fc.constantFrom('snapshot' as const, 'text' as const, undefined),
      capacity: fc.string({ maxLength: 500 }),
      conf: fc.option(fc.string({ maxLength: 500 }), { nil: undefined }),
      event: fc.option(fc.nat(), { nil: undefined }),
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
});
