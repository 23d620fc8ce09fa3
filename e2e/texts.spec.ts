/**
 * Every page in both languages on a small projector: no text is cut or runs out of its place, none stays English in Chinese,
 * and a switch of the language keeps what is on screen.
 */
import { type Page } from 'playwright/test';
import { LANGUAGE_NAMES } from '../src/app/locale.js';
import { LANGUAGE_TAGS, LANGUAGES } from '../src/model/lesson/local-text.js';
import { expect, test } from './site.js';
import { ladderReport } from './support/ladder-report.js';
import { cutTexts, englishTexts } from './support/texts.js';

const PROJECTOR = { width: 1024, height: 768 };
const READY_MS = 30_000;

/** What each page shows once it has something to show. */
const SCREENS: readonly {
  readonly name: string;
  readonly hash: string;
  readonly settle: (page: Page) => Promise<void>;
}[] = [
  {
    name: 'measure',
    hash: '#measure?v=1',
    settle: async (page) => {
      await expect(page.locator('app-run-bar button.primary')).toBeEnabled();
      await page.keyboard.press('h');
      await page.locator('app-runs-dialog input[type=file]').setInputFiles({
        name: 'ladder.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(ladderReport)),
      });
      await expect(page.locator('app-results-table tbody tr').first()).toBeAttached();
      await page.keyboard.press('Escape');
      await expect(page.locator('app-runs-dialog dialog')).toBeHidden();
    },
  },
  {
    name: 'lab',
    hash: '#lab?v=1',
    settle: (page) => expect(page.locator('app-why-panel')).toContainText(/\d/, { timeout: READY_MS }),
  },
  {
    name: 'diagnose',
    hash: '#diagnose?v=1',
    settle: async (page) => {
      await page.locator('app-diagnose-page button.example').first().click();
      await expect(page.locator('app-verdict-card h2')).toBeVisible({ timeout: READY_MS });
      await expect(page.locator('app-whatif-table tbody tr').first()).toBeVisible({ timeout: READY_MS });
    },
  },
  {
    name: 'plan',
    hash: '#plan?v=1',
    settle: (page) => expect(page.locator('app-plan-page')).toContainText(/GiB/, { timeout: READY_MS }),
  },
  {
    name: 'lessons',
    hash: '#lesson?v=1',
    settle: (page) => expect(page.locator('app-lesson-page .title').first()).toBeVisible(),
  },
  {
    name: 'lesson',
    hash: '#lesson?v=1&lesson=holes&step=pin&pick=B&reveal=1',
    settle: (page) => expect(page.locator('app-lesson-page .keep')).toBeVisible({ timeout: READY_MS }),
  },
  {
    name: 'glossary',
    hash: '#lesson?v=1&screen=words',
    settle: (page) => expect(page.locator('app-lesson-page table').first()).toBeVisible(),
  },
];

for (const language of LANGUAGES) {
  for (const { name, hash, settle } of SCREENS) {
    test(`${name} in ${language}: every text has its place at 1024 x 768`, async ({ page, site }, info) => {
      await page.setViewportSize(PROJECTOR);
      await page.goto(`${site}${hash}&lang=${language}`);
      await settle(page);
      await expect(page.locator('html')).toHaveAttribute('lang', LANGUAGE_TAGS[language]);
      for (const look of ['plain', 'presenter'] as const) {
        if (look === 'presenter') {
          await page.keyboard.press('Shift+P');
          await expect(page.locator('html')).toHaveAttribute('data-present');
        }
        await page.screenshot({ path: info.outputPath(`${name}-${language}-${look}.png`) });
        expect(await cutTexts(page), look).toEqual([]);
        if (language === 'zh') expect(await englishTexts(page), look).toEqual([]);
      }
    });
  }
}

test('the check of places finds a text that is cut, and one that leaves its box', async ({ page }) => {
  await page.setContent(`
    <button id="fits" style="width: 200px; overflow: hidden">Run</button>
    <button id="cut" style="width: 20px; overflow: hidden; white-space: nowrap">A long name</button>
    <p id="dots" style="width: 40px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">A long name</p>
    <p id="titled" title="A long name" style="width: 40px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">A long name</p>
    <div id="out" style="width: 30px; white-space: nowrap">A long name</div>`);
  expect(await cutTexts(page)).toEqual(['button#cut: A long name', 'p#dots: A long name', 'div#out: A long name']);
});

test('the language is switched without a reload, keeps what is on screen, and is remembered', async ({
  page,
  site,
}) => {
  await page.goto(`${site}#lesson?v=1&lesson=holes&step=pin&pick=B&reveal=1`);
  const lesson = page.locator('app-lesson-page');
  await expect(lesson.locator('.keep')).toBeVisible({ timeout: READY_MS });
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  const bar = page.locator('app-shell-bar');
  await bar.getByRole('button', { name: LANGUAGE_NAMES.zh, exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  await expect(bar.getByRole('link', { name: '课程' })).toHaveAttribute('aria-current', 'page');
  await expect(page).toHaveURL(/lang=zh/);
  await expect(page).toHaveURL(/lesson=holes&step=pin&pick=B&reveal=1/);
  await expect(lesson.locator('.answers [aria-checked="true"]')).toContainText('你的猜测');
  await expect(page).toHaveTitle(/课程/);
  expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);

  await page.goto('about:blank');
  await page.goto(site);
  await expect(bar.getByRole('button', { name: LANGUAGE_NAMES.zh, exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(bar.getByRole('link', { name: '测量' })).toBeVisible();
  await bar.getByRole('button', { name: LANGUAGE_NAMES.en, exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(bar.getByRole('link', { name: 'Measure' })).toBeVisible();
});

test('a first visit speaks the language that the browser prefers', async ({ browser, site }) => {
  const context = await browser.newContext({ locale: 'zh-CN', serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto(site);
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans');
  await context.close();
});
