import { describe, expect, it } from 'vitest';
import { WORKLOADS } from '../src/model/workload/catalogue.js';
import {
  bareWordsIn,
  compareTexts,
  messagesIn,
  readBareWords,
  readCatalogues,
  readMessages,
  readSaidCatalogues,
  readSayings,
  readStuckElements,
  readUnsaid,
  sayingsIn,
  unsaidIn,
} from './messages.mjs';

/** Names and units, which no language changes. */
const UNTRANSLATED = new Set(['vramlab', 'MiB', ', MiB', 'GB/s', 'max_split_size_mb:64']);

/** What a screen says of workloads: the models' own words, which `modelWords` looks up. */
const workloadTexts = () =>
  WORKLOADS.flatMap(({ id, about, parameters }) =>
    [about, ...Object.values(parameters).map((parameter) => parameter.about)].map((text) => ({
      text,
      desc: 'workload',
      where: `workload ${id}`,
    })),
  );

describe('the texts of the lab', () => {
  it('are all literal, translated, used, and put in what the English puts in', () => {
    const { messages, problems } = readMessages();
    expect(messages.length).toBeGreaterThan(500);
    expect(problems).toEqual([]);
    expect(compareTexts(messages, readCatalogues())).toEqual([]);
  });

  it('are translated and used where the models say them', () => {
    expect(compareTexts([...readSayings(), ...workloadTexts()], readSaidCatalogues())).toEqual([]);
  });

  it('are marked where all that a model says is shown', () => {
    expect(readUnsaid()).toEqual([]);
  });

  it('have no words in HTML that only English readers see', () => {
    const words = readBareWords().filter((line) => !UNTRANSLATED.has(line.replace(/^\S+:\d+: /, '')));
    expect(words).toEqual([]);
  });

  it('are drawn again by every element when the language changes', () => {
    expect(readStuckElements()).toEqual([]);
  });

  it('say in Chinese what is Chinese: no translation is only a copy of an English sentence', () => {
    const copies = [...readCatalogues(), ...readSaidCatalogues()].flatMap(({ texts }) =>
      Object.entries(texts).filter(
        ([english, translated]) => /\p{L}{2,} \p{L}{2,}/u.test(english) && !/\p{Script=Han}/u.test(translated),
      ),
    );
    expect(copies).toEqual([]);
  });
});

describe('the check of texts', () => {
  const source = (code: string) => messagesIn('a.ts', code).messages;
  const run = source("msg(str`Run ${name} on ${place}`, { desc: 'button' });");
  const catalogue = (texts: Record<string, string>) => [{ file: 'zh.json', texts }];
  const right = { 'Run {0} on {1}': '在 {1} 上运行 {0}' };

  it('reads plain, joined and HTML messages with what describes them', () => {
    expect(source("msg('Go', { desc: 'button' }); msg(html`<b>${x}</b> ends`)")).toEqual([
      { text: 'Go', desc: 'button', where: 'a.ts:1' },
      { text: '<b>{0}</b> ends', desc: '', where: 'a.ts:1' },
    ]);
    expect(run).toEqual([{ text: 'Run {0} on {1}', desc: 'button', where: 'a.ts:1' }]);
  });

  it('reads what the models say: whole, joined over lines, and one in another', () => {
    expect(
      sayingsIn('a.ts', 'say`one`; say`${a} has\n  ${b ? say`two ${c}` : 0}.`; str`no`').map(({ text }) => text),
    ).toEqual(['one', '{0} has {1}.', 'two {0}']);
  });

  it('finds sentences that no mark has, not those of bugs, imports and settings', () => {
    const code = [
      "import a from 'no one says these words';",
      "throw new Error('this is a bug of ours');",
      'const b = say`this one has its mark`;',
      "const c = 'max_split_size_mb:64';",
      'const d = `of ${b} nobody knows the words`;',
      "const e = 'nor of this one here';",
    ].join('\n');
    expect(unsaidIn('a.ts', code)).toEqual(['a.ts:5: of {0} nobody knows the words', 'a.ts:6: nor of this one here']);
  });

  it('lets a right catalogue pass', () => {
    expect(compareTexts(run, catalogue(right))).toEqual([]);
  });

  it.each([
    ['an untranslated text', run, {}, /a\.ts:1: "Run \{0\} on \{1\}" is not translated/],
    ['an unused text', [], right, /is not used any more/],
    ['an empty translation', run, { 'Run {0} on {1}': ' ' }, /has no words/],
    ['a lost place', run, { 'Run {0} on {1}': '运行 {0}' }, /has other places/],
    ['a place too many', run, { 'Run {0} on {1}': '在 {1} 上运行 {0} {0}' }, /has other places/],
  ] as const)('fails on %s', (_name, messages, texts, expected) => {
    const lines = compareTexts([...messages], catalogue(texts));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(expected);
  });

  it('fails twice on a changed text: the new one is not translated, the old one not used', () => {
    expect(compareTexts(source("msg('Start')"), catalogue({ Begin: '开始' }))).toHaveLength(2);
  });

  it('fails on a text that stands in two catalogues', () => {
    const twice = [...catalogue(right), { file: 'other.json', texts: right }];
    expect(compareTexts(run, twice)).toEqual(['other.json: "Run {0} on {1}" is translated in zh.json too']);
  });

  it('fails on a text that is put together before msg() sees it', () => {
    expect(messagesIn('a.ts', "msg('a' + b)").problems).toEqual(['a.ts:1: msg() wants its words as a literal']);
  });

  it('finds words in HTML and in attributes that people meet, not those in msg(), kbd, code and tags', () => {
    const code =
      'html`<p class="wide">Hello <kbd>Esc</kbd> ${x}</p><i title="Close it" id="two"></i>${msg(html`<b>fine</b>`)}`';
    expect(bareWordsIn('a.ts', code)).toEqual(['a.ts:1: Close it', 'a.ts:1: Hello']);
  });
});
