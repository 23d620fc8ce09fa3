import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PRESETS } from '../model/report/schema.js';
import { LANGUAGES } from '../model/lesson/local-text.js';
import { AVAILABLE_SUITES } from '../model/report/suites.js';
import { DEFAULT_MODEL } from './model-settings.js';
import { DEFAULT_PREFERENCES } from './remembered.js';
import { type Preferences, readHash as readHashOf, THEMES, writeHash } from './url-state.js';

const PAGES = ['measure', 'lab'];
const readHash = (hash: string, base: Preferences) => readHashOf(hash, base, PAGES);

const mine: Preferences = {
  theme: 'dark',
  language: 'zh',
  keys: false,
  settings: { ...DEFAULT_PREFERENCES.settings, preset: 'full', seed: '42' },
  presenting: true,
  model: { ...DEFAULT_MODEL, parameters: '70e9' },
};
const text = fc.string({ maxLength: 40, unit: 'grapheme' });
const preferences: fc.Arbitrary<Preferences> = fc.record({
  theme: fc.constantFrom(...THEMES),
  language: fc.constantFrom(...LANGUAGES),
  keys: fc.boolean(),
  settings: fc.record({
    suites: fc.subarray([...AVAILABLE_SUITES]),
    preset: fc.constantFrom(...PRESETS),
    filter: text,
    budget: text,
    seed: text,
  }),
  presenting: fc.boolean(),
  model: fc.record({ parameters: text, weights: text, gradients: text, optimiser: text, memory: text }),
});

describe('a link', () => {
  it('gives back the settings it was made from, whatever the reader had before', () => {
    fc.assert(
      fc.property(preferences, preferences, (made, had) => {
        const read = readHash(writeHash('measure', made), had);
        expect(read.problems).toEqual([]);
        const { settings, model, presenting } = read.preferences;
        expect({ settings, model, presenting }).toEqual({
          settings: made.settings,
          model: made.model,
          presenting: made.presenting,
        });
      }),
    );
  });

  it('never throws and always leaves something usable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (hash) => {
        const { page, preferences: read } = readHash(hash, mine);
        expect([undefined, ...PAGES]).toContain(page);
        expect(THEMES).toContain(read.theme);
        expect(PRESETS).toContain(read.settings.preset);
      }),
    );
  });

  it('without parameters keeps what the reader had', () => {
    expect(readHash('#measure', mine).preferences).toEqual(mine);
    expect(readHash('', mine).preferences).toEqual(mine);
  });

  it('keeps the look of the reader when it names none', () => {
    const { preferences: read } = readHash('#measure?v=1&preset=quick', mine);
    expect([read.theme, read.keys, read.settings.preset, read.settings.seed]).toEqual(['dark', false, 'quick', '1']);
    expect(read.language).toBe('zh');
  });

  it('names the language, and no language that there is not', () => {
    expect(readHash('#lab?v=1&lang=en', mine).preferences.language).toBe('en');
    const read = readHash('#lab?v=1&lang=tlh', mine);
    expect(read.problems).toEqual([{ kind: 'unreadable', key: 'lang', value: 'tlh' }]);
    expect(read.preferences.language).toBe('zh');
    expect(writeHash('lab', { ...mine, language: 'en' })).not.toContain('lang=');
    expect(writeHash('lab', mine)).toContain('lang=zh');
  });

  it('of another version is refused by name and changes nothing', () => {
    const read = readHash('#measure?v=2&preset=quick', mine);
    expect(read.problems).toEqual([{ kind: 'newer-version', version: '2' }]);
    expect(read.preferences).toEqual(mine);
  });

  it.each(['', 'abc', '1.5', '-1'])('with v=%s is refused: its version cannot be read', (version) => {
    const read = readHash(`#measure?v=${version}&preset=quick`, mine);
    expect(read.problems).toEqual([{ kind: 'unreadable-version', version }]);
    expect([read.preferences, read.view]).toEqual([mine, undefined]);
  });

  it('with one damaged part is refused for that part only', () => {
    const read = readHash('#measure?v=1&preset=fast&seed=9&colour=red&suites=tiers,teirs', mine);
    expect(read.problems).toEqual([
      { kind: 'unreadable', key: 'preset', value: 'fast' },
      { kind: 'unreadable', key: 'colour', value: 'red' },
      { kind: 'unreadable', key: 'suites', value: 'tiers,teirs' },
    ]);
    expect(read.preferences.settings.seed).toBe('9');
    expect(read.preferences.settings.preset).toBe('quick');
  });

  it('to an unknown page says so and names none', () => {
    const read = readHash('#lap?v=1&theme=light', mine);
    expect([read.page, read.problems]).toEqual([undefined, [{ kind: 'unknown-page', page: 'lap' }]]);
  });

  it('gives a page its own part, whatever it says, and leaves the run settings alone', () => {
    const view = fc.dictionary(
      fc
        .string({ minLength: 1 })
        .filter((key) => !['v', 'theme', 'lang', 'keys', 'present', '__proto__'].includes(key)),
      fc.string(),
    );
    fc.assert(
      fc.property(preferences, preferences, view, (made, had, parts) => {
        const wanted = new URLSearchParams(parts).toString();
        const read = readHash(writeHash('lab', made, wanted), had);
        expect([read.page, read.view, read.problems]).toEqual(['lab', wanted, []]);
        expect([read.preferences.settings, read.preferences.model]).toEqual([had.settings, had.model]);
        expect(read.preferences.presenting).toBe(made.presenting);
      }),
    );
  });

  it('without parameters leaves a page as it was', () => {
    expect(readHash('#lab', mine).view).toBeUndefined();
    expect(readHash('#lab?v=1', mine).view).toBe('');
    expect(readHash('#lab?seed=3', mine).view).toBe('seed=3');
  });

  it('of another version shows the page it names, as it was', () => {
    const read = readHash('#lab?v=2&seed=3', mine);
    expect([read.page, read.view]).toEqual(['lab', undefined]);
    expect(read.problems).toEqual([{ kind: 'newer-version', version: '2' }]);
  });

  it('refuses a text of more than 500 characters', () => {
    expect(readHash(`#measure?v=1&filter=${'a'.repeat(500)}`, mine).problems).toEqual([]);
    expect(readHash(`#measure?v=1&filter=${'a'.repeat(501)}`, mine).problems).toHaveLength(1);
  });
});
