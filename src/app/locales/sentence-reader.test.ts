import { describe, expect, it } from 'vitest';
import { sentenceReader } from './sentence-reader.js';

describe('a sentence that a model made', () => {
  const read = sentenceReader({
    'nothing fits': '都放不下',
    '{0} were needed; {1} are free': '需要 {0}；空闲 {1}',
    '{0} are free': '空闲 {0}',
    'step {0}: {1}': '第 {0} 步：{1}',
    'on device {0}? no: {1}': '{1}，不在设备 {0} 上',
    '{0} blocks': '{0} 个块',
    '{0} free blocks': '{0} 个空闲块',
  });

  it.each([
    ['nothing fits', '都放不下'],
    ['3 GiB were needed; 1 GiB are free', '需要 3 GiB；空闲 1 GiB'],
    ['step 4: nothing fits', '第 4 步：都放不下'],
    ['step 4: step 5: 1 GiB are free', '第 4 步：第 5 步：空闲 1 GiB'],
    ['on device a? no: b', 'b，不在设备 a 上'],
    // The more exact of two.
    ['7 free blocks', '7 个空闲块'],
    // Sentences in a row.
    ['step 1: 2 blocks; nothing fits; torch.cat', '第 1 步：2 个块；都放不下；torch.cat'],
    // A figure before a name that is known.
    ['step 3: 12 nothing fits', '第 3 步：12 都放不下'],
    // Lists, where a name of one is known.
    ['step 1: torch.cat, nothing fits, x', '第 1 步：torch.cat、都放不下、x'],
    // Names and figures stay as they are.
    ['step train.py:12 in step: torch.cat', '第 train.py:12 in step 步：torch.cat'],
  ])('%j is %j', (english, chinese) => {
    expect(read(english)?.text).toBe(chinese);
  });

  it('cuts two sentences between them, not within one that ends as another template does', () => {
    const twoSentences = sentenceReader({
      '{0} of the device is outside': '设备上有 {0} 在外面',
      '{0}. Besides, {1}': '{0}。此外，{1}',
      'the cache has {0}': '缓存有 {0}',
    });
    expect(twoSentences('the cache has 61 MiB. Besides, 552 MiB of the device is outside')?.text).toBe(
      '缓存有 61 MiB。此外，设备上有 552 MiB 在外面',
    );
  });

  it('is cut where least English is left: the words of a template may stand in what is put in', () => {
    expect(read('step 1: x: 2 blocks')).toMatchObject({ values: ['1', 'x: 2 blocks'] });
    expect(read('step a: b: 2 blocks: nothing fits')?.values).toEqual(['a: b: 2 blocks', 'nothing fits']);
  });

  it.each([
    'nothing fits here',
    'were needed; 1 GiB',
    ' blocks',
    '',
    // A sentence of a newer version inside one that is known: not half of it is translated.
    'step 4: the allocator of another world gave up at once',
  ])('that is none (%j) has no words in another language', (text) => {
    expect(read(text)).toBeUndefined();
  });

  it('is read by marks alone only where a part of it is known', () => {
    const readFile = sentenceReader({ 'nothing fits': '都放不下', '{0}: {1}': '{0}：{1}' });
    expect(readFile('a.pickle: nothing fits')?.text).toBe('a.pickle：都放不下');
    expect(readFile('a.pickle: gone')).toBeUndefined();
  });

  it('is not searched without end: a text of many parts is no sentence of a model', () => {
    expect(read('step 1: '.repeat(20_000) + 'x') === undefined).toBe(true);
    // Short of that it ends, too.
    expect(read('step 1: '.repeat(600) + 'x')).not.toBe(null);
  });
});
