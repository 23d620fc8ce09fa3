/** One job at a time on the GPU, with words: between pages, and between two tabs of one browser. */
import { type Page } from 'playwright/test';
import { expect, test } from './site.js';

const STEP = 'lesson?v=1&lesson=holes&step=checkerboard&pick=A&reveal=1';
const RUN_LIMIT_MS = 60_000;

const runBar = (page: Page) => page.locator('app-run-bar');
const device = (page: Page) => page.locator('app-lesson-page .device');
const runStep = (page: Page) => device(page).getByRole('button', { name: /Run it on this machine/ });
const tab = (page: Page, name: string) => page.locator('app-shell-bar nav').getByRole('link', { name }).click();

async function startMeasure(page: Page, site: string): Promise<void> {
  await page.goto(`${site}#measure?v=1`);
  await runBar(page).getByRole('button', { name: 'Run', exact: true }).click();
  await expect(runBar(page).getByRole('button', { name: 'Cancel' })).toBeVisible();
}

test('while Measure has the GPU a lesson and the Lab wait, and say so', async ({ page, site }) => {
  await startMeasure(page, site);
  await page.evaluate((to) => {
    location.hash = to;
  }, STEP);
  await expect(device(page)).toContainText('Measure has the GPU now.');
  await expect(runStep(page)).toBeDisabled();
  await tab(page, 'Lab');
  await expect(page.locator('app-lab-page .run')).toContainText('Measure has the GPU now.');
  await expect(page.locator('app-lab-page').getByRole('button', { name: 'Run both on the GPU' })).toBeDisabled();
  await tab(page, 'Measure');
  await runBar(page).getByRole('button', { name: 'Cancel' }).click();
  await tab(page, 'Lesson');
  await expect(runStep(page)).toBeEnabled();
  await runStep(page).click();
  await expect(device(page).locator('.came .ok')).toContainText('out of memory on real buffers', {
    timeout: RUN_LIMIT_MS,
  });
});

test('while a lesson has the GPU Measure waits, and another step can stop it', async ({ page, site }) => {
  await page.goto(`${site}#lesson?v=1&lesson=reuse&step=hundred&pick=A&reveal=1`);
  await runStep(page).click();
  await expect(device(page).getByRole('button', { name: 'Cancel' })).toBeVisible();
  await tab(page, 'Measure');
  await expect(runBar(page)).toContainText('A lesson has the GPU now.');
  await expect(runBar(page).getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await tab(page, 'Lesson');
  await page.keyboard.press('PageDown');
  await expect(device(page)).toContainText('A lesson has the GPU now.');
  await device(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(runStep(page)).toBeEnabled();
  await page.keyboard.press('PageUp');
  await expect(device(page)).toContainText('Cancelled.');
});

test('a second tab waits for the first, says so, and goes on when it is done', async ({ page, context, site }) => {
  await startMeasure(page, site);
  const other = await context.newPage();
  await other.goto(`${site}#${STEP}`);
  await runStep(other).click();
  await expect(device(other)).toContainText('Another tab of the lab has the GPU now. Wait for it, or cancel it there.');
  await expect(runStep(other)).toBeDisabled();
  await tab(other, 'Measure');
  await expect(runBar(other)).toContainText('Another tab of the lab has the GPU now.');
  await runBar(page).getByRole('button', { name: 'Cancel' }).click();
  await tab(other, 'Lesson');
  await expect(runStep(other)).toBeEnabled({ timeout: RUN_LIMIT_MS });
  await expect(device(other)).not.toContainText('Another tab');
});
