/** The lessons on screens of a room: axe in both themes, and no text that overflows its place in either language. */
import { type Page } from 'playwright/test';
import { LESSON_ENTRIES } from '../src/model/lesson/contents.js';
import { LANGUAGES } from '../src/model/lesson/local-text.js';
import { expect, test } from './site.js';
import { violations } from './support/axe.js';

const lessonPage = (page: Page) => page.locator('app-lesson-page');
const follow = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

for (const theme of ['light', 'dark'] as const) {
  for (const present of ['', '&present=1']) {
    test(`axe finds nothing: list, step, answer, bars, glossary (${theme}${present})`, async ({ page, site }) => {
      test.setTimeout(120_000);
      await page.setViewportSize({ width: 1024, height: 768 });
      const at = `#lesson?v=1&theme=${theme}${present}`;
      await page.goto(site + at);
      await expect(lessonPage(page).locator('.lessons li')).toHaveCount(LESSON_ENTRIES.length);
      expect(await violations(page)).toEqual([]);
      await follow(page, `${at}&lesson=concat&step=small-fails&pick=A`);
      await expect(lessonPage(page).getByRole('button', { name: 'Show what happens' })).toBeEnabled();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await expect(lessonPage(page).locator('.happened')).toBeVisible();
      await expect(lessonPage(page).locator('app-memory-view')).toContainText('22.0 not reserved');
      expect(await violations(page)).toEqual([]);
      await follow(page, `${at}&lesson=training&step=seven-b&pick=B&reveal=1&lang=zh`);
      await expect(lessonPage(page).locator('app-plan-bars')).toContainText('权重 14 GB');
      expect(await violations(page)).toEqual([]);
      await follow(page, `${at}&screen=words&lang=zh`);
      await expect(lessonPage(page).locator('.words')).toContainText('外部碎片');
      expect(await violations(page)).toEqual([]);
    });
  }
}

/** Places of the page whose content is larger than they are. */
const overflowing = (page: Page) =>
  lessonPage(page).evaluate((host) => {
    const over: string[] = [];
    for (const place of ['.head', '.ask', '.body', '.stage', '.foot']) {
      const element = host.shadowRoot?.querySelector(place);
      if (element === null || element === undefined) throw new Error(`no ${place}`);
      if (element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1)
        over.push(place);
    }
    if (document.documentElement.scrollWidth > innerWidth) over.push('page');
    // A map that is higher than its place covers the legend under it.
    const view = host.shadowRoot?.querySelector('app-lesson-scene')?.shadowRoot?.querySelector('app-memory-view');
    const maps = view?.shadowRoot?.querySelector('.sides');
    if (maps && maps.scrollHeight > maps.clientHeight + 1) over.push('map');
    return over;
  });

for (const [width, height, present] of [
  [1024, 768, ''],
  [1024, 768, '&present=1'],
  [1920, 1080, '&present=1'],
] as const) {
  test(`no text of any step overflows in either language at ${width} x ${height}${present}`, async ({ page, site }) => {
    test.setTimeout(240_000);
    await page.setViewportSize({ width, height });
    await page.goto(`${site}#lesson?v=1${present}`);
    const over: unknown[] = [];
    for (const { id, steps } of LESSON_ENTRIES) {
      for (const step of steps) {
        for (const language of LANGUAGES) {
          await follow(page, `lesson?v=1${present}&lesson=${id}&step=${step}&pick=A&reveal=1&lang=${language}`);
          await expect(lessonPage(page).locator(`.happened > span[lang^=${language}]`)).toBeVisible({
            timeout: 15_000,
          });
          await expect(page).toHaveURL(new RegExp(`step=${step}&`));
          const places = await overflowing(page);
          if (places.length > 0) over.push([id, step, language, places]);
        }
      }
    }
    expect(over).toEqual([]);
  });
}

test('at 200 % zoom the page does not scroll sideways, and everything is there', async ({ page, site }) => {
  // 1024 x 768 at 200 % are 512 x 384 CSS pixels.
  await page.setViewportSize({ width: 512, height: 384 });
  await page.goto(`${site}#lesson?v=1&present=1&lesson=concat&step=small-fails&pick=A&reveal=1`);
  await expect(lessonPage(page).locator('.happened')).toContainText('72 MiB needed');
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await lessonPage(page).locator('.keep').scrollIntoViewIfNeeded();
  await expect(lessonPage(page).locator('.keep')).toBeInViewport();
  await lessonPage(page).locator('app-memory-view').scrollIntoViewIfNeeded();
  await expect(lessonPage(page).locator('app-memory-view')).toBeInViewport();
});

test('without WebGPU the model shows every step, and says so', async ({ page, site }) => {
  await page.addInitScript('delete Navigator.prototype.gpu');
  await page.goto(`${site}#lesson?v=1&lesson=concat&step=small-fails&pick=B&reveal=1`);
  await expect(lessonPage(page).locator('.happened')).toContainText('72 MiB needed');
  await expect(lessonPage(page).locator('.device')).toContainText('no WebGPU adapter: what you see is the model');
});
