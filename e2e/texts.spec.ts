/**
 * Every page in both languages on projectors, and at 200 % zoom: no text is cut or runs out of its place, none stays English in Chinese,
 * and a switch of the language keeps what is on screen.
 */
import { type Page } from 'playwright/test';
import { LANGUAGE_NAMES } from '../src/app/locale.js';
import { LANGUAGE_TAGS, LANGUAGES } from '../src/model/lesson/local-text.js';
import { expect, test } from './site.js';
import { violations } from './support/axe.js';
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

/** What of a picture is checked, with its size: presenter mode on projectors, and at 200 % zoom (half the pixels). */
const PROJECTORS = [
  [1024, 768],
  [1920, 1080],
  [960, 540],
  [512, 384],
] as const;

/** Gives the look of the link, as a person who follows one would: the page stays. */
const giveTheme = async (page: Page, theme: 'light' | 'dark') => {
  await page.evaluate((to) => {
    const [name, rest = ''] = location.hash.slice(1).split('?');
    const view = new URLSearchParams(rest);
    view.set('theme', to);
    location.hash = `${name ?? ''}?${view.toString()}`;
  }, theme);
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
};

for (const language of LANGUAGES) {
  for (const { name, hash, settle } of SCREENS) {
    test(`${name} in ${language}: every text has its place, plain and in presenter mode`, async ({
      page,
      site,
    }, info) => {
      test.setTimeout(180_000);
      const checkTexts = async (where: string) => {
        expect(await cutTexts(page), where).toEqual([]);
        if (language === 'zh') expect(await englishTexts(page), where).toEqual([]);
      };
      await page.setViewportSize(PROJECTOR);
      await page.goto(`${site}${hash}&lang=${language}`);
      await settle(page);
      await expect(page.locator('html')).toHaveAttribute('lang', LANGUAGE_TAGS[language]);
      await page.screenshot({ path: info.outputPath(`${name}-${language}-plain.png`) });
      await checkTexts('plain');
      // By key here, by link below.
      await page.keyboard.press('Shift+P');
      await expect(page.locator('html')).toHaveAttribute('data-present');
      await expect(page).toHaveURL(/present=1/);
      for (const [width, height] of PROJECTORS) {
        await page.setViewportSize({ width, height });
        await page.screenshot({ path: info.outputPath(`${name}-${language}-${width}.png`) });
        await checkTexts(`presenter at ${width} x ${height}`);
      }
      await page.setViewportSize(PROJECTOR);
      for (const theme of ['light', 'dark'] as const) {
        await giveTheme(page, theme);
        await page.screenshot({ path: info.outputPath(`${name}-${language}-${theme}.png`) });
        expect(await violations(page), theme).toEqual([]);
      }
    });
  }
}

test('a link opens every page in presenter mode', async ({ page, site }) => {
  for (const { hash } of SCREENS) {
    await page.goto('about:blank');
    await page.goto(`${site}${hash}&present=1`);
    await expect(page.locator('html')).toHaveAttribute('data-present');
    await expect(page.locator('main > [presenting]:not([hidden])')).toBeVisible();
  }
});

const OPENED: readonly { readonly name: string; readonly open: (page: Page) => Promise<void>; readonly box: string }[] =
  [
    { name: 'palette', open: (page) => page.keyboard.press('Control+k'), box: 'app-command-palette dialog' },
    { name: 'help', open: (page) => page.keyboard.press('?'), box: 'app-help-dialog dialog' },
    { name: 'runs', open: (page) => page.keyboard.press('h'), box: 'app-runs-dialog dialog' },
  ];

for (const language of LANGUAGES) {
  test(`dialogs in ${language}: every text has its place`, async ({ page, site }) => {
    await page.setViewportSize(PROJECTOR);
    await page.goto(`${site}#measure?v=1&lang=${language}`);
    await expect(page.locator('app-run-bar button.primary')).toBeEnabled();
    for (const look of ['plain', 'presenter'] as const) {
      if (look === 'presenter') await page.keyboard.press('Shift+P');
      for (const { name, open, box } of OPENED) {
        await open(page);
        await expect(page.locator(box)).toBeVisible();
        expect(await cutTexts(page), `${name}, ${look}`).toEqual([]);
        if (language === 'zh') expect(await englishTexts(page), `${name}, ${look}`).toEqual([]);
        expect(await violations(page), `${name}, ${look}`).toEqual([]);
        await page.keyboard.press('Escape');
        await expect(page.locator(box)).toBeHidden();
      }
    }
  });
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
