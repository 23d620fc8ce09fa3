/** The forms in which a run leaves the page: what people read follows the language of the lab, what machines read does not. */
import { afterEach, describe, expect, it } from 'vitest';
import { measured, sampleReport } from '../model/report/testing/report-sample.js';
import { type Report } from '../model/report/schema.js';
import { exportReport } from './exports.js';
import { showLanguage } from './locale.js';

afterEach(() => showLanguage('en'));

const SWEEP = [1, 2, 4].map((size) =>
  measured(`tiers/sweep/${size}MiB`, 10 * size, { workingSet: size * 2 ** 20, flags: ['derived', 'outliers'] }),
);
const REPORT: Report = {
  ...sampleReport,
  argv: [],
  complete: false,
  results: [...SWEEP, { id: 'tiers/latency', suite: 'tiers', status: 'skipped', unit: 'ns', reason: 'no figure' }],
  experiments: [
    {
      id: 'oom/one',
      suite: 'oom',
      status: 'measured',
      provoked: 'create-max',
      observed: 'out-of-memory',
      recovered: true,
    },
    { id: 'oom/two', suite: 'oom', status: 'measured', variant: 'concat-caching', met: false, corruptWords: 0 },
    { id: 'oom/three', suite: 'oom', status: 'skipped', reason: 'the memory of the GPU process cannot be read' },
  ],
};
/** Texts of a page that hold two English words in a row; a list of names is none. */
const englishIn = (page: string): readonly string[] =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .split(/<[^>]*>/)
    .filter((text) => /[A-Za-z]{2,}[ ,]+[a-z]{2,}/.test(text.replace(/\uff08[a-z ]+\uff09/g, '')));

describe('exportReport', () => {
  it('writes the HTML page in the language of the lab', async () => {
    expect(exportReport(REPORT, 'html').text).toContain('<html lang="en">');
    expect(englishIn(exportReport(REPORT, 'html').text)).not.toEqual([]);
    await showLanguage('zh');
    const page = exportReport(REPORT, 'html').text;
    expect(page).toContain('<html lang="zh-Hans">');
    expect(englishIn(page)).toEqual([]);
    for (const words of ['引发 create-max', '已恢复：是', '实际 否', '读不到 GPU 进程的内存', '测得 3 项，跳过 1 项']) {
      expect(page).toContain(words);
    }
  });

  it('keeps the forms that machines read in English', async () => {
    for (const format of ['json', 'rows', 'samples', 'markdown', 'junit'] as const) {
      const english = exportReport(REPORT, format).text;
      await showLanguage('zh');
      expect(exportReport(REPORT, format).text).toBe(english);
      await showLanguage('en');
    }
  });
});
