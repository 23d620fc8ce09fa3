import { describe, expect, it } from 'vitest';
import { msg, str, configureLocalization } from '@lit/localize';
import { html } from 'lit';
import { localeOf } from './templates.js';

const texts = {
  Run: '运行',
  'Go to {0}': '转到 {0}',
  '{0} of {1}': '{1} 中的 {0}',
  'Open {0} and look.': '打开 {0} 看看。',
};
const { setLocale } = configureLocalization({
  sourceLocale: 'en',
  targetLocales: ['zh-Hans'],
  loadLocale: () => Promise.resolve(localeOf(texts)),
});

describe('a catalogue', () => {
  it('gives every kind of message in the language, what is put in at its new place, and English again after it', async () => {
    const said = () => [msg('Run'), msg(str`Go to ${'A'}`), msg(str`${1} of ${2}`), msg(str`${3} of ${4}`)];
    await setLocale('zh-Hans');
    expect(said()).toEqual(['运行', '转到 A', '2 中的 1', '4 中的 3']);
    const { strings, values } = msg(html`Open ${'the page'} and look.`);
    expect([[...strings], values]).toEqual([['打开 ', ' 看看。'], ['the page']]);
    await setLocale('en');
    expect(said()).toEqual(['Run', 'Go to A', '1 of 2', '3 of 4']);
  });

  it('leaves a text that it does not have in English', async () => {
    await setLocale('zh-Hans');
    expect(msg('Stop')).toBe('Stop');
    await setLocale('en');
  });
});
