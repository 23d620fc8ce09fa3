/** The lab without a network, under a path of any server, and how a newer version is taken. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from 'playwright/test';
import { expect, test as base } from './site.js';
import { type PlainSite, startPlainSite } from './support/plain-site.js';

const test = base.extend<{ plain: PlainSite }>({
  plain: async ({ browserName }, use) => {
    expect(browserName).toBe('chromium');
    const plain = await startPlainSite();
    await use(plain);
    await plain.remove();
  },
});
test.use({ serviceWorkers: 'allow' });

const LADDER = '#measure?v=1&filter=%2Fvec4%2F1MiB%7Ccopy-buffer';
const RUN_LIMIT_MS = 60_000;

/** Settles once every file is kept and the page is served from what is kept. */
const kept = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null));

async function runsLadder(page: Page): Promise<void> {
  await page.locator('app-run-bar').getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.locator('app-run-bar .line')).toContainText('Done in', { timeout: RUN_LIMIT_MS });
  expect(await page.locator('app-results-table tbody tr').count()).toBeGreaterThan(3);
  await expect(page.locator('app-results-table tbody tr').first()).toContainText('verified');
}

test('after one visit, and without the network, a reload, every page, a lesson and a ladder run still work', async ({
  page,
  plain,
}) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(plain.url + LADDER);
  await kept(page);
  await plain.cut();
  await page.reload();
  await runsLadder(page);

  for (const tab of await page.locator('app-shell-bar nav a').all()) {
    await tab.click();
    await expect(page.locator('main > :not([hidden]):not(h1)')).toBeVisible();
    await expect(page.locator('main > .waiting')).toHaveCount(0);
  }
  await page.goto(`${plain.url}#lesson?v=1&lesson=holes&step=checkerboard`);
  await page.reload();
  const lesson = page.locator('app-lesson-page');
  await expect(lesson.locator('.question')).toContainText('Twelve tensors');
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await expect(lesson.locator('.happened')).toContainText('Out of memory: 30 MiB free in 6 holes');
  await expect(lesson.locator('app-memory-view')).toContainText('30.0 free in 6 holes');
  await page.keyboard.press('g');
  await expect(lesson.locator('.came .ok')).toContainText('out of memory on real buffers', { timeout: RUN_LIMIT_MS });
  expect(problems).toEqual([]);
});

test('without COOP and COEP the clock says what it is', async ({ page, plain }) => {
  await page.goto(plain.url + LADDER);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  await expect(page.locator('app-adapter-card')).toContainText(/performance\.now\s+\S+ µs, not isolated/);
  await runsLadder(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    (async () => {
      await page.locator('app-run-bar').getByRole('button', { name: 'Export', exact: true }).click();
      await page
        .locator('app-run-bar')
        .getByRole('button', { name: /^Report/ })
        .click();
    })(),
  ]);
  const report = JSON.parse(readFileSync(await download.path(), 'utf8')) as {
    environment: { crossOriginIsolated: boolean; clock: { kind: string; gridNs: number } };
  };
  expect(report.environment.crossOriginIsolated).toBe(false);
  expect(report.environment.clock.gridNs).toBeGreaterThan(0);
});

test('a newer version waits until it is asked for, and is there after it', async ({ page, plain }) => {
  await page.goto(plain.url + LADDER);
  await kept(page);
  const index = join(plain.folder, 'index.html');
  writeFileSync(index, readFileSync(index, 'utf8').replace('<head>', '<head><meta name="version" content="newer" />'));
  const worker = join(plain.folder, 'sw.js');
  const text = readFileSync(worker, 'utf8');
  const changed = text.replace(/(url:"index\.html",revision:")[^"]+/, '$1newer');
  expect(changed).not.toBe(text);
  writeFileSync(worker, changed);

  await page.reload();
  const notice = page.locator('app-shell .notices').filter({ hasText: 'A newer version of the lab is here' });
  await expect(notice).toBeVisible();
  await expect(page.locator('meta[name=version]')).toHaveCount(0);
  await notice.getByRole('button', { name: 'Load it' }).click();
  await expect(page.locator('meta[name=version]')).toHaveAttribute('content', 'newer');
  await expect(notice).toBeHidden();
});

test('can be installed: a manifest with icons of both sizes, found under the path it is served from', async ({
  page,
  plain,
}) => {
  await page.goto(plain.url);
  const client = await page.context().newCDPSession(page);
  const { url, errors } = await client.send('Page.getAppManifest');
  expect([url, errors]).toEqual([`${plain.url}app.webmanifest`, []]);
  await kept(page);
  const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
});
