import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PRESETS } from '../model/report/schema.js';
import { AVAILABLE_SUITES } from '../model/report/suites.js';
import { DEFAULT_MODEL } from './model-settings.js';
import { DEFAULT_PREFERENCES } from './remembered.js';
import { type Preferences, readHash, THEMES, writeHash } from './url-state.js';

const mine: Preferences = {
  theme: 'dark',
  keys: false,
  settings: { ...DEFAULT_PREFERENCES.settings, preset: 'full', seed: '42' },
  presenting: true,
  model: { ...DEFAULT_MODEL, parameters: '70e9' },
};
const text = fc.string({ maxLength: 40, unit: 'grapheme' });
const preferences: fc.Arbitrary<Preferences> = fc.record({
  theme: fc.constantFrom(...THEMES),
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
        expect(page).toBe('measure');
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
  });

  it('of another version is refused by name and changes nothing', () => {
    const read = readHash('#measure?v=2&preset=quick', mine);
    expect(read.problems).toEqual([{ kind: 'newer-version', version: '2' }]);
    expect(read.preferences).toEqual(mine);
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

  it('to an unknown page says so and shows Measure', () => {
    expect(readHash('#lab', mine).problems).toEqual([{ kind: 'unknown-page', page: 'lab' }]);
  });

  it('refuses a text of more than 500 characters', () => {
    expect(readHash(`#measure?v=1&filter=${'a'.repeat(500)}`, mine).problems).toEqual([]);
    expect(readHash(`#measure?v=1&filter=${'a'.repeat(501)}`, mine).problems).toHaveLength(1);
  });
});
