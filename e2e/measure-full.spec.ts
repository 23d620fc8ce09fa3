/** Measure, whole: every row of the quick preset in the page, and the same page with the keyboard alone. */
import { readFileSync } from 'node:fs';
import { type Page } from 'playwright/test';
import { readReport } from '../src/model/report/read.js';
import { expect, test, watch } from './site.js';

const SMALL = '#measure?v=1&filter=%2Fvec4%2F1MiB%7Ccopy-buffer';
const STEMS = [
  ...['tiers/register', 'tiers/workgroup', 'tiers/sweep', 'tiers/latency', 'tiers/copy-buffer', 'tiers/clear-buffer'],
  ...['read', 'write', 'copy', 'scale', 'add', 'triad', 'strided-', 'random'].map((name) => `tiers/global/${name}`),
  ...['write-buffer', 'mapped-at-creation', 'map-ring', 'readback'].map((name) => `transfer/${name}`),
  ...['dispatch', 'pass', 'submit', 'empty-queue', 'map-4B'].map((name) => `dispatch/${name}`),
];

const line = (page: Page) => page.locator('app-run-bar .line');

async function savedBy(page: Page, by: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), by()]);
  return readReport(readFileSync(await download.path(), 'utf8'), download.suggestedFilename());
}

test('runs every row of the quick preset in the page, sound and named', async ({ page, site }) => {
  test.setTimeout(240_000);
  const { problems } = watch(page, site);
  await page.goto(`${site}#measure?v=1&preset=quick`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(line(page)).toContainText('Done in', { timeout: 180_000 });
  const report = await savedBy(page, () => page.keyboard.press('e'));
  expect(report.complete).toBe(true);
  expect(report.results.filter(({ status }) => status === 'failed')).toEqual([]);
  for (const stem of STEMS) {
    expect(report.results.filter(({ id }) => id.startsWith(stem)).length, stem).toBeGreaterThan(0);
  }
  for (const row of report.results) {
    if (row.status === 'measured') {
      expect(row.verified, row.id).toBe(true);
      expect(row.value, row.id).toBeGreaterThan(0);
    } else expect(row.reason, row.id).not.toBe('');
  }
  await expect(page.locator('app-tier-bars')).toContainText(/GB\/s|not resolved/);
  expect(problems).toEqual([]);
});

test('is driven by the keyboard alone', async ({ page, site }) => {
  const { problems } = watch(page, site);
  await page.goto(site + SMALL);
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await page.keyboard.press('r');
  await expect(line(page)).toContainText('Done in', { timeout: 60_000 });
  expect((await savedBy(page, () => page.keyboard.press('e'))).complete).toBe(true);

  const plot = page.locator('app-line-chart .plot').first();
  for (let i = 0; i < 80 && !(await plot.evaluate((each) => each.matches(':focus'))); i++)
    await page.keyboard.press('Tab');
  await expect(plot).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('app-line-chart').first()).toContainText(/GB\/s/);

  await page.keyboard.press('h');
  const dialog = page.locator('app-runs-dialog dialog');
  await expect(dialog).toBeVisible();
  const rename = dialog.getByRole('button', { name: /^Rename/ }).first();
  for (let i = 0; i < 40 && !(await rename.evaluate((each) => each.matches(':focus'))); i++)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('by keys');
  await page.keyboard.press('Enter');
  await expect(dialog.locator('.list tbody tr th').first()).toHaveText('by keys');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.keyboard.press('?');
  await expect(page.locator('app-help-dialog dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+P');
  await expect(page.locator('app-measure-page')).toHaveAttribute('presenting', '');
  await page.keyboard.press('Shift+P');
  expect(problems).toEqual([]);
});
