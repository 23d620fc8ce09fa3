/** Runs that the page keeps: history, reload, comparison, damage; and each export opened again. */
import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Page } from 'playwright/test';
import { readReport } from '../src/model/report/read.js';
import { expect, test, watch } from './site.js';

const SMALL = '#measure?v=1&filter=%2Fvec4%2F1MiB';
const RUN_LIMIT_MS = 60_000;
const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const bar = (page: Page) => page.locator('app-run-bar');
const dialog = (page: Page) => page.locator('app-runs-dialog');
const lines = (page: Page) => dialog(page).locator('.list tbody tr');

async function runOnce(page: Page): Promise<void> {
  await bar(page)
    .getByRole('button', { name: /^Run( again)?$/ })
    .click();
  await expect(bar(page).locator('.line')).toContainText('Done in', { timeout: RUN_LIMIT_MS });
}
const openRuns = async (page: Page) => {
  await bar(page).getByRole('button', { name: /^Runs/ }).click();
  await expect(dialog(page).locator('dialog')).toBeVisible();
};
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).withTags(LEVELS).analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
async function download(page: Page, item: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  await bar(page).getByRole('button', { name: 'Export', exact: true }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    bar(page).locator('app-export-menu .menu').getByRole('button', { name: item }).click(),
  ]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

test('keeps runs over a reload, renames, compares two, deletes and undoes', async ({ page, site }) => {
  const { problems } = watch(page, site);
  await page.goto(site + SMALL);
  await runOnce(page);
  await runOnce(page);
  await expect(bar(page).getByRole('button', { name: 'Runs (2)' })).toBeVisible();
  const shown = await page.locator('app-results-table tbody').innerText();
  await page.reload();
  await expect(bar(page).locator('.line')).toContainText('kept run');
  expect(await page.locator('app-results-table tbody').innerText()).toBe(shown);

  await openRuns(page);
  expect(await violations(page)).toEqual([]);
  await dialog(page)
    .getByRole('button', { name: /^Rename/ })
    .first()
    .click();
  await dialog(page).getByRole('textbox', { name: 'Name of the run' }).fill('after the driver');
  await page.keyboard.press('Enter');
  await expect(lines(page).first().locator('th')).toHaveText('after the driver');

  await dialog(page).getByRole('button', { name: 'Compare A with B' }).click();
  const compared = dialog(page).locator('.comparison tbody tr');
  await expect(compared.first()).toBeVisible();
  expect(await compared.count()).toBe(shown.split('\n').filter((line) => line.startsWith('tiers/')).length);
  await expect(dialog(page).locator('.comparison h3')).toContainText('B after the driver');
  await expect(compared.first()).toContainText(/faster|slower|same|ambiguous/);
  await expect(compared.first().locator('td').nth(3)).toHaveText(/\d\.\d{3} – \d\.\d{3}/);
  expect(await violations(page)).toEqual([]);

  await dialog(page).getByRole('button', { name: 'Delete after the driver' }).click();
  await expect(lines(page)).toHaveCount(1);
  await dialog(page).getByRole('button', { name: 'Undo' }).click();
  await expect(lines(page)).toHaveCount(2);
  await page.reload();
  await openRuns(page);
  await expect(lines(page).first().locator('th')).toHaveText('after the driver');
  expect(problems).toEqual([]);
});

test('refuses a damaged run in words and leaves the others as they were', async ({ page, site }) => {
  await page.goto(site + SMALL);
  await runOnce(page);
  await runOnce(page);
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('vramlab-runs');
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = database.transaction(['heads', 'reports'], 'readwrite');
    const heads = await new Promise<{ readonly id: string; readonly createdAt: string }[]>((resolve) => {
      const request = transaction.objectStore('heads').getAll();
      request.onsuccess = () => resolve(request.result);
    });
    const [newest] = heads.sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    transaction.objectStore('reports').put('{"schema":"vramlab-report","version":1,"too', newest?.id);
    transaction.objectStore('heads').put({ nothing: true }, 'a-damaged-head');
    await new Promise<void>((resolve) => (transaction.oncomplete = () => resolve()));
    database.close();
  });
  await page.reload();
  await expect(page.locator('app-measure-page .notices')).toContainText('this kept run: the file is cut');
  await expect(bar(page).locator('.line')).toContainText('No run yet');
  await openRuns(page);
  await expect(lines(page)).toHaveCount(3);
  await expect(lines(page).nth(2)).toContainText('This run is damaged and cannot be read');
  await lines(page).nth(1).getByRole('button', { name: /^Open/ }).click();
  await expect(bar(page).locator('.line')).toContainText('kept run');
  await expect(page.locator('app-measure-page .notices')).toHaveText('');
  await openRuns(page);
  await dialog(page).getByRole('button', { name: 'Delete the damaged run' }).click();
  await expect(lines(page)).toHaveCount(2);
});

test('says that runs are not kept where the browser gives no storage, and still runs', async ({ page, site }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('denied', 'SecurityError');
    };
  });
  await page.goto(site + SMALL);
  await expect(page.locator('app-measure-page .notices')).toContainText('Runs are not kept');
  await runOnce(page);
  await expect(page.locator('app-measure-page .notices')).toContainText('Runs are not kept');
});

test('says that the storage is full when it is', async ({ page, site }) => {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('no room', 'QuotaExceededError');
    };
  });
  await page.goto(site + SMALL);
  await runOnce(page);
  await expect(page.locator('app-measure-page .notices')).toContainText('the browser has no room left');
  await expect(page.locator('app-results-table tbody tr').first()).toBeVisible();
});

test('every export opens again', async ({ page, site, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(site + SMALL);
  await runOnce(page);
  const ids = await page.locator('app-results-table tbody th').allTextContents();

  const json = await download(page, 'Report JSON');
  expect(readReport(json.bytes.toString(), json.name).results.map((row) => row.id)).toEqual(ids);
  const rows = (await download(page, 'Rows CSV')).bytes.toString().trimEnd().split('\r\n');
  expect(rows.slice(1).map((line) => line.split(',')[0])).toEqual(ids);
  const samples = (await download(page, 'Raw samples CSV')).bytes.toString().trimEnd().split('\r\n');
  expect(samples.length).toBeGreaterThan(rows.length);
  const markdown = await download(page, 'Summary Markdown');
  expect(ids.every((id) => markdown.bytes.toString().includes(id))).toBe(true);
  const junit = await download(page, 'Test results JUnit XML');
  const cases = await page.evaluate(
    (text) => new DOMParser().parseFromString(text, 'application/xml').querySelectorAll('testcase').length,
    junit.bytes.toString(),
  );
  expect(cases).toBeGreaterThanOrEqual(ids.length);

  const picture = await download(page, 'All charts PNG');
  expect(picture.bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([picture.bytes.readUInt32BE(16), picture.bytes.readUInt32BE(20) > 1000]).toEqual([2400, true]);
  expect(picture.bytes.length).toBeGreaterThan(20_000);

  const sheet = await download(page, 'Page for sharing HTML');
  const shared = await context.newPage();
  const requests: string[] = [];
  shared.on('request', (request) => requests.push(request.url()));
  await shared.route('**/shared.html', (route) => route.fulfill({ contentType: 'text/html', body: sheet.bytes }));
  await shared.goto('https://example.com/shared.html');
  await expect(shared.locator('h1')).toContainText('Software');
  expect(await shared.locator('svg.chart').count()).toBeGreaterThan(0);
  expect(await shared.locator('script').count()).toBe(0);
  for (const id of ids) await expect(shared.locator('section tbody th', { hasText: id }).first()).toBeVisible();
  expect(requests).toEqual(['https://example.com/shared.html']);
  expect(await violations(shared)).toEqual([]);

  await bar(page).getByRole('button', { name: 'Export', exact: true }).click();
  await bar(page).locator('app-export-menu .menu').getByRole('button', { name: 'Copy link' }).click();
  await expect(page.locator('app-measure-page').getByText('The link was copied.')).toBeAttached();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
});
