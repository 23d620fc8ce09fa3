import { describe, expect, it } from 'vitest';
import { joinAbValues, parseAbValues } from './ab-flags.js';

const parse = (...args: string[]) => {
  const joined = joinAbValues(['bench', '--ab', ...args]);
  return parseAbValues(joined[1]?.replace(/^--ab=/, '') ?? '');
};

describe('--ab', () => {
  it('takes two values, even such that look like options of ours', () => {
    expect(parse('', '--enable-dawn-features=disable_robustness')).toEqual([
      [],
      ['--enable-dawn-features=disable_robustness'],
    ]);
    expect(parse('--quiet', '  --a=1   --b ')).toEqual([['--quiet'], ['--a=1', '--b']]);
  });

  it('leaves what stands around it in place', () => {
    expect(joinAbValues(['bench', '--ab', '', '--x', '--quiet'])).toEqual(['bench', '--ab=["","--x"]', '--quiet']);
    expect(joinAbValues(['bench', '--quiet'])).toEqual(['bench', '--quiet']);
  });

  it.each([
    [['--a'], 'two sets'],
    [[], 'two sets'],
    [['', 'disable_robustness'], '"disable_robustness" is no browser flag'],
    [['', '-x'], '"-x" is no browser flag'],
    [['', '--user-data-dir=/x'], 'is set by vramlab itself'],
    [['--headless', ''], 'is set by vramlab itself'],
  ])('refuses %j', (args, words) => {
    expect(() => parse(...args)).toThrow(words);
  });

  it.each(['--a', '["--a"]', '[1,2]'])('refuses a value joined by hand: %s', (text) => {
    expect(() => parseAbValues(text)).toThrow('without an equals sign');
  });
});
